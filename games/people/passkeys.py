"""Passkeys of an account: adding one with the password, signing in with one, and removing one."""

from __future__ import annotations

from datetime import timedelta
from secrets import token_bytes
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from games.contract import text
from games.core import webauthn
from games.core.refusals import Refusal, Suspended
from games.core.webauthn import NotVerified, RelyingParty
from games.models import Account, Device, Passkey, PasskeyChallenge, Player
from games.people.access import Kind, note
from games.people.accounts import account_of
from games.people.devices import join_player
from games.services.tokens import hash_token, make_token
from games.storage.write_lock import write_transaction

MOST_PASSKEYS = 20
CHALLENGE_BYTES = 32
CHALLENGE_LASTS = timedelta(minutes=5)
ADD, SIGN_IN = "add", "sign in"


class BadPasskey(Refusal):
    """Raised for an answer of a browser that cannot be verified."""

    status = 403
    reason = text("That passkey wasn’t accepted. Try again.")


class ChallengeSpent(Refusal):
    """Raised for an answer that came too late, twice, or from another browser."""

    status = 409
    reason = text("That passkey came too late, or twice. Try again.")


class UnknownPasskey(Refusal):
    """Raised for a passkey that belongs to no account."""

    status = 403
    reason = text("This passkey isn’t known here. It may have been removed from the account.")


class PasskeyTaken(Refusal):
    """Raised for a passkey that belongs to an account already."""

    status = 409
    reason = text("This passkey is already in use.")


def passkeys_of(account: Account) -> QuerySet[Passkey]:
    return account.passkeys.order_by("created", "pk")


def offer_passkey(*, player: Player, party: RelyingParty, browser: str) -> dict[str, Any]:
    """Return the options with which a browser makes a passkey. The caller has checked the password.
    Raises Refusal for a player without an account, or with too many passkeys."""
    with write_transaction():
        account = _require_account(player)
        challenge = _new_challenge(party, browser, ADD, account)
        return webauthn.creation_options(
            party,
            challenge,
            name=account.name,
            handle=make_token("games.core.webauthn", account.pk, "handle").encode(),
            known=[passkey.credential_id for passkey in passkeys_of(account)],
        )


def add_passkey(
    *, player: Player, party: RelyingParty, browser: str, answer: str, name: str
) -> None:
    """Add a passkey to the account for which it was requested. Raises ChallengeSpent, BadPasskey,
    PasskeyTaken, or Refusal as `offer_passkey`."""
    spent = _spend_challenge(party, browser, ADD)
    try:
        made = webauthn.verify_creation(party, bytes(spent.challenge), answer)
    except NotVerified as error:
        raise BadPasskey from error
    with write_transaction():
        account = _require_account(player)
        if account.pk != spent.account_id:
            raise BadPasskey
        _, is_new = Passkey.objects.get_or_create(
            credential_id=made.credential_id,
            defaults={"account": account, "name": name, "public_key": made.public_key}
            | {"sign_count": made.sign_count},
        )
        if not is_new:
            raise PasskeyTaken
        note(player, Kind.PASSKEY, name)


def ask_passkey(*, party: RelyingParty, browser: str) -> dict[str, Any]:
    with write_transaction():
        return webauthn.request_options(party, _new_challenge(party, browser, SIGN_IN))


def sign_in_by_passkey(
    *, party: RelyingParty, browser: str, answer: str, device: Device | None, device_name: str
) -> Device:
    """Sign a browser in with a passkey, as `sign_in` does. Raises ChallengeSpent, UnknownPasskey,
    BadPasskey, Suspended, or Refusal as `merge_players`."""
    spent = _spend_challenge(party, browser, SIGN_IN)
    try:
        with write_transaction():
            locked = Passkey.objects.select_for_update(of=("self",))
            found = locked.filter(credential_id=webauthn.credential_of(answer))
            passkey = found.select_related("account__player").first()
            if passkey is None:
                raise UnknownPasskey
            passkey.sign_count = webauthn.verify_request(
                party,
                bytes(spent.challenge),
                answer,
                public_key=bytes(passkey.public_key),
                sign_count=passkey.sign_count,
            )
            if passkey.account.player.suspended:
                raise Suspended(passkey.account.player.suspended_for)
            passkey.used = timezone.now().date()
            passkey.save(update_fields=["sign_count", "used"])
            return join_player(player=passkey.account.player, device=device, name=device_name)
    except NotVerified as error:
        raise BadPasskey from error


def remove_passkey(*, player: Player, passkey_id: int) -> None:
    """Remove a passkey of the player's account; do nothing to one of another account."""
    with write_transaction():
        if Passkey.objects.filter(pk=passkey_id, account__player=player).delete()[0]:
            note(player, Kind.NO_PASSKEY)


def _require_account(player: Player) -> Account:
    account = account_of(player)
    if account is None:
        raise Refusal
    if account.passkeys.count() >= MOST_PASSKEYS:
        raise Refusal(text("You have %(n)s passkeys already. Remove one first.", n=MOST_PASSKEYS))
    return account


def _new_challenge(
    party: RelyingParty, browser: str, purpose: str, account: Account | None = None
) -> bytes:
    """Store a browser's new challenge, and return it. The caller holds the transaction."""
    now, challenge = timezone.now(), token_bytes(CHALLENGE_BYTES)
    PasskeyChallenge.objects.filter(expires__lt=now).delete()
    values = {"challenge": challenge, "account": account, "expires": now + CHALLENGE_LASTS}
    visit = _visit(party, browser, purpose)
    PasskeyChallenge.objects.update_or_create(visit=visit, defaults=values)
    return challenge


def _spend_challenge(party: RelyingParty, browser: str, purpose: str) -> PasskeyChallenge:
    """Delete the challenge of a browser and return it, so that only the first of two answers finds
    it. It has its own transaction, so that a wrong answer uses it up too. Raises ChallengeSpent."""
    with write_transaction():
        challenges = PasskeyChallenge.objects.select_for_update()
        found = challenges.filter(visit=_visit(party, browser, purpose)).first()
        if found is None or not browser:
            raise ChallengeSpent
        PasskeyChallenge.objects.filter(pk=found.pk).delete()
    if found.expires <= timezone.now():
        raise ChallengeSpent
    return found


def _visit(party: RelyingParty, browser: str, purpose: str) -> str:
    return hash_token(f"{browser} {party.origin} {purpose}")
