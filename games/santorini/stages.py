"""Choosing a move of Santorini one space at a time: what can be clicked, and what it does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from games.contract import Seat, Stage, Step, cell_name, next_steps, text
from games.santorini.engine import DOME, THIRD_LEVEL
from games.santorini.words import letters_of, level_name, part_name

if TYPE_CHECKING:
    from games.santorini.position import SantoriniPosition


def stage(position: SantoriniPosition, seat: Seat, chosen: tuple[str, ...]) -> Stage:
    """What a seat can choose after the steps ``chosen``. Raises IllegalMove, see `Stage`."""
    tokens = next_steps(position.legal_moves(seat), chosen)
    if position.is_placing():
        return _placing(position, chosen, tokens)
    if not chosen:
        return _choosing_worker(position, tokens)
    if len(chosen) == 1:
        return _moving(position, chosen[0], tokens)
    return _building(position, chosen, tokens)


def _placing(position: SantoriniPosition, chosen: tuple[str, ...], tokens: list[str]) -> Stage:
    letter = letters_of(position.turn)[len(chosen)]
    steps = tuple(
        Step(
            text=token,
            cell=token,
            label=text("Place worker %(worker)s on %(cell)s", worker=letter, cell=token),
            effects={token: "place"},
        )
        for token in tokens
    )
    prompts = text("Place your first worker."), text("Place your second worker.")
    return Stage(prompt=prompts[len(chosen)], steps=steps, marks=dict.fromkeys(chosen, "chosen"))


def _choosing_worker(position: SantoriniPosition, tokens: list[str]) -> Stage:
    board = position.board
    steps = []
    for worker in tokens:
        cell = cell_name(*board.workers[worker])
        reach = {cell_name(*target): "reach" for _, target in board.moves(worker)}
        label = text("Worker %(worker)s on %(cell)s", worker=worker, cell=cell)
        steps.append(Step(text=worker, cell=cell, label=label, effects=reach))
    return Stage(prompt=text("Choose a worker."), steps=tuple(steps))


def _moving(position: SantoriniPosition, worker: str, tokens: list[str]) -> Stage:
    origin = cell_name(*position.board.workers[worker])
    return Stage(
        prompt=text("Move worker %(worker)s.", worker=worker),
        steps=tuple(_move_steps(position, worker, tokens)),
        marks={origin: "chosen"},
    )


def _move_steps(position: SantoriniPosition, worker: str, tokens: list[str]) -> Iterator[Step]:
    board = position.board
    targets = dict(board.moves(worker))
    for direction in tokens:
        target = targets[direction]
        cell = cell_name(*target)
        if board.height(target) == THIRD_LEVEL:
            label = text("Climb to the third level on %(cell)s and win", cell=cell)
            yield Step(text=direction, cell=cell, label=label, effects={cell: "reach"})
            continue
        label = text(
            "Move to %(cell)s, %(level)s", cell=cell, level=level_name(board.height(target))
        )
        builds = board.builds_after(worker, direction)
        effects = {cell_name(*built): "build" for _, built in builds} | {cell: "reach"}
        yield Step(text=direction, cell=cell, label=label, effects=effects)


def _building(position: SantoriniPosition, chosen: tuple[str, ...], tokens: list[str]) -> Stage:
    board = position.board
    worker, direction = chosen
    origin = board.workers[worker]
    target = dict(board.moves(worker))[direction]
    marks = {cell_name(*origin): "chosen", cell_name(*target): "chosen"}
    builds = dict(board.builds_after(worker, direction))
    steps = []
    for build in tokens:
        cell = cell_name(*builds[build])
        part = part_name(min(board.height(builds[build]) + 1, DOME))
        label = text("Build %(part)s on %(cell)s", part=part, cell=cell)
        steps.append(Step(text=build, cell=cell, label=label, effects={cell: "build"}))
    prompt = text("Build with worker %(worker)s.", worker=worker)
    return Stage(prompt=prompt, steps=tuple(steps), marks=marks)
