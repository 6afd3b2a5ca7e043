"""Template tags with which other pages show the puzzle of the day and a visitor's puzzles."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils import timezone

from games.core.registry import all_rules
from games.models import Game, Player
from games.puzzles import catalogue, records
from games.puzzles.lists import history_context, picture_of

register = template.Library()


@register.inclusion_tag("puzzles/_day.html")
def puzzle_of_the_day(player: Player | None) -> dict[str, Any]:
    today = timezone.localdate()
    daily = catalogue.of_the_day(today)
    streak, solved = records.daily_streak(player, today)
    picture = picture_of(daily) if daily else ""
    return {"daily": daily, "daily_picture": picture, "streak": streak, "solved": solved}


@register.inclusion_tag("puzzles/_day_boards.html")
def boards_of_the_day(game: Game | None = None) -> dict[str, Any]:
    """Link to the boards of the day; with a ``game`` only to that of its kind, if it may be a game
    on it."""
    kinds = [rules for rules in all_rules().values() if rules.day_board]
    if game is not None:
        today = timezone.localdate(game.created) == timezone.localdate()
        kinds = [game.rules] if game.rules.day_board and game.closed and today else []
    return {"kinds": kinds, "one": game is not None}


@register.inclusion_tag("puzzles/_history.html")
def puzzle_history(player: Player | None) -> dict[str, Any]:
    return history_context(player)
