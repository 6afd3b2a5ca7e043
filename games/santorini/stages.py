"""Choosing a move of Santorini by clicks: a worker, a move, a build."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from games.contract import Cell, Stage, Step, Text, cell_name, no_such_move, text
from games.santorini.engine import SIZE, THIRD_LEVEL, Santorini
from games.santorini.messages import (
    letters_of,
    level_name,
    move_worker,
    moved_label,
    part_name,
    placed_label,
    player_of,
)

Effects = Mapping[str, str]
Cells = Mapping[str, Mapping[str, Any]]

CELLS = {cell_name(*divmod(space, SIZE)): divmod(space, SIZE) for space in range(SIZE * SIZE)}
"""All cells by their names, row by row."""


def stage(board: Santorini, player: int, chosen: tuple[str, ...]) -> Stage:
    """Return the stage of the player to move after the steps ``chosen``.

    Raises IllegalMove if no legal move begins with these steps."""
    letters = letters_of(player)
    if letters[0] not in board.workers:
        return _placing(board, letters, chosen)
    if not chosen:
        return _choosing_worker(board, letters)
    worker, *directions = chosen
    targets = dict(board.moves(worker)) if worker in tuple(letters) else {}
    if targets and not directions:
        return _moving(board, worker, targets)
    target = targets.get(directions[0]) if len(directions) == 1 else None
    if target is None or board.height(target) == THIRD_LEVEL:
        raise no_such_move(chosen)
    return _building(board, worker, directions[0], target)


def _placing(board: Santorini, letters: str, chosen: tuple[str, ...]) -> Stage:
    occupied = set(board.workers.values())
    free = {name: cell for name, cell in CELLS.items() if cell not in occupied}
    if len(chosen) > 1 or not free.keys() >= set(chosen):
        raise no_such_move(chosen)
    letter = letters[len(chosen)]
    steps = [
        _place_step(letter, name, board.height(cell))
        for name, cell in free.items()
        if name not in chosen
    ]
    prompts = text("Place your first worker."), text("Place your second worker.")
    marks = dict.fromkeys(chosen, "chosen")
    return Stage(prompt=prompts[len(chosen)], steps=tuple(steps), marks=marks)


# Cached: a tree of steps has a hundred such steps, and they depend on few values.
@cache
def _place_step(worker: str, cell: str, height: int) -> Step:
    label = placed_label(height, worker)
    return Step(
        text=cell,
        cell=cell,
        label=text("Place worker %(worker)s on %(cell)s", worker=worker, cell=cell),
        short=text("Place worker %(worker)s", worker=worker),
        effects={cell: "place"},
        sign="stand",
        cells={cell: {"worker": worker, "player": player_of(worker), "label": label}},
    )


def _choosing_worker(board: Santorini, letters: str) -> Stage:
    steps = []
    for worker in letters:
        reach = {cell_name(*target): "reach" for _, target in board.moves(worker)}
        if reach:
            cell = cell_name(*board.workers[worker])
            label = text("Worker %(worker)s on %(cell)s", worker=worker, cell=cell)
            short = text("Choose")
            steps.append(
                Step(text=worker, cell=cell, label=label, short=short, effects=reach, sign="take")
            )
    return Stage(prompt=text("Choose a worker."), steps=tuple(steps))


def _moving(board: Santorini, worker: str, targets: Mapping[str, Cell]) -> Stage:
    origin = cell_name(*board.workers[worker])
    return Stage(
        prompt=move_worker(worker),
        steps=tuple(_move_steps(board, worker, targets)),
        marks={origin: "chosen"},
    )


def _move_steps(board: Santorini, worker: str, targets: Mapping[str, Cell]) -> Iterator[Step]:
    for direction, target in targets.items():
        cell, height = cell_name(*target), board.height(target)
        cells = _moved(board, worker, cell, height)
        if height == THIRD_LEVEL:
            label = text("Climb to the third level on %(cell)s and win", cell=cell)
            short, effects = text("Climb here and win"), {cell: "reach"}
            yield _move_step(direction, cell, (label, short), effects, cells)
            continue
        label = text("Move to %(cell)s (%(level)s)", cell=cell, level=level_name(height))
        short = text("Move here")
        builds = board.builds_after(worker, direction)
        effects = {cell_name(*built): "build" for _, built in builds} | {cell: "reach"}
        yield _move_step(direction, cell, (label, short), effects, cells)


def _moved(board: Santorini, worker: str, target: str, height: int) -> Cells:
    """Return the changed values of the space that a worker leaves and of the space that it
    enters."""
    origin = board.workers[worker]
    came, left = moved_label(height, worker), level_name(board.height(origin))
    return {
        cell_name(*origin): {"worker": None, "player": None, "label": left},
        target: {"worker": worker, "player": player_of(worker), "label": came},
    }


def _move_step(
    direction: str, cell: str, labels: tuple[Text, Text], effects: Effects, cells: Cells
) -> Step:
    label, short = labels
    return Step(
        text=direction,
        label=label,
        short=short,
        cell=cell,
        effects=effects,
        cells=cells,
        sign="step",
    )


def _building(board: Santorini, worker: str, direction: str, target: Cell) -> Stage:
    steps = [
        _build_step(build, cell_name(*cell), board.height(cell) + 1)
        for build, cell in board.builds_after(worker, direction)
    ]
    prompt = text("Build with worker %(worker)s.", worker=worker)
    return Stage(prompt=prompt, steps=tuple(steps), marks={cell_name(*target): "chosen"})


@cache
def _build_step(direction: str, cell: str, height: int) -> Step:
    return Step(
        text=direction,
        cell=cell,
        label=text("Build %(part)s on %(cell)s", part=part_name(height), cell=cell),
        short=text("Build %(part)s", part=part_name(height)),
        effects={cell: "build"},
        sign="lay",
        cells={cell: {"level": height, "label": level_name(height)}},
    )
