"""Django system checks: of the files in the games' folders, and of a database before `migrate`.

A missing style sheet breaks the front page, which shows all games, and in place of a missing
template a page silently shows nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.checks import CheckMessage, Error

import games
from games.core.registry import all_rules
from games.management.migrated import between_versions

MISSING, BETWEEN = "games.E001", "games.E002"
FILES = (
    "static/{slug}/board.css",
    "templates/{slug}/_cell.jinja",
    "templates/{slug}/_picture.jinja",
    "templates/{slug}/_preview.jinja",
    "templates/{slug}/rules.jinja",
)


def check_files(app_configs: Any = None, **kwargs: Any) -> list[CheckMessage]:
    """Return an error for each file that a game lacks."""
    names = [f"{slug}/{name.format(slug=slug)}" for slug in all_rules() for name in FILES]
    return [
        Error(f"games/{name} is missing: every game has one (README.md says what for).", id=MISSING)
        for name in names
        if not any((Path(folder) / name).is_file() for folder in games.__path__)
    ]


def check_history(
    app_configs: Any = None, databases: Sequence[str] | None = None, **kwargs: Any
) -> list[CheckMessage]:
    """Return an error for each database whose next migrations are not here any more."""
    refusals = [between_versions(alias) for alias in databases or ()]
    return [Error(refusal, id=BETWEEN) for refusal in refusals if refusal]
