"""Passkeys: keys on devices, with which people sign in to an account without a password."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.core.webauthn import LONGEST_ID
from games.models.accounts import Account
from games.models.devices import DEVICE_NAME_LENGTH


class Passkey(models.Model):
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

    class Meta:
        default_permissions = ()
        verbose_name = _("passkey")
        verbose_name_plural = _("passkeys")

    def __str__(self) -> str:
        return self.name or str(self.pk)


class PasskeyChallenge(models.Model):
    """The random bytes that a browser has to sign next. There is one row for each browser, site and
    purpose, the hash of which is its key; the first answer deletes it."""

    visit = models.CharField(max_length=64, primary_key=True)
    challenge = models.BinaryField()
    # The account that gets the new passkey; null for signing in.
    account = models.ForeignKey(Account, null=True, on_delete=models.CASCADE, related_name="+")
    expires = models.DateTimeField(db_index=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return self.visit
