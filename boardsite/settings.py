"""Settings of the site. What a host may want to change are environment variables, of which an empty
one is as good as none:

BOARDSITE_DATA     folder for the database, the secret key and collected files (var/)
DATABASE_URL       another database than var/boardsite.sqlite3
REDIS_URL          Redis or Valkey, through which several machines tell each other of moves
BOARDSITE_SECRET   the secret key, by which browsers are known as those of their players (otherwise
                   made once and kept in BOARDSITE_DATA: no copy of the database holds it)
BOARDSITE_HOSTS    host names the site answers to, with commas (this machine's own names)
BOARDSITE_HTTPS    1 when people reach the site by https: secure cookies, HSTS for this host
BOARDSITE_QUOTAS   0 to lift the limits of how often (games/rate_limits.py)
BOARDSITE_THREADS  threads that answer requests (2; 4 with PostgreSQL, for whose answers they wait);
                   what is done at a table has threads of its own (1; 4)
BOARDSITE_DEBUG    1 for Django's debug pages
FORWARDED_ALLOW_IPS  addresses, with commas, of proxies that say whose requests they hand on (those
                   of this machine); * only where nobody but a proxy comes in
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from boardsite.environment import broker, database, env, env_bool, env_int, folder, hosts
from boardsite.secret import kept_secret

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = folder("BOARDSITE_DATA", BASE_DIR / "var")


def _folders(name: str) -> list[Path]:
    """The folders called ``name`` inside the games' folders: found, never listed."""
    return sorted(path for path in (BASE_DIR / "games").glob(f"*/{name}") if path.is_dir())


DEBUG = env_bool("BOARDSITE_DEBUG", otherwise=False)
HTTPS = env_bool("BOARDSITE_HTTPS", otherwise=False)
SECRET_KEY = env("BOARDSITE_SECRET") or kept_secret(DATA_DIR)
ALLOWED_HOSTS = hosts("BOARDSITE_HOSTS", "localhost,127.0.0.1,[::1]")
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
    # These three first: every answer has their headers, static files and refusals of a host too.
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    # Around those that refuse: their pages have forms too. It reads no body before a view is found.
    "django.middleware.csrf.CsrfViewMiddleware",
    # In the language of the visitor, yet before anything has read the body.
    "games.middleware.limit_body",
    "games.middleware.reject_nul_bytes",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "games.middleware.vary_on_htmx",
    "games.middleware.say_not_allowed",
    "games.web.player_cookie.player",
    "games.middleware.raise_commit_failure",
]

_LOADERS = [
    "games.presentation.template_source.Loader",
    "django.template.loaders.app_directories.Loader",
]
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates", *_folders("templates")],
        "OPTIONS": {
            "loaders": [("django.template.loaders.cached.Loader", _LOADERS)],
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "games.web.preferences.context",
            ],
            "builtins": ["games.templatetags.boards"],
        },
    },
    {
        # What changes with every move; games/presentation/jinja.py says why.
        "NAME": "boards",
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": [BASE_DIR / "templates", *_folders("templates")],
        "OPTIONS": {
            "environment": "games.presentation.jinja.environment",
            "trim_blocks": True,
            "extensions": [
                "games.presentation.template_source.Compact",
                "games.presentation.template_source.BlockTranslate",
            ],
        },
    },
]

# --- database ----------------------------------------------------------------------------

# Python runs one thread at a time. With eight, what sends boards to streams got a tenth of it when
# more moves came than could be played, and boards were seconds late; with two, 42 ms (p99).
_database = database(env("DATABASE_URL", f"sqlite:///{DATA_DIR / 'boardsite.sqlite3'}"))
_WAITING = _database["ENGINE"].endswith("postgresql")
THREADS = env_int("BOARDSITE_THREADS", otherwise=4 if _WAITING else 2)
# Moves take turns at SQLite whatever one does, so that one thread is enough for them; in one of
# their own none of them, waiting for its turn, keeps a page waiting too.
GAME_THREADS = 4 if _WAITING else 1

# SQLite: a writer takes its lock when it begins (IMMEDIATE), for select_for_update() is ignored
# there; with WAL readers never wait. NORMAL, and games/storage/group_commit.py instead of
# FULL, keeps an answered move through a power cut.
_SQLITE: dict[str, Any] = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 20,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
}
# PostgreSQL: a connection for every thread that can ask at once (those that answer requests, two
# of the streams, two to spare), looked at before it is used: a server that was started again has
# cut them all. Whoever gets none in time is told so, and does not wait for ever.
_POSTGRES: dict[str, Any] = {
    "CONN_MAX_AGE": 0,
    "CONN_HEALTH_CHECKS": True,
    "OPTIONS": {
        "pool": {"min_size": 1, "max_size": THREADS + GAME_THREADS + 4, "timeout": 10},
        "connect_timeout": 5,
    },
}
if _WAITING:
    _database |= {**_POSTGRES, "OPTIONS": _POSTGRES["OPTIONS"] | _database.get("OPTIONS", {})}
else:
    _database["OPTIONS"] = _SQLITE
DATABASES: dict[str, Any] = {"default": _database}
REDIS_URL = broker("REDIS_URL")

# --- languages ---------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("nl", _("Dutch"))]
LOCALE_PATHS = [BASE_DIR / "locale", *_folders("locale")]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

# --- static files ------------------------------------------------------------------------

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
        "vendor/idiomorph/idiomorph-ext.min.js",
        "site/board.js",
        "site/share.js",
        "site/live.js",
    ],
}
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "boardsite.static_files.Storage"},
}

# --- what the browser is told -------------------------------------------------------------

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
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
CSRF_COOKIE_HTTPONLY = True
PLAYER_COOKIE = "player"
PREFERENCES_COOKIE = "preferences"
if HTTPS:
    # The __Host- prefix makes the browser refuse these cookies from anywhere but this host.
    PLAYER_COOKIE = "__Host-player"
    PREFERENCES_COOKIE = "__Host-preferences"
    SESSION_COOKIE_NAME = "__Host-sessionid"
    CSRF_COOKIE_NAME = "__Host-csrftoken"
    LANGUAGE_COOKIE_NAME = "__Host-language"
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = True
    SECURE_SSL_REDIRECT = True
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 31_536_000
    # Of this host alone: whether all others of the domain have https, its owner says, at the proxy.
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
    CSRF_TRUSTED_ORIGINS = [f"https://{host}" for host in ALLOWED_HOSTS]
# Only the admin has messages, and whoever is there has a session: no cookie more.
MESSAGE_STORAGE = "django.contrib.messages.storage.session.SessionStorage"
CSRF_FAILURE_VIEW = "games.views.errors.csrf_failure"
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_AGE = 400 * 24 * 3600

# --- limits ------------------------------------------------------------------------------

# Limits of how often; off for measurements of how fast.
RATE_LIMITS = env_bool("BOARDSITE_RATE_LIMITS", otherwise=True)
DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"redacting": {"()": "boardsite.logs.RedactingFormatter"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "redacting"}},
    # Everybody's: the server's too, which sets up nothing of its own.
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "django": {"level": "WARNING"},
        "django.server": {"handlers": [], "propagate": True},
    },
}
