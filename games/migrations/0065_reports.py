"""Add reports of players' words, and the end of a web hook to the security events."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0064_seat_failures"),
    ]

    operations = [
        migrations.CreateModel(
            name="Report",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "address",
                    models.CharField(db_index=True, max_length=100, verbose_name="address"),
                ),
                (
                    "reason",
                    models.CharField(
                        choices=[
                            ("abuse", "Insults, threats or hate"),
                            ("sexual", "Sexual or violent words"),
                            ("private", "Private data, or another person’s name"),
                            ("other", "Something else"),
                        ],
                        max_length=10,
                        verbose_name="reason",
                    ),
                ),
                ("text", models.CharField(blank=True, max_length=300, verbose_name="text")),
                ("times", models.PositiveIntegerField(default=1, verbose_name="times")),
                ("created", models.DateTimeField(auto_now_add=True, verbose_name="created")),
                (
                    "act",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("hide", "Hide"),
                            ("warn", "Warn"),
                            ("suspend", "Suspend"),
                            ("close", "Close"),
                        ],
                        default="",
                        max_length=10,
                        verbose_name="status",
                    ),
                ),
                ("handled", models.DateTimeField(null=True, verbose_name="handled")),
                (
                    "about",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="games.player",
                        verbose_name="player",
                    ),
                ),
                (
                    "reporter",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="reports",
                        to="games.player",
                        verbose_name="reported by",
                    ),
                ),
            ],
            options={
                "verbose_name": "report",
                "verbose_name_plural": "reports",
                "default_permissions": ("view",),
                "indexes": [models.Index(fields=["act", "id"], name="games_report_act")],
            },
        ),
        migrations.AlterField(
            model_name="securityevent",
            name="kind",
            field=models.CharField(
                choices=[
                    ("sign-in", "Signed in"),
                    ("wrong", "Wrong password"),
                    ("device", "A device was added by a link"),
                    ("sign-out", "A device was signed out"),
                    ("token", "A token was made"),
                    ("withdrawn", "A token was withdrawn"),
                    ("allowed", "A program may go on"),
                    ("refused", "A stopped program was refused"),
                    ("hook", "The web hook was changed"),
                    ("old-hook", "The web hook of a browser that signed in has ended"),
                    ("password", "New password"),
                    ("recovery", "New password, by a recovery code or e-mail"),
                    ("codes", "New recovery codes"),
                    ("passkey", "A passkey was added"),
                    ("no-passkey", "A passkey was removed"),
                    ("email", "The e-mail address was changed"),
                    ("ended", "All others were ended"),
                    ("staff", "By the staff of this site"),
                ],
                max_length=10,
            ),
        ),
    ]
