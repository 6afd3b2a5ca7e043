"""Add the values of a game's positions as one block."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0055_questions")]

    operations = [
        migrations.CreateModel(
            name="PositionValues",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="games.game",
                    ),
                ),
                ("block", models.BinaryField()),
                ("seen", models.DateTimeField()),
            ],
            options={"verbose_name_plural": "values of games", "default_permissions": ()},
        ),
        migrations.AddField("evaluation", "glanced", models.BooleanField(blank=True, null=True)),
    ]
