"""Why a space cannot be chosen in a half-chosen move of Santorini."""

from __future__ import annotations

from collections.abc import Sequence

from games.contract import Cell, Text, parse_cell
from games.santorini import messages
from games.santorini.engine import DIRECTIONS, Santorini
from games.santorini.messages import letters_of

_TOWARDS = {offset: direction for direction, offset in DIRECTIONS.items()}


def refusals(
    board: Santorini, player: int, chosen: tuple[str, ...], cells: Sequence[str]
) -> dict[str, Text]:
    """Return why a player to move cannot choose ``cells`` after the steps ``chosen``, by name.

    Without an entry for a space that the prompt of the stage explains well enough."""
    reasons = {cell: _reason(board, player, chosen, cell) for cell in cells}
    return {cell: reason for cell, reason in reasons.items() if reason}


def _reason(board: Santorini, player: int, chosen: tuple[str, ...], cell: str) -> Text | None:
    place = parse_cell(cell)
    if letters_of(player)[0] not in board.workers:
        return messages.shared_space() if cell in chosen else messages.occupied(cell)
    if not chosen:
        return _not_a_choice(board, player, place)
    worker = chosen[0]
    start = board.workers[worker]
    if len(chosen) == 1:
        return _unreachable(board, worker, start, place)
    return _no_building_site(board, worker, dict(board.moves(worker))[chosen[1]], place)


def _not_a_choice(board: Santorini, player: int, place: Cell) -> Text | None:
    worker = next((letter for letter, where in board.workers.items() if where == place), None)
    if worker is None:
        return None
    own = worker in letters_of(player)
    return messages.stuck(worker) if own else messages.not_yours(worker)


def _unreachable(board: Santorini, worker: str, start: Cell, place: Cell) -> Text | None:
    if place == start:
        return None
    direction = _TOWARDS.get((place[0] - start[0], place[1] - start[1]))
    if direction is None:
        return messages.too_far_to_move()
    return messages.obstacle(board, worker, start, direction) or messages.too_high(worker)


def _no_building_site(board: Santorini, worker: str, start: Cell, place: Cell) -> Text | None:
    direction = _TOWARDS.get((place[0] - start[0], place[1] - start[1]))
    if direction is None:
        return messages.too_far_to_build()
    return messages.obstacle(board, worker, start, direction)
