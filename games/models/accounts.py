"""Accounts: a name and a password by which a player signs in on any device."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

ACCOUNT_NAME_LENGTH = 30
LOOK_LENGTH = 8 * ACCOUNT_NAME_LENGTH


class Account(models.Model):
    """An account: the name and password of a player. Nobody needs one to play."""

    player = models.OneToOneField("games.Player", on_delete=models.CASCADE, related_name="account")
    name = models.CharField(_("name"), max_length=ACCOUNT_NAME_LENGTH)
    # The name as it is compared, casefolded and normalized. Folding makes some names longer.
    key = models.CharField(max_length=4 * ACCOUNT_NAME_LENGTH, unique=True)
    # The form of the name that is the same for all that look alike. '' before version 1.0.
    look = models.CharField(max_length=LOOK_LENGTH, blank=True, default="", db_default="")
    password = models.CharField(max_length=128)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        default_permissions = ()
        verbose_name = _("account")
        verbose_name_plural = _("accounts")
        indexes = [models.Index(fields=["look"], name="games_account_look")]

    def __str__(self) -> str:
        return self.name


class RecoveryCode(models.Model):
    """A code that replaces a forgotten password, once. Only its hash is stored: a code has 95
    random bits, so it needs no slow hash."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="codes")
    hash = models.CharField(max_length=64)

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint(fields=["account", "hash"], name="code_once")]

    def __str__(self) -> str:
        return str(self.pk)
