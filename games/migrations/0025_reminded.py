"""When the player to move was last reminded of a game."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0024_closed_to_watchers")]

    operations = [
        migrations.AddField(
            "game", "reminded", models.DateTimeField(blank=True, null=True)
        ),
    ]
