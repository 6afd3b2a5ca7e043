"""Evaluations of positions that were tried out, and of the one that is looked at first."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0019_clocks")]

    operations = [
        migrations.AddField(
            "evaluation", "line", models.CharField(blank=True, default="", max_length=400)
        ),
        migrations.AddField(
            "evaluation", "looked_at", models.DateTimeField(blank=True, null=True)
        ),
        migrations.RemoveConstraint("evaluation", "evaluation_once"),
        migrations.AddConstraint(
            "evaluation",
            models.UniqueConstraint(
                fields=("game", "ply", "move_id", "line"), name="evaluation_once"
            ),
        ),
    ]
