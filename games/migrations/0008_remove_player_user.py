from django.db import migrations


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0007_reworded_texts'),
    ]

    operations = [
        migrations.RemoveField(model_name='player', name='user'),
    ]
