"""Settings from environment variables; an empty variable counts as unset.

Neither django-environ nor environs is used. Both fail on an empty variable, which compose files and
systemd units pass for every setting that is left out, and django-environ reads any unknown word as
False (``BOARDSITE_HTTPS=ja``). pydantic-settings can skip empty variables, but reads lists as JSON
unless told otherwise for each, takes other words and numbers (``y``, ``1_000``), and would declare
each setting a second time. Most of this module checks host names, folders and service addresses,
which no library does, so that `manage.py` can report each fault in one sentence."""

from __future__ import annotations

import os
import re
from email.utils import parseaddr
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured, ValidationError
from django.core.validators import validate_email

BOOLEANS = {
    **dict.fromkeys(("1", "true", "yes", "on"), True),
    **dict.fromkeys(("0", "false", "no", "off"), False),
}
ENGINES = ("django.db.backends.sqlite3", "django.db.backends.postgresql")
IN_MEMORY = ("", ":memory:")
"""Names of SQLite databases that are not stored."""
REDIS_SCHEMES = ("redis://", "rediss://", "unix://")
SMTP_PORTS = {"smtp": 25, "smtp+tls": 587, "smtps": 465}
HOST = re.compile(r"\[[0-9A-Fa-f:.]+\]|[^\s/:\[\]]+")
"""The part of an address before the port."""


def env(name: str, default: str = "") -> str:
    """Return a variable without surrounding blanks."""
    return os.environ.get(name, "").strip() or default


def env_bool(name: str, *, default: bool) -> bool:
    """Return a variable as a boolean. Raises ImproperlyConfigured for any other word."""
    value = env(name).lower()
    if value and value not in BOOLEANS:
        raise ImproperlyConfigured(f"{name} is “{value}”: write 1 for yes or 0 for no.")
    return BOOLEANS.get(value, default)


def env_int(name: str, *, default: int, least: int = 1) -> int:
    """Return a variable as an integer of at least ``least``. Raises ImproperlyConfigured."""
    value = env(name, str(default))
    if not value.isdecimal() or int(value) < least:
        raise ImproperlyConfigured(f"{name} is “{value}”: write a number from {least} on.")
    return int(value)


def env_folder(name: str, default: Path) -> Path:
    """Return the folder that a variable names, created if need be. Raises ImproperlyConfigured."""
    value = env(name, str(default))
    try:
        path = Path(value).expanduser()
        path.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError) as error:
        raise ImproperlyConfigured(
            f"The folder {value} cannot be created ({error}): {name} names the data folder."
        ) from error
    return path


def metrics_folder(path: Path) -> Path:
    """Create the folder of metrics. Raises ImproperlyConfigured without the library."""
    _require("prometheus_client", "metrics")
    path.mkdir(exist_ok=True)
    return path


def check_push_key(key: str) -> str:
    """Return the Web Push key, '' without one. Raises ImproperlyConfigured if it cannot be used."""
    if not key:
        return ""
    _require("py_vapid", "Web Push")
    if not re.fullmatch(r"[\w-]{43}", key):
        raise ImproperlyConfigured("The key of Web Push is none that make_push_keys has made.")
    return key


def env_hosts(name: str, default: str) -> list[str]:
    """Return the host names in a variable. Raises ImproperlyConfigured for anything but host names,
    such as a URL: the site would start, and then refuse every request."""
    hosts = [host for part in env(name, default).split(",") if (host := part.strip())]
    for host in hosts:
        if not HOST.fullmatch(host):
            raise ImproperlyConfigured(
                f"{name} has “{host}”: write names with commas between them and without https:// "
                "or a port, as boards.example,www.boards.example and [::1]."
            )
    return hosts


def _require(package: str, service: str) -> None:
    """Raise ImproperlyConfigured if an optional package is not installed."""
    if find_spec(package) is None:
        raise ImproperlyConfigured(
            f"The packages for {service} are not installed: scripts/venv "
            "requirements-services.lock installs them."
        )


def parse_database_url(url: str) -> dict[str, Any]:
    """Return Django's settings for the database at a URL. Raises ImproperlyConfigured, without the
    URL, which may hold a password."""
    try:
        config: Any = dj_database_url.parse(url, conn_max_age=None)
    except ValueError:
        config = {}
    if config.get("ENGINE") not in ENGINES or config["NAME"] in IN_MEMORY:
        raise ImproperlyConfigured(
            "That is not the address of a database that the site can use, as postgres://… and "
            "sqlite:////a/file are."
        )
    if config["ENGINE"].endswith("postgresql"):
        _require("psycopg", "PostgreSQL")
    return dict(config)


def env_redis_url(name: str) -> str:
    """Return the URL of Redis or Valkey in a variable, '' if unset. Raises ImproperlyConfigured,
    without the URL, which may hold a password."""
    url = env(name)
    if not url:
        return ""
    _require("redis", "Redis or Valkey")
    if not url.startswith(REDIS_SCHEMES) or not _is_redis_url(url):
        raise ImproperlyConfigured(f"{name} is no address of Redis or Valkey: redis://host:6379/0.")
    return url


def _is_redis_url(url: str) -> bool:
    """Return whether the Redis client can parse a URL, which it would do at the first move only."""
    from redis import Redis

    try:
        Redis.from_url(url).connection_pool.make_connection()
    except (TypeError, ValueError):
        return False
    return True


def parse_smtp_url(url: str) -> dict[str, Any]:
    """Return Django's settings for the mail server at a URL. Raises ImproperlyConfigured, without
    the URL, which may hold a password."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in SMTP_PORTS or not parts.hostname or parts.path.strip("/"):
        raise ImproperlyConfigured(
            "BOARDSITE_SMTP is no address of a mail server: smtp+tls://user:password@host:587, "
            "smtps://user:password@host:465 or smtp://localhost:25."
        )
    return {
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": port or SMTP_PORTS[parts.scheme],
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_TLS": parts.scheme == "smtp+tls",
        "EMAIL_USE_SSL": parts.scheme == "smtps",
    }


def env_sender(name: str) -> str:
    """Return the sender in a variable, with or without a name. Raises ImproperlyConfigured."""
    sender = env(name)
    try:
        validate_email(parseaddr(sender)[1])
    except ValidationError as error:
        raise ImproperlyConfigured(
            f"{name} is “{sender}”: write the address that e-mails come from, as "
            "boards@boards.example or Boards <boards@boards.example>."
        ) from error
    if not sender.isprintable():
        raise ImproperlyConfigured(f"{name} has a line break.")
    return sender
