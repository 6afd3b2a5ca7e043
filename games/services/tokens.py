"""Tokens of secret links: 128 bits derived from the server's key and a stored salt.

Only a token's hash is stored, yet the server can show the link again."""

from __future__ import annotations

import hashlib
import secrets
from uuid import UUID

from django.conf import settings
from django.utils.crypto import salted_hmac

from games.models.games import ID_ALPHABET, ID_LENGTH

TOKEN_BYTES = 16


def new_salt() -> str:
    return secrets.token_urlsafe(16)


def make_token(purpose: str, row: object, salt: str) -> str:
    """Return the token of the link to the row with the key ``row``; '' without a salt."""
    if not salt:
        return ""
    digest = salted_hmac(purpose, f"{row}:{salt}", settings.SECRET_KEY, algorithm="sha256").digest()
    return digest[:TOKEN_BYTES].hex()


def repeated_id(player_id: UUID, key: str) -> str | None:
    """Return the id of a row that a player makes by a request with a key, the same each time, so
    that a request whose answer was lost makes no second row; None without a key."""
    if not key:
        return None
    number, signs = int(make_token("games.repeated", player_id, key), 16), len(ID_ALPHABET)
    return "".join(ID_ALPHABET[number // signs**place % signs] for place in range(ID_LENGTH))


def is_token(text: str) -> bool:
    return len(text) == 2 * TOKEN_BYTES and set(text) <= set("0123456789abcdef")


def hash_token(token: str) -> str:
    """Return the hash by which the row of a token is looked up."""
    return hashlib.sha256(token.encode()).hexdigest()
