"""Accounts: a player signs in by name and password, or by a recovery code."""

from __future__ import annotations

import secrets
import unicodedata
from uuid import UUID

from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.db.models import Q

from games.contract import text
from games.core.look_alikes import skeleton
from games.core.refusals import Refusal
from games.models import ID_ALPHABET, LOOK_LENGTH, Account, Device, Player, RecoveryCode
from games.people.devices import add_device, sign_out_others
from games.people.merging import merge_players
from games.services.players import clean_name, rename
from games.services.tokens import hash_token
from games.storage.write_lock import write_transaction

CODES = 8
CODE_GROUPS, CODE_GROUP = 4, 5
"""The groups of a code, and the letters of a group. Twenty letters of an alphabet of 27 are 95
bits."""
LONGEST_PASSWORD = 200


class BadPassword(Refusal):
    """Raised for a password that is too short, too long or easy to guess."""

    reason = text(
        "Choose a password of at least 8 characters that isn’t a common one or like your name."
    )


class WrongPassword(Refusal):
    """Raised for a wrong name, password or code, without revealing which is wrong."""

    status = 403
    reason = text("That name and password don’t match.")


class NameTaken(Refusal):
    """Raised for a name that another account has, or one that looks like it."""

    status = 409
    reason = text("That name is taken. Choose another one.")


class HasAccount(Refusal):
    """Raised for a player with an account already."""

    status = 409
    reason = text("You already have an account.")


def account_of(player: Player) -> Account | None:
    return Account.objects.filter(player=player).first()


def create_account(*, player: Player, name: str, password: str) -> list[str]:
    """Give a player an account, and return its recovery codes, which cannot be read later.

    Raises BadName, BadPassword, NameTaken or HasAccount."""
    cleaned = clean_name(name)
    key = account_key(cleaned)
    if not key:
        raise NameTaken(text("Choose a name."))
    hashed = hash_password(password, cleaned)
    with write_transaction():
        if own := account_of(player):
            if own.key != key or not is_password_of(own, password):
                raise HasAccount
            # The same form, sent twice: only the last answer is shown.
            return _replace_codes(own)
        look = skeleton(cleaned)[:LOOK_LENGTH]
        if Account.objects.filter(Q(key=key) | Q(look=look)).exists():
            raise NameTaken
        try:
            account = Account.objects.create(
                player=player, name=cleaned, key=key, look=look, password=hashed
            )
        except IntegrityError as error:
            raise NameTaken from error
        if not player.name:
            rename(player=player, name=cleaned)
        return _replace_codes(account)


def is_known_device(*, key: str, device_id: UUID | None) -> bool:
    known = Account.objects.filter(key=key, player__devices=device_id)
    return device_id is not None and known.exists()


def account_key(name: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def hash_password(password: str, name: str) -> str:
    if len(password) > LONGEST_PASSWORD:
        raise BadPassword
    try:
        validate_password(password, Account(name=name))  # type: ignore[arg-type]  # no staff
    except ValidationError as error:
        raise BadPassword from error
    return make_password(password)


def sign_in(*, name: str, password: str, device: Device | None, device_name: str) -> Device:
    """Sign a browser in to an account and return its device. The games of the browser's own player
    are merged into the account. Raises WrongPassword, or Refusal as `merge_players`."""
    account = _find(name)
    if not is_password_of(account, password) or account is None:
        raise WrongPassword
    return join_account(account, device, device_name)


def is_password_of(account: Account | None, password: str) -> bool:
    """Return whether a password is that of an account. One hash is computed whatever the answer,
    also without an account: otherwise the time would reveal which names exist."""
    shortened = password[:LONGEST_PASSWORD]
    if account is None:
        make_password(shortened)
        return False
    return check_password(shortened, account.password) and shortened == password


def recover(
    *, name: str, code: str, password: str, device: Device | None, device_name: str
) -> Device:
    """Sign in with a recovery code, which is used up, and set a new password. All other devices are
    signed out. Raises WrongPassword, BadPassword, or Refusal as `merge_players`."""
    hashed = hash_password(password, name)
    with write_transaction():
        account = _find(name)
        found = RecoveryCode.objects.filter(account=account, hash=_hash_code(code))
        if account is None or not found.delete()[0]:
            raise WrongPassword(text("That name and recovery code don’t match."))
        return reset_password(account, hashed, device, device_name)


def reset_password(
    account: Account, hashed: str, device: Device | None, device_name: str
) -> Device:
    """Set a new password, sign this browser in and all other devices out, and return its device.
    Passkeys are removed too, since one may be a thief's. The caller holds the transaction. Raises
    Refusal as `merge_players`."""
    account.password = hashed
    account.save(update_fields=["password"])
    account.passkeys.all().delete()
    joined = join_account(account, device, device_name)
    sign_out_others(player=account.player, device_id=joined.pk)
    return joined


def change_password(*, player: Player, old: str, new: str, device_id: UUID) -> None:
    """Change the password of an account, and sign out all devices but this one: a stranger who knew
    the old password may be signed in. Raises WrongPassword or BadPassword."""
    account = _require(player, old)
    account.password = hash_password(new, account.name)
    with write_transaction():
        account.save(update_fields=["password"])
        sign_out_others(player=player, device_id=device_id)


def new_codes(*, player: Player, password: str) -> list[str]:
    """Replace the recovery codes of an account and return them. Raises WrongPassword."""
    account = _require(player, password)
    with write_transaction():
        return _replace_codes(account)


def check_owner(*, player: Player, password: str) -> None:
    """Raise WrongPassword unless the password is that of the player's account. A player without an
    account needs none."""
    if account_of(player):
        _require(player, password)


def _require(player: Player, password: str) -> Account:
    account = account_of(player)
    if not is_password_of(account, password) or account is None:
        raise WrongPassword(text("That’s not your password."))
    return account


def _find(name: str) -> Account | None:
    key = account_key(name[: 4 * LONGEST_PASSWORD])
    return Account.objects.select_related("player").filter(key=key).first()


def join_account(account: Account, device: Device | None, name: str) -> Device:
    """Make a browser a device of the player of an account, and return the device; ``name`` is for a
    new one. Raises Refusal as `merge_players`."""
    with write_transaction():
        if device is None:
            return add_device(player=account.player, name=name)
        if device.player_id != account.player_id:
            merge_players(source=device.player, target=account.player)
            device.refresh_from_db()
        return device


def _replace_codes(account: Account) -> list[str]:
    codes = [_new_code() for _ in range(CODES)]
    account.codes.all().delete()
    RecoveryCode.objects.bulk_create(
        RecoveryCode(account=account, hash=_hash_code(code)) for code in codes
    )
    return codes


def _new_code() -> str:
    letters = [
        "".join(secrets.choice(ID_ALPHABET) for _ in range(CODE_GROUP)) for _ in range(CODE_GROUPS)
    ]
    return "-".join(letters)


def _hash_code(code: str) -> str:
    """Return the hash of a code, ignoring how it was typed."""
    return hash_token("".join(code.lower().replace("-", " ").split())[:100])
