"""Games as JSON lines: one object a game, with its moves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet

from games.models import Game, Seat
from games.storage.portions import in_portions


def json_lines(games: QuerySet[Game], *, secrets: bool) -> Iterator[str]:
    """Yield a line for each game. The setup, which may contain a key, is included only with
    ``secrets``."""
    for portion in in_portions(games.prefetch_related("moves", "seats__players")):
        for game in portion:
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
