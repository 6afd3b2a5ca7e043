"""The tables of version 1.0, made from those of version 0.1, in place of 18 migrations."""

import django.db.models.deletion
from django.db import migrations, models

import games.models.games
from games.core.look_alikes import skeleton

REPLACED = """
    0033_puzzles
    0034_notices
    0035_insights
    0036_banner
    0037_waiting_in_turn
    0038_attendance
    0039_hidden_games
    0040_tables_without_constraints
    0041_freeing
    0042_account_looks
    0043_api_tokens
    0044_suspended_for
    0045_bots
    0046_few_permissions
    0047_announced_seats
    0048_kept_variations
    0049_seen_times
    0050_turn_notices
""".split()

KEPT = {
    "change_game": "end_game",
    "change_player": "suspend_player",
    "delete_player": "forget_player",
}
"""The permissions that had the names of Django's own, and their new names."""
OWN = {"view_game", "delete_game", "see_secrets", "view_player", "view_pack", "delete_pack"}


def store_looks(apps, schema_editor):
    """Store by which form the names of accounts are compared."""
    accounts = apps.get_model("games", "Account").objects.using(schema_editor.connection.alias)
    for account in accounts.filter(look="").iterator():
        accounts.filter(pk=account.pk).update(look=skeleton(account.name)[:240])


def rename_permissions(apps, schema_editor):
    """Keep the grants of staff; their names in words come with the next `migrate`."""
    database = schema_editor.connection.alias
    permissions = apps.get_model("auth", "Permission").objects.using(database)
    ours = permissions.filter(content_type__app_label="games")
    for before, now in KEPT.items():
        ours.filter(codename=before).update(codename=now)
    ours.exclude(codename__in={*KEPT.values(), *OWN}).delete()


class Migration(migrations.Migration):
    replaces = [("games", name) for name in REPLACED]

    dependencies = [
        ("auth", "0012_alter_user_first_name_max_length"),
        ("games", "0001_squashed_0032_analyses"),
    ]

    operations = [
        migrations.AlterField(
            model_name="game",
            name="notice",
            field=models.JSONField(blank=True, db_column="notice", null=True),
        ),
        migrations.RenameField(
            model_name="game",
            old_name="notice",
            new_name="banner",
        ),
        migrations.AlterModelTable(
            name="toldturn",
            table="games_toldturn",
        ),
        migrations.RenameModel(
            old_name="ToldTurn",
            new_name="TurnNotice",
        ),
        migrations.AlterField(
            model_name="turnnotice",
            name="told",
            field=models.DateTimeField(db_column="told"),
        ),
        migrations.RenameField(
            model_name="turnnotice",
            old_name="told",
            new_name="claimed",
        ),
        migrations.CreateModel(
            name="ApiToken",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seat", models.CharField(blank=True, default="", max_length=40)),
                ("name", models.CharField(max_length=30, verbose_name="name")),
                ("token_hash", models.CharField(max_length=64, unique=True)),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "game",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="games.game",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="api_tokens",
                        to="games.player",
                    ),
                ),
            ],
            options={
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="Bot",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "about",
                    models.CharField(blank=True, default="", max_length=100, verbose_name="about"),
                ),
                ("kinds", models.JSONField(default=list)),
                ("created", models.DateTimeField(auto_now_add=True)),
                (
                    "owner",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="bots",
                        to="games.player",
                    ),
                ),
                (
                    "player",
                    models.OneToOneField(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="bot",
                        to="games.player",
                    ),
                ),
            ],
            options={
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="Insight",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("information_set", models.CharField(blank=True, max_length=40)),
                (
                    "game",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="games.game",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="insights",
                        to="games.player",
                    ),
                ),
            ],
            options={
                "default_permissions": (),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("game", "player", "information_set"), name="insight_once"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="KeptVariation",
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
                ("ply", models.PositiveIntegerField()),
                ("line", models.CharField(max_length=400)),
                ("name", models.CharField(max_length=60, verbose_name="name")),
                ("sentence", models.CharField(blank=True, default="", max_length=300)),
                ("created", models.DateTimeField(auto_now_add=True, verbose_name="created")),
                (
                    "game",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="kept_variations",
                        to="games.game",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="kept_variations",
                        to="games.player",
                    ),
                ),
            ],
            options={
                "ordering": ["created", "id"],
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="PendingNotice",
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
                            ("turn", "It’s my turn"),
                            ("seat", "Someone takes a seat in my lobby"),
                            ("full", "My lobby is full"),
                            ("begun", "A game begins"),
                            ("draw", "Someone offers a draw"),
                            ("undo", "Someone asks for undo"),
                            ("rematch", "Someone offers a rematch"),
                            ("time", "I have little time left"),
                            ("over", "A game is over"),
                        ],
                        max_length=10,
                    ),
                ),
                ("ply", models.PositiveIntegerField(default=0)),
                ("name", models.CharField(blank=True, default="", max_length=30)),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("claimed", models.DateTimeField(blank=True, null=True)),
                (
                    "game",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notices",
                        to="games.game",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="notices",
                        to="games.player",
                    ),
                ),
            ],
            options={
                "default_permissions": (),
                "constraints": [
                    models.UniqueConstraint(
                        fields=("player", "game", "kind", "ply", "name"), name="one_notice_an_event"
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="PuzzleAttempt",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("puzzle", models.CharField(max_length=60, verbose_name="puzzle")),
                ("mistakes", models.PositiveIntegerField(default=0, verbose_name="mistakes")),
                ("revealed", models.BooleanField(default=False, verbose_name="solution shown")),
                ("solved", models.DateTimeField(blank=True, null=True, verbose_name="solved")),
                ("day", models.DateField(blank=True, null=True)),
                ("updated", models.DateTimeField(auto_now=True, verbose_name="last change")),
                (
                    "player",
                    models.ForeignKey(
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="puzzle_attempts",
                        to="games.player",
                    ),
                ),
            ],
            options={
                "verbose_name": "puzzle attempt",
                "verbose_name_plural": "puzzle attempts",
                "default_permissions": (),
                "constraints": [
                    models.UniqueConstraint(fields=("player", "puzzle"), name="games_one_attempt")
                ],
            },
        ),
        migrations.CreateModel(
            name="PuzzleRecord",
            fields=[
                (
                    "puzzle",
                    models.CharField(
                        max_length=60, primary_key=True, serialize=False, verbose_name="puzzle"
                    ),
                ),
                ("tried", models.PositiveIntegerField(default=0, verbose_name="tried")),
                ("solved", models.PositiveIntegerField(default=0, verbose_name="solved at once")),
            ],
            options={
                "verbose_name": "puzzle record",
                "verbose_name_plural": "puzzle records",
                "default_permissions": (),
            },
        ),
        migrations.CreateModel(
            name="Sighting",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("seen", models.DateTimeField()),
                (
                    "game",
                    models.ForeignKey(
                        db_constraint=False,
                        db_index=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="games.game",
                    ),
                ),
                (
                    "player",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="sightings",
                        to="games.player",
                    ),
                ),
            ],
            options={
                "default_permissions": (),
                "indexes": [models.Index(fields=["seen"], name="games_sighting_seen")],
                "constraints": [
                    models.UniqueConstraint(fields=("game", "player"), name="sighting_once")
                ],
            },
        ),
        migrations.AlterModelOptions(
            name="account",
            options={
                "default_permissions": (),
                "verbose_name": "account",
                "verbose_name_plural": "accounts",
            },
        ),
        migrations.AlterModelOptions(
            name="analysis",
            options={"default_permissions": (), "verbose_name_plural": "analyses"},
        ),
        migrations.AlterModelOptions(
            name="device",
            options={
                "default_permissions": (),
                "verbose_name": "device",
                "verbose_name_plural": "devices",
            },
        ),
        migrations.AlterModelOptions(
            name="devicelink",
            options={"default_permissions": ()},
        ),
        migrations.AlterModelOptions(
            name="emailaddress",
            options={
                "default_permissions": (),
                "verbose_name": "e-mail address",
                "verbose_name_plural": "e-mail addresses",
            },
        ),
        migrations.AlterModelOptions(
            name="emailrequest",
            options={"default_permissions": ()},
        ),
        migrations.AlterModelOptions(
            name="evaluation",
            options={"default_permissions": (), "ordering": ["ply"]},
        ),
        migrations.AlterModelOptions(
            name="game",
            options={
                "default_permissions": ("view", "delete"),
                "ordering": ["-updated"],
                "permissions": [
                    ("end_game", "Can free and end games"),
                    ("see_secrets", "Can see what is hidden from players"),
                ],
                "verbose_name": "game",
                "verbose_name_plural": "games",
            },
        ),
        migrations.AlterModelOptions(
            name="heartbeat",
            options={"default_permissions": ()},
        ),
        migrations.AlterModelOptions(
            name="holder",
            options={
                "default_permissions": (),
                "verbose_name": "holder of a seat",
                "verbose_name_plural": "holders of seats",
            },
        ),
        migrations.AlterModelOptions(
            name="move",
            options={
                "default_permissions": (),
                "ordering": ["ply"],
                "verbose_name": "move",
                "verbose_name_plural": "moves",
            },
        ),
        migrations.AlterModelOptions(
            name="pack",
            options={
                "default_permissions": ("view", "delete"),
                "verbose_name": "word pack",
                "verbose_name_plural": "word packs",
            },
        ),
        migrations.AlterModelOptions(
            name="passkey",
            options={
                "default_permissions": (),
                "verbose_name": "passkey",
                "verbose_name_plural": "passkeys",
            },
        ),
        migrations.AlterModelOptions(
            name="passkeychallenge",
            options={"default_permissions": ()},
        ),
        migrations.AlterModelOptions(
            name="player",
            options={
                "default_permissions": ("view",),
                "permissions": [
                    ("suspend_player", "Can suspend players and remove their names"),
                    ("forget_player", "Can delete the data of players"),
                ],
                "verbose_name": "player",
                "verbose_name_plural": "players",
            },
        ),
        migrations.AlterModelOptions(
            name="pushsubscription",
            options={"default_permissions": ()},
        ),
        migrations.AlterModelOptions(
            name="recoverycode",
            options={"default_permissions": ()},
        ),
        migrations.AlterModelOptions(
            name="seat",
            options={
                "default_permissions": (),
                "ordering": ["index"],
                "verbose_name": "seat",
                "verbose_name_plural": "seats",
            },
        ),
        migrations.AlterModelOptions(
            name="turnnotice",
            options={"default_permissions": ()},
        ),
        migrations.AlterModelOptions(
            name="webhook",
            options={"default_permissions": ()},
        ),
        migrations.AddField(
            model_name="account",
            name="look",
            field=models.CharField(blank=True, db_default="", default="", max_length=240),
        ),
        migrations.AddField(
            model_name="device",
            name="seen_at",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="emailaddress",
            name="failed_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="emailaddress",
            name="last_failure",
            field=models.CharField(blank=True, db_default="", default="", max_length=20),
        ),
        migrations.AddField(
            model_name="emailrequest",
            name="is_test",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="evaluation",
            name="leased_by",
            field=models.CharField(blank=True, max_length=80, null=True),
        ),
        migrations.AddField(
            model_name="evaluation",
            name="origin",
            field=models.CharField(blank=True, max_length=16, null=True),
        ),
        migrations.AddField(
            model_name="game",
            name="attendance",
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="game",
            name="freeing",
            field=models.JSONField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="game",
            name="leased_by",
            field=models.CharField(blank=True, max_length=80, null=True),
        ),
        migrations.AddField(
            model_name="game",
            name="origin",
            field=models.CharField(blank=True, max_length=16, null=True),
        ),
        migrations.AddField(
            model_name="holder",
            name="hidden",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="player",
            name="muted_notices",
            field=models.CharField(
                blank=True, db_default="", default="", editable=False, max_length=100
            ),
        ),
        migrations.AddField(
            model_name="player",
            name="suspended_for",
            field=models.CharField(
                blank=True, db_default="", default="", editable=False, max_length=200
            ),
        ),
        migrations.AddField(
            model_name="pushsubscription",
            name="failed_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="pushsubscription",
            name="last_failure",
            field=models.CharField(blank=True, db_default="", default="", max_length=20),
        ),
        migrations.AddField(
            model_name="seat",
            name="announced",
            field=models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.AddField(
            model_name="seat",
            name="for_bots",
            field=models.BooleanField(db_default=False, default=False, verbose_name="open to bots"),
        ),
        migrations.AddField(
            model_name="webhook",
            name="failed_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="webhook",
            name="last_failure",
            field=models.CharField(blank=True, db_default="", default="", max_length=20),
        ),
        migrations.AlterField(
            model_name="turnnotice",
            name="game",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="turn_notices",
                to="games.game",
            ),
        ),
        migrations.AlterField(
            model_name="turnnotice",
            name="player",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="turn_notices",
                to="games.player",
            ),
        ),
        migrations.AddIndex(
            model_name="account",
            index=models.Index(fields=["look"], name="games_account_look"),
        ),
        migrations.RunPython(store_looks, migrations.RunPython.noop),
        migrations.RunPython(rename_permissions, migrations.RunPython.noop),
    ]
