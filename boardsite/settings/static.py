"""Static files and the bundles of scripts."""

from __future__ import annotations

from wsgiref.headers import Headers

from boardsite.environment import env_bool
from boardsite.settings.base import BASE_DIR, DATA_DIR, game_folders


def _for_anywhere(headers: Headers, _path: str, _url: str) -> None:
    headers["Cross-Origin-Resource-Policy"] = "cross-origin"


SMALLEST_FILES = env_bool("BOARDSITE_SMALLEST_FILES", default=False)
STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static", *game_folders("static")]
# A frame that has no origin of its own, as many sites make for boards, loads its files too.
WHITENOISE_ADD_HEADERS_FUNCTION = _for_anywhere
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
    "site/classes.js": ["site/scripts/classes/page.js"],
    "site/classes-worker.js": ["site/scripts/classes/worker.js"],
    "site/clocks.js": ["site/scripts/clocks.js"],
    "site/embed.js": ["vendor/idiomorph/idiomorph-ext.min.js", "site/scripts/embed.js"],
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
    "site/turns.js": ["site/scripts/turns.js"],
    "site/share.js": ["site/scripts/share.js"],
}
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "boardsite.static_files.Storage"},
}
