"""The page of a game in the admin: its board at any ply, its moves, and its fault."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from games.admin.read_only import link, page_of, seat_names
from games.core.translation import translate
from games.models import Game
from games.presentation.board import Board, build_board
from games.presentation.pictures import game_sprite_address
from games.services.verification import mark_fault
from games.state.replay import Unreadable, replay_fresh, rules_of, verify
from games.state.row_faults import mend_row
from games.state.snapshot import GameSnapshot, Standing, read_uncached
from games.web.request import parse_ply

SECRETS = "games.see_secrets"


def sees_secrets(request: HttpRequest) -> bool:
    """Return whether staff may see the secrets of games and have asked for those of this one."""
    return "secrets" in request.GET and bool(request.user.has_perm(SECRETS))


def fault_of(game: Game) -> str:
    """Replay a stored game and return its fault, which names the first move that does not replay,
    or ''. The mark of a game that is well again is removed."""
    found = verify(game)
    if game.fault and not found.fault:
        mark_fault(game_id=game.pk)
    return translate(found.fault) if found.fault else ""


def page_context(request: HttpRequest, game: Game) -> dict[str, Any]:
    context: dict[str, Any] = {"game": game, "address": page_of(game), "moves": _moves(game)}
    seen = sees_secrets(request)
    try:
        rules_of(game)
        snapshot = read_uncached(game.pk)
        if snapshot.fault:
            context["broken"] = translate(snapshot.fault.text)
            context["broken_ply"] = snapshot.fault.plies + 1
        requested, last = parse_ply(request.GET.get("ply", "")), snapshot.last_ply
        ply = requested if 0 <= requested < last else last
        context |= {"ply": ply, "previous_ply": ply - 1, "next_ply": ply + 1, "last_ply": last}
        context["board"] = _board(snapshot, ply, secrets=seen)
        context |= {"kept": "&secrets" * seen, "asks": not seen and request.user.has_perm(SECRETS)}
    except Unreadable as error:
        context["broken"] = translate(error.text)
    return context


def _moves(game: Game) -> list[dict[str, Any]]:
    """Return the moves as rows of a table, each with the seconds since the one before."""
    names, before, rows = seat_names(game), mend_row(game).created, []
    for move in game.moves.select_related("player").order_by("ply"):
        rows.append(
            {
                "ply": move.ply,
                "at": f"?ply={move.ply}",
                "seat": names.get(move.seat, move.seat),
                "text": move.text,
                "player": link(move.player) if move.player else "–",
                "played": move.played,
                "seconds": round((move.played - before).total_seconds()),
            }
        )
        before = move.played
    return rows


def _board(snapshot: GameSnapshot, ply: int, *, secrets: bool) -> Board:
    """Return the board as a spectator sees it, or with its secrets. Raises Unreadable."""
    seat = next((spec.key for spec in snapshot.specs if spec.secret), None) if secrets else None
    sprite = game_sprite_address(snapshot.game)
    position = replay_fresh(snapshot.game, snapshot.moves[:ply])
    return build_board(snapshot.rules, Standing.of(position), viewpoint=seat, sprite=sprite)
