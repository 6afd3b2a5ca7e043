"""Add the players whom hosts have asked for a game, and when those declined."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0070_puzzles_of_days")]

    operations = [
        migrations.AddField(
            "seat",
            "asked",
            models.ForeignKey(
                to="games.player",
                null=True,
                blank=True,
                on_delete=django.db.models.deletion.SET_NULL,
                db_constraint=False,
                db_index=False,
                related_name="asked_seats",
            ),
        ),
        migrations.AddField("seat", "declined", models.DateTimeField(null=True, blank=True)),
        migrations.AddIndex(
            "seat",
            models.Index(
                fields=["asked"],
                condition=models.Q(asked__isnull=False),
                name="games_seat_asked",
            ),
        ),
    ]
