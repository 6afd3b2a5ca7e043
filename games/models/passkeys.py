"""Passkeys: keys in an account's devices, by which it is signed in to without a password."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.accounts import Account
from games.models.devices import DEVICE_NAME_LENGTH
from games.passkeys import LONGEST_ID


class Passkey(models.Model):
    """The public part of a key in an authenticator: nobody signs in by what is stored here."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="passkeys")
    # In base64, as browsers send it.
    credential_id = models.CharField(max_length=LONGEST_ID, unique=True)
    public_key = models.BinaryField()
    # How often the authenticator has signed; 0 where it does not count.
    sign_count = models.BigIntegerField(default=0)
    # Browser and system that added it.
    name = models.CharField(_("name"), max_length=DEVICE_NAME_LENGTH, blank=True, default="")
    created = models.DateTimeField(auto_now_add=True)
    # To the day, as of devices.
    used = models.DateField(null=True, blank=True)

    class Meta:
        verbose_name = _("passkey")
        verbose_name_plural = _("passkeys")

    def __str__(self) -> str:
        return self.name or str(self.pk)


class PasskeyChallenge(models.Model):
    """The random bytes that a browser has to sign next: one for each browser, site and purpose,
    whose hash is the key. Deleted with the first answer."""

    visit = models.CharField(max_length=64, primary_key=True)
    challenge = models.BinaryField()
    # Of a new passkey, by the password; null where a visitor signs in.
    account = models.ForeignKey(Account, null=True, on_delete=models.CASCADE, related_name="+")
    expires = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.visit
