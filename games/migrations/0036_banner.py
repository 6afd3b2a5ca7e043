from __future__ import annotations

from django.db import migrations, models


class Migration(migrations.Migration):
    """Rename the field of a game's banner. Its column keeps its name, so nothing is written."""

    dependencies = [("games", "0035_insights")]

    operations = [
        migrations.AlterField(
            "game", "notice", models.JSONField(blank=True, db_column="notice", null=True)
        ),
        migrations.RenameField("game", "notice", "banner"),
    ]
