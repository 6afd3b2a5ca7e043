"""Games: stored matches, the ids in their addresses, their moves, variations, and imports."""

from __future__ import annotations

import secrets
from copy import copy
from functools import lru_cache

from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.contract import Result, Rules, SeatSpec
from games.core.clocks import Clock, TimeControl
from games.core.registry import all_rules
from games.models.players import Player, StoredRow

# No vowels and no look-alikes, so that an id is easily read aloud and spells no word.
ID_ALPHABET = "bcdfghjkmnpqrstvwxz23456789"
ID_LENGTH = 10


def new_game_id() -> str:
    """Return a short public id. With 47 bits ids do not collide and cannot be enumerated."""
    return "".join(secrets.choice(ID_ALPHABET) for _ in range(ID_LENGTH))


@lru_cache(10_000)
def _game_address(game_id: str) -> str:
    # In every answer to a move, and reversing it takes longer than rendering a seat.
    return reverse("game", args=[game_id])


class Game(models.Model):
    """A stored match. All its chance is in its setup, and its moves are rows of `Move`.

    ``ply``, ``status``, ``to_move``, ``computer_to_move`` and ``result`` are derived by replaying
    the moves, and ``only_computers`` from the seats, so that lists and workers need not do that.
    ``version`` counts every visible change, so an undo raises it while it lowers ``ply``."""

    class Status(models.TextChoices):
        """Whether a game is still running."""

        RUNNING = "running", _("running")
        OVER = "over", _("over")

    id = models.CharField(primary_key=True, max_length=16, default=new_game_id, editable=False)
    kind = models.CharField(_("kind"), max_length=40)
    rules_version = models.PositiveIntegerField(_("version of the rules"))
    options = models.JSONField(_("options"))
    setup = models.JSONField(_("setup"))
    ply = models.PositiveIntegerField(_("plies"), default=0)
    # The number of undos. Together with the ply it identifies a position of the game.
    undone = models.PositiveIntegerField(default=0)
    version = models.PositiveIntegerField(default=1)
    status = models.CharField(
        _("status"), max_length=10, choices=Status.choices, default=Status.RUNNING
    )
    to_move = models.JSONField(default=list)
    computer_to_move = models.BooleanField(default=False)
    # True if no seat is for people, so that nobody waits for its moves.
    only_computers = models.BooleanField(default=False)
    result_json = models.JSONField(null=True, blank=True)
    # See `games.core.clocks`; null: no clock. ``flag_at`` is null while no side's clock runs.
    clock = models.JSONField(null=True, blank=True)
    flag_at = models.DateTimeField(null=True, blank=True)
    hints = models.BooleanField(_("hints allowed"), default=False)
    # The column keeps the name it had before 1.0.
    banner = models.JSONField(null=True, blank=True, db_column="notice")
    # When the others last reminded an absent player, see `games.state.seat_rights`.
    reminded = models.DateTimeField(null=True, blank=True)
    # The fault found by `verify_games --mark`: ``plies`` that replay, and the ``reason``.
    fault = models.JSONField(_("fault"), null=True, blank=True)
    leased_until = models.DateTimeField(null=True, blank=True)
    # The worker that holds the lease: its machine and process, see `games.worker.leases`. It is
    # null by default, since SQLite copies a whole table to add any other column.
    leased_by = models.CharField(max_length=80, null=True, blank=True)  # noqa: DJ001
    # A keyed hash of the address where it was begun, by which the workers serve in turn.
    origin = models.CharField(max_length=16, null=True, blank=True)  # noqa: DJ001
    # The marks of players, see `games.state.marks`: dicts of ``player``, ``seat`` and ``move``.
    marks = models.JSONField(default=list, blank=True)
    # The open questions, see `games.state.questions`; null: none. The version before stored one
    # question in ``undo_request``.
    questions = models.JSONField(null=True, blank=True)
    undo_request = models.JSONField(null=True, blank=True)
    # False while the players gather in the lobby: meanwhile nobody sees the board or moves.
    begun = models.BooleanField(_("begun"), default=True)
    # The people absent from the lobby, and the host's stand-in; null: all are there.
    attendance = models.JSONField(null=True, blank=True)
    # The question of a newcomer, and that of players as the version before stored it; the claims
    # of those who were taken off their seats, see `games.state.seat_claims`; null: none.
    freeing = models.JSONField(null=True, blank=True)
    newcomer = models.JSONField(null=True, blank=True)
    claims = models.JSONField(null=True, blank=True)
    # When the players left the lobby; null: there was none, or it was before this column.
    began = models.DateTimeField(null=True, blank=True)
    # Whether only its players may see it, see `games.state.seat_rights`.
    closed = models.BooleanField(_("closed to watchers"), default=False)
    # The ``day``, ``event``, ``place``, ``result`` and ``names`` in the file of an imported game;
    # {}: it begins at a position of another game; null: it was begun here.
    imported = models.JSONField(null=True, blank=True)
    # The kinds and sizes in which its host seeks an opponent, or has found one, see
    # `games.services.seeking`: the first is that of this game; null: none.
    seeks = models.JSONField(null=True, blank=True)
    # The link that invites a group, stored as for `Seat`; '' and null: there is no link.
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
            # These indexes serve the admin's pages. No move changes them.
            models.Index(fields=["created", "id"], name="games_created"),
            models.Index(fields=["kind", "created", "id"], name="games_kind_created"),
            models.Index(fields=["created_by", "created", "id"], name="games_host_created"),
            models.Index(
                fields=["created", "id"],
                condition=models.Q(fault__isnull=False),
                name="games_fault_created",
            ),
            models.Index(
                fields=["flag_at"], condition=models.Q(flag_at__isnull=False), name="games_flag_at"
            ),
        ]
        default_permissions = ("view", "delete")
        permissions = [
            ("end_game", _("Can free and end games")),
            ("see_secrets", _("Can see what is hidden from players")),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"

    def __copy__(self) -> Game:
        # Every move copies the row. Django copies one by preparing it for a pickle.
        copied = type(self).__new__(type(self))
        copied.__dict__ |= self.__dict__
        copied._state = copy(self._state)
        copied._state.fields_cache = copy(self._state.fields_cache)
        return copied

    def get_absolute_url(self) -> str:
        return _game_address(self.id)

    @property
    def rules(self) -> Rules:
        """The rules of its kind. Raises KeyError if the folder of that kind is gone."""
        return all_rules()[self.kind]

    @property
    def specs(self) -> tuple[SeatSpec, ...]:
        return self.rules.seats(self.options)

    @property
    def time(self) -> TimeControl | None:
        """The time control; None for a game without a clock."""
        return None if self.clock is None else Clock.from_json(self.clock).control

    @property
    def over(self) -> bool:
        return self.status == self.Status.OVER

    @property
    def board(self) -> tuple[int, int]:
        """The ply and the number of undos, which together name a board."""
        return self.ply, self.undone

    @property
    def result(self) -> Result | None:
        """How the game ended; None while it is running. Raises ValueError for a damaged row."""
        return None if self.result_json is None else Result.from_json(self.result_json)


class Move(StoredRow):
    """One stored move; ``ply`` counts from 1."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="moves", db_index=False)
    ply = models.PositiveIntegerField(_("ply"))
    seat = models.CharField(_("seat"), max_length=40)
    text = models.CharField(_("move"), max_length=80)
    # Null for a computer's move. It has no index, since no query needs one, and no constraint,
    # because of which deleting a player would scan all moves: the player may be gone.
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

    class Meta(StoredRow.Meta):
        verbose_name = _("move")
        verbose_name_plural = _("moves")
        ordering = ["ply"]
        constraints = [models.UniqueConstraint(fields=["game", "ply"], name="ply_once")]

    def __str__(self) -> str:
        return f"{self.ply}. {self.text}"


VARIATION_NAME_LENGTH, SENTENCE_LENGTH = 60, 300


class KeptVariation(StoredRow):
    """The moves ``line`` that a player tried out after ``ply`` moves, with a name and a
    sentence."""

    id = models.CharField(primary_key=True, max_length=16, default=new_game_id, editable=False)
    # No constraint in the database, as for `Insight`.
    game = models.ForeignKey(
        Game, on_delete=models.CASCADE, related_name="kept_variations", db_constraint=False
    )
    player = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="kept_variations", db_constraint=False
    )
    ply = models.PositiveIntegerField()
    line = models.CharField(max_length=400)
    name = models.CharField(_("name"), max_length=VARIATION_NAME_LENGTH)
    sentence = models.CharField(max_length=SENTENCE_LENGTH, blank=True, default="")
    created = models.DateTimeField(_("created"), auto_now_add=True)
    # Whether a player of the game has taken it off the game's analysis; null: no.
    hidden = models.BooleanField(null=True, blank=True)
    # As for `Bot`.
    listed_until = models.DateTimeField(null=True, blank=True)

    class Meta(StoredRow.Meta):
        ordering = ["created", "id"]

    def __str__(self) -> str:
        return self.name


class Heartbeat(StoredRow):
    """The last moment of something that runs now and then: a serving process is known to have run
    at that of ``ONLY``; a worker began to verify all games, and had verified them; a restore drill
    succeeded, and failed; a worker began to remove old rows."""

    ONLY, VERIFYING, VERIFIED, RESTORED, NOT_RESTORED, TIDYING = 1, 2, 3, 4, 5, 6

    id = models.PositiveSmallIntegerField(primary_key=True, default=ONLY, editable=False)
    at = models.DateTimeField()


class GameImport(StoredRow):
    """Files from which a worker keeps games: ``read`` so far, ``known`` before, and the first
    ``faults``, dicts of ``line``, ``column`` and ``text``. Until ``claimed`` a worker or the sender
    has them."""

    id = models.CharField(primary_key=True, max_length=16, default=new_game_id, editable=False)
    player = models.ForeignKey(
        "games.Player", on_delete=models.CASCADE, related_name="imports", db_constraint=False
    )
    name = models.CharField(max_length=100)
    read = models.PositiveIntegerField(default=0)
    kept = models.PositiveIntegerField(default=0)
    known = models.PositiveIntegerField(default=0)
    faulty = models.PositiveIntegerField(default=0)
    faults = models.JSONField(default=list)
    cancelled = models.BooleanField(default=False)
    claimed = models.DateTimeField(null=True)
    created = models.DateTimeField(auto_now_add=True)
    ended = models.DateTimeField(null=True)

    class Meta(StoredRow.Meta):
        indexes = [
            models.Index(
                fields=["created"], condition=models.Q(ended=None), name="games_import_open"
            )
        ]


class ImportPiece(StoredRow):
    """A piece of the archive of an import's files, in the order of ids, until the end: stored as a
    whole, 20 MB would hold the write lock too long."""

    whole = models.ForeignKey(
        GameImport, on_delete=models.CASCADE, related_name="pieces", db_constraint=False
    )
    content = models.BinaryField()

    class Meta(StoredRow.Meta):
        ordering = ["pk"]
