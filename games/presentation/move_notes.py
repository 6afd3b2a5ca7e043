"""What computers noted with their moves, told when the game is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.contract import Text
from games.models import Game
from games.move_list import MoveEntry
from games.presentation.board import news
from games.presentation.visibility import view_for
from games.replay import position_at


class MoveNote(NamedTuple):
    """The sentences that tell a move, and what its computer noted with it."""

    told: Sequence[Text]
    note: Text


def move_notes(game: Game, moves: Sequence[MoveEntry]) -> list[MoveNote]:
    """The notes to ``moves``, the last ones of a game that is over. Raises as `position_at`."""
    first = moves[0].ply if moves else 0
    rows = game.moves.filter(ply__gte=first, note__isnull=False).order_by("ply")
    notes = {row.ply: row.note_text for row in rows}
    if not notes:
        return []
    before = min(notes) - 1
    position = position_at(game, before)
    found = []
    for move in moves:
        if move.ply > before:
            position = position.play(move.seat, move.text)
        if note := notes.get(move.ply):
            found.append(MoveNote(news(view_for(position, None)), note))
    return found
