"""A template tag with which a page shows a player's record against the computers."""

from __future__ import annotations

from typing import Any

from django import template

from games.models import Player
from games.records.records import offers, outcomes_of, records

register = template.Library()


@register.inclusion_tag("records/_records.html", takes_context=True)
def record_against_computers(context: dict[str, Any], player: Player | None) -> dict[str, Any]:
    """Show the record of a player for each kind and level, and the level to play next."""
    outcomes = outcomes_of(player)
    return {
        "records": records(outcomes),
        "offers": offers(outcomes),
        "csrf_token": context.get("csrf_token"),
    }


@register.inclusion_tag("records/_beaten.html", takes_context=True)
def levels_beaten(context: dict[str, Any]) -> dict[str, Any]:
    """Show the highest level of each kind that the visitor has beaten."""
    outcomes = outcomes_of(context["request"].get_player())
    highest = {record.rules.slug: record for record in records(outcomes) if record.won}
    return {"beaten": list(highest.values())}
