"""Rename the notices of turns in the code alone: table and column keep their names."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0049_seen_times")]

    operations = [
        migrations.AlterModelTable("toldturn", "games_toldturn"),
        migrations.RenameModel("ToldTurn", "TurnNotice"),
        migrations.AlterField("turnnotice", "told", models.DateTimeField(db_column="told")),
        migrations.RenameField("turnnotice", "told", "claimed"),
        migrations.AlterField(
            "turnnotice",
            "game",
            models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="turn_notices",
                to="games.game",
            ),
        ),
        migrations.AlterField(
            "turnnotice",
            "player",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="turn_notices",
                to="games.player",
            ),
        ),
    ]
