"""The site itself: folders, hosts, apps, middleware, languages and times."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from django.utils.translation import gettext_lazy as _

from boardsite.environment import env, env_bool, env_folder, env_hosts, env_int, parse_database_url
from boardsite.secret import is_in_use, stored_secret

BASE_DIR = Path(__file__).resolve().parents[2]
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
    # After the language is known, in which refusals are written, and before anything reads the
    # body.
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
