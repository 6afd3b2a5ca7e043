"""The computer player of Othello: its levels, and values of moves for hints and analysis.

Level 1 is a match for a beginner, and level 6 plays as well as a few seconds allow: 8x8 with the
learned evaluation and the exact solver, 4x4 and 6x6 perfectly, other sizes with a plain search.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from statistics import mean

from games.contract import (
    CannotPlay,
    Choice,
    MoveValue,
    Position,
    SeatKey,
    Text,
    cell_name,
    ntext,
    parse_cell,
    text,
)
from games.othello.ai import generic, openings
from games.othello.ai.perfect import LARGEST, Solver
from games.othello.ai.root import Limits, Value, all_values, loss_of, think
from games.othello.bitboard import flip_mask, geometry, legal_mask

_ONE_PLY = Limits(1)


@dataclass(frozen=True)
class Level:
    """The strength of a level.

    ``noise`` is the standard deviation, in discs, of the noise added to the value of each move, and
    ``depth`` is the number of plies searched for these values. ``greed`` discs are added for each
    disc turned, ``edges`` for a square of the edge, ``corners`` for a corner, and ``mobility`` is
    taken off for each move that the opponent is left. Without noise, 8x8 is searched within
    ``limits``, and other boards within ``nodes`` positions, or to the end if at most ``solve``
    squares are empty.
    """

    noise: float
    depth: int
    limits: Limits = _ONE_PLY
    nodes: int = 2_000
    solve: int = 0
    greed: float = 0.0
    edges: float = 0.0
    corners: float = 0.0
    mobility: float = 0.0


LEVELS: Mapping[int, Level] = {
    1: Level(noise=25.0, depth=1),
    7: Level(noise=12.0, depth=1, greed=2.0),
    2: Level(noise=6.0, depth=1),
    8: Level(noise=1.5, depth=1, edges=5.0),
    3: Level(noise=3.0, depth=2),
    9: Level(noise=1.3, depth=2),
    13: Level(noise=0.8, depth=2, mobility=1.5),
    14: Level(noise=1.0, depth=2, corners=20.0),
    4: Level(noise=1.2, depth=3, limits=Limits(3, solve=8)),
    10: Level(noise=0.6, depth=4, limits=Limits(4, solve=10)),
    5: Level(noise=0.0, depth=4, limits=Limits(6, solve=14), solve=14),
    11: Level(noise=0.0, depth=30, limits=Limits(8, solve=16), nodes=4_000, solve=16),
    12: Level(noise=0.0, depth=30, limits=Limits(11, solve=20), nodes=8_000, solve=20),
    6: Level(
        noise=0.0,
        depth=30,
        limits=Limits(30, solve=25, nodes=4_000_000, end_nodes=24_000_000),
        nodes=15_000,
        solve=26,
    ),
}
INACCURACY, MISTAKE, BLUNDER = 2.0, 4.0, 8.0
"""The losses, in discs, from which a move counts as an inaccuracy, a mistake or a blunder."""
NOISE = 3.0
"""The error of estimated values: of 20 positions in games of computers the estimate of 19 changed
by less than 2 discs after the best move."""
OPENING = 50
"""With more empty squares than this on 8x8, levels without noise choose among good moves."""
SOLVER_NODES = 36_000_000
"""Positions searched to solve a small board: at most three seconds of processor time. Some of the
positions at the ends of the opening lines take more; there the best of the solved moves is
played."""
_FULL_SPEED = 14
"""The largest size of board on which a level searches all its nodes."""
_OPENING_LIMITS = Limits(10, nodes=3_000_000)
_OPENING_MARGIN = 0.7
"""The largest loss, in discs, of a move chosen for variety in the opening."""
_HINT_LIMITS = Limits(10, solve=18, nodes=3_000_000, end_nodes=20_000_000, smooth=True)
_HINT_NODES = 4_000
_HINT_SOLVE = 20
LOOK_LIMITS = Limits(20, nodes=12_000_000)
LOOK_SCALE = 0.8
"""Estimated losses are too large by so much: see docs/benchmarks.md."""


@dataclass(frozen=True)
class Board:
    """A position as masks, seen by the side to move (bit ``n * row + column``)."""

    n: int
    own: int
    opponent: int

    @property
    def empties(self) -> int:
        """Return the number of empty squares."""
        return self.n**2 - (self.own | self.opponent).bit_count()

    def name(self, mask: int) -> str:
        """Return the name of the square of a single bit."""
        return cell_name(*divmod(mask.bit_length() - 1, self.n))


def board_of(position: Position, seat: SeatKey) -> Board:
    """Return the board as ``seat`` sees it. Raises CannotPlay if the seat is not to move."""
    if seat not in position.to_move():
        raise CannotPlay(text("It is not this player's turn."))
    view = position.view(seat)
    masks = {"own": 0, "opponent": 0}
    for row in view["rows"]:
        for cell in row:
            if cell["disc"]:
                r, c = parse_cell(cell["name"])
                masks["own" if cell["disc"] == seat else "opponent"] |= 1 << view["size"] * r + c
    return Board(view["size"], **masks)


def choose(
    position: Position, seat: SeatKey, level: int, rng: Random, *, seconds: float = 10.0
) -> Choice:
    """Return the move of ``seat`` at one of `LEVELS`.

    Raises CannotPlay for another level, or if the seat is not to move."""
    if level not in LEVELS:
        most = len(LEVELS)
        raise CannotPlay(text("The computer plays at levels 1 to %(most)s.", most=most))
    board = board_of(position, seat)
    player = LEVELS[level]
    move = _noisy(board, player, rng, seconds) if player.noise else None
    if move is None:
        move = (
            _best_8(board, player, rng, seconds)
            if board.n == 8
            else _best(board, player, rng, seconds)
        )
    return Choice(move=board.name(move))


def _noisy(board: Board, player: Level, rng: Random, seconds: float) -> int | None:
    """Return the best move after adding noise to the values; None for a position that is to be
    solved."""
    if board.n == 8 and board.empties <= player.limits.solve:
        return None
    nodes = _nodes(player, board.n)
    values = _values(board, Limits(player.depth), player.depth, nodes, seconds)
    noisy = {
        move: values[move].discs + _taste(board, player, move) + rng.gauss(0, player.noise)
        for move in sorted(values)
    }
    return max(noisy, key=noisy.__getitem__)


def _taste(board: Board, player: Level, move: int) -> float:
    """Return the discs by which a level overrates a move."""
    around = geometry(board.n)
    turned = flip_mask(board.own, board.opponent, move, around)
    theirs = legal_mask(board.opponent & ~turned, board.own | turned | move, around).bit_count()
    sides = sum(at in {0, board.n - 1} for at in divmod(move.bit_length() - 1, board.n))
    return (
        player.greed * turned.bit_count()
        + player.edges * (sides > 0)
        + player.corners * (sides > 1)
        - player.mobility * theirs
    )


def _nodes(player: Level, n: int) -> int:
    """Return the positions that a level searches on a board without the learned evaluation. On a
    large board each takes longer, in proportion to its squares."""
    return round(player.nodes * min(1, (_FULL_SPEED / n) ** 2))


def _values(
    board: Board, limits: Limits, depth: int, nodes: int, seconds: float
) -> dict[int, Value]:
    """Return the value of each move, by mask."""
    own, opponent = board.own, board.opponent
    if board.n == 8:
        return {
            1 << square: value
            for square, value in all_values(own, opponent, limits, seconds).items()
        }
    ranking = generic.rank(
        own,
        opponent,
        board.n,
        depth=depth,
        nodes=nodes,
        seconds=seconds,
        smooth=limits.smooth,
    )
    return {move: Value(discs, ranking.exact) for move, discs in ranking.values.items()}


def _best_8(board: Board, player: Level, rng: Random, seconds: float) -> int:
    if board.empties > OPENING:
        values = _values(board, _OPENING_LIMITS, 0, 0, seconds)
        return _one_of_the_best(values, rng)
    return 1 << think(board.own, board.opponent, player.limits, seconds).order[0]


def _one_of_the_best(values: Mapping[int, Value], rng: Random) -> int:
    """Return a random move among those within the margin below the best."""
    least = max(value.discs for value in values.values()) - _OPENING_MARGIN
    return rng.choice([move for move in sorted(values) if values[move].discs >= least])


def _best(board: Board, player: Level, rng: Random, seconds: float) -> int:
    """Return the best move on a board other than 8x8: from the openings, solved, or searched."""
    own, opponent, n = board.own, board.opponent, board.n
    if player.solve and (known := openings.best_moves(own, opponent, n)):
        return rng.choice(known)
    solvable = n <= LARGEST and board.empties <= player.solve
    if solvable and (found := Solver(n, nodes=SOLVER_NODES).best(own, opponent, seconds)):
        return found[0]
    values = _values(board, _ONE_PLY, player.depth, _nodes(player, n), seconds)
    best = max(value.discs for value in values.values())
    return rng.choice([move for move in sorted(values) if values[move].discs == best])


def evaluate(position: Position, *, seconds: float = 2.0) -> Mapping[str, MoveValue]:
    """Return the value in discs of each legal move for the seat to move; {} after the end.

    Values are exact when few enough squares are empty."""
    seats = position.to_move()
    if not seats:
        return {}
    (seat,) = seats
    board = board_of(position, seat)
    return {board.name(move): _move_value(value) for move, value in _hints(board, seconds).items()}


def look_again(
    position: Position, played: str, found: Mapping[str, MoveValue], *, seconds: float = 2.0
) -> Mapping[str, MoveValue]:
    """Return the values ``found``, with a deeper search for those of the best move and ``played``
    if that would get a verdict. Its loss is the mean of three depths."""
    best = max(found, key=lambda move: found[move].value)
    (seat,) = position.to_move()
    board = board_of(position, seat)
    if board.n != 8 or found[best].exact or found[best].value - found[played].value < NOISE:
        return found
    row, column = parse_cell(played)
    square = 8 * row + column
    best_square, value, losses = loss_of(board.own, board.opponent, square, LOOK_LIMITS, seconds)
    if len(losses) < 3:
        return found
    losing = {move: found[best].value - known.value for move, known in found.items()}
    losing |= {played: mean(losses), board.name(1 << best_square): 0.0}
    values = {move: value - LOOK_SCALE * loss for move, loss in losing.items()}
    return {move: _move_value(Value(discs, exact=False)) for move, discs in values.items()}


def _hints(board: Board, seconds: float) -> dict[int, Value]:
    if board.n <= LARGEST and board.empties <= _HINT_SOLVE:
        solved = Solver(board.n).values(board.own, board.opponent, seconds)
        if solved is not None:
            return {move: Value(score, exact=True) for move, score in solved.items()}
    return _values(board, _HINT_LIMITS, 8, _HINT_NODES, seconds)


def _move_value(value: Value) -> MoveValue:
    discs = round(value.discs)
    shown = _shown(discs)
    return MoveValue(
        value=value.discs,
        shown=shown if value.exact else text("≈ %(margin)s", margin=shown),
        why=_why(discs, value.exact),
        exact=value.exact,
    )


def _shown(discs: int) -> Text:
    if discs == 0:
        return text("even")
    number = f"+{discs}" if discs > 0 else f"−{-discs}"
    return ntext("%(number)s disc", "%(number)s discs", n=abs(discs), number=number)


def _why(discs: int, exact: bool) -> Text:
    """Return the sentence of a hint."""
    return _proved(discs) if exact else _estimated(discs)


def _estimated(discs: int) -> Text:
    if discs == 0:
        return text("The game should stay about even.")
    if discs > 0:
        return ntext(
            "You should finish about %(n)s disc ahead.",
            "You should finish about %(n)s discs ahead.",
            n=discs,
        )
    return ntext(
        "You should finish about %(n)s disc behind.",
        "You should finish about %(n)s discs behind.",
        n=-discs,
    )


def _proved(discs: int) -> Text:
    """Return the hint for a solved move. No margin is one disc, since the winner gets the empty
    squares and all scores are even."""
    if discs == 0:
        return text("With best play it’s a draw.")
    if discs > 0:
        return text("With best play you win by %(discs)s discs.", discs=discs)
    return text("With best play you lose by %(discs)s discs.", discs=-discs)
