"""Notices of events that wait to be sent by `games.worker.outbox`."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.players import NAME_LENGTH


class NoticeKind(models.TextChoices):
    """The kinds of events of which a player gets notices, as the player chooses them."""

    TURN = "turn", _("It’s my turn")
    SEAT_TAKEN = "seat", _("Someone takes a seat in my lobby")
    LOBBY_FULL = "full", _("My lobby is full")
    BEGUN = "begun", _("A game begins")
    DRAW_OFFERED = "draw", _("Someone offers a draw")
    UNDO_ASKED = "undo", _("Someone asks for undo")
    REMATCH_OFFERED = "rematch", _("Someone offers a rematch")
    LITTLE_TIME = "time", _("I have little time left")
    SEAT_ASKED = "sit", _("Someone wants my seat while I’m away")
    OVER = "over", _("A game is over")


class PendingNotice(models.Model):
    """A notice for a player, written with the event that it tells. It is claimed before it is sent,
    so that none is sent twice, and kept until it is in a digest."""

    player = models.ForeignKey(
        "games.Player", on_delete=models.CASCADE, db_index=False, related_name="notices"
    )
    # Without a game it is a test of the player's channels.
    game = models.ForeignKey(
        "games.Game", null=True, on_delete=models.CASCADE, related_name="notices"
    )
    kind = models.CharField(max_length=10, choices=NoticeKind.choices)
    # The ply of the event, and the name of its author, '' for none.
    ply = models.PositiveIntegerField(default=0)
    name = models.CharField(max_length=NAME_LENGTH, blank=True, default="")
    created = models.DateTimeField(auto_now_add=True)
    claimed = models.DateTimeField(null=True, blank=True)

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                fields=["player", "game", "kind", "ply", "name"], name="one_notice_an_event"
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.game_id} {self.player_id}"
