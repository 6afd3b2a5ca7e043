"""Add the files whose games are kept in portions."""

import django.db.models.deletion
from django.db import migrations, models

import games.models.games


class Migration(migrations.Migration):
    dependencies = [("games", "0062_copy_letters")]

    operations = [
        migrations.CreateModel(
            name="GameImport",
            fields=[
                (
                    "id",
                    models.CharField(
                        default=games.models.games.new_game_id,
                        editable=False,
                        max_length=16,
                        primary_key=True,
                        serialize=False,
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="imports",
                        to="games.player",
                    ),
                ),
                ("name", models.CharField(max_length=100)),
                ("read", models.PositiveIntegerField(default=0)),
                ("kept", models.PositiveIntegerField(default=0)),
                ("known", models.PositiveIntegerField(default=0)),
                ("faulty", models.PositiveIntegerField(default=0)),
                ("faults", models.JSONField(default=list)),
                ("cancelled", models.BooleanField(default=False)),
                ("claimed", models.DateTimeField(null=True)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("ended", models.DateTimeField(null=True)),
            ],
            options={
                "default_permissions": (),
                "indexes": [
                    models.Index(
                        condition=models.Q(("ended", None)),
                        fields=["created"],
                        name="games_import_open",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="ImportPiece",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "whole",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pieces",
                        to="games.gameimport",
                    ),
                ),
                ("content", models.BinaryField()),
            ],
            options={"default_permissions": (), "ordering": ["pk"]},
        ),
    ]
