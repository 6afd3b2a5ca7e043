"""Settings of the site. Operators set environment variables; an empty one counts as unset.

BOARDSITE_NAME         name of the site (Squarely)
BOARDSITE_DATA         folder of the database, the secret key and collected files (var/)
DATABASE_URL           another database than var/boardsite.sqlite3
REDIS_URL              Redis or Valkey, through which several machines notify each other of moves
BOARDSITE_SECRET       the secret key, which signs the cookies of players (otherwise created
                       once and stored in BOARDSITE_DATA: no copy of the database holds it)
BOARDSITE_HOSTS        host names of the site, with commas (this machine's own names)
BOARDSITE_HTTPS        1 when browsers use https: secure cookies, HSTS for this host
BOARDSITE_SMTP         the mail server: smtp+tls://user:password@host:587, smtps://… or smtp://…
                       (unset: nothing about e-mail is offered)
BOARDSITE_MAIL_FROM    the address that e-mails come from, with BOARDSITE_SMTP
BOARDSITE_ABSENT_DAYS  days without a move, in a game without a clock, after which the others may
                       claim the win or fill the seat (7)
BOARDSITE_PUSH_KEY     the key of Web Push (otherwise that of `make_push_keys` in BOARDSITE_DATA;
                       without one no device is told of turns)
BOARDSITE_PUSH_CONTACT  where push services reach the operator: mailto:… or https://… (the first
                       host of the site)
BOARDSITE_PRIVATE_ORIGINS  origins in private networks, with commas, to which notices may be sent
                       besides public https addresses, such as http://10.0.0.5:8065 (none)
BOARDSITE_ACCESS_LOG   1 to log every request, without the tokens of invitations
BOARDSITE_RATE_LIMITS  0 to switch off the rate limits (games/core/rate_limits.py)
BOARDSITE_THREADS      threads that answer requests (2; 4 with PostgreSQL, for which they wait);
                       POSTs to games have threads of their own (1; 4), and so has the admin (1)
BOARDSITE_METRICS_TOKEN  a word that Prometheus sends to read /metrics/ (unset: there are none)
BOARDSITE_KEEP_EMPTY_GAMES     days that a game without a move is kept (30; 0: for ever), by
BOARDSITE_KEEP_RUNNING_GAMES   `tidy`; likewise games that nobody goes on with (365),
BOARDSITE_KEEP_FINISHED_GAMES  games that are over (0),
BOARDSITE_KEEP_EVALUATIONS     hints and analyses that nobody looks at (90),
BOARDSITE_KEEP_PLAYERS         players without a game or an account (365)
BOARDSITE_SMALLEST_FILES  1 to compress static files as far as possible, for a site with visitors:
                       the first start takes ten seconds more
BOARDSITE_DEBUG        1 for Django's debug pages
FORWARDED_ALLOW_IPS    addresses of trusted proxies, with commas (those of this machine); * only
                       where all requests come through a proxy
"""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from boardsite.environment import (
    check_push_key,
    env,
    env_bool,
    env_folder,
    env_hosts,
    env_int,
    env_redis_url,
    env_sender,
    metrics_folder,
    parse_database_url,
    parse_smtp_url,
)
from boardsite.secret import stored_push_key, stored_secret

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = env_folder("BOARDSITE_DATA", BASE_DIR / "var")


def _folders(name: str) -> list[Path]:
    """Return the folders called ``name`` in the games' folders, which are found, never listed."""
    return sorted(path for path in (BASE_DIR / "games").glob(f"*/{name}") if path.is_dir())


SITE_NAME = env("BOARDSITE_NAME", "Squarely")
EMAIL_SUBJECT_PREFIX = f"[{SITE_NAME}] "
DEBUG = env_bool("BOARDSITE_DEBUG", default=False)
HTTPS = env_bool("BOARDSITE_HTTPS", default=False)
SECRET_KEY = env("BOARDSITE_SECRET") or stored_secret(DATA_DIR)
ALLOWED_HOSTS = env_hosts("BOARDSITE_HOSTS", "localhost,127.0.0.1,[::1]")
ROOT_URLCONF = "boardsite.urls"
WSGI_APPLICATION = "boardsite.wsgi.application"
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
    "boardsite.middleware.content_security_policy",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "boardsite.middleware.CompressionMiddleware",
    "boardsite.middleware.AdminSessionMiddleware",
    "boardsite.middleware.locale",
    "django.middleware.common.CommonMiddleware",
    # Before the middleware that refuses requests, because the error pages have forms too. No body
    # is read before a view.
    "django.middleware.csrf.CsrfViewMiddleware",
    # After the language is known, in which refusals are written, and before anything reads the
    # body.
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

_LOADERS = [
    "django.template.loaders.filesystem.Loader",
    "django.template.loaders.app_directories.Loader",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates", *_folders("templates")],
        "OPTIONS": {
            "loaders": [("games.templating.template_source.Loader", _LOADERS)],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "games.web.preferences.context",
                "games.web.site.context",
                "games.views.pages.my_games.turns",
            ],
            "builtins": ["games.views.template_tags", "games.puzzles.template_tags"],
        },
    },
    {
        # For the parts of a page that change with every move: see games/presentation/jinja.py.
        "NAME": "boards",
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": [BASE_DIR / "templates", *_folders("templates")],
        "OPTIONS": {
            "environment": "games.presentation.jinja.environment",
            "trim_blocks": True,
            "extensions": [
                "games.templating.template_source.InlineIncludes",
                "games.templating.template_source.Compact",
                "games.templating.template_source.Sentences",
                "games.templating.template_source.BlockTranslate",
            ],
        },
    },
]

# --- database ----------------------------------------------------------------------------

# Python runs one thread at a time. Under an overload of moves the event loop, which sends boards,
# got a tenth of the time beside eight threads, and boards were seconds late; beside two threads
# they were 42 ms late (p99).
_database = parse_database_url(env("DATABASE_URL", f"sqlite:///{DATA_DIR / 'boardsite.sqlite3'}"))
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

# --- languages ---------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("nl", _("Dutch"))]
LOCALE_PATHS = [BASE_DIR / "locale", *_folders("locale")]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# --- static files ------------------------------------------------------------------------

SMALLEST_FILES = env_bool("BOARDSITE_SMALLEST_FILES", default=False)
STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static", *_folders("static")]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "boardsite.bundles.BundleFinder",
]
BUNDLES = {
    "site/game.js": [
        "site/scripts/without-htmx.js",
        "vendor/idiomorph/idiomorph-ext.min.js",
        "site/scripts/game.js",
    ],
    "site/clocks.js": ["site/scripts/clocks.js"],
    "site/lists.js": [
        "site/scripts/without-htmx.js",
        "vendor/idiomorph/idiomorph-ext.min.js",
        "site/scripts/lists.js",
    ],
    "site/lobby.js": ["vendor/idiomorph/idiomorph-ext.min.js", "site/scripts/lobby.js"],
    "site/plies.js": ["vendor/idiomorph/idiomorph-ext.min.js", "site/scripts/plies.js"],
    "site/puzzle.js": [
        "site/scripts/without-htmx.js",
        "vendor/idiomorph/idiomorph-ext.min.js",
        "site/scripts/puzzle.js",
    ],
    "site/setup.js": ["site/scripts/setup.js"],
    "site/passkeys.js": ["site/scripts/passkeys.js"],
    "site/push.js": ["site/scripts/push.js"],
    "site/share.js": ["site/scripts/share.js"],
}
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "boardsite.static_files.Storage"},
}

# --- browser security ---------------------------------------------------------------------

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
    }
}
# Older password hashes of staff are upgraded when they log in.
PASSWORD_HASHERS = [
    "boardsite.passwords.Argon2Hasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator"},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
CSRF_COOKIE_HTTPONLY = True
PLAYER_COOKIE = "player"
PREFERENCES_COOKIE = "preferences"
CHOICES_COOKIE = "choices"
if HTTPS:
    # The __Host- prefix makes browsers refuse these cookies from any other host.
    PLAYER_COOKIE = "__Host-player"
    PREFERENCES_COOKIE = "__Host-preferences"
    CHOICES_COOKIE = "__Host-choices"
    SESSION_COOKIE_NAME = "__Host-sessionid"
    CSRF_COOKIE_NAME = "__Host-csrftoken"
    LANGUAGE_COOKIE_NAME = "__Host-language"
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = True
    SECURE_SSL_REDIRECT = True
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 31_536_000
    # HSTS for this host alone: only the owner of the domain knows whether its other hosts have
    # https.
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
    CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in ALLOWED_HOSTS]
# Only the admin has messages, and its users have a session, so no other cookie is needed.
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"
CSRF_FAILURE_VIEW = "games.views.errors.csrf_failure"
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_AGE = 400 * 24 * 3600

# --- e-mail ------------------------------------------------------------------------------

# Nothing about e-mail is offered without a mail server.
HAS_EMAIL = bool(env("BOARDSITE_SMTP"))
if HAS_EMAIL:
    _smtp = parse_smtp_url(env("BOARDSITE_SMTP"))
    EMAIL_HOST, EMAIL_PORT = _smtp["EMAIL_HOST"], _smtp["EMAIL_PORT"]
    EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _smtp["EMAIL_HOST_USER"], _smtp["EMAIL_HOST_PASSWORD"]
    EMAIL_USE_TLS, EMAIL_USE_SSL = _smtp["EMAIL_USE_TLS"], _smtp["EMAIL_USE_SSL"]
    DEFAULT_FROM_EMAIL = SERVER_EMAIL = env_sender("BOARDSITE_MAIL_FROM")
# Seconds to wait for each answer of the mail server; only a worker's threads wait.
EMAIL_TIMEOUT = 10
# Seconds for which the links in e-mails work.
PASSWORD_RESET_TIMEOUT = 3600

# --- notices -----------------------------------------------------------------------------

PUSH_KEY = check_push_key(env("BOARDSITE_PUSH_KEY") or stored_push_key(DATA_DIR))
PUSH_CONTACT = env("BOARDSITE_PUSH_CONTACT", f"https://{ALLOWED_HOSTS[0].lstrip('.')}")
PRIVATE_ORIGINS = env("BOARDSITE_PRIVATE_ORIGINS").split(",")

# --- limits ------------------------------------------------------------------------------

# Off for benchmarks.
RATE_LIMITS = env_bool("BOARDSITE_RATE_LIMITS", default=True)
# The time after which the others need not wait for a player any longer.
ABSENT_AFTER = timedelta(days=env_int("BOARDSITE_ABSENT_DAYS", default=7))
# Computer players pause so that people see each of their moves; off for tests of many moves.
PACE_COMPUTERS = True
DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024
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
}

# All processes of this machine count metrics in one folder. Without a token nothing is counted.
METRICS_TOKEN = env("BOARDSITE_METRICS_TOKEN")
if METRICS_TOKEN:
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(metrics_folder(DATA_DIR / "metrics"))

# One log line per request, without the tokens of invitations; a proxy may log requests instead.
ACCESS_LOG = env_bool("BOARDSITE_ACCESS_LOG", default=False)
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"redacting": {"()": "boardsite.logs.RedactingFormatter"}},
    "filters": {"outages": {"()": "boardsite.logs.OutageFilter"}},
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "redacting",
            "filters": ["outages"],
        }
    },
    # For all loggers, those of uvicorn too, which is told not to configure its own.
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "django": {"level": "WARNING"},
        "django.server": {"handlers": [], "propagate": True},
        "uvicorn": {"level": "WARNING"},
        "uvicorn.access": {"level": "INFO"},
        # The pool logs every attempt to connect, but the failing request is logged already.
        "psycopg.pool": {"level": "ERROR"},
    },
}
