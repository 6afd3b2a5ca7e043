"""Refusals: why a space cannot be chosen in a half-chosen move of Santorini."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from games.contract import OTHER_CELLS, Cell, Text, cell_name
from games.santorini import messages
from games.santorini.engine import NEIGHBOURS, SIZE, Santorini
from games.santorini.messages import letters_of

_AROUND: Final = tuple(
    {cell_name(*divmod(space, SIZE)): direction for direction, space in near.items()}
    for near in NEIGHBOURS
)
"""For each space, the names of the neighbouring spaces, with their directions."""


def refusals(
    board: Santorini, player: int, chosen: tuple[str, ...], cells: Sequence[str]
) -> Mapping[str, Text]:
    """Return by name why the player to move cannot choose ``cells`` after the steps ``chosen``.

    A space has no entry if the prompt of the stage is explanation enough."""
    if letters_of(player)[0] not in board.workers:
        shared = messages.shared_space()
        return {cell: shared if cell in chosen else messages.occupied(cell) for cell in cells}
    if not chosen:
        return _no_choices(board, player, cells)
    worker, *directions = chosen
    start = board.workers[worker]
    if not directions:
        return _unreachable(board, worker, start, cells)
    return _no_building_sites(board, worker, dict(board.moves(worker))[directions[0]], cells)


def _no_choices(board: Santorini, player: int, cells: Sequence[str]) -> Mapping[str, Text]:
    own = letters_of(player)
    standing = {cell_name(*cell): worker for worker, cell in board.workers.items()}
    return {
        cell: messages.stuck(worker) if worker in own else messages.not_yours(worker)
        for cell, worker in standing.items()
        if cell in cells
    }


def _unreachable(
    board: Santorini, worker: str, start: Cell, cells: Sequence[str]
) -> Mapping[str, Text]:
    too_high = messages.too_high(worker)
    beside = {
        cell: messages.obstacle(board, worker, start, direction) or too_high
        for cell, direction in _around(start).items()
        if cell in cells
    }
    own = {cell_name(*start): messages.move_worker(worker)}
    return {OTHER_CELLS: messages.too_far_to_move(), **beside, **own}


def _no_building_sites(
    board: Santorini, worker: str, start: Cell, cells: Sequence[str]
) -> Mapping[str, Text]:
    reasons = {OTHER_CELLS: messages.too_far_to_build()}
    for cell, direction in _around(start).items():
        if cell in cells and (reason := messages.obstacle(board, worker, start, direction)):
            reasons[cell] = reason
    return reasons


def _around(cell: Cell) -> Mapping[str, str]:
    return _AROUND[cell[0] * SIZE + cell[1]]
