"""The tables of version 1.0, in place of the 32 migrations of the versions before it."""

import uuid

import django.db.models.deletion
from django.db import migrations, models

import games.models.games

REPLACED = """
    0001_initial
    0002_thinking
    0003_fewer_indexes
    0004_undone
    0005_turns
    0006_undo_request_and_leases
    0007_reworded_texts
    0008_remove_player_user
    0009_lobby
    0010_marks
    0011_game_fault
    0012_holder_name
    0013_indexes_of_lists
    0014_devices
    0015_packed_values
    0016_pack_values
    0017_moves_without_player_index
    0018_staff
    0019_clocks
    0020_evaluations_of_lines
    0021_accounts
    0022_web_hooks
    0023_looked_at_index
    0024_closed_to_watchers
    0025_reminded
    0026_emails
    0027_public_pages
    0028_digests
    0029_packs
    0030_push
    0031_passkeys
    0032_analyses
""".split()


class Migration(migrations.Migration):
    initial = True
    replaces = [("games", name) for name in REPLACED]

    dependencies = []

    operations = [
        migrations.CreateModel(
            name="Account",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=30, verbose_name="name")),
                ("key", models.CharField(max_length=120, unique=True)),
                ("password", models.CharField(max_length=128)),
                ("created", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "verbose_name": "account",
                "verbose_name_plural": "accounts",
            },
        ),
        migrations.CreateModel(
            name="Game",
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
                ("kind", models.CharField(max_length=40, verbose_name="kind")),
                ("rules_version", models.PositiveIntegerField(verbose_name="version of the rules")),
                ("options", models.JSONField(verbose_name="options")),
                ("setup", models.JSONField(verbose_name="setup")),
                ("ply", models.PositiveIntegerField(default=0, verbose_name="plies")),
                ("version", models.PositiveIntegerField(default=1)),
                (
                    "status",
                    models.CharField(
                        choices=[("running", "running"), ("over", "over")],
                        default="running",
                        max_length=10,
                        verbose_name="status",
                    ),
                ),
                ("to_move", models.JSONField(default=list)),
                ("computer_to_move", models.BooleanField(default=False)),
                ("result_json", models.JSONField(blank=True, null=True)),
                ("hints", models.BooleanField(default=False, verbose_name="hints allowed")),
                ("created", models.DateTimeField(auto_now_add=True, verbose_name="created")),
                ("updated", models.DateTimeField(auto_now=True, verbose_name="last change")),
                ("notice", models.JSONField(blank=True, null=True)),
                ("undone", models.PositiveIntegerField(default=0)),
                ("only_computers", models.BooleanField(default=False)),
                ("undo_request", models.JSONField(blank=True, null=True)),
                ("leased_until", models.DateTimeField(blank=True, null=True)),
                ("begun", models.BooleanField(default=True, verbose_name="begun")),
                ("lobby_salt", models.CharField(blank=True, default="", max_length=40)),
                ("lobby_hash", models.CharField(blank=True, max_length=64, null=True, unique=True)),
                ("marks", models.JSONField(blank=True, default=list)),
                ("fault", models.JSONField(blank=True, null=True, verbose_name="fault")),
                ("clock", models.JSONField(blank=True, null=True)),
                ("flag_at", models.DateTimeField(blank=True, null=True)),
                ("closed", models.BooleanField(default=False, verbose_name="closed to watchers")),
                ("reminded", models.DateTimeField(blank=True, null=True)),
                (
                    "rematch_of",
                    models.OneToOneField(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="rematch",
                        to="games.game",
                    ),
                ),
            ],
            options={
                "verbose_name": "game",
                "verbose_name_plural": "games",
                "ordering": ["-updated"],
                "permissions": [("see_secrets", "Can see what is hidden from players")],
            },
        ),
        migrations.CreateModel(
            name="Device",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "name",
                    models.CharField(blank=True, default="", max_length=60, verbose_name="name"),
                ),
                ("seen", models.DateField(blank=True, null=True)),
                ("signed_out", models.DateTimeField(blank=True, null=True)),
                ("created", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "verbose_name": "device",
                "verbose_name_plural": "devices",
            },
        ),
        migrations.CreateModel(
            name="Player",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("name", models.CharField(blank=True, max_length=30, verbose_name="name")),
                ("created", models.DateTimeField(auto_now_add=True, verbose_name="created")),
                (
                    "name_folded",
                    models.CharField(
                        blank=True, db_index=True, default="", editable=False, max_length=90
                    ),
                ),
                ("suspended", models.BooleanField(default=False, verbose_name="suspended")),
                (
                    "public_id",
                    models.CharField(
                        blank=True, editable=False, max_length=16, null=True, unique=True
                    ),
                ),
            ],
            options={
                "verbose_name": "player",
                "verbose_name_plural": "players",
            },
        ),
        migrations.CreateModel(
            name="EmailAddress",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "address",
                    models.CharField(
                        blank=True, default="", max_length=254, verbose_name="e-mail address"
                    ),
                ),
                ("key", models.CharField(blank=True, db_index=True, default="", max_length=254)),
                ("pending", models.CharField(blank=True, default="", max_length=254)),
                ("salt", models.CharField(blank=True, default="", max_length=40)),
                ("site", models.CharField(max_length=300)),
                ("language", models.CharField(max_length=10)),
                ("digests", models.BooleanField(default=True)),
                ("next_digest", models.DateTimeField(blank=True, null=True)),
                ("failures", models.PositiveSmallIntegerField(default=0)),
                ("digested", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "verbose_name": "e-mail address",
                "verbose_name_plural": "e-mail addresses",
            },
        ),
        migrations.CreateModel(
            name="EmailRequest",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("typed", models.CharField(blank=True, default="", max_length=254)),
                ("attempts", models.PositiveSmallIntegerField(default=0)),
                ("due", models.DateTimeField(auto_now_add=True)),
                ("created", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="Evaluation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ply", models.PositiveIntegerField()),
                ("move_id", models.BigIntegerField()),
                ("hint", models.BooleanField(default=False)),
                ("asked", models.DateTimeField(auto_now_add=True)),
                ("done", models.BooleanField(default=False)),
                ("leased_until", models.DateTimeField(blank=True, null=True)),
                ("packed", models.JSONField(blank=True, null=True)),
                ("seen", models.DateTimeField(blank=True, null=True)),
                ("line", models.JSONField(blank=True, null=True)),
                ("looked_at", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "ordering": ["ply"],
            },
        ),
        migrations.CreateModel(
            name="Heartbeat",
            fields=[
                (
                    "id",
                    models.PositiveSmallIntegerField(
                        default=1, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="Holder",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("joined", models.DateTimeField(auto_now_add=True)),
                (
                    "name",
                    models.CharField(blank=True, default="", max_length=30, verbose_name="name"),
                ),
                ("ended", models.DateTimeField(blank=True, null=True)),
            ],
            options={
                "verbose_name": "holder of a seat",
                "verbose_name_plural": "holders of seats",
            },
        ),
        migrations.CreateModel(
            name="Move",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ply", models.PositiveIntegerField(verbose_name="ply")),
                ("seat", models.CharField(max_length=40, verbose_name="seat")),
                ("text", models.CharField(max_length=80, verbose_name="move")),
                ("note", models.JSONField(blank=True, null=True)),
                ("played", models.DateTimeField(auto_now_add=True, verbose_name="played")),
            ],
            options={
                "verbose_name": "move",
                "verbose_name_plural": "moves",
                "ordering": ["ply"],
            },
        ),
        migrations.CreateModel(
            name="Pack",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("kind", models.CharField(max_length=40, verbose_name="kind")),
                ("name", models.CharField(max_length=30, verbose_name="name")),
                (
                    "language",
                    models.CharField(
                        blank=True, default="", max_length=10, verbose_name="language"
                    ),
                ),
                ("texts", models.JSONField(verbose_name="words")),
                ("used", models.JSONField(default=list)),
                ("salt", models.CharField(blank=True, default="", max_length=40)),
                ("hash", models.CharField(blank=True, max_length=64, null=True, unique=True)),
                ("created", models.DateTimeField(auto_now_add=True, verbose_name="created")),
            ],
            options={
                "verbose_name": "word pack",
                "verbose_name_plural": "word packs",
            },
        ),
        migrations.CreateModel(
            name="Passkey",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("credential_id", models.CharField(max_length=1364, unique=True)),
                ("public_key", models.BinaryField()),
                ("sign_count", models.BigIntegerField(default=0)),
                (
                    "name",
                    models.CharField(blank=True, default="", max_length=60, verbose_name="name"),
                ),
                ("created", models.DateTimeField(auto_now_add=True)),
                ("used", models.DateField(blank=True, null=True)),
            ],
            options={
                "verbose_name": "passkey",
                "verbose_name_plural": "passkeys",
            },
        ),
        migrations.CreateModel(
            name="PasskeyChallenge",
            fields=[
                ("visit", models.CharField(max_length=64, primary_key=True, serialize=False)),
                ("challenge", models.BinaryField()),
                ("expires", models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name="PushSubscription",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("site", models.CharField(max_length=300)),
                ("language", models.CharField(max_length=10)),
                ("failures", models.PositiveSmallIntegerField(default=0)),
                ("endpoint", models.CharField(max_length=1000, unique=True)),
                ("key", models.CharField(max_length=100)),
                ("secret", models.CharField(max_length=40)),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="RecoveryCode",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("hash", models.CharField(max_length=64)),
            ],
        ),
        migrations.CreateModel(
            name="Seat",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=40, verbose_name="seat")),
                ("index", models.PositiveSmallIntegerField()),
                (
                    "computer",
                    models.PositiveSmallIntegerField(
                        blank=True, null=True, verbose_name="computer level"
                    ),
                ),
                ("listed", models.BooleanField(default=False, verbose_name="open to everybody")),
                ("token_salt", models.CharField(blank=True, max_length=40)),
                ("token_hash", models.CharField(blank=True, max_length=64, null=True, unique=True)),
            ],
            options={
                "verbose_name": "seat",
                "verbose_name_plural": "seats",
                "ordering": ["index"],
            },
        ),
        migrations.CreateModel(
            name="ToldTurn",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("told", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="WebHook",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("url", models.CharField(max_length=500, verbose_name="address")),
                ("site", models.CharField(max_length=300)),
                ("language", models.CharField(max_length=10)),
                ("failures", models.PositiveSmallIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name="Analysis",
            fields=[
                (
                    "game",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="+",
                        serialize=False,
                        to="games.game",
                    ),
                ),
                ("packed", models.BinaryField()),
                ("seen", models.DateTimeField()),
            ],
            options={
                "verbose_name_plural": "analyses",
            },
        ),
        migrations.CreateModel(
            name="DeviceLink",
            fields=[
                (
                    "player",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="device_link",
                        serialize=False,
                        to="games.player",
                    ),
                ),
                ("salt", models.CharField(blank=True, default="", max_length=40)),
                ("hash", models.CharField(max_length=64, unique=True)),
                ("expires", models.DateTimeField()),
                ("claimant", models.CharField(blank=True, default="", max_length=64)),
            ],
        ),
        migrations.AddIndex(
            model_name="player",
            index=models.Index(fields=["created", "id"], name="games_player_created"),
        ),
        migrations.AddField(
            model_name="game",
            name="created_by",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="created_games",
                to="games.player",
            ),
        ),
        migrations.AddField(
            model_name="device",
            name="player",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="devices",
                to="games.player",
            ),
        ),
        migrations.AddField(
            model_name="account",
            name="player",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="account",
                to="games.player",
            ),
        ),
        migrations.AddField(
            model_name="emailaddress",
            name="account",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="email",
                to="games.account",
            ),
        ),
        migrations.AddField(
            model_name="emailrequest",
            name="email",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="requests",
                to="games.emailaddress",
            ),
        ),
        migrations.AddField(
            model_name="evaluation",
            name="game",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="evaluations",
                to="games.game",
            ),
        ),
        migrations.AddField(
            model_name="holder",
            name="player",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="holders",
                to="games.player",
            ),
        ),
        migrations.AddField(
            model_name="move",
            name="game",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="moves",
                to="games.game",
            ),
        ),
        migrations.AddField(
            model_name="move",
            name="player",
            field=models.ForeignKey(
                blank=True,
                db_constraint=False,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.DO_NOTHING,
                to="games.player",
                verbose_name="player",
            ),
        ),
        migrations.AddField(
            model_name="pack",
            name="player",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="packs", to="games.player"
            ),
        ),
        migrations.AddField(
            model_name="passkey",
            name="account",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="passkeys",
                to="games.account",
            ),
        ),
        migrations.AddField(
            model_name="passkeychallenge",
            name="account",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="games.account",
            ),
        ),
        migrations.AddField(
            model_name="pushsubscription",
            name="device",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="push_subscription",
                to="games.device",
            ),
        ),
        migrations.AddField(
            model_name="recoverycode",
            name="account",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="codes",
                to="games.account",
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="game",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="seats",
                to="games.game",
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="moving_from",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="moving_seats",
                to="games.player",
            ),
        ),
        migrations.AddField(
            model_name="seat",
            name="players",
            field=models.ManyToManyField(
                related_name="seats", through="games.Holder", to="games.player"
            ),
        ),
        migrations.AddField(
            model_name="holder",
            name="seat",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="holders",
                to="games.seat",
            ),
        ),
        migrations.AddField(
            model_name="toldturn",
            name="game",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="told_turns",
                to="games.game",
            ),
        ),
        migrations.AddField(
            model_name="toldturn",
            name="player",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="told_turns",
                to="games.player",
            ),
        ),
        migrations.AddField(
            model_name="webhook",
            name="player",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="web_hook",
                to="games.player",
            ),
        ),
        migrations.AddField(
            model_name="devicelink",
            name="device",
            field=models.ForeignKey(
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="games.device",
            ),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(fields=["-updated"], name="games_game_updated_9bb19a_idx"),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("computer_to_move", True)),
                fields=["only_computers", "updated"],
                name="games_computer_to_move",
            ),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(fields=["created", "id"], name="games_created"),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(fields=["kind", "created", "id"], name="games_kind_created"),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(fields=["created_by", "created", "id"], name="games_host_created"),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("fault__isnull", False)),
                fields=["created", "id"],
                name="games_fault_created",
            ),
        ),
        migrations.AddIndex(
            model_name="game",
            index=models.Index(
                condition=models.Q(("flag_at__isnull", False)),
                fields=["flag_at"],
                name="games_flag_at",
            ),
        ),
        migrations.AddIndex(
            model_name="evaluation",
            index=models.Index(
                condition=models.Q(("done", False), ("hint", True)),
                fields=["asked", "ply"],
                name="games_hint_waiting",
            ),
        ),
        migrations.AddIndex(
            model_name="evaluation",
            index=models.Index(
                condition=models.Q(("done", False), ("hint", False)),
                fields=["ply", "asked"],
                name="games_ply_waiting",
            ),
        ),
        migrations.AddIndex(
            model_name="evaluation",
            index=models.Index(
                condition=models.Q(("done", False), ("hint", False), ("looked_at__isnull", False)),
                fields=["-looked_at"],
                name="games_looked_at_waiting",
            ),
        ),
        migrations.AddConstraint(
            model_name="evaluation",
            constraint=models.UniqueConstraint(
                fields=("game", "ply", "move_id"), name="evaluation_once"
            ),
        ),
        migrations.AddConstraint(
            model_name="move",
            constraint=models.UniqueConstraint(fields=("game", "ply"), name="ply_once"),
        ),
        migrations.AddIndex(
            model_name="pack",
            index=models.Index(fields=["created", "id"], name="games_pack_created"),
        ),
        migrations.AddConstraint(
            model_name="recoverycode",
            constraint=models.UniqueConstraint(fields=("account", "hash"), name="code_once"),
        ),
        migrations.AddIndex(
            model_name="seat",
            index=models.Index(
                condition=models.Q(("listed", True)), fields=["-id"], name="games_seat_listed"
            ),
        ),
        migrations.AddConstraint(
            model_name="seat",
            constraint=models.UniqueConstraint(fields=("game", "key"), name="seat_once"),
        ),
        migrations.AddIndex(
            model_name="holder",
            index=models.Index(fields=["player", "ended", "id"], name="games_holder_ended"),
        ),
        migrations.AddIndex(
            model_name="holder",
            index=models.Index(fields=["player", "id"], name="games_holder_player"),
        ),
        migrations.AddConstraint(
            model_name="holder",
            constraint=models.UniqueConstraint(fields=("seat", "player"), name="holder_once"),
        ),
        migrations.AddConstraint(
            model_name="toldturn",
            constraint=models.UniqueConstraint(fields=("game", "player"), name="told_once"),
        ),
    ]
