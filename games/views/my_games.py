"""The visitor's own games: those that wait, those that run, and those that ended."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.views.decorators.http import require_safe

from games import game_lists
from games.contract import MoveError
from games.game_lists import EndedSeat, ListedGame
from games.models import Game, Player
from games.presentation.board import build_board
from games.presentation.finished_games import Filters
from games.presentation.lists import WaitingGame, build_entry
from games.presentation.pictures import render_board_svg
from games.registry import all_rules
from games.replay import Unreadable
from games.snapshot import read_snapshot
from games.views.places import format_place, parse_place
from games.web.request import HttpRequest

PICTURES = 12
"""Boards that are drawn; the games after them have none."""


def turns(request: HttpRequest) -> dict[str, Any]:
    """Return, for the header of every page, a function that counts the games that wait for the
    visitor: no query for visitors without a player, and none for the answer to a move.

    The game of the page itself does not count: its board tells whose turn it is, and goes on by
    moves that leave the header as it is."""

    def count() -> int:
        player_id = getattr(request, "player_id", None)
        if player_id is None or request.method == "POST":
            return 0
        match = request.resolver_match
        shown = match.kwargs["game_id"] if match and match.url_name == "game" else ""
        return game_lists.turns_waiting(player_id, but_for=shown)

    return {"turns_waiting": count}


@require_safe
def my_games(request: HttpRequest) -> HttpResponse:
    """Show the visitor's running games: those that wait longest for a move first."""
    player = request.get_player()
    context = _running(player) if player else {}
    return render(request, "games/my_games.html", {"player": player, **context})


def _running(player: Player) -> dict[str, Any]:
    found = game_lists.running_games(player)
    entries = [(listed, build_entry(*listed, player.pk)) for listed in found]
    waiting = [(listed, entry) for listed, entry in entries if entry.my_turn and listed.game.begun]
    waiting.sort(key=lambda pair: pair[0].game.updated)
    return {
        "waiting": [
            WaitingGame(entry, _picture(listed.game.id) if number < PICTURES else "")
            for number, (listed, entry) in enumerate(waiting)
        ],
        "running": [pair[1] for pair in entries if pair not in waiting],
    }


def _picture(game_id: str) -> str:
    """Return the board as spectators see it, '' for a faulty game: a list shows no secrets."""
    try:
        snapshot = read_snapshot(game_id)
        board = build_board(snapshot.rules, snapshot.position, viewpoint=None)
    except (Game.DoesNotExist, Unreadable, MoveError):
        return ""
    return mark_safe(render_board_svg(board))  # noqa: S308 - drawn by templates, which escape


@require_safe
def finished(request: HttpRequest) -> HttpResponse:
    """Show a page of the visitor's finished games, narrowed by the filters of the address."""
    player = request.get_player()
    sent = (request.GET.get(name, "") for name in ("kind", "result", "name"))
    filters = Filters.parse(*sent)
    context: dict[str, Any] = {"player": player, "filters": filters, "kinds": all_rules().values()}
    if player:
        page = game_lists.finished_page(
            player,
            partial(_matches, filters, player),
            parse_place(request.GET.get("before", "")),
            partial(_narrow, filters, player),
        )
        context["finished"] = [build_entry(*listed, player.pk) for listed in page.games]
        context["older"] = format_place(page.older) if page.older else ""
        context["is_first"] = "before" not in request.GET
    return render(request, "games/finished_games.html", context)


def _matches(filters: Filters, player: Player, listed: ListedGame) -> bool:
    return filters.match(listed.game, listed.seating, player.pk)


def _narrow(filters: Filters, player: Player, seats: Sequence[EndedSeat]) -> Collection[str]:
    """Return the games of seats that may match: without them a page would read hundreds."""
    ids = {seat.game_id for seat in seats if filters.may_match(seat.kind, seat.key, seat.result)}
    return game_lists.played_against(player, ids, filters.name) if filters.name else ids
