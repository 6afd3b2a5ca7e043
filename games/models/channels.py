"""Channels for notices, and the letters that wait for them."""

from __future__ import annotations

from typing import ClassVar
from urllib.parse import urlsplit

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.players import StoredRow

HOOK_LENGTH = 500
ENDPOINT_LENGTH = 1_000
EMAIL_LENGTH = 254


class Channel(StoredRow):
    """A channel to a player away from the site. A player may have several, of several kinds."""

    # From the browser that set the channel, since a worker has no request to read them from.
    site = models.CharField(max_length=300)
    language = models.CharField(max_length=10)
    # The number of consecutive notices that did not arrive.
    failures = models.PositiveSmallIntegerField(default=0)
    # The last failure, as a word of `games.notices.channels.FAILURES` or an HTTP status.
    last_failure = models.CharField(max_length=20, blank=True, default="", db_default="")
    failed_at = models.DateTimeField(null=True, blank=True)
    # The day of the last notice that arrived.
    used = models.DateField(null=True, blank=True)
    # A stopped channel gets notices again once its owner says so.
    stopped = models.DateTimeField(null=True, blank=True)
    # No notice is sent before: a web hook that did not answer rests, and digests are rare.
    rests_until = models.DateTimeField(null=True, blank=True)
    # A keyed hash of the address where the channel was set, by which notices are sent in turn.
    origin = models.CharField(max_length=16, null=True, blank=True)  # noqa: DJ001
    # Whether notices come together, at most once an hour; null: as is usual for its kind.
    gathered = models.BooleanField(null=True, blank=True)

    kind: ClassVar[str]
    """Its name in `Outgoing.channel`."""
    usually_gathered: ClassVar[bool] = False
    owner: ClassVar[str] = "player_id"
    """The field lookup that leads to the player's id."""

    class Meta(StoredRow.Meta):
        abstract = True

    @property
    def target(self) -> str:
        """Return the host that a player has chosen, which is sent one notice at a time."""
        return ""

    @property
    def has_digests(self) -> bool:
        return self.usually_gathered if self.gathered is None else self.gathered


class WebHook(Channel):
    """A web hook: an address to which the site posts notices of turns."""

    player = models.OneToOneField("games.Player", on_delete=models.CASCADE, related_name="web_hook")
    url = models.CharField(_("address"), max_length=HOOK_LENGTH)

    kind = "hook"

    @property
    def target(self) -> str:
        return urlsplit(self.url).hostname or ""


class PushSubscription(Channel):
    """A device that shows notices: its address at the push service of the browser vendor."""

    device = models.OneToOneField(
        "games.Device", on_delete=models.CASCADE, related_name="push_subscription"
    )
    endpoint = models.CharField(max_length=ENDPOINT_LENGTH, unique=True)
    # The browser's public key and a secret, in base64, with which notices are encrypted for it.
    key = models.CharField(max_length=100)
    secret = models.CharField(max_length=40)

    kind = "push"
    owner = "device__player_id"


class EmailAddress(Channel):
    """The address of an account. Until it is confirmed it gets the confirmation link alone."""

    account = models.OneToOneField("games.Account", on_delete=models.CASCADE, related_name="email")
    # The confirmed address, '' without one, and the same in lower case for look-ups.
    address = models.CharField(_("e-mail address"), max_length=EMAIL_LENGTH, blank=True, default="")
    key = models.CharField(max_length=EMAIL_LENGTH, blank=True, default="", db_index=True)
    # The address to be confirmed. Each address has its own salt, and therefore its own links.
    pending = models.CharField(max_length=EMAIL_LENGTH, blank=True, default="")
    salt = models.CharField(max_length=40, blank=True, default="")
    # Whether the address gets digests. Of its ``failures`` only those of digests count.
    digests = models.BooleanField(default=True)
    rests_until = models.DateTimeField(null=True, blank=True, db_column="next_digest")
    origin = used = stopped = None

    kind = "email"
    owner = "account__player_id"
    usually_gathered = True

    class Meta(StoredRow.Meta):
        verbose_name = _("e-mail address")
        verbose_name_plural = _("e-mail addresses")


class NoticeKind(models.TextChoices):
    """The kinds of events of which a player gets notices, as the player chooses them."""

    TURN = "turn", _("It’s my turn")
    SEAT_TAKEN = "seat", _("Someone takes a seat in my lobby")
    LOBBY_FULL = "full", _("My lobby is full")
    BEGUN = "begun", _("A game begins")
    DRAW_OFFERED = "draw", _("Someone offers a draw")
    UNDO_ASKED = "undo", _("Someone asks for undo")
    VOID_ASKED = "void", _("Someone wants to call a game off")
    REMATCH_OFFERED = "rematch", _("Someone offers a rematch")
    CHALLENGED = "ask", _("Someone asks me for a game (off: nobody can)")
    LITTLE_TIME = "time", _("I have little time left")
    SEAT_ASKED = "sit", _("Someone wants my seat while I’m away")
    OVER = "over", _("A game is over")
    DAY = "day", _("Today’s puzzles are here (at most once a day)")


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
                fields=["channel", "to", "game", "kind", "ply", "name"], name="one_letter_an_event"
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
