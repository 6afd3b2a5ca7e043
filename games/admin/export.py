"""Games as JSON lines: one object a game, with its moves."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from games.models import Game, Seat


def json_lines(games: Iterable[Game], *, secrets: bool) -> Iterator[str]:
    """Yield a line for each game. The setup, which may contain a key, is included only with
    ``secrets``."""
    for game in games:
        yield json.dumps(_described(game, secrets=secrets), ensure_ascii=False) + "\n"


def _described(game: Game, *, secrets: bool) -> dict[str, Any]:
    described = {
        "id": game.id,
        "kind": game.kind,
        "rules_version": game.rules_version,
        "options": game.options,
        "seats": {seat.key: _holders(seat) for seat in game.seats.all()},
        "moves": [[move.seat, move.text] for move in game.moves.all()],
        "status": game.status,
        "result": game.result_json,
        "created": game.created.isoformat(),
        "updated": game.updated.isoformat(),
    }
    return {**described, "setup": game.setup} if secrets else described


def _holders(seat: Seat) -> dict[str, Any]:
    if seat.computer:
        return {"computer": seat.computer}
    players = [{"id": str(player.pk), "name": player.name} for player in seat.players.all()]
    return {"players": players}
