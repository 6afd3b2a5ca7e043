"""Add classes of pupils, who hand in how their own programs did."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models

import games.models.games


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0066_thoughts"),
    ]

    operations = [
        migrations.CreateModel(
            name="SchoolClass",
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
                ("exercise", models.CharField(max_length=40, verbose_name="exercise")),
                ("hand_in_salt", models.CharField(max_length=40)),
                ("hand_in_hash", models.CharField(max_length=64, unique=True)),
                ("results_salt", models.CharField(max_length=40)),
                ("results_hash", models.CharField(max_length=64, unique=True)),
                ("closed", models.BooleanField(default=False, verbose_name="closed")),
                (
                    "created",
                    models.DateTimeField(default=django.utils.timezone.now, verbose_name="created"),
                ),
                (
                    "reported",
                    models.DateTimeField(
                        default=django.utils.timezone.now, verbose_name="handed in"
                    ),
                ),
            ],
            options={
                "verbose_name": "class of pupils",
                "verbose_name_plural": "classes of pupils",
                "default_permissions": ("view",),
                "indexes": [models.Index(fields=["created", "id"], name="games_class_created")],
            },
        ),
        migrations.CreateModel(
            name="PupilRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=64)),
                ("name", models.CharField(max_length=26)),
                ("renamed", models.BooleanField(default=False)),
                ("code", models.CharField(max_length=10)),
                ("right", models.PositiveSmallIntegerField()),
                ("runs", models.PositiveSmallIntegerField()),
                ("at", models.DateTimeField(auto_now=True)),
                (
                    "school_class",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="rows",
                        to="games.schoolclass",
                    ),
                ),
            ],
            options={
                "default_permissions": (),
                "constraints": [
                    models.UniqueConstraint(fields=("school_class", "key"), name="games_pupil_key")
                ],
            },
        ),
    ]
