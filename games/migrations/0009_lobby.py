from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0008_remove_player_user'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='begun',
            field=models.BooleanField(default=True, verbose_name='begun'),
        ),
        migrations.AddField(
            model_name='game',
            name='lobby_salt',
            field=models.CharField(blank=True, default='', max_length=40),
        ),
        migrations.AddField(
            model_name='game',
            name='lobby_hash',
            field=models.CharField(blank=True, max_length=64, null=True, unique=True),
        ),
    ]
