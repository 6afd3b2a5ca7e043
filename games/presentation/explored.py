"""A position on the page of an analysis, of the game or of a variation, with a better move."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple
from urllib.parse import urlencode

from games.contract import Position, SeatKey, Step, Text, parse_cell, text
from games.presentation.analysis import Hint, Line, hint_of, move_steps, valued_line
from games.presentation.board import Board, Square, build_board
from games.state.evaluations import Evaluated, summary
from games.state.replay import StoredMove
from games.state.snapshot import GameSnapshot, Standing
from games.state.variations import Variation, can_play_on, join_moves, play_line, position_of


@dataclass(frozen=True)
class PlyLink:
    """A link to another position. At either end of the game ``address`` is None: the link leads
    nowhere, but stays in place and keeps the focus."""

    sign: str
    name: Text
    address: str | None
    rel: str = ""


@dataclass(frozen=True)
class Stepper:
    """The links through a game of ``last`` moves, at the position after ``at`` of them. ``address``
    is that of a position, with ``{}`` for its number of moves."""

    at: int
    last: int
    address: str

    @property
    def links(self) -> list[PlyLink]:
        """Return the links to the first position, the ones before and after, and the last one."""
        back, on = self.at > 0, self.at < self.last
        return [
            PlyLink("«", text("First position"), self._to(0, back)),
            PlyLink("\u2039", text("Previous"), self._to(self.at - 1, back), "prev"),
            PlyLink("\u203a", text("Next"), self._to(self.at + 1, on), "next"),
            PlyLink("»", text("Last position"), self._to(self.last, on)),
        ]

    def _to(self, ply: int, is_there: bool) -> str | None:
        return self.address.replace("{}", str(ply)) if is_there else None


class TriedMove(NamedTuple):
    """A move of a variation, and the address of the position after it."""

    move: StoredMove
    address: str
    is_made: bool
    is_last: bool


@dataclass(frozen=True, kw_only=True)
class Explored:
    """An explored position. ``line`` is the last move on the board with its value, ``better`` the
    address of a better line, and ``refutation`` that of the best answers to the move.
    ``tries`` is the address of a tried move, to which the move is
    appended. ``can_play_on`` says that a new game can begin here."""

    variation: Variation
    board: Board
    line: Line | None
    better: str
    refutation: str
    hint: Hint | None
    moves: Sequence[TriedMove]
    stepper: Stepper
    tries: str
    can_play_on: bool


def explore(
    snapshot: GameSnapshot,
    variation: Variation,
    *,
    viewpoint: SeatKey | None,
    before: Evaluated | None,
    present: Evaluated | None,
    chosen: Sequence[str] = (),
) -> Explored:
    """Return a position with the moves that can be tried out in it. ``before`` are the values of
    the position before the last move, and ``present`` those of the position itself."""
    position = position_of(snapshot, variation)
    values = (before and before.values) or {"moves": []}
    line = _last_move(snapshot, variation, values)
    board = _board(snapshot, position, variation, viewpoint, chosen)
    earlier = _before(snapshot, variation)
    if line and line.better and earlier:
        board = with_drawing(board, draw_move(earlier, line.better))
    return Explored(
        variation=variation,
        board=board,
        line=line,
        better=_better_address(variation, line, values.get("line")),
        refutation=_refutation_address(variation, line, present),
        hint=hint_of(present, position) if present else None,
        moves=_tried(variation),
        stepper=_stepper(snapshot, variation),
        tries=variation_address(variation.ply, [*_made(variation), ""]),
        can_play_on=can_play_on(snapshot, position),
    )


def variation_address(ply: int, moves: Sequence[str], made: int | None = None) -> str:
    """Return the address of a variation with its first ``made`` moves on the board."""
    if not moves:
        return f"?ply={ply}"
    values = {"ply": ply, "line": join_moves(moves)}
    if made not in {None, len(moves)}:
        values["made"] = made
    return "?" + urlencode(values, safe=",{}")


def explored_address(variation: Variation) -> str:
    moves = [move.text for move in variation.moves]
    return variation_address(variation.ply, moves, variation.made)


def _made(variation: Variation) -> list[str]:
    return [move.text for move in variation.moves[: variation.made]]


def _board(
    snapshot: GameSnapshot,
    position: Position,
    variation: Variation,
    viewpoint: SeatKey | None,
    chosen: Sequence[str],
) -> Board:
    standing = Standing.of(position)
    seat = None if variation.is_full else min(standing.to_move, default=None)
    return build_board(
        snapshot.rules, standing, viewpoint=viewpoint, seat=seat, chosen=chosen, tried=True
    )


def _before(snapshot: GameSnapshot, variation: Variation) -> Position | None:
    """Return the position before the last move on the board; None at the start."""
    if variation.made:
        return play_line(snapshot.at(variation.ply), variation.line_before)
    return snapshot.at(variation.ply - 1) if variation.ply else None


def _last_move(
    snapshot: GameSnapshot, variation: Variation, values: Mapping[str, Any]
) -> Line | None:
    move = variation.last or (snapshot.moves[variation.ply - 1] if variation.ply else None)
    if move is None:
        return None
    known = summary(values, move.text)
    # Without a best move no move has a value.
    return valued_line(move, snapshot.spec(move.seat).name, known if known["best"] else None)


def _better_address(variation: Variation, line: Line | None, best: Sequence[str] | None) -> str:
    if line is None or not line.better:
        return ""
    best = best or [line.better]
    if not variation.made:
        return variation_address(variation.ply - 1, best, 1)
    earlier = _made(variation)[:-1]
    return variation_address(variation.ply, [*earlier, *best], variation.made)


def _refutation_address(variation: Variation, line: Line | None, present: Evaluated | None) -> str:
    """Return the address of the best answers to a move, the first of them on the board; '' for the
    best move."""
    values = (present and present.values) or {"moves": []}
    if line is None or not line.better or not values["moves"] or variation.is_full:
        return ""
    answers = values.get("line") or [values["moves"][0]["move"]]
    made = _made(variation)
    return variation_address(variation.ply, [*made, *answers], len(made) + 1)


def _tried(variation: Variation) -> list[TriedMove]:
    moves = [move.text for move in variation.moves]
    return [
        TriedMove(
            move,
            variation_address(variation.ply, moves, number),
            is_made=number <= variation.made,
            is_last=number == variation.made,
        )
        for number, move in enumerate(variation.moves, start=1)
    ]


def _stepper(snapshot: GameSnapshot, variation: Variation) -> Stepper:
    if not variation.moves:
        return Stepper(variation.ply, snapshot.last_ply, "?ply={}")
    line = join_moves(move.text for move in variation.moves)
    address = "?" + urlencode({"ply": variation.ply, "line": line, "made": "{}"}, safe=",{}")
    return Stepper(variation.made, len(variation.moves), address)


Cells = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Drawing:
    """The drawing of a move. By name of cell, ``ghosts`` holds the cells as the move would leave
    them, and ``arrows`` the distances in rows and columns to other cells; ``keys`` are cells to
    look at."""

    ghosts: Cells = field(default_factory=dict)
    arrows: Mapping[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    keys: Collection[str] = ()


def draw_move(position: Position, move: str) -> Drawing:
    steps = move_steps(position, move)
    changed: dict[str, Mapping[str, Any]] = {}
    for step in steps:
        for name, values in step.cells.items():
            changed[name] = {**changed.get(name, {}), **values}
    placed = set(_placed(steps))
    ghosts = {name: values for name, values in changed.items() if name in placed}
    path = list(dict.fromkeys(step.cell for step in steps if step.cell))
    arrows = {}
    # The first cell is the origin of a piece if the move puts nothing there.
    if len(path) > 1 and path[0] not in placed:
        arrows[path[0]] = (_distance(path[0], path[1]),)
    return Drawing(ghosts, arrows)


def point(cells: Collection[str], arrows: Iterable[tuple[str, str]]) -> Drawing:
    """Return the drawing of the cells and arrows of a sentence."""
    ways: dict[str, tuple[tuple[int, int], ...]] = {}
    for origin, target in arrows:
        ways[origin] = (*ways.get(origin, ()), _distance(origin, target))
    return Drawing(arrows=ways, keys=cells)


def with_drawing(board: Board, drawing: Drawing) -> Board:
    rows = [[_drawn(square, drawing) for square in row] for row in board.rows]
    return replace(board, rows=rows)


def _placed(steps: Sequence[Step]) -> Iterable[str]:
    for step in steps:
        yield from (name for name, effect in step.effects.items() if effect == "place")
        if step.cell and step.cell in step.cells:
            yield step.cell


def _distance(origin: str, target: str) -> tuple[int, int]:
    (row, column), (to_row, to_column) = parse_cell(origin), parse_cell(target)
    return to_row - row, to_column - column


def _drawn(square: Square, drawing: Drawing) -> Square:
    if ghost := drawing.ghosts.get(square.name):
        square = square._replace(ghost={**square.cell, **ghost})
    if square.name in drawing.keys:
        square = square._replace(mark="key")
    return square._replace(arrows=drawing.arrows.get(square.name, ()))
