from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0009_lobby'),
    ]

    operations = [
        migrations.AddField(
            model_name='game',
            name='marks',
            field=models.JSONField(blank=True, default=list),
        ),
    ]
