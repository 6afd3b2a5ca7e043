"""The computer players of Hermit, behind `games.contract.Computer`.

A level plays perfectly once the position is light enough for it to solve. Before that it plays at
random; the highest level looks for symmetry, and otherwise chooses among the moves that it could
not refute.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from games.contract import (
    CannotPlay,
    Choice,
    MoveValue,
    Position,
    Region,
    SeatKey,
    Text,
    cell_name,
    text,
)
from games.hermit.ai.solver import Part, Solver, regions_of
from games.hermit.counting import is_mirrored
from games.hermit.engine import Hermit
from games.hermit.position import HermitPosition, parse_move

HIGHEST: Final = 5
"""The number of the strongest level."""
MISTAKE: Final = 0.25
"""Values are 1, 0 or -1, so a move that gives a win away is a blunder. A graph spans at least four
mistakes, which puts a won position near its edge."""


@dataclass(frozen=True, slots=True)
class _Horizon:
    """The search horizon of a level: the heaviest positions that it solves, and the nodes for that.

    The weight is that of all regions together, or of the heaviest one (``by_region``). Regions are
    solved one by one, so a board of many small regions is light. Weaker levels use the sum, which
    limits their strength.
    """

    weight: int
    nodes: int
    by_region: bool = False

    def reaches(self, option: _Option) -> bool:
        """Return whether the position after an option is light enough to be solved."""
        if self.by_region:
            return all(part.weight <= self.weight for part in option.parts)
        return option.weight <= self.weight


_HORIZONS: Final = {
    2: _Horizon(weight=12, nodes=20_000),
    3: _Horizon(weight=21, nodes=20_000),
    6: _Horizon(weight=28, nodes=50_000),
    4: _Horizon(weight=34, nodes=50_000),
    7: _Horizon(weight=39, nodes=50_000),
    8: _Horizon(weight=44, nodes=50_000),
    9: _Horizon(weight=50, nodes=100_000),
    10: _Horizon(weight=55, nodes=200_000),
    5: _Horizon(weight=100, nodes=400_000, by_region=True),
}

_ALL_LOSE: Final = text("Every move loses against perfect play. This one is the hardest to answer.")
"""The hint for a losing move, which can be the best one only if all others lose too."""

_FEW: Final = 40
"""With more moves than this, level 1 does not look for a move that ends the game."""
_EFFORTS: Final = (1_000, 30_000, 400_000)
"""Nodes for one move before the next one is tried, in an evaluation of all moves."""


@dataclass(slots=True)
class _Option:
    """A move, or several equivalent moves, and the regions that they leave.

    ``wins`` says whether it wins, and ``nimber`` is the Grundy value of the regions; None: unknown.
    """

    move: str
    parts: list[Part]
    weight: int
    wins: bool | None = None
    nimber: int | None = None
    mirrored: bool = False


# --- games.contract.Computer -------------------------------------------------------------------


def choose(
    position: Position, seat: SeatKey, level: int, rng: Random, *, seconds: float = 10.0
) -> Choice:
    """Return the move of a level.

    Level 1 plays any move but takes an immediate win; level 5 plays perfectly if it can solve the
    position.
    """
    board = _board_of(position)
    if level != 1 and level not in _HORIZONS:
        raise CannotPlay(text("Hermit has no computer player of level %(level)s.", level=level))
    moves = list(position.legal_moves(seat))
    if not moves:
        raise CannotPlay(text("There is no move to choose."))
    rng.shuffle(moves)
    if level == 1:
        return Choice(move=_last_or_any(board, moves))
    options = list(_options(board, moves).values())
    if level == HIGHEST:
        _look_for_mirrors(board, options)
    horizon = _HORIZONS[level]
    _find_a_win(options, Solver(horizon.nodes, seconds=seconds), horizon)
    return Choice(move=_pick(options, level))


def evaluate(position: Position, *, seconds: float = 2.0) -> Mapping[str, MoveValue]:
    """Return for each move whether it wins, and the Grundy value of the position after it, if
    found."""
    board = _board_of(position)
    moves = [move for seat in position.to_move() for move in position.legal_moves(seat)]
    by_move = _options(board, moves)
    options = list({id(option): option for option in by_move.values()}.values())
    _look_for_mirrors(board, options)
    horizon = _HORIZONS[HIGHEST]
    solver = Solver(horizon.nodes, seconds=seconds)
    _solve_all(options, solver, horizon)
    _find_nimbers(options, solver)
    values = {id(option): _value_of(option) for option in options}
    # Moves of equal value are listed in this order, so the first losing move is the hardest to
    # refute.
    hardest_first = sorted(by_move.items(), key=_weight_if_lost, reverse=True)
    return {move: values[id(option)] for move, option in hardest_first}


def regions(position: Position, *, seconds: float = 2.0) -> Sequence[Region]:
    """Return the independent regions of the board with their values; none if there is only one.

    For a single region the values of the moves say everything, and a whole board is too large to
    search."""
    if len(regions_of(_board_of(position))) < 2:
        return []
    return [
        Region(
            cells=cells,
            value=text("not solved")
            if nimber is None
            else text("Grundy value %(value)s", value=nimber),
        )
        for cells, nimber in values_of_regions(position, seconds=seconds)
    ]


def values_of_regions(
    position: Position, *, seconds: float = 2.0
) -> list[tuple[tuple[str, ...], int | None]]:
    """Return the names of the squares of each independent region and its Grundy value, None if it
    was not found."""
    board = _board_of(position)
    solver = Solver(_HORIZONS[HIGHEST].nodes, seconds=seconds)
    parts = regions_of(board)
    # The lightest first: a region that uses up the nodes leaves none for the others.
    lightest_first = sorted(parts, key=lambda part: part.weight)
    values = {part.mask: solver.value(part) for part in lightest_first}
    return [
        (tuple(cell_name(*cell) for cell in board.cells(part.mask)), values[part.mask])
        for part in parts
    ]


# --- parts of both -------------------------------------------------------------------------------


def _board_of(position: Position) -> Hermit:
    if not isinstance(position, HermitPosition):
        raise CannotPlay(text("This computer player plays Hermit only."))
    return position.board


def _last_or_any(board: Hermit, moves: Sequence[str]) -> str:
    """Return a move after which no block fits, which wins at once; otherwise the first move."""
    if len(moves) <= _FEW:
        for move in moves:
            if not board.copy().move(*parse_move(move)).possible_moves():
                return move
    return moves[0]


def _weight(option: _Option) -> int:
    return option.weight


def _weight_if_lost(item: tuple[str, _Option]) -> int:
    return item[1].weight if item[1].wins is False else 0


def _options(board: Hermit, moves: Iterable[str]) -> dict[str, _Option]:
    """Return the option of each move. Moves that leave the same regions share one."""
    options: dict[object, _Option] = {}
    by_move = {}
    for move in moves:
        left = regions_of(board.copy().move(*parse_move(move)))
        wide = any(part.state is None for part in left)
        key = move if wide else tuple(sorted(part.state or () for part in left))
        if key not in options:
            options[key] = _Option(move, left, sum(part.weight for part in left))
        by_move[move] = options[key]
    return by_move


def _look_for_mirrors(board: Hermit, options: Iterable[_Option]) -> None:
    for option in options:
        if is_mirrored(board.copy().move(*parse_move(option.move))):
            option.wins = option.mirrored = True


def _find_a_win(options: Sequence[_Option], solver: Solver, horizon: _Horizon) -> None:
    """Find an option that wins among those in ``horizon``, the lightest first.

    Each is solved completely before the next. The transposition table makes the next one cheaper,
    and this took a third of the nodes that iterative deepening needed."""
    if any(option.wins for option in options):
        return
    for option in sorted(options, key=_weight):
        if horizon.reaches(option) and solver.nodes_left > 0:
            option.wins = solver.is_lost(option.parts)
            if option.wins:
                return


def _solve_all(options: Sequence[_Option], solver: Solver, horizon: _Horizon) -> None:
    """Find out whether each option in ``horizon`` wins, with growing effort."""
    for effort in _EFFORTS:
        for option in sorted(options, key=_weight):
            if option.wins is None and horizon.reaches(option) and solver.nodes_left > 0:
                option.wins = solver.is_lost(option.parts, effort)


def _find_nimbers(options: Sequence[_Option], solver: Solver) -> None:
    """Find the Grundy values of the regions after losing options, with growing effort: large values
    can take a thousand times as long as small ones."""
    for effort in _EFFORTS:
        for option in options:
            if option.wins is False and option.nimber is None and solver.nodes_left > 0:
                option.nimber = solver.sum_of_values(option.parts, effort)


def _pick(options: Sequence[_Option], level: int) -> str:
    """Return a winning move, or else one of unknown value, or else a losing one.

    The highest level leaves the heaviest position, which the opponent can solve last."""
    for wins in (True, None, False):
        fitting = [option for option in options if option.wins is wins]
        if fitting:
            return (max(fitting, key=_weight) if level == HIGHEST else fitting[0]).move
    raise CannotPlay(text("There is no move to choose."))


def _value_of(option: _Option) -> MoveValue:
    if option.wins is None:
        return MoveValue(value=0.0, shown=text("not solved"), known=False)
    if option.wins:
        return MoveValue(
            value=1.0,
            shown=text("wins"),
            detail=text("wins, Grundy value 0"),
            why=_why(option),
            exact=True,
        )
    loses, detail = text("loses"), None
    if option.nimber is not None:
        detail = text("loses, Grundy value %(value)s", value=option.nimber)
    return MoveValue(value=-1.0, shown=loses, detail=detail, why=_ALL_LOSE, exact=True)


def _why(option: _Option) -> Text:
    if not option.parts:
        return text("It’s the last block that fits.")
    if option.mirrored:
        return text("Then mirror every move: same colour, rotated 180°.")
    return text("Your opponent then has no winning reply.")
