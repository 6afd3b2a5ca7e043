"""Letters that wait to be sent by `games.worker.outbox`, or were sent."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.channels import EMAIL_LENGTH, HOOK_LENGTH, EmailAddress
from games.models.rows import StoredRow


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


class Outgoing(StoredRow):
    """A letter to one channel: a notice of an event, or a requested e-mail.

    A notice is written with its event (that of a turn by the worker) and claimed before it is sent,
    so that none is sent twice; the row stays, so that no event causes another one. A requested
    e-mail has a lease instead, and its row is deleted once it has been sent."""

    TEST, OPEN_SEATS, CONFIRM, PASSWORD = "test", "open", "confirm", "password"
    """The kinds of letters that are no `NoticeKind`."""

    player = models.ForeignKey(
        "games.Player",
        null=True,
        on_delete=models.CASCADE,
        db_constraint=False,
        related_name="outgoing",
    )
    game = models.ForeignKey(
        "games.Game",
        null=True,
        on_delete=models.CASCADE,
        db_constraint=False,
        related_name="outgoing",
    )
    # The kind and the key of the channel. 0 stands for the web hook of the site, or for the
    # addresses that a worker finds by a typed name, so that response times do not reveal which of
    # them exist.
    channel = models.CharField(max_length=5)
    to = models.BigIntegerField(default=0)
    # The host of a web hook, and where the channel was set: both are served in turn.
    target = models.CharField(max_length=HOOK_LENGTH, blank=True, default="")
    origin = models.CharField(max_length=16, blank=True, default="")
    kind = models.CharField(max_length=10)
    # The ply of the event, and the name of its author, of a seat, or as a visitor typed it.
    ply = models.PositiveIntegerField(default=0)
    name = models.CharField(max_length=EMAIL_LENGTH, blank=True, default="")
    created = models.DateTimeField()
    # The earliest time at which a worker may send it.
    due = models.DateTimeField()
    attempts = models.PositiveIntegerField(default=0)
    claimed = models.DateTimeField(null=True, blank=True)

    class Meta(StoredRow.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["channel", "to", "game", "kind", "ply", "name"],
                name="one_letter_an_event",
            )
        ]
        indexes = [
            models.Index(
                fields=["channel", "due"], condition=Q(claimed=None), name="unclaimed_letters"
            )
        ]

    @property
    def is_requested(self) -> bool:
        """Whether it is an e-mail that a visitor has requested."""
        return self.channel == EmailAddress.kind and self.kind not in NoticeKind.values
