"""The notes of computers on their moves, which are shown when the game is over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.contract import Text
from games.presentation.board import events
from games.presentation.names import call_by_name, seat_names
from games.presentation.visibility import view_for
from games.state.replay import StoredMove
from games.state.snapshot import GameSnapshot


class MoveNote(NamedTuple):
    """The sentences that describe a move, and the computer's note on it."""

    told: Sequence[Text]
    note: Text


def move_notes(snapshot: GameSnapshot, moves: Sequence[StoredMove]) -> list[MoveNote]:
    """Return the notes on ``moves``, the last ones of a finished game."""
    names = seat_names(snapshot)

    def told(move: StoredMove) -> list[Text]:
        sentences = events(view_for(snapshot.at(move.ply), None))
        return [call_by_name(sentence, names) for sentence in sentences]

    return [MoveNote(told(move), Text.from_json(move.note)) for move in moves if move.note]
