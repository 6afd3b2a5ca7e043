"""Choosing a move of Santorini by clicks: a worker, a move, a build."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from games.contract import Cell, Stage, Step, Text, cell_name, next_steps, parse_cell, text
from games.santorini.engine import THIRD_LEVEL, Santorini
from games.santorini.messages import (
    letters_of,
    level_name,
    moved_label,
    part_name,
    placed_label,
    player_of,
)

Effects = Mapping[str, str]
Cells = Mapping[str, Mapping[str, Any]]


def stage(board: Santorini, player: int, moves: Iterable[str], chosen: tuple[str, ...]) -> Stage:
    """Return the choice of a player to move among ``moves``, after the steps ``chosen``.

    Raises IllegalMove, see `next_steps`."""
    tokens = next_steps(moves, chosen)
    if letters_of(player)[0] not in board.workers:
        return _placing(board, player, chosen, tokens)
    if not chosen:
        return _choosing_worker(board, tokens)
    if len(chosen) == 1:
        return _moving(board, chosen[0], tokens)
    return _building(board, chosen, tokens)


def _placing(board: Santorini, player: int, chosen: tuple[str, ...], tokens: list[str]) -> Stage:
    letter = letters_of(player)[len(chosen)]
    steps = tuple(
        Step(
            text=token,
            cell=token,
            label=text("Place worker %(worker)s on %(cell)s", worker=letter, cell=token),
            effects={token: "place"},
            sign="stand",
            cells={token: _placed(board, letter, token)},
        )
        for token in tokens
    )
    prompts = text("Place your first worker."), text("Place your second worker.")
    return Stage(prompt=prompts[len(chosen)], steps=steps, marks=dict.fromkeys(chosen, "chosen"))


def _placed(board: Santorini, worker: str, cell: str) -> Mapping[str, Any]:
    label = placed_label(board.height(parse_cell(cell)), worker)
    return {"worker": worker, "player": player_of(worker), "label": label}


def _moved(board: Santorini, worker: str, target: Cell) -> Cells:
    """Return the changes of the space that a worker leaves and of the one that it enters."""
    origin = board.workers[worker]
    came = moved_label(board.height(target), worker)
    left = level_name(board.height(origin))
    return {
        cell_name(*origin): {"worker": None, "player": None, "label": left},
        cell_name(*target): {"worker": worker, "player": player_of(worker), "label": came},
    }


def _choosing_worker(board: Santorini, tokens: list[str]) -> Stage:
    steps = []
    for worker in tokens:
        cell = cell_name(*board.workers[worker])
        reach = {cell_name(*target): "reach" for _, target in board.moves(worker)}
        label = text("Worker %(worker)s on %(cell)s", worker=worker, cell=cell)
        steps.append(Step(text=worker, cell=cell, label=label, effects=reach, sign="take"))
    return Stage(prompt=text("Choose a worker."), steps=tuple(steps))


def _moving(board: Santorini, worker: str, tokens: list[str]) -> Stage:
    origin = cell_name(*board.workers[worker])
    return Stage(
        prompt=text("Move worker %(worker)s.", worker=worker),
        steps=tuple(_move_steps(board, worker, tokens)),
        marks={origin: "chosen"},
    )


def _move_steps(board: Santorini, worker: str, tokens: list[str]) -> Iterator[Step]:
    targets = dict(board.moves(worker))
    for direction in tokens:
        target = targets[direction]
        cell, cells = cell_name(*target), _moved(board, worker, target)
        if board.height(target) == THIRD_LEVEL:
            label = text("Climb to the third level on %(cell)s and win", cell=cell)
            yield _step(direction, cell, label, {cell: "reach"}, cells)
            continue
        label = text(
            "Move to %(cell)s (%(level)s)", cell=cell, level=level_name(board.height(target))
        )
        builds = board.builds_after(worker, direction)
        effects = {cell_name(*built): "build" for _, built in builds} | {cell: "reach"}
        yield _step(direction, cell, label, effects, cells)


def _step(direction: str, cell: str, label: Text, effects: Effects, cells: Cells) -> Step:
    return Step(text=direction, cell=cell, label=label, effects=effects, cells=cells, sign="step")


def _building(board: Santorini, chosen: tuple[str, ...], tokens: list[str]) -> Stage:
    worker, direction = chosen
    target = dict(board.moves(worker))[direction]
    builds = dict(board.builds_after(worker, direction))
    steps = []
    for build in tokens:
        cell = cell_name(*builds[build])
        height = board.height(builds[build]) + 1
        steps.append(
            Step(
                text=build,
                cell=cell,
                label=text("Build %(part)s on %(cell)s", part=part_name(height), cell=cell),
                effects={cell: "build"},
                sign="lay",
                cells={cell: {"level": height, "label": level_name(height)}},
            )
        )
    prompt = text("Build with worker %(worker)s.", worker=worker)
    return Stage(prompt=prompt, steps=tuple(steps), marks={cell_name(*target): "chosen"})
