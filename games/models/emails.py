"""The e-mail address of an account, and the e-mails that visitors have requested."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

EMAIL_LENGTH = 254


class EmailAddress(models.Model):
    """The address of an account. Until it is confirmed it gets nothing but the confirmation
    link."""

    account = models.OneToOneField("games.Account", on_delete=models.CASCADE, related_name="email")
    # The confirmed address, '' without one, and the same in lower case for look-ups.
    address = models.CharField(_("e-mail address"), max_length=EMAIL_LENGTH, blank=True, default="")
    key = models.CharField(max_length=EMAIL_LENGTH, blank=True, default="", db_index=True)
    # The address to be confirmed. Each address has its own salt, and therefore its own links.
    pending = models.CharField(max_length=EMAIL_LENGTH, blank=True, default="")
    salt = models.CharField(max_length=40, blank=True, default="")
    # From the browser that entered the address, since a worker has no request to read them from.
    site = models.CharField(max_length=300)
    language = models.CharField(max_length=10)
    # Whether the address gets digests, and the earliest time of the next one.
    digests = models.BooleanField(default=True)
    next_digest = models.DateTimeField(null=True, blank=True)
    # Turns claimed before this time are in an earlier digest, or will be in none.
    digested = models.DateTimeField(null=True, blank=True)
    # The number of consecutive digests that the mail server refused.
    failures = models.PositiveSmallIntegerField(default=0)
    # How the last e-mail failed, as a value of `games.people.emails.Delivery`, and when.
    last_failure = models.CharField(max_length=20, blank=True, default="", db_default="")
    failed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        default_permissions = ()
        verbose_name = _("e-mail address")
        verbose_name_plural = _("e-mail addresses")

    def __str__(self) -> str:
        return str(self.pk)


class EmailRequest(models.Model):
    """A requested e-mail: the confirmation link for an address or a test of it, or the links that
    reset a password, for a typed name or address. The row is deleted once the e-mail has been sent.

    The worker looks up names and addresses, so that response times do not reveal which of them
    exist."""

    email = models.ForeignKey(
        EmailAddress, null=True, blank=True, on_delete=models.CASCADE, related_name="requests"
    )
    typed = models.CharField(max_length=EMAIL_LENGTH, blank=True, default="")
    # Whether it is a test of the confirmed address.
    is_test = models.BooleanField(default=False, db_default=False)
    attempts = models.PositiveSmallIntegerField(default=0)
    # The earliest time at which a worker may send it.
    due = models.DateTimeField(auto_now_add=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return str(self.pk)
