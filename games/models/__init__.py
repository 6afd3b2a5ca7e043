"""The stored rows: players, games, their seats and their moves. Written by `games.services` alone.

A foreign key that begins a unique constraint has no index of its own: every index is one more page
to write with every move.
"""

from __future__ import annotations

import secrets
import uuid
from functools import lru_cache

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.clocks import Clock, TimeControl
from games.contract import Result, Rules, SeatSpec
from games.models.accounts import Account as Account
from games.models.accounts import RecoveryCode as RecoveryCode
from games.models.channels import Channel as Channel
from games.models.channels import PushSubscription as PushSubscription
from games.models.channels import ToldTurn as ToldTurn
from games.models.channels import WebHook as WebHook
from games.models.devices import Device as Device
from games.models.devices import DeviceLink as DeviceLink
from games.models.emails import EmailAddress as EmailAddress
from games.models.emails import EmailRequest as EmailRequest
from games.models.heartbeat import Heartbeat as Heartbeat
from games.models.packs import PACK_NAME_LENGTH as PACK_NAME_LENGTH
from games.models.packs import Pack as Pack
from games.registry import all_rules

# No vowels and no look-alikes: an id is read aloud, and spells nothing.
ID_ALPHABET = "bcdfghjkmnpqrstvwxz23456789"
ID_LENGTH = 10
NAME_LENGTH = 30


def new_game_id() -> str:
    """Return a short public id; 47 bits, so ids do not collide and cannot be walked through."""
    return "".join(secrets.choice(ID_ALPHABET) for _ in range(ID_LENGTH))


@lru_cache(10_000)
def _game_address(game_id: str) -> str:
    # Every answer to a move has it, and reversing it takes longer than rendering a seat.
    return reverse("game", args=[game_id])


class Player(models.Model):
    """A person who plays: anonymous, known by the signed cookies of one or several browsers."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(_("name"), max_length=NAME_LENGTH, blank=True)
    # The name without upper case, by which staff search. Folding makes up to three letters of one.
    name_folded = models.CharField(
        max_length=3 * NAME_LENGTH, blank=True, default="", editable=False, db_index=True
    )
    # The address of the player's public page; null: there is none.
    public_id = models.CharField(max_length=16, null=True, blank=True, unique=True, editable=False)
    # A suspended player may watch, but not play.
    suspended = models.BooleanField(_("suspended"), default=False)
    created = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        indexes = [models.Index(fields=["created", "id"], name="games_player_created")]

    def __str__(self) -> str:
        return self.name or str(_("Guest"))


class Game(models.Model):
    """A stored match: its setup holds all its chance, its moves are rows of `Move`.

    ``ply``, ``status``, ``to_move``, ``computer_to_move`` and ``result`` are derived by a replay,
    and ``only_computers`` from the seats, so that lists and workers need neither. ``version``
    counts every visible change, so it grows where ``ply`` shrinks (an undo).
    """

    class Status(models.TextChoices):
        """Whether a game still goes on."""

        RUNNING = "running", _("running")
        OVER = "over", _("over")

    id = models.CharField(primary_key=True, max_length=16, default=new_game_id, editable=False)
    kind = models.CharField(_("kind"), max_length=40)
    rules_version = models.PositiveIntegerField(_("version of the rules"))
    options = models.JSONField(_("options"))
    setup = models.JSONField(_("setup"))
    ply = models.PositiveIntegerField(_("plies"), default=0)
    # How often moves were taken back: with the ply it tells one position from another.
    undone = models.PositiveIntegerField(default=0)
    version = models.PositiveIntegerField(default=1)
    status = models.CharField(
        _("status"), max_length=10, choices=Status.choices, default=Status.RUNNING
    )
    to_move = models.JSONField(default=list)
    computer_to_move = models.BooleanField(default=False)
    # No seat is for people: nobody waits for its moves.
    only_computers = models.BooleanField(default=False)
    result_json = models.JSONField(null=True, blank=True)
    # See `games.clocks`; null: without a clock. ``flag_at`` is null while no clock runs.
    clock = models.JSONField(null=True, blank=True)
    flag_at = models.DateTimeField(null=True, blank=True)
    hints = models.BooleanField(_("hints allowed"), default=False)
    notice = models.JSONField(null=True, blank=True)
    # When the others last asked an absent player to move, see `games.absence`.
    reminded = models.DateTimeField(null=True, blank=True)
    # The fault that `verify_games --mark` found: ``plies`` that replay, ``reason``.
    fault = models.JSONField(_("fault"), null=True, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    # Moves that players consider, see `games.marks`: dicts of ``player``, ``seat`` and ``move``.
    marks = models.JSONField(default=list, blank=True)
    # The seats ``asker`` and ``accepted``, see `games.undo_requests`; null: no request.
    undo_request = models.JSONField(null=True, blank=True)
    # False while its players gather in the lobby: until then nobody sees the board or moves.
    begun = models.BooleanField(_("begun"), default=True)
    # Only its players see it, see `games.watching`.
    closed = models.BooleanField(_("closed to watchers"), default=False)
    # The link that invites a group, as of `Seat`; '' and null: there is none.
    lobby_salt = models.CharField(max_length=40, blank=True, default="")
    lobby_hash = models.CharField(max_length=64, null=True, blank=True, unique=True)
    rematch_of = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="rematch"
    )
    created_by = models.ForeignKey(
        Player,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="created_games",
        db_index=False,
    )
    created = models.DateTimeField(_("created"), auto_now_add=True)
    updated = models.DateTimeField(_("last change"), auto_now=True)

    class Meta:
        verbose_name = _("game")
        verbose_name_plural = _("games")
        ordering = ["-updated"]
        indexes = [
            models.Index(fields=["-updated"]),
            models.Index(
                fields=["only_computers", "updated"],
                condition=models.Q(computer_to_move=True),
                name="games_computer_to_move",
            ),
            # The admin's pages are read by these. No move changes them.
            models.Index(fields=["created", "id"], name="games_created"),
            models.Index(fields=["kind", "created", "id"], name="games_kind_created"),
            models.Index(fields=["created_by", "created", "id"], name="games_host_created"),
            models.Index(
                fields=["created", "id"],
                condition=models.Q(fault__isnull=False),
                name="games_fault_created",
            ),
            models.Index(
                fields=["flag_at"],
                condition=models.Q(flag_at__isnull=False),
                name="games_flag_at",
            ),
        ]
        permissions = [("see_secrets", _("Can see what is hidden from players"))]

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"

    def get_absolute_url(self) -> str:
        """Return the address at which it is played and watched."""
        return _game_address(self.id)

    @property
    def rules(self) -> Rules:
        """The rules of its kind. Raises KeyError when that game's folder is gone."""
        return all_rules()[self.kind]

    @property
    def specs(self) -> tuple[SeatSpec, ...]:
        """Its seats as the rules describe them."""
        return self.rules.seats(self.options)

    @property
    def time(self) -> TimeControl | None:
        """The time control; None for a game without a clock."""
        return None if self.clock is None else Clock.from_json(self.clock).control

    @property
    def over(self) -> bool:
        """Whether it has ended."""
        return self.status == self.Status.OVER

    @property
    def result(self) -> Result | None:
        """How it ended; None while it goes on. Raises ValueError where the row cannot be read."""
        return None if self.result_json is None else Result.from_json(self.result_json)


class Seat(models.Model):
    """A place in a game, held by players, by a computer, or by nobody yet.

    The invitation's token is never stored: ``token_hash`` finds the seat of a token that is
    shown, and ``token_salt`` lets the server make the same token again for the inviter; without
    it the link is used up.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="seats", db_index=False)
    key = models.CharField(_("seat"), max_length=40)
    index = models.PositiveSmallIntegerField()
    computer = models.PositiveSmallIntegerField(_("computer level"), null=True, blank=True)
    listed = models.BooleanField(_("open to everybody"), default=False)
    players = models.ManyToManyField(Player, through="Holder", related_name="seats")
    token_salt = models.CharField(max_length=40, blank=True)
    token_hash = models.CharField(max_length=64, null=True, blank=True, unique=True)
    moving_from = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="moving_seats"
    )

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ["index"]
        constraints = [models.UniqueConstraint(fields=["game", "key"], name="seat_once")]
        # The list of open seats reads the newest of them alone, however many games there are.
        indexes = [
            models.Index(fields=["-id"], condition=models.Q(listed=True), name="games_seat_listed")
        ]

    def __str__(self) -> str:
        return self.key


class Holder(models.Model):
    """That a player holds a seat."""

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="holders", db_index=False)
    player = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="holders", db_index=False
    )
    # Of a person on a device that several share; '' is the player's own name.
    name = models.CharField(_("name"), max_length=NAME_LENGTH, blank=True, default="")
    joined = models.DateTimeField(auto_now_add=True)
    # When the game ended; null while it runs. A list of a player's games reads a few of them by it.
    ended = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("holder of a seat")
        verbose_name_plural = _("holders of seats")
        constraints = [models.UniqueConstraint(fields=["seat", "player"], name="holder_once")]
        indexes = [
            models.Index(fields=["player", "ended", "id"], name="games_holder_ended"),
            models.Index(fields=["player", "id"], name="games_holder_player"),
        ]

    def __str__(self) -> str:
        return f"{self.player} ({self.seat})"


class Move(models.Model):
    """One stored move; ``ply`` counts from 1."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="moves", db_index=False)
    ply = models.PositiveIntegerField(_("ply"))
    seat = models.CharField(_("seat"), max_length=40)
    text = models.CharField(_("move"), max_length=80)
    # Null for a computer. Without an index, which no query needs, and without a constraint, for
    # which the deletion of a player would look at every move: the player may be gone.
    player = models.ForeignKey(
        Player,
        null=True,
        blank=True,
        on_delete=models.DO_NOTHING,
        db_index=False,
        db_constraint=False,
        verbose_name=_("player"),
    )
    note = models.JSONField(null=True, blank=True)
    played = models.DateTimeField(_("played"), auto_now_add=True)

    class Meta:
        verbose_name = _("move")
        verbose_name_plural = _("moves")
        ordering = ["ply"]
        constraints = [models.UniqueConstraint(fields=["game", "ply"], name="ply_once")]

    def __str__(self) -> str:
        return f"{self.ply}. {self.text}"


class Evaluation(models.Model):
    """The values of the moves after ``ply``: requested by people, stored by a worker. ``move_id``
    names the move that led to the position (0: the start), for moves can be undone. ``line`` are
    the moves that were tried out after ``ply``, as text (`games.variations`), null for none: then
    ``move_id`` is a negative number that stands for them.
    """

    game = models.ForeignKey(
        Game, on_delete=models.CASCADE, related_name="evaluations", db_index=False
    )
    ply = models.PositiveIntegerField()
    move_id = models.BigIntegerField()
    line = models.JSONField(null=True, blank=True)
    hint = models.BooleanField(default=False)
    asked = models.DateTimeField(auto_now_add=True)
    # When a reader last waited for the values of this position, which come before all others.
    looked_at = models.DateTimeField(null=True, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    done = models.BooleanField(default=False)
    # See `games.storage.packed_values`; null: there are no values yet. With ``done`` False they are
    # first ones, and better ones are still to come.
    packed = models.JSONField(null=True, blank=True)
    # When a page last showed it, to the day.
    seen = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["ply"]
        constraints = [
            models.UniqueConstraint(fields=["game", "ply", "move_id"], name="evaluation_once")
        ]
        indexes = [
            models.Index(
                fields=["asked", "ply"],
                condition=models.Q(done=False, hint=True),
                name="games_hint_waiting",
            ),
            models.Index(
                fields=["ply", "asked"],
                condition=models.Q(done=False, hint=False),
                name="games_ply_waiting",
            ),
            models.Index(
                fields=["-looked_at"],
                condition=models.Q(done=False, hint=False, looked_at__isnull=False),
                name="games_looked_at_waiting",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id} after {self.ply}"
