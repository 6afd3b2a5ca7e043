"""Columns of games that hold something else than the site has written, because they were changed
by hand. A game is read without them, and `verify` names them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from typing import Any

from games.contract import SeatSpec, Text, text
from games.core.clocks import Clock
from games.core.seating import Occupancy, Seating
from games.models import Game


def _is_list_of_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(part, str) for part in value)


def _are_marks(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(mark, dict) and {"player", "seat", "move"} <= set(mark) for mark in value
    )


def _is_clock(value: Any) -> bool:
    if value is None:
        return True
    with suppress(AttributeError, KeyError, TypeError, ValueError):
        clock = Clock.from_json(value)
        times = [*clock.left.values(), clock.since]
        # A side that runs without a time would fail at the next move.
        return all(type(ms) is int for ms in times) and set(clock.running) <= set(clock.left)
    return False


def _is_undo_request(value: Any) -> bool:
    if value is None:
        return True
    is_whole = isinstance(value, dict) and isinstance(value.get("asker"), str)
    return is_whole and _is_list_of_texts(value.get("accepted"))


def _is_banner(value: Any) -> bool:
    if value is None:
        return True
    with suppress(AttributeError, KeyError, TypeError, ValueError):
        Text.from_json(value)
        return "lasting" not in value or bool(Text.from_json(value["lasting"]))
    return False


def _is_mapping_or_none(value: Any) -> bool:
    return value is None or isinstance(value, dict)


def _is_count(value: Any) -> bool:
    return type(value) is int


COLUMNS: Mapping[str, tuple[Callable[[Any], bool], Any]] = {
    "ply": (_is_count, 0),
    "undone": (_is_count, 0),
    "marks": (_are_marks, []),
    "clock": (_is_clock, None),
    "undo_request": (_is_undo_request, None),
    "banner": (_is_banner, None),
    "attendance": (_is_mapping_or_none, None),
    "to_move": (_is_list_of_texts, []),
}
"""The columns that have a structure: how it is recognized, and what a game is read with instead."""


def mend_row(game: Game) -> Game:
    """Replace the columns of a game that cannot be read, in memory alone, and return the game."""
    for name in _unreadable(game):
        setattr(game, name, COLUMNS[name][1])
    return game


def mend_seating(seating: Seating, specs: Collection[SeatSpec]) -> Seating:
    """Return a seating with exactly the seats that the rules describe."""
    keys = [spec.key for spec in specs]
    if list(seating.places) == keys:
        return seating
    return Seating({key: seating.places.get(key, Occupancy(None, False)) for key in keys})


def row_fault(game: Game, specs: Collection[SeatSpec]) -> Text | None:
    """Return in words the first column or seat of a game that the site cannot have written."""
    if unreadable := _unreadable(game):
        return text("the column “%(name)s” is unreadable", name=unreadable[0])
    if game.status not in Game.Status.values:
        return text("the column “%(name)s” is unreadable", name="status")
    keys, sides = {spec.key for spec in specs}, {spec.side for spec in specs}
    levels = dict(game.seats.values_list("key", "computer"))
    if set(levels) != keys:
        return text("the stored seats are not those of the rules")
    if any(level is not None and not 1 <= level <= game.rules.levels for level in levels.values()):
        return text("a seat has a computer of an unknown level")
    if game.clock is not None and set(game.clock["left"]) != sides:
        return text("the clock is not one of these sides")
    if game.undo_request is not None and game.undo_request["asker"] not in keys:
        return text("a seat that does not exist asks to take a move back")
    waits = any(levels.get(key) is not None for key in game.to_move) and not game.over
    advised = waits and any(not mark["player"] for mark in game.marks)
    if game.fault is None and game.computer_to_move != waits and not advised:
        return text("the stored turn of a computer differs from the replay")
    return None


def _unreadable(game: Game) -> list[str]:
    return [
        name for name, (is_readable, _) in COLUMNS.items() if not is_readable(getattr(game, name))
    ]
