"""The e-mail address of an account, and the e-mails that visitors have asked for."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

EMAIL_LENGTH = 254


class EmailAddress(models.Model):
    """The address of an account. An address that is not confirmed yet gets nothing but the link
    that confirms it."""

    account = models.OneToOneField("games.Account", on_delete=models.CASCADE, related_name="email")
    # The confirmed address, '' without one, and as it is found: in lower case.
    address = models.CharField(_("e-mail address"), max_length=EMAIL_LENGTH, blank=True, default="")
    key = models.CharField(max_length=EMAIL_LENGTH, blank=True, default="", db_index=True)
    # The address that is to be confirmed. Each has a salt of its own, and so links of their own.
    pending = models.CharField(max_length=EMAIL_LENGTH, blank=True, default="")
    salt = models.CharField(max_length=40, blank=True, default="")
    # Of the browser that entered the address: a worker has no request to read them from.
    site = models.CharField(max_length=300)
    language = models.CharField(max_length=10)
    # Whether the address is told of turns, and from when on it may be told again.
    digests = models.BooleanField(default=True)
    next_digest = models.DateTimeField(null=True, blank=True)
    # Turns that were claimed until then are told, or never will be.
    digested = models.DateTimeField(null=True, blank=True)
    # Digests in a row that the mail server refused.
    failures = models.PositiveSmallIntegerField(default=0)

    class Meta:
        verbose_name = _("e-mail address")
        verbose_name_plural = _("e-mail addresses")

    def __str__(self) -> str:
        return str(self.pk)


class EmailRequest(models.Model):
    """An e-mail to send: the link that confirms an address, or, for a typed name, the
    links that set a new password. The row is deleted once the e-mail was sent.

    Names and addresses are looked up by the worker, so that the time of an answer tells nobody
    which there are."""

    email = models.ForeignKey(
        EmailAddress, null=True, blank=True, on_delete=models.CASCADE, related_name="requests"
    )
    typed = models.CharField(max_length=EMAIL_LENGTH, blank=True, default="")
    attempts = models.PositiveSmallIntegerField(default=0)
    # No worker sends it before.
    due = models.DateTimeField(auto_now_add=True)
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return str(self.pk)
