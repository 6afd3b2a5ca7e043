"""Add when programs were last used and when they were stopped, and the log of security events."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0057_copy_values"),
    ]

    operations = [
        migrations.AddField(
            model_name="apitoken",
            name="stopped",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="apitoken",
            name="used",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="pushsubscription",
            name="stopped",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="pushsubscription",
            name="used",
            field=models.DateField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="webhook",
            name="stopped",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="webhook",
            name="used",
            field=models.DateField(blank=True, null=True),
        ),
        migrations.CreateModel(
            name="SecurityEvent",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
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
                ("about", models.CharField(blank=True, default="", max_length=60)),
                ("happened", models.DateTimeField(auto_now_add=True)),
                (
                    "player",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="security_events",
                        to="games.player",
                    ),
                ),
            ],
            options={
                "default_permissions": (),
            },
        ),
    ]
