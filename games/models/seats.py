"""Seats of games, their holders, and when those were seen."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.games import Game
from games.models.players import NAME_LENGTH, Player, StoredRow


class Seat(StoredRow):
    """A seat of a game, held by players, by a computer, or by nobody yet.

    The token of its invitation is never stored. ``token_hash`` finds the seat of a given token, and
    with ``token_salt`` the server makes the same token again for the inviter. A link without a salt
    is used up."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="seats", db_index=False)
    key = models.CharField(_("seat"), max_length=40)
    index = models.PositiveSmallIntegerField()
    computer = models.PositiveSmallIntegerField(_("computer level"), null=True, blank=True)
    listed = models.BooleanField(_("open to everybody"), default=False)
    # Whether an open seat may be taken by a bot.
    for_bots = models.BooleanField(_("open to bots"), default=False, db_default=False)
    # A keyed hash of the address that opened it to everybody, see `games.state.lists.in_turn`.
    lister = models.CharField(max_length=16, null=True, blank=True)  # noqa: DJ001
    players = models.ManyToManyField(Player, through="Holder", related_name="seats")
    token_salt = models.CharField(max_length=40, blank=True)
    token_hash = models.CharField(max_length=64, null=True, blank=True, unique=True)
    # The failures of its computer at a position: ``at``, its ply and number of undone moves, and
    # ``by``, the processes in which it failed; null: none.
    failures = models.JSONField(null=True, blank=True)
    moving_from = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="moving_seats"
    )
    # The player whom the host has asked for the game, and when that player declined. Version 1.0
    # deletes players without knowing it, so the database has no constraint.
    asked = models.ForeignKey(
        Player,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        db_constraint=False,
        db_index=False,
        related_name="asked_seats",
    )
    declined = models.DateTimeField(null=True, blank=True)

    class Meta(StoredRow.Meta):
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ["index"]
        constraints = [models.UniqueConstraint(fields=["game", "key"], name="seat_once")]
        # With this index the list of open seats reads only the newest.
        indexes = [
            models.Index(fields=["-id"], condition=models.Q(listed=True), name="games_seat_listed"),
            models.Index(
                fields=["asked"], condition=models.Q(asked__isnull=False), name="games_seat_asked"
            ),
        ]

    def __str__(self) -> str:
        return self.key


class Holder(StoredRow):
    """The relation between a seat and its holder."""

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="holders", db_index=False)
    player = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="holders", db_index=False
    )
    # The name of a person on a shared device; '' stands for the player's own name.
    name = models.CharField(_("name"), max_length=NAME_LENGTH, blank=True, default="")
    joined = models.DateTimeField(auto_now_add=True)
    # Whether the player has removed the game from the list of own games.
    hidden = models.BooleanField(default=False, db_default=False)
    # When the game ended, else null, by whose index lists of a player's games page.
    ended = models.DateTimeField(null=True, blank=True)
    # The outcome of a finished game, see `games.state.outcomes`. Without a ``kind`` it is not known
    # yet: the worker stores it soon, and until then it is read from the game.
    kind = models.CharField(max_length=40, null=True, blank=True)  # noqa: DJ001
    outcome = models.CharField(max_length=8, null=True, blank=True)  # noqa: DJ001
    level = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta(StoredRow.Meta):
        verbose_name = _("holder of a seat")
        verbose_name_plural = _("holders of seats")
        constraints = [models.UniqueConstraint(fields=["seat", "player"], name="holder_once")]
        indexes = [
            # Filters of a list are answered by the index alone, however long the list is.
            models.Index(
                fields=["player", "ended", "id", "hidden", "kind", "outcome", "level"],
                name="games_holder_listed",
            ),
            models.Index(
                fields=["id"],
                condition=models.Q(ended__isnull=False, kind__isnull=True),
                name="games_holder_unknown",
            ),
            models.Index(fields=["player", "id"], name="games_holder_player"),
        ]

    def __str__(self) -> str:
        return f"{self.player} ({self.seat})"


class Insight(StoredRow):
    """An information set that a player has seen in a game and does not hold any more."""

    # The database has no constraint, since version 1.0 deletes games and players without knowing
    # this table.
    game = models.ForeignKey(
        Game, on_delete=models.CASCADE, related_name="+", db_index=False, db_constraint=False
    )
    player = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="insights", db_constraint=False
    )
    information_set = models.CharField(max_length=40, blank=True)

    class Meta(StoredRow.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["game", "player", "information_set"], name="insight_once"
            )
        ]


class Sighting(StoredRow):
    """When a player was last seen at a game, of which the player is the host or holds a seat."""

    # No constraint in the database, as for `Insight`.
    game = models.ForeignKey(
        Game, on_delete=models.CASCADE, related_name="+", db_index=False, db_constraint=False
    )
    player = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="sightings", db_constraint=False
    )
    seen = models.DateTimeField()

    class Meta(StoredRow.Meta):
        constraints = [models.UniqueConstraint(fields=["game", "player"], name="sighting_once")]
        indexes = [models.Index(fields=["seen"], name="games_sighting_seen")]
