"""What an operator says in environment variables. An empty one counts as one that is not there."""

from __future__ import annotations

import os
from typing import Any

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

MEANINGS = {
    **dict.fromkeys(("1", "true", "yes", "on"), True),
    **dict.fromkeys(("0", "false", "no", "off"), False),
}
DATABASES = ("django.db.backends.sqlite3", "django.db.backends.postgresql")
NOT_KEPT = ("", ":memory:")
"""Names by which SQLite keeps nothing."""
BROKERS = ("redis://", "rediss://", "unix://")


def given(name: str, otherwise: str = "") -> str:
    """What a variable says, without the blanks around it."""
    return os.environ.get(name, "").strip() or otherwise


def flag(name: str, *, otherwise: bool) -> bool:
    """Whether a variable says yes. Raises ImproperlyConfigured for what is neither yes nor no."""
    said = given(name).lower()
    if said and said not in MEANINGS:
        raise ImproperlyConfigured(f"{name} is “{said}”: write 1 for yes or 0 for no.")
    return MEANINGS.get(said, otherwise)


def count(name: str, *, otherwise: int) -> int:
    """The number from 1 on that a variable gives. Raises ImproperlyConfigured."""
    said = given(name, str(otherwise))
    if not said.isdecimal() or int(said) < 1:
        raise ImproperlyConfigured(f"{name} is “{said}”: write a number from 1 on.")
    return int(said)


def database(address: str) -> dict[str, Any]:
    """Django's settings for the database at an address. Raises ImproperlyConfigured; the address,
    which may hold a password, is not repeated."""
    try:
        found: Any = dj_database_url.parse(address, conn_max_age=None)
    except ValueError:
        found = {}
    if found.get("ENGINE") not in DATABASES or found["NAME"] in NOT_KEPT:
        raise ImproperlyConfigured(
            "That is not the address of a database that the site can use, as postgres://… and "
            "sqlite:////a/file are."
        )
    return dict(found)


def broker(name: str) -> str:
    """The address of Redis or Valkey that a variable gives; '' for none. Raises
    ImproperlyConfigured, and does not repeat it either."""
    address = given(name)
    if address and not address.startswith(BROKERS):
        raise ImproperlyConfigured(f"{name} is no address of Redis or Valkey: redis://host:6379/0.")
    return address
