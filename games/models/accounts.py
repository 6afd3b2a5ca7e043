"""Accounts: a name and a password, or passkeys, by which a player signs in on any device."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.core.webauthn import LONGEST_ID
from games.models.players import DEVICE_NAME_LENGTH, Player, StoredRow

ACCOUNT_NAME_LENGTH = 30
LOOK_LENGTH = 8 * ACCOUNT_NAME_LENGTH


class Account(StoredRow):
    """An account: the name and password of a player. Nobody needs one to play."""

    player = models.OneToOneField("games.Player", on_delete=models.CASCADE, related_name="account")
    name = models.CharField(_("name"), max_length=ACCOUNT_NAME_LENGTH)
    # The name as it is compared, casefolded and normalized. Folding makes some names longer.
    key = models.CharField(max_length=4 * ACCOUNT_NAME_LENGTH, unique=True)
    # The form of the name that is the same for all that look alike. '' before version 1.0.
    look = models.CharField(max_length=LOOK_LENGTH, blank=True, default="", db_default="")
    password = models.CharField(max_length=128)
    created = models.DateTimeField(auto_now_add=True)

    class Meta(StoredRow.Meta):
        verbose_name = _("account")
        verbose_name_plural = _("accounts")
        indexes = [models.Index(fields=["look"], name="games_account_look")]

    def __str__(self) -> str:
        return self.name


class RecoveryCode(StoredRow):
    """A code that replaces a forgotten password, once; its 95 random bits need no slow hash."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="codes")
    hash = models.CharField(max_length=64)

    class Meta(StoredRow.Meta):
        constraints = [models.UniqueConstraint(fields=["account", "hash"], name="code_once")]


class Passkey(StoredRow):
    """The public part of a key in an authenticator; nobody could sign in with this part alone."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="passkeys")
    # The credential id in base64, as browsers send it.
    credential_id = models.CharField(max_length=LONGEST_ID, unique=True)
    public_key = models.BinaryField()
    # How often the authenticator has signed; 0 if it does not count.
    sign_count = models.BigIntegerField(default=0)
    # The browser and operating system that added it.
    name = models.CharField(_("name"), max_length=DEVICE_NAME_LENGTH, blank=True, default="")
    created = models.DateTimeField(auto_now_add=True)
    # Only the day is stored, as for devices.
    used = models.DateField(null=True, blank=True)

    class Meta(StoredRow.Meta):
        verbose_name = _("passkey")
        verbose_name_plural = _("passkeys")

    def __str__(self) -> str:
        return self.name or str(self.pk)


class PasskeyChallenge(StoredRow):
    """The random bytes that a browser has to sign next. There is one row for each browser, site and
    purpose, the hash of which is its key; the first answer deletes it."""

    visit = models.CharField(max_length=64, primary_key=True)
    challenge = models.BinaryField()
    # The account that gets the new passkey; null for signing in.
    account = models.ForeignKey(Account, null=True, on_delete=models.CASCADE, related_name="+")
    expires = models.DateTimeField(db_index=True)


class SecurityEvent(StoredRow):
    """An event that changed, or tried to change, who can act for a player. It has no secrets."""

    class Kind(models.TextChoices):
        """The kinds of events, each with its sentence on the page of the player."""

        SIGN_IN = "sign-in", _("Signed in")
        WRONG = "wrong", _("Wrong password")
        DEVICE = "device", _("A device was added by a link")
        SIGN_OUT = "sign-out", _("A device was signed out")
        TOKEN = "token", _("A token was made")
        WITHDRAWN = "withdrawn", _("A token was withdrawn")
        ALLOWED = "allowed", _("A program may go on")
        REFUSED = "refused", _("A stopped program was refused")
        HOOK = "hook", _("The web hook was changed")
        OLD_HOOK = "old-hook", _("The web hook of a browser that signed in has ended")
        PASSWORD = "password", _("New password")
        RECOVERY = "recovery", _("New password, by a recovery code or e-mail")
        CODES = "codes", _("New recovery codes")
        PASSKEY = "passkey", _("A passkey was added")
        NO_PASSKEY = "no-passkey", _("A passkey was removed")
        EMAIL = "email", _("The e-mail address was changed")
        ENDED = "ended", _("All others were ended")
        STAFF = "staff", _("By the staff of this site")

    # No constraint in the database, as for `Insight`.
    player = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="security_events", db_constraint=False
    )
    kind = models.CharField(max_length=10, choices=Kind.choices)
    # The device or program that it is about.
    about = models.CharField(max_length=DEVICE_NAME_LENGTH, blank=True, default="")
    happened = models.DateTimeField(auto_now_add=True)
