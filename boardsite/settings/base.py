"""The site itself: folders, hosts, apps, middleware, languages, limits, and the database."""

from __future__ import annotations

import tomllib
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

from django.utils.translation import gettext_lazy as _

from boardsite.environment import (
    env,
    env_bool,
    env_folder,
    env_hosts,
    env_int,
    env_redis_url,
    parse_database_url,
)
from boardsite.secret import is_in_use, stored_secret

BASE_DIR = Path(__file__).resolve().parents[2]
_project = BASE_DIR / "pyproject.toml"
# Copies of a part of the folders, such as those of checks, have none.
_described = tomllib.loads(_project.read_text(encoding="utf-8")) if _project.exists() else {}
VERSION: str = _described.get("project", {}).get("version", "")
DATA_DIR = env_folder("BOARDSITE_DATA", BASE_DIR / "var")


def game_folders(name: str) -> list[Path]:
    """Return the folders called ``name`` in the games' folders, which are found, never listed."""
    return sorted(path for path in (BASE_DIR / "games").glob(f"*/{name}") if path.is_dir())


SITE_NAME = env("BOARDSITE_NAME", "Squarely")
EMAIL_SUBJECT_PREFIX = f"[{SITE_NAME}] "
DEBUG = env_bool("BOARDSITE_DEBUG", default=False)
HTTPS = env_bool("BOARDSITE_HTTPS", default=False)
DATABASE = parse_database_url(env("DATABASE_URL", f"sqlite:///{DATA_DIR / 'boardsite.sqlite3'}"))
SECRET_KEY = env("BOARDSITE_SECRET") or stored_secret(DATA_DIR, partial(is_in_use, DATABASE))
# The port in the site's addresses, with https; without it any port is right.
PORT = env_int("BOARDSITE_PORT", default=443)
ALLOWED_HOSTS = env_hosts("BOARDSITE_HOSTS", "localhost,127.0.0.1,[::1]")
ROOT_URLCONF = "boardsite.urls"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

INSTALLED_APPS = [
    "boardsite",
    "games",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",
    "csp",
]

MIDDLEWARE = [
    # These three come first, so that even static files and refused hosts get their headers.
    "boardsite.middleware.security_policies",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "boardsite.middleware.CompressionMiddleware",
    "boardsite.middleware.AdminSessionMiddleware",
    "boardsite.middleware.locale",
    "django.middleware.common.CommonMiddleware",
    "games.views.middleware.require_own_host",
    # Before the middleware that refuses requests, because the error pages have forms too. No body
    # is read before a view.
    "django.middleware.csrf.CsrfViewMiddleware",
    # After the language of refusals is known, and before anything reads the body.
    "games.views.middleware.limit_pages",
    "games.views.middleware.limit_body",
    "games.views.middleware.reject_nul_bytes",
    "boardsite.middleware.AdminAuthenticationMiddleware",
    "boardsite.middleware.AdminMessageMiddleware",
    "boardsite.middleware.htmx_details",
    "games.views.middleware.vary_on_htmx",
    "games.views.middleware.explain_not_allowed",
    "games.views.middleware.ExplainErrors",
    "games.web.player_cookie.identify_player",
    "games.views.middleware.raise_commit_failure",
]


LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("nl", _("Dutch"))]
LOCALE_PATHS = [BASE_DIR / "locale", *game_folders("locale")]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"


# The time after which the others need not wait for a player any longer.
ABSENT_AFTER = timedelta(days=env_int("BOARDSITE_ABSENT_DAYS", default=7))
# Processor time per hour that an address may use for animations, large files and the like.
SLOT_SECONDS = env_int("BOARDSITE_SLOT_SECONDS", default=120)
# Computer players pause so that people see each of their moves; off for tests of many moves.
PACE_COMPUTERS = True
# Divides the waits of presence and seeks, for `benchmarks.arrivals`.
HASTE = env_int("BOARDSITE_HASTE", default=1)
# Off for benchmarks. The figures are in `games.core.rate_limits`.
RATE_LIMITS = env_bool("BOARDSITE_RATE_LIMITS", default=True)
DATA_UPLOAD_MAX_MEMORY_SIZE = 128 * 1024
# The one address that takes more, for the files of an account.
UPLOAD_PATH, UPLOAD_MAX_SIZE = "/import/keep/", 21 * 2**20
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200

# Days since the last change after which `tidy` removes rows; 0: never.
KEEP_DAYS = {
    "games without a move": env_int("BOARDSITE_KEEP_EMPTY_GAMES", default=30, least=0),
    "running games": env_int("BOARDSITE_KEEP_RUNNING_GAMES", default=365, least=0),
    "finished games": env_int("BOARDSITE_KEEP_FINISHED_GAMES", default=0, least=0),
    "evaluations": env_int("BOARDSITE_KEEP_EVALUATIONS", default=90, least=0),
    "analyses": env_int("BOARDSITE_KEEP_EVALUATIONS", default=90, least=0),
    "players without games": env_int("BOARDSITE_KEEP_PLAYERS", default=365, least=0),
    "expired sessions": 1,
    "sent notices": 30,
    "sightings": 1,
    "imports": 30,
    "unused classes": env_int("BOARDSITE_KEEP_UNUSED_CLASSES", default=30, least=0),
    "classes": env_int("BOARDSITE_KEEP_CLASSES", default=180, least=0),
}


# Python runs one thread at a time. Under an overload of moves the event loop, which sends boards,
# got a tenth of the time beside eight threads, and boards were seconds late; beside two threads
# they were 42 ms late (p99).
_database = dict(DATABASE)
_IS_POSTGRES = _database["ENGINE"].endswith("postgresql")
THREADS = env_int("BOARDSITE_THREADS", default=4 if _IS_POSTGRES else 2)
# SQLite has one writer at a time, so one thread is enough for moves. A thread of their own keeps
# moves that wait for the write lock from delaying pages.
GAME_THREADS = 4 if _IS_POSTGRES else 1
ADMIN_THREADS = 1

# SQLite ignores select_for_update(), so a writer takes its lock at the beginning (IMMEDIATE). With
# WAL readers never wait. NORMAL with games/storage/group_commit.py is as durable as FULL: an
# answered move survives a power cut.
_SQLITE: dict[str, Any] = {
    "transaction_mode": "IMMEDIATE",
    # Seconds until a writer gives up on another program's lock; see games/storage/write_lock.py.
    "timeout": 5,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
}
# PostgreSQL: a connection for every thread (those of requests, two of the hub, two to spare). Each
# is checked before it is used, since a restarted server has cut them all. A thread that gets none
# in time raises instead of waiting for ever. During an outage the pool doubles its pauses between
# attempts, gives up after `reconnect_timeout`, and begins anew with the next request. The check
# also finds a server that hangs, so a request waits for at most two seconds.
_POSTGRES: dict[str, Any] = {
    "CONN_MAX_AGE": 0,
    "CONN_HEALTH_CHECKS": True,
    "OPTIONS": {
        "pool": {
            "min_size": 1,
            "max_size": THREADS + GAME_THREADS + ADMIN_THREADS + 4,
            "timeout": 1.5,
            "reconnect_timeout": 2,
        },
        "connect_timeout": 2,
        # Milliseconds until a server that no longer acknowledges data counts as gone.
        "tcp_user_timeout": 2_000,
        # Seconds of silence after which a waiting connection probes the server.
        "keepalives_idle": 5,
        "keepalives_interval": 2,
    },
}
if _IS_POSTGRES:
    from boardsite.postgres import BoundedConnection

    _POSTGRES["OPTIONS"]["pool"]["connection_class"] = BoundedConnection
    _database |= {**_POSTGRES, "OPTIONS": _POSTGRES["OPTIONS"] | _database.get("OPTIONS", {})}
else:
    _database["OPTIONS"] = _SQLITE
DATABASES: dict[str, Any] = {"default": _database}
REDIS_URL = env_redis_url("REDIS_URL")
