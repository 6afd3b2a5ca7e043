"""The site's own text of a game: lines ``Name: value``, an empty line, and one move a line.

The seat stands before each move, so that any game of any kind can be written.
"""

from __future__ import annotations

import json

from games.exchange.documents import GameDocument


def write(document: GameDocument) -> str:
    """Return a game as text."""
    head = [f"Game: {document.kind} {document.rules_version}"]
    head += [f"Address: {document.address}"] if document.address else []
    head += [f"Day: {document.day}"] if document.day else []
    head.append(f"Options: {_json(document.options)}")
    if document.setup is not None:
        head.append(f"Setup: {_json(document.setup)}")
    for key, seat in document.seats.items():
        head += [f"Player {key}: {' '.join(name.split())}" for name in seat.names]
        head += [f"Computer {key}: {seat.computer}"] if seat.computer else []
    if document.result:
        head.append(f"Winners: {', '.join(document.result.winners) or '-'}")
    moves = [f"{n}. {each.seat} {each.move}" for n, each in enumerate(document.moves, start=1)]
    return "\n".join([*head, "", *moves, ""])


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))
