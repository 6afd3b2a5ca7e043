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


@dataclass(frozen=True, kw_only=True)
class Board:
    """What `_board.jinja` draws. ``seat`` moves, ``viewpoint`` looks; None: nobody, a spectator."""

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
    choice = _choice(position, seat, tuple(chosen))
    return Board(
        rules=rules,
        view=view,
        rows=_rows(view, choice),
        viewpoint=viewpoint,
        seat=seat if choice.stage else None,
        stage=choice.stage,
        beside=[button for button in choice.buttons if button.step.cell is None],
        chosen=choice.chosen,
        back=" ".join(choice.chosen[:-1]) if choice.chosen else None,
        confirm=choice.confirm,
        live=live,
        columns=_columns(view),
    )


@dataclass(frozen=True, kw_only=True)
class _Choice:
    """What a seat has chosen of its move, and the buttons for what comes next; no stage for one
    that is not to move. With the whole move chosen, ``confirm`` plays it, and so does its last
    step's square."""

    stage: Stage | None = None
    chosen: Sequence[str] = ()
    buttons: Sequence[Button] = ()
    confirm: Button | None = None


def _choice(position: Position, seat: Seat | None, chosen: tuple[str, ...]) -> _Choice:
    if seat is None or seat not in position.to_move():
        return _Choice()
    legal = set(position.legal_moves(seat))
    if " ".join(chosen) in legal:
        before = position.stage(seat, chosen[:-1])
        # What is free text is typed and no step: such a move is dropped like one that is not legal.
        for last in before.steps:
            if last.text == chosen[-1]:
                return _confirming(before, last, chosen)
    try:
        stage = position.stage(seat, chosen)
    except IllegalMove:
        stage, chosen = position.stage(seat, ()), ()
    buttons = [_button(step, chosen, legal) for step in stage.steps]
    return _Choice(stage=stage, chosen=chosen, buttons=buttons)


def _button(step: Step, chosen: Sequence[str], legal: set[str]) -> Button:
    value = " ".join([*chosen, step.text])
    return Button(step, value, value in legal)


def _confirming(before: Stage, last: Step, chosen: tuple[str, ...]) -> _Choice:
    """A whole move, shown before it is made: its last step's effects, and one button."""
    marks = {**before.marks, **last.effects}
    if last.cell:
        marks[last.cell] = "chosen"
    button = Button(last, " ".join(chosen), final=True)
    prompt = text("“%(move)s”: %(step)s. Play it?", move=button.value, step=last.label)
    return _Choice(
        stage=Stage(prompt=prompt, marks=marks),
        chosen=chosen,
        buttons=[button] if last.cell else [],
        confirm=button,
    )


def _rows(view: Mapping[str, Any], choice: _Choice) -> list[list[Square]]:
    last = set(view["last"])
    marks = choice.stage.marks if choice.stage else {}
    buttons = {button.step.cell: button for button in choice.buttons}

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
