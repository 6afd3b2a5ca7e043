"""Names of the people who share a device, one for each seat."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0011_game_fault")]

    operations = [
        migrations.AddField(
            "holder",
            "name",
            models.CharField(blank=True, default="", max_length=30, verbose_name="name"),
        ),
    ]
