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

from games.contract import Text, text
from games.core.look_alikes import skeleton
from games.core.refusals import Refusal
from games.models import (
    ID_ALPHABET,
    LOOK_LENGTH,
    Account,
    Device,
    Player,
    RecoveryCode,
    SecurityEvent,
)
from games.people.access import Kind, note
from games.people.devices import end_others, join_player
from games.services.players import clean_name, rename
from games.services.tokens import hash_token
from games.storage.write_lock import write_transaction

CODES = 8
CODE_GROUPS, CODE_GROUP = 4, 5
"""The groups of a code, and the letters of a group: 20 of an alphabet of 27 are 95 bits."""
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
        raise _wrong(account, device_name)
    return join_player(player=account.player, device=device, name=device_name)


def _wrong(account: Account | None, device_name: str, sentence: Text | None = None) -> Refusal:
    if account:
        note(account.player, Kind.WRONG, device_name)
    return WrongPassword(sentence)


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
        if account and found.delete()[0]:
            return reset_password(account, hashed, device, device_name)
    raise _wrong(account, device_name, text("That name and recovery code don’t match."))


def reset_password(
    account: Account, hashed: str, device: Device | None, device_name: str
) -> Device:
    """Set a new password, sign this browser in, end all others (`end_others`), and return its
    device. Passkeys are removed too, since one may be a thief's. The caller holds the transaction.
    Raises Refusal as `merge_players`."""
    account.passkeys.all().delete()
    return _set_password(account, hashed, device, device_name, Kind.RECOVERY)


def _set_password(
    account: Account,
    hashed: str,
    device: Device | None,
    name: str,
    kind: SecurityEvent.Kind,
    keep_bots: bool = False,
) -> Device:
    account.password = hashed
    account.save(update_fields=["password"])
    joined = join_player(player=account.player, device=device, name=name, kind=kind)
    end_others(player=account.player, device_id=joined.pk, keep_bots=keep_bots)
    return joined


def change_password(*, device: Device, old: str, new: str, keep_bots: bool = False) -> Device:
    """Change the password of an account, and end all others than this device (`end_others`), which
    gets a new cookie: a stranger may know the old password, or have a copy of the cookie. Return
    the device. Raises WrongPassword or BadPassword."""
    account = _require(device.player, old)
    hashed = hash_password(new, account.name)
    with write_transaction():
        return _set_password(account, hashed, device, device.name, Kind.PASSWORD, keep_bots)


def new_codes(*, player: Player, password: str) -> list[str]:
    """Replace the recovery codes of an account and return them. Raises WrongPassword."""
    account = _require(player, password)
    with write_transaction():
        note(player, Kind.CODES)
        return _replace_codes(account)


def check_owner(*, player: Player, password: str) -> None:
    """Raise WrongPassword unless the password is that of the player's account, if there is one."""
    if account_of(player):
        _require(player, password)


def _require(player: Player, password: str) -> Account:
    account = account_of(player)
    if not is_password_of(account, password) or account is None:
        raise _wrong(account, "", text("That’s not your password."))
    return account


def _find(name: str) -> Account | None:
    key = account_key(name[: 4 * LONGEST_PASSWORD])
    return Account.objects.select_related("player").filter(key=key).first()


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
