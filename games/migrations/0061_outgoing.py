"""Add letters, one table for all notices and e-mails, and the rests of channels.

The rows of the tables before are copied by the next migration. They stay, unread, for those who go
back: without constraints, since the games and players that they point to may go."""

import django.db.models.deletion
from django.db import migrations, models

CASCADE = django.db.models.deletion.CASCADE


def unconstrained(to, **options):
    """Return a foreign key without a constraint in the database."""
    return models.ForeignKey(to=to, on_delete=CASCADE, db_constraint=False, **options)


class Migration(migrations.Migration):
    dependencies = [("games", "0060_turns_of_lists")]

    operations = [
        migrations.CreateModel(
            name="Outgoing",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("channel", models.CharField(max_length=5)),
                ("to", models.BigIntegerField(default=0)),
                ("target", models.CharField(blank=True, default="", max_length=500)),
                ("origin", models.CharField(blank=True, default="", max_length=16)),
                ("kind", models.CharField(max_length=10)),
                ("ply", models.PositiveIntegerField(default=0)),
                ("name", models.CharField(blank=True, default="", max_length=254)),
                ("created", models.DateTimeField()),
                ("due", models.DateTimeField()),
                ("attempts", models.PositiveIntegerField(default=0)),
                ("claimed", models.DateTimeField(blank=True, null=True)),
                ("game", unconstrained("games.game", null=True, related_name="outgoing")),
                ("player", unconstrained("games.player", null=True, related_name="outgoing")),
            ],
            options={
                "default_permissions": (),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("channel", "to", "game", "kind", "ply", "name"),
                        name="one_letter_an_event",
                    )
                ],
                "indexes": [
                    models.Index(
                        condition=models.Q(claimed=None),
                        fields=["channel", "due"],
                        name="unclaimed_letters",
                    )
                ],
            },
        ),
        *[
            operation
            for model in ("webhook", "pushsubscription")
            for operation in (
                migrations.AddField(
                    model, "rests_until", models.DateTimeField(blank=True, null=True)
                ),
                migrations.AddField(
                    model, "origin", models.CharField(blank=True, max_length=16, null=True)
                ),
            )
        ],
        *[
            migrations.AlterField(model, name, field)
            for model, name, field in (
                ("turnnotice", "player", unconstrained("games.player", related_name="+")),
                (
                    "turnnotice",
                    "game",
                    unconstrained("games.game", db_index=False, related_name="+"),
                ),
                (
                    "pendingnotice",
                    "player",
                    unconstrained("games.player", db_index=False, related_name="+"),
                ),
                ("pendingnotice", "game", unconstrained("games.game", null=True, related_name="+")),
                (
                    "emailrequest",
                    "email",
                    unconstrained("games.emailaddress", blank=True, null=True, related_name="+"),
                ),
            )
        ],
    ]
