"""Templates, pages in Django's language and boards in Jinja's, and static files."""

from __future__ import annotations

from wsgiref.headers import Headers

from boardsite.environment import env_bool
from boardsite.settings.base import BASE_DIR, DATA_DIR, game_folders

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates", *game_folders("templates")],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.template.context_processors.i18n",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "games.web.preferences.context",
                "games.views.pages.my_games.turns",
            ],
            "builtins": [
                "games.views.template_tags",
                "games.puzzles.lists",
                "games.puzzles.today",
                "games.records",
            ],
        },
    },
    {
        # For the parts of a page that change with every move: see games/presentation/jinja.py.
        "NAME": "boards",
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": [BASE_DIR / "templates", *game_folders("templates")],
        "OPTIONS": {
            "environment": "games.presentation.jinja.environment",
            "trim_blocks": True,
            "extensions": [
                "games.presentation.jinja.InlineIncludes",
                "games.presentation.jinja.Compact",
                "games.presentation.jinja.Sentences",
                "games.presentation.jinja.BlockTranslate",
            ],
        },
    },
]


def _with_policies(headers: Headers, _path: str, url: str) -> None:
    # A frame that has no origin of its own, as many sites make for boards, loads its files too.
    headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    if url.startswith(f"/{STATIC_URL}classes/"):
        # A worker obeys the policy of its own script: it compiles bytes, and connects to nothing.
        headers["Content-Security-Policy"] = "default-src 'none'; script-src 'wasm-unsafe-eval'"


SMALLEST_FILES = env_bool("BOARDSITE_SMALLEST_FILES", default=False)
STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static", *game_folders("static")]
WHITENOISE_ADD_HEADERS_FUNCTION = _with_policies
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "boardsite.static_files.BundleFinder",
]
# Scripts of several pages: the morphing of partials, which also works before htmx is loaded.
_LATER, _MORPH = "site/scripts/without-htmx.js", "vendor/idiomorph/idiomorph-ext.min.js"
BUNDLES = {
    "site/game.js": [_LATER, _MORPH, "site/scripts/game.js"],
    "site/classes.js": [_LATER, _MORPH, "site/scripts/classes/page.js"],
    # Not under `site/`: the interpreter is not minified again.
    "classes/worker.js": [
        "vendor/pyodide/pyodide.asm.mjs",
        "vendor/pyodide/pyodide.mjs",
        "site/scripts/classes/worker.js",
    ],
    "site/clocks.js": ["site/scripts/clocks.js"],
    "site/embed.js": [_MORPH, "site/scripts/embed.js"],
    "site/lists.js": [_LATER, _MORPH, "site/scripts/lists.js"],
    "site/lobby.js": [_MORPH, "site/scripts/lobby.js"],
    "site/plies.js": [_LATER, _MORPH, "site/scripts/plies.js"],
    "site/puzzle.js": [_LATER, _MORPH, "site/scripts/puzzle.js"],
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
