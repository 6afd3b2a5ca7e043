"""Template tags with which other pages show the puzzle of the day and a visitor's puzzles."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils import timezone

from games.models import Player
from games.puzzles import catalogue
from games.puzzles.views import history_context

register = template.Library()


@register.inclusion_tag("puzzles/_day.html")
def puzzle_of_the_day() -> dict[str, Any]:
    """Show a link to the puzzle of the day."""
    return {"daily": catalogue.of_the_day(timezone.localdate())}


@register.inclusion_tag("puzzles/_history.html")
def puzzle_history(player: Player | None) -> dict[str, Any]:
    """Show the streak of a player and the latest puzzles."""
    return history_context(player)
