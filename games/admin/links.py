"""Names and links for the admin's pages."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext as _

from games.core.registry import all_rules
from games.core.translation import translate
from games.models import Game, Player, Seat
from games.state.replay import Unreadable, read_specs


def kind_name(game: Game) -> str:
    """Return the name of a game's kind, or its slug if its folder is gone."""
    rules = all_rules().get(game.kind)
    return translate(rules.name) if rules else game.kind


def seat_names(game: Game) -> dict[str, str]:
    """Return the names of a game's seats; none if the folder of its kind is gone or its options are
    unreadable."""
    try:
        return {spec.key: translate(spec.name) for spec in read_specs(game)}
    except Unreadable:
        return {}


def seat_name(game: Game, key: str) -> str:
    return seat_names(game).get(key, key)


def page_of(row: Game | Player) -> str:
    return reverse(f"admin:games_{row._meta.model_name}_change", args=[row.pk])


def list_of(model: str, **filters: Any) -> str:
    return f"{reverse(f'admin:games_{model}_changelist')}?{urlencode(filters)}"


def link(row: Game | Player, text: str = "") -> str:
    return format_html('<a href="{}">{}</a>', page_of(row), text or row)


def sitting(seat: Seat) -> str:
    """Return the holders of a seat, with links to the pages of people."""
    if seat.computer:
        return _("computer %(level)s") % {"level": seat.computer}
    return format_html_join(", ", "{}", ((link(player),) for player in seat.players.all())) or "–"
