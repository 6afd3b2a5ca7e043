"""A board ready for its template, wherever it is rendered: the view of one seat, with the buttons
for its next step. Templates get no position and no setup."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from django.utils.translation import gettext

from games.contract import Example, IllegalMove, Position, Rules, SeatKey, Stage, Step, text
from games.presentation.step_tree import StepTree, step_tree
from games.presentation.visibility import view_for
from games.state.marks import Mark
from games.state.snapshot import Standing

LARGEST_UNSCROLLED = 20

_Cells = Mapping[str, Mapping[str, Any]]
"""Changed values of cells, by name; see `Step`."""


class Button(NamedTuple):
    """A step as a button, which sends ``value``, ``pressed`` if it is chosen already."""

    step: Step
    value: str
    final: bool
    pressed: bool = False

    @property
    def marks(self) -> bool:
        """Whether it only marks its move, to be played by a second click."""
        return self.step.confirm and self.step.cell is not None


class Square(NamedTuple):
    """A cell of the board: ``cell`` is the game's own mapping, ``marked_by`` the players with a
    mark on it, and of a better move ``ghost`` the cell and ``arrows`` the ways of its piece in rows
    and columns."""

    name: str
    row: int
    column: int
    cell: Mapping[str, Any]
    button: Button | None = None
    mark: str = ""
    last: bool = False
    marked_by: tuple[str, ...] = ()
    ghost: Mapping[str, Any] | None = None
    arrows: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, kw_only=True)
class Board:
    """The values of `_board.jinja`. ``seat`` is the one whose moves the board offers, ``viewpoint``
    the one whose view it shows; None: a spectator. ``has_marks`` says that its moves are marked
    before they are played, and ``marked`` is the button of the move that the viewer has marked.
    ``sprite`` is the address of the drawings of `Rules.pictures`: a file with a symbol for each,
    whose id is its name. On a ``tried`` board moves are tried out, not played."""

    rules: Rules
    view: Mapping[str, Any]
    rows: Sequence[Sequence[Square]]
    viewpoint: SeatKey | None = None
    seat: SeatKey | None = None
    stage: Stage | None = None
    beside: Sequence[Button] = ()
    chosen: Sequence[str] = ()
    back: str | None = None
    confirm: Button | None = None
    has_marks: bool = False
    marked: Button | None = None
    live: bool = False
    tried: bool = False
    sprite: str = ""
    columns: Sequence[str] = field(default_factory=list)
    tree: StepTree | None = None

    @property
    def large(self) -> bool:
        return len(self.columns) > LARGEST_UNSCROLLED

    def asks_first(self, confirm: str) -> bool:
        """Whether the first click on a whole move only shows its effects, not shown yet."""
        return confirm == "always" and self.confirm is None


def build_board(
    rules: Rules,
    standing: Standing,
    *,
    viewpoint: SeatKey | None,
    seat: SeatKey | None = None,
    chosen: Sequence[str] = (),
    live: bool = False,
    tried: bool = False,
    touched: Collection[str] = (),
    marks: Sequence[Mark] = (),
    marked: str = "",
    sprite: str = "",
) -> Board:
    """Return the board as ``viewpoint`` sees it, with buttons for ``seat`` after the steps
    ``chosen``, unless the board has changed since. Cells ``touched`` are highlighted like those of
    the last move; ``marks`` are those of all, and ``marked`` is the viewer's."""
    position, view = standing.position, view_for(standing.position, viewpoint)
    choice = _choice(standing, seat, tuple(chosen))
    cells: _Cells = {}
    if seat and choice.chosen:
        cells = _so_far(position, seat, choice.chosen)
        others = _others(position, seat, choice) if live else ()
        choice = replace(choice, buttons=[*choice.buttons, *others])
    own = next(
        (button for button in choice.buttons if button.marks and button.value == marked), None
    )
    if own and own.step.cell and choice.stage:
        stage = replace(choice.stage, marks={**choice.stage.marks, own.step.cell: "chosen"})
        choice = replace(choice, stage=stage)
    winning = _winning(standing, view)
    rows = _rows(view, choice, cells, {*view["last"], *touched}, winning, _names(marks))
    return Board(
        rules=rules,
        view=view,
        rows=rows,
        viewpoint=viewpoint,
        seat=seat if choice.stage else None,
        stage=choice.stage,
        beside=[button for button in choice.buttons if button.step.cell is None],
        chosen=choice.chosen,
        back=" ".join(choice.chosen[:-1]) if choice.chosen else None,
        confirm=choice.confirm,
        has_marks=any(button.marks for button in choice.buttons),
        marked=own,
        live=live,
        tried=tried,
        sprite=sprite,
        columns=_columns(view),
        tree=_tree(position, seat, choice, rows) if live else None,
    )


def _tree(
    position: Position, seat: SeatKey | None, choice: _Choice, rows: Sequence[Sequence[Square]]
) -> StepTree | None:
    """Return the tree of the steps that can follow; None if the move only has to be confirmed."""
    if seat is None or choice.stage is None or choice.confirm:
        return None
    cells = {square.name: square.cell for line in rows for square in line}
    return step_tree(position, seat, choice.stage, choice.chosen, cells, choice.legal)


@dataclass(frozen=True, kw_only=True)
class _Choice:
    """The chosen steps of a seat's move and the buttons for the next step; there is no stage for a
    seat that is not to move. When the whole move is chosen, ``confirm`` plays it, and so does the
    square of its last step. ``legal`` are the moves of the seat."""

    stage: Stage | None = None
    chosen: Sequence[str] = ()
    buttons: Sequence[Button] = ()
    confirm: Button | None = None
    legal: frozenset[str] = frozenset()


def _choice(standing: Standing, seat: SeatKey | None, chosen: tuple[str, ...]) -> _Choice:
    if seat is None or seat not in standing.to_move:
        return _Choice()
    position = standing.position
    legal = frozenset(position.legal_moves(seat))
    if " ".join(chosen) in legal:
        before = position.stage(seat, chosen[:-1])
        # Free text is no chosen step: such a move is dropped like an illegal one.
        for last in before.steps:
            if last.text == chosen[-1]:
                return _confirming(before, last, chosen)
    try:
        stage = position.stage(seat, chosen)
    except IllegalMove:
        stage, chosen = position.stage(seat, ()), ()
    buttons = [_button(step, chosen, legal) for step in stage.steps]
    return _Choice(stage=stage, chosen=chosen, buttons=buttons, legal=legal)


def _button(step: Step, chosen: Sequence[str], legal: Set[str]) -> Button:
    value = " ".join([*chosen, step.text])
    return Button(step, value, value in legal)


def _confirming(before: Stage, last: Step, chosen: tuple[str, ...]) -> _Choice:
    """Return the choice for a whole move to be confirmed, with the effects of its last step."""
    marks = {**before.marks, **last.effects}
    if last.cell:
        marks[last.cell] = "chosen"
    button = Button(last, " ".join(chosen), final=True)
    return _Choice(
        stage=Stage(prompt=text("%(step)s?", step=last.question), marks=marks),
        chosen=chosen,
        buttons=[button] if last.cell else [],
        confirm=button,
    )


def _others(position: Position, seat: SeatKey, choice: _Choice) -> Iterator[Button]:
    """Yield buttons that play no move, for other first steps, and for other last steps of a whole
    move, on cells without a button. Beside the board the chosen step is shown as well."""
    chosen = tuple(choice.chosen)
    taken = {_place(button.step) for button in choice.buttons}
    for before in [chosen[:-1], ()] if choice.confirm else [()]:
        for step in position.stage(seat, before).steps:
            steps = (*before, step.text)
            pressed = chosen[: len(steps)] == steps
            if _place(step) not in taken and not (pressed and step.cell):
                taken.add(_place(step))
                yield Button(step, " ".join(steps), final=False, pressed=pressed)


def _place(step: Step) -> tuple[bool, str]:
    """Return the place of a step's button: its cell, or its own name for one beside the board."""
    return bool(step.cell), step.cell or step.text


def _so_far(position: Position, seat: SeatKey, chosen: Sequence[str]) -> _Cells:
    """Return the values of cells that the chosen steps have changed from the view."""
    cells: dict[str, Mapping[str, Any]] = {}
    for number, token in enumerate(chosen):
        for step in position.stage(seat, chosen[:number]).steps:
            if step.text == token:
                cells |= {name: {**cells.get(name, {}), **new} for name, new in step.cells.items()}
    return cells


def _names(marks: Iterable[Mark]) -> dict[str, tuple[str, ...]]:
    """Return the names of the players that have marked a move on a cell, by the cell's name."""
    names: dict[str, tuple[str, ...]] = {}
    for mark in marks:
        cell = mark.step.cell or ""
        name = gettext("Computer") if mark.player_id is None else mark.name or gettext("Guest")
        names[cell] = (*names.get(cell, ()), name)
    return names


def _rows(
    view: Mapping[str, Any],
    choice: _Choice,
    cells: _Cells,
    last: Collection[str],
    won: Iterable[str],
    names: Mapping[str, tuple[str, ...]],
) -> list[list[Square]]:
    marks = choice.stage.marks if choice.stage else dict.fromkeys(won, "won")
    buttons = {button.step.cell: button for button in choice.buttons}
    special = {*cells, *buttons, *marks, *names, *last}

    def square(row: int, column: int, cell: Mapping[str, Any]) -> Square:
        name = cell["name"]
        if name in cells:
            cell = {**cell, **cells[name]}
        button, mark, marked_by = buttons.get(name), marks.get(name, ""), names.get(name, ())
        return Square(name, row, column, cell, button, mark, name in last, marked_by)

    # Most squares consist of their cell alone.
    return [
        [
            square(row, column, cell)
            if cell["name"] in special
            else Square(cell["name"], row, column, cell)
            for column, cell in enumerate(line)
        ]
        for row, line in enumerate(view["rows"])
    ]


def _winning(standing: Standing, view: Mapping[str, Any]) -> Iterable[str]:
    """Return the cells that show why the game is won, by default those of the last move."""
    result = standing.result
    return view.get("winning", view["last"]) if result and result.winners else ()


def _columns(view: Mapping[str, Any]) -> list[str]:
    return [cell["name"].rstrip("0123456789") for cell in view["rows"][0]]


def example_board(rules: Rules, example: Example, *, sprite: str = "") -> Board:
    position = rules.start(example.setup)
    for seat, move in example.moves:
        position.play(seat, move)
    return build_board(
        rules,
        Standing.of(position),
        viewpoint=example.viewer,
        seat=example.mover,
        chosen=example.chosen,
        sprite=sprite,
    )
