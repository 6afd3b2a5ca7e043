"""Players, known by the signed cookies in their browsers, and their own rows: devices, word packs,
bots, tokens, and reports."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

NAME_LENGTH = 30


class StoredRow(models.Model):
    """A row for which nobody needs a permission, known by its key."""

    class Meta:
        abstract = True
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self._meta.model_name} {self.pk}"


class Player(models.Model):
    """An anonymous person, known by the signed cookies of one or more browsers."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(_("name"), max_length=NAME_LENGTH, blank=True)
    # The casefolded name, by which staff search. Folding can turn one letter into three.
    name_folded = models.CharField(
        max_length=3 * NAME_LENGTH, blank=True, default="", editable=False, db_index=True
    )
    # The key in the address of the player's public page; null: there is no page.
    public_id = models.CharField(max_length=16, null=True, blank=True, unique=True, editable=False)
    # A suspended player may watch, but not play.
    suspended = models.BooleanField(_("suspended"), default=False)
    # The reason that staff gave for the suspension, which the player reads; '' for none. Without a
    # suspension it is a warning, until the player has read it.
    suspended_for = models.CharField(
        max_length=200, blank=True, default="", db_default="", editable=False
    )
    # The kinds of notices that the player has turned off, or on if they are off at first, separated
    # by blanks.
    muted_notices = models.CharField(
        max_length=100, blank=True, default="", db_default="", editable=False
    )
    created = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        default_permissions = ("view",)
        permissions = [
            ("suspend_player", _("Can suspend players and remove their names")),
            ("forget_player", _("Can delete the data of players")),
        ]
        indexes = [models.Index(fields=["created", "id"], name="games_player_created")]

    def __str__(self) -> str:
        return self.name or str(_("Guest"))


DEVICE_NAME_LENGTH, REPORT_LENGTH = 60, 300


class Device(StoredRow):
    """A browser of a player, known by the id in its signed cookie.

    The only browser of a player needs no row: an id without a row is the id of the player."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    player = models.ForeignKey("games.Player", on_delete=models.CASCADE, related_name="devices")
    # Browser and operating system, as the browser reports them.
    name = models.CharField(_("name"), max_length=DEVICE_NAME_LENGTH, blank=True, default="")
    seen = models.DateField(null=True, blank=True)
    # Told by quarters of an hour: a player recognizes devices of one name by it.
    seen_at = models.DateTimeField(null=True, blank=True, editable=False)
    # The row stays, because an id without a row would count as a player's again.
    signed_out = models.DateTimeField(null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta(StoredRow.Meta):
        verbose_name = _("device")
        verbose_name_plural = _("devices")

    def __str__(self) -> str:
        return self.name or str(self.pk)


class DeviceLink(StoredRow):
    """The link with which another browser joins a player. As for the link of a seat, only a hash is
    stored, and a link without a salt is used up."""

    player = models.OneToOneField(
        "games.Player", primary_key=True, on_delete=models.CASCADE, related_name="device_link"
    )
    salt = models.CharField(max_length=40, blank=True, default="")
    hash = models.CharField(max_length=64, unique=True)
    expires = models.DateTimeField()
    # The key of the form that used the link. A double click sends it twice, and the second answer,
    # the one that the page shows, must succeed too.
    claimant = models.CharField(max_length=64, blank=True, default="")
    device = models.ForeignKey(
        Device, null=True, blank=True, on_delete=models.SET_NULL, db_index=False, related_name="+"
    )


class Report(models.Model):
    """A page whose words visitors have reported, stored once while it waits."""

    class Reason(models.TextChoices):
        """The reasons to choose from."""

        ABUSE = "abuse", _("Insults, threats or hate")
        SEXUAL = "sexual", _("Sexual or violent words")
        PRIVATE = "private", _("Private data, or another person’s name")
        OTHER = "other", _("Something else")

    class Act(models.TextChoices):
        """The last act of staff; the history of the row has all, with their authors."""

        HIDE = "hide", _("Hide")
        WARN = "warn", _("Warn")
        SUSPEND = "suspend", _("Suspend")
        CLOSE = "close", _("Close")

    address = models.CharField(_("address"), max_length=100, db_index=True)
    # The author of the words; null: nobody knows. No constraint in the database, as for `Insight`.
    about = models.ForeignKey(
        Player,
        verbose_name=_("player"),
        null=True,
        on_delete=models.CASCADE,
        related_name="+",
        db_constraint=False,
    )
    reporter = models.ForeignKey(
        Player,
        verbose_name=_("reported by"),
        null=True,
        on_delete=models.SET_NULL,
        related_name="reports",
        db_constraint=False,
    )
    reason = models.CharField(_("reason"), max_length=10, choices=Reason.choices)
    text = models.CharField(_("text"), max_length=REPORT_LENGTH, blank=True)
    times = models.PositiveIntegerField(_("times"), default=1)
    created = models.DateTimeField(_("created"), auto_now_add=True)
    # '' as long as it waits.
    act = models.CharField(_("status"), max_length=10, choices=Act.choices, blank=True, default="")
    handled = models.DateTimeField(_("handled"), null=True)

    class Meta:
        default_permissions = ("view",)
        verbose_name = _("report")
        verbose_name_plural = _("reports")
        indexes = [models.Index(fields=["act", "id"], name="games_report_act")]

    def __str__(self) -> str:
        return self.address


PACK_NAME_LENGTH = 30


class Pack(models.Model):
    """A list of texts for the games of one kind.

    ``used`` are the texts that games were dealt in the present round, in the order of ``texts``. As
    for the link of a seat, only a hash of the token is stored; '' and null: there is no link."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    player = models.ForeignKey("games.Player", on_delete=models.CASCADE, related_name="packs")
    kind = models.CharField(_("kind"), max_length=40)
    name = models.CharField(_("name"), max_length=PACK_NAME_LENGTH)
    # '' for a kind of game without languages.
    language = models.CharField(_("language"), max_length=10, blank=True, default="")
    texts = models.JSONField(_("words"))
    used = models.JSONField(default=list)
    salt = models.CharField(max_length=40, blank=True, default="")
    hash = models.CharField(max_length=64, null=True, blank=True, unique=True)
    created = models.DateTimeField(_("created"), auto_now_add=True)

    class Meta:
        default_permissions = ("view", "delete")
        verbose_name = _("word pack")
        verbose_name_plural = _("word packs")
        indexes = [models.Index(fields=["created", "id"], name="games_pack_created")]

    def __str__(self) -> str:
        return self.name

    @property
    def left(self) -> int:
        """The number of texts that no game was dealt in the present round."""
        return len(self.texts) - len(self.used)


ABOUT_LENGTH = 100


class Bot(StoredRow):
    """A player that is a program, and the player whose program it is. Its name ends with
    ``BOT_MARK`` of `games.services.players`."""

    # No constraint in the database, as for `Insight`.
    player = models.OneToOneField(
        Player, on_delete=models.CASCADE, related_name="bot", db_constraint=False
    )
    owner = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="bots", db_constraint=False
    )
    about = models.CharField(_("about"), max_length=ABOUT_LENGTH, blank=True, default="")
    # The slugs of the kinds of game that it plays.
    kinds = models.JSONField(default=list)
    # A keyed hash of the address where it was made: the list of bots has two of each.
    lister = models.CharField(max_length=16, null=True, blank=True)  # noqa: DJ001
    # How long the bot of a guest stays on that list: those that were there before 1.1 do.
    listed_until = models.DateTimeField(null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta(StoredRow.Meta):
        indexes = [models.Index(fields=["lister", "id"], name="games_bot_lister")]

    def __str__(self) -> str:
        return str(self.player)


class ApiToken(StoredRow):
    """A token of a player, of which only the hash is stored."""

    # No constraint in the database, as for `Insight`.
    player = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="api_tokens", db_constraint=False
    )
    # Unused since 1.1, when the tokens for one seat of a game were deleted.
    game = models.ForeignKey(
        "games.Game",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="+",
        db_constraint=False,
    )
    seat = models.CharField(max_length=40, blank=True, default="")
    name = models.CharField(_("name"), max_length=NAME_LENGTH)
    token_hash = models.CharField(max_length=64, unique=True)
    created = models.DateTimeField(auto_now_add=True)
    # Told by quarters of an hour, as for devices.
    used = models.DateTimeField(null=True, blank=True)
    # A stopped token works again once its owner says so.
    stopped = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return self.name
