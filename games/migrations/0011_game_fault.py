"""The fault of a game that no longer replays, found by ``verify_games --mark``."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0010_marks")]

    operations = [
        migrations.AddField(
            "game", "fault", models.JSONField(blank=True, null=True, verbose_name="fault")
        ),
    ]
