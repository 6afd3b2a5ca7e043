"""The list of moves beside a board."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from django.utils.translation import get_language, gettext

from games.contract import RESIGN, Rules, Text
from games.registry import all_rules
from games.translation import translate

LISTED_PLIES = 60
"""Moves that a page lists unless all are asked for."""


def display_move(move: str, rules: Rules) -> str:
    """Return a stored move as people read it: in the notation of the game and their language."""
    return move_displayer(rules)(move)


def move_displayer(rules: Rules) -> Callable[[str], str]:
    """Return `display_move` for the moves of one kind of game in the language of the request."""
    slug, language = rules.slug, get_language()
    return lambda move: _displayed(slug, language, move)


# A list has up to 60 moves, and a text takes 20 µs to translate.
@lru_cache(20_000)
def _displayed(slug: str, language: str | None, move: str) -> str:
    """Return a move in the active language, which is ``language``."""
    if move == RESIGN:
        return gettext("resigns")
    shown = all_rules()[slug].display_move(move)
    return translate(shown) if isinstance(shown, Text) else shown
