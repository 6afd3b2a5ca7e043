"""A board ready for its template: the view of one viewpoint, and what a click would do.

The same board is drawn on the game's page, in answers to moves, in streams, on the rules page and
in the admin; templates get this and never a position or a setup.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from games.contract import (
    Example,
    IllegalMove,
    Position,
    Rules,
    Seat,
    Stage,
    Step,
    Text,
    text,
)
from games.visibility import view_for

LARGEST_UNSCROLLED = 20


@dataclass(frozen=True)
class Button:
    """A step as a button: ``value`` is the move, or the part of a move, that it sends."""

    step: Step
    value: str
    final: bool


class Square(NamedTuple):
    """One cell of the board: ``cell`` is the game's own mapping, the rest is the site's."""

    name: str
    row: int
    column: int
    cell: Mapping[str, Any]
    button: Button | None = None
    mark: str = ""
    last: bool = False


@dataclass(frozen=True)
class Board:
    """What `_board.html` draws. ``seat`` moves, ``viewpoint`` looks; None: nobody, a spectator."""

    rules: Rules
    view: Mapping[str, Any]
    rows: Sequence[Sequence[Square]]
    viewpoint: Seat | None = None
    seat: Seat | None = None
    stage: Stage | None = None
    beside: Sequence[Button] = ()
    chosen: Sequence[str] = ()
    back: str | None = None
    confirm: Button | None = None
    live: bool = False
    columns: Sequence[str] = field(default_factory=list)

    @property
    def large(self) -> bool:
        """Whether it scrolls inside a window of its own."""
        return len(self.columns) > LARGEST_UNSCROLLED


def build(
    rules: Rules,
    position: Position,
    *,
    viewpoint: Seat | None,
    seat: Seat | None = None,
    chosen: Sequence[str] = (),
    live: bool = False,
) -> Board:
    """The board as ``viewpoint`` sees it, with the buttons of ``seat`` after ``chosen`` steps.

    A choice that no legal move begins with is dropped: the board has changed since."""
    view = view_for(position, viewpoint)
    if seat is None or seat not in position.to_move():
        return Board(rules, view, _rows(view, {}, {}), viewpoint, live=live, columns=_columns(view))
    legal = set(position.legal_moves(seat))
    if " ".join(chosen) in legal:
        return _confirming(rules, view, viewpoint, seat, position, chosen, live)
    stage, chosen = _stage(position, seat, chosen)
    buttons = [_button(step, chosen, legal) for step in stage.steps]
    on_cells = {button.step.cell: button for button in buttons if button.step.cell}
    return Board(
        rules,
        view,
        _rows(view, on_cells, stage.marks),
        viewpoint,
        seat,
        stage,
        [button for button in buttons if button.step.cell is None],
        chosen,
        " ".join(chosen[:-1]) if chosen else None,
        live=live,
        columns=_columns(view),
    )


def _stage(position: Position, seat: Seat, chosen: Sequence[str]) -> tuple[Stage, tuple[str, ...]]:
    try:
        return position.stage(seat, tuple(chosen)), tuple(chosen)
    except IllegalMove:
        return position.stage(seat, ()), ()


def _button(step: Step, chosen: Sequence[str], legal: set[str]) -> Button:
    value = " ".join([*chosen, step.text])
    return Button(step, value, value in legal)


def _confirming(
    rules: Rules,
    view: Mapping[str, Any],
    viewpoint: Seat | None,
    seat: Seat,
    position: Position,
    chosen: Sequence[str],
    live: bool,
) -> Board:
    """A whole move, shown before it is made: its last step's effects, and one button."""
    before = position.stage(seat, tuple(chosen[:-1]))
    last = next(step for step in before.steps if step.text == chosen[-1])
    marks = {**before.marks, **last.effects}
    if last.cell:
        marks[last.cell] = "chosen"
    button = Button(last, " ".join(chosen), final=True)
    on_cells = {last.cell: button} if last.cell else {}
    return Board(
        rules,
        view,
        _rows(view, on_cells, marks),
        viewpoint,
        seat,
        Stage(
            prompt=text("“%(move)s”: %(step)s. Play it?", move=button.value, step=last.label),
            marks=marks,
        ),
        (),
        chosen,
        " ".join(chosen[:-1]),
        confirm=button,
        live=live,
        columns=_columns(view),
    )


def _rows(
    view: Mapping[str, Any], buttons: Mapping[str, Button], marks: Mapping[str, str]
) -> list[list[Square]]:
    last = set(view["last"])

    def square(row: int, column: int, cell: Mapping[str, Any]) -> Square:
        name = cell["name"]
        return Square(name, row, column, cell, buttons.get(name), marks.get(name, ""), name in last)

    return [
        [square(row, column, cell) for column, cell in enumerate(cells)]
        for row, cells in enumerate(view["rows"])
    ]


def _columns(view: Mapping[str, Any]) -> list[str]:
    return [cell["name"].rstrip("0123456789") for cell in view["rows"][0]]


def of_example(rules: Rules, example: Example) -> Board:
    """The picture of an example on the rules page."""
    position = rules.start(example.setup)
    for seat, move in example.moves:
        position.play(seat, move)
    return build(
        rules,
        position,
        viewpoint=example.viewer,
        seat=example.mover,
        chosen=example.chosen,
    )


def news(view: Mapping[str, Any]) -> list[Text]:
    """What the last move was and what followed from it, as sentences."""
    return list(view["news"])
