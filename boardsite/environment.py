"""What an operator says in environment variables. An empty one counts as one that is not there."""

from __future__ import annotations

import os
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

MEANINGS = {
    **dict.fromkeys(("1", "true", "yes", "on"), True),
    **dict.fromkeys(("0", "false", "no", "off"), False),
}
DATABASES = ("django.db.backends.sqlite3", "django.db.backends.postgresql")
COMMIT_FAILURE = ("", ":memory:")
"""Names by which SQLite keeps nothing."""
BROKERS = ("redis://", "rediss://", "unix://")
HOST = re.compile(r"\[[0-9A-Fa-f:.]+\]|[^\s/:\[\]]+")
"""What comes before the port in an address."""


def env(name: str, otherwise: str = "") -> str:
    """What a variable says, without the blanks around it."""
    return os.environ.get(name, "").strip() or otherwise


def env_bool(name: str, *, otherwise: bool) -> bool:
    """Whether a variable says yes. Raises ImproperlyConfigured for what is neither yes nor no."""
    said = env(name).lower()
    if said and said not in MEANINGS:
        raise ImproperlyConfigured(f"{name} is “{said}”: write 1 for yes or 0 for no.")
    return MEANINGS.get(said, otherwise)


def env_int(name: str, *, otherwise: int) -> int:
    """The number from 1 on that a variable gives. Raises ImproperlyConfigured."""
    said = env(name, str(otherwise))
    if not said.isdecimal() or int(said) < 1:
        raise ImproperlyConfigured(f"{name} is “{said}”: write a number from 1 on.")
    return int(said)


def folder(name: str, otherwise: Path) -> Path:
    """The folder that a variable names, made where there is none yet. Raises
    ImproperlyConfigured."""
    said = env(name, str(otherwise))
    try:
        path = Path(said).expanduser()
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError) as error:
        raise ImproperlyConfigured(
            f"The folder {said} cannot be made ({error}): {name} names the one to keep data in."
        ) from error
    return path


def hosts(name: str, otherwise: str) -> list[str]:
    """The names of hosts that a variable gives. Raises ImproperlyConfigured for what is more than a
    name: the site would start, and refuse every request."""
    found = [host for part in env(name, otherwise).split(",") if (host := part.strip())]
    for host in found:
        if not HOST.fullmatch(host):
            raise ImproperlyConfigured(
                f"{name} has “{host}”: write names with commas between them and without https:// "
                "or a port, as boards.example,www.boards.example and [::1]."
            )
    return found


def need(package: str, what: str) -> None:
    """Raises ImproperlyConfigured where a package is wanting that one machine does without."""
    if find_spec(package) is None:
        raise ImproperlyConfigured(
            f"What the site needs for {what} is not installed: scripts/venv "
            "requirements-services.lock does it."
        )


def database(address: str) -> dict[str, Any]:
    """Django's settings for the database at an address. Raises ImproperlyConfigured; the address,
    which may hold a password, is not repeated."""
    try:
        found: Any = dj_database_url.parse(address, conn_max_age=None)
    except ValueError:
        found = {}
    if found.get("ENGINE") not in DATABASES or found["NAME"] in COMMIT_FAILURE:
        raise ImproperlyConfigured(
            "That is not the address of a database that the site can use, as postgres://… and "
            "sqlite:////a/file are."
        )
    if found["ENGINE"].endswith("postgresql"):
        need("psycopg", "PostgreSQL")
    return dict(found)


def broker(name: str) -> str:
    """The address of Redis or Valkey that a variable gives; '' for none. Raises
    ImproperlyConfigured, and does not repeat it either."""
    address = env(name)
    if not address:
        return ""
    need("redis", "Redis or Valkey")
    if not address.startswith(BROKERS) or not _makes_a_client(address):
        raise ImproperlyConfigured(f"{name} is no address of Redis or Valkey: redis://host:6379/0.")
    return address


def _makes_a_client(address: str) -> bool:
    """Whether the client understands an address; nothing is connected. What it does not, it would
    say at the first move only."""
    from redis import Redis

    try:
        Redis.from_url(address).connection_pool.make_connection()
    except (TypeError, ValueError):
        return False
    return True
