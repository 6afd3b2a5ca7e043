"""No query finds moves by their player: the index was a fifth of the database.

The constraint goes with it, or the deletion of a player would look at every move.
"""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0016_pack_values")]

    operations = [
        migrations.AlterField(
            "move",
            "player",
            models.ForeignKey(
                blank=True,
                db_constraint=False,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                to="games.player",
                verbose_name="player",
            ),
        ),
    ]
