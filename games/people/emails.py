"""The e-mail address of an account: entering, confirming and removing it, and resetting a password
with it.

Tokens are signed and not stored, as with Django's PasswordResetTokenGenerator: each is made from
values that change once it is used."""

from __future__ import annotations

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.signing import BadSignature, TimestampSigner
from django.core.validators import validate_email
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.encoding import punycode
from django.utils.translation import get_language

from games.contract import text
from games.core.refusals import Refusal
from games.models import EMAIL_LENGTH, Device, EmailAddress, NoticeKind, Outgoing, Player
from games.notices.outgoing import DIGEST_PAUSE, insert, letter
from games.people.access import Kind, note
from games.people.accounts import account_key, account_of, hash_password, reset_password
from games.services.tokens import new_salt
from games.storage.write_lock import write_transaction

CONFIRM, PASSWORD, DIGESTS = Outgoing.CONFIRM, Outgoing.PASSWORD, "digests"
"""The purposes of tokens."""
LONGEST_TOKEN, HIGHEST_KEY = 100, 2**63 - 1
ACCOUNTS_OF_AN_ADDRESS = 5


class BadEmail(Refusal):
    """Raised for a text that is no e-mail address."""

    reason = text("Enter an e-mail address, like name@example.com.")


class EmailLinkSpent(Refusal):
    """Raised for the link in an e-mail that is used up or too old."""

    status = 410
    reason = text("This link has been used or has expired. Ask for a new one.")


def clean_email(raw: str) -> str:
    """Return an address in its stored form, with a lower-case ASCII domain. Raises BadEmail."""
    user, at, domain = raw[: 2 * EMAIL_LENGTH].strip().rpartition("@")
    try:
        address = f"{user}{at}{punycode(domain).lower()}"
        validate_email(address)
    except (UnicodeError, ValidationError) as error:
        raise BadEmail from error
    # Quoted local parts may contain blanks and control characters, and nobody uses them.
    plain = address.isascii() and address.isprintable() and not set(address) & set(' "<>,')
    if not plain or len(address) > EMAIL_LENGTH:
        raise BadEmail
    return address


def email_of(player: Player) -> EmailAddress | None:
    """Return the e-mail address of a player's account, confirmed or not."""
    found = EmailAddress.objects.select_related("account").filter(account__player=player)
    return found.exclude(address="", pending="").first()


def enter_email(*, player: Player, address: str, site: str) -> None:
    """Request the confirmation link for an address; an earlier address stays until it is used.
    Raises BadEmail or Refusal."""
    cleaned = clean_email(address)
    account = account_of(player)
    if account is None:
        raise Refusal
    with write_transaction():
        email, _ = EmailAddress.objects.get_or_create(account=account)
        _letters_to(email).filter(kind=CONFIRM).delete()
        email.pending = "" if cleaned == email.address else cleaned
        email.salt, email.site = new_salt(), site
        email.language = get_language() or "en"
        email.save()
        if email.pending:
            insert([letter(email, CONFIRM, player_id=player.pk)])


def _letters_to(email: EmailAddress) -> QuerySet[Outgoing]:
    return Outgoing.objects.filter(channel=email.kind, to=email.pk, claimed=None)


def remove_email(*, player: Player) -> None:
    with write_transaction():
        if EmailAddress.objects.filter(account__player=player).delete()[0]:
            note(player, Kind.EMAIL)


def set_digests(*, player: Player, wanted: bool) -> None:
    with write_transaction():
        mine = EmailAddress.objects.filter(account__player=player, digests=not wanted)
        for email in mine:
            # Earlier turns are left out of the first digest.
            _letters_to(email).filter(kind__in=NoticeKind.values).update(claimed=timezone.now())
        mine.update(digests=wanted)


def email_token(email: EmailAddress, purpose: str) -> str:
    return _signer(email, purpose).sign(str(email.pk))


def _signer(email: EmailAddress, purpose: str) -> TimestampSigner:
    state = {
        CONFIRM: f"{email.salt}:{email.pending}",
        PASSWORD: f"{email.account.password}:{email.address}",
        DIGESTS: email.address,
    }[purpose]
    return TimestampSigner(sep=".", salt=f"games.email:{purpose}:{state}")


def email_of_token(token: str, purpose: str, *, lock: bool = False) -> EmailAddress:
    """Return the address row of a token, locked on request. Raises EmailLinkSpent."""
    key = token.partition(".")[0]
    if len(token) > LONGEST_TOKEN or not (key.isascii() and key.isdecimal()):
        raise EmailLinkSpent
    rows = EmailAddress.objects.select_related("account__player")
    rows = rows.select_for_update(of=("self", "account")) if lock else rows
    email = rows.filter(pk=min(int(key), HIGHEST_KEY)).first()
    if email is None or not (email.pending if purpose == CONFIRM else email.address):
        raise EmailLinkSpent
    age = None if purpose == DIGESTS else settings.PASSWORD_RESET_TIMEOUT
    try:
        _signer(email, purpose).unsign(token, max_age=age)
    except BadSignature as error:
        raise EmailLinkSpent from error
    return email


def confirm_email(*, token: str) -> EmailAddress:
    """Confirm an address with the token that was sent to it. Raises EmailLinkSpent."""
    with write_transaction():
        email = email_of_token(token, CONFIRM, lock=True)
        email.address, email.key = email.pending, email.pending.lower()
        email.pending, email.salt, email.failures = "", "", 0
        # This includes the token of an address that was removed and entered again.
        email.rests_until = timezone.now() + DIGEST_PAUSE
        email.save()
        note(email.account.player, Kind.EMAIL)
    return email


def unsubscribe(*, token: str) -> None:
    """End the digests to an address, with the token from one. Raises EmailLinkSpent."""
    with write_transaction():
        email = email_of_token(token, DIGESTS, lock=True)
        EmailAddress.objects.filter(pk=email.pk).update(digests=False)


def ask_recovery(*, typed: str) -> None:
    """Request the links that reset a password, as fast for unknown names and addresses."""
    with write_transaction():
        insert([letter(None, PASSWORD, name=typed.strip()[:EMAIL_LENGTH])])


def recover_by_email(
    *, token: str, password: str, device: Device | None, device_name: str
) -> Device:
    """Set a new password and sign in, with the token of an e-mail. All other devices are signed
    out. Raises BadPassword, EmailLinkSpent, or Refusal as `merge_players`."""
    hashed = hash_password(password, email_of_token(token, PASSWORD).account.name)
    with write_transaction():
        email = email_of_token(token, PASSWORD, lock=True)
        return reset_password(email.account, hashed, device, device_name)


def recoverable_emails(typed: str) -> list[EmailAddress]:
    """Return the confirmed addresses of the account of this name, or those of this address."""
    try:
        key = clean_email(typed).lower()
    except BadEmail:
        key = ""
    known = EmailAddress.objects.select_related("account").exclude(address="")
    found = known.filter(Q(account__key=account_key(typed)) | Q(key=key))
    return list(found.order_by("-pk")[:ACCOUNTS_OF_AN_ADDRESS])
