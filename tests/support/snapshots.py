"""The positions of stored games, for tests that choose or check moves."""

from __future__ import annotations

from collections.abc import Iterable

from games.contract import Position
from games.models import Game
from games.presentation.analysis import Report, report
from games.services import computers
from games.state.evaluations import read_evaluations
from games.state.snapshot import read_snapshot


def position_at(game: Game, ply: int) -> Position:
    """Return a copy of the position after ``ply`` moves of a stored game."""
    return read_snapshot(game.pk).at(ply).copy()


def current_position(game: Game) -> Position:
    """Return a copy of the current position of a stored game."""
    return read_snapshot(game.pk).position.copy()


def legal_moves(game: Game) -> list[str]:
    """Return the legal moves of a seat that is to move."""
    position = current_position(game)
    return list(position.legal_moves(min(position.to_move())))


def report_of(game: Game) -> Report:
    """Return the report of a stored game's analysis."""
    snapshot = read_snapshot(game.pk)
    return report(snapshot, read_evaluations(snapshot))


def ask_evaluations(game: Game, plies: Iterable[int], *, hint: bool = False) -> None:
    """Request evaluations of a stored game."""
    computers.ask_evaluations(snapshot=read_snapshot(game.pk), plies=plies, hint=hint)
