"""Templates: pages in Django's language, boards in Jinja's."""

from __future__ import annotations

from boardsite.settings.base import BASE_DIR, game_folders

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
                "games.puzzles.template_tags",
                "games.records.template_tags",
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
                "games.templating.template_source.InlineIncludes",
                "games.templating.template_source.Compact",
                "games.templating.template_source.Sentences",
                "games.templating.template_source.BlockTranslate",
            ],
        },
    },
]
