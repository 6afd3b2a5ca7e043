"""The coach of Othello: why a move cost discs, tested on the board and on the lines of the search.

The tests go from the plainest reason to the most general one; the first that holds gives the
sentence. Nothing uncertain is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Final

from games.contract import MoveValue, Position, Reason, SeatKey, cell_name, ntext, parse_cell, text
from games.othello.bitboard import Mask, bits, geometry, legal_mask
from games.othello.computer import choose
from games.othello.engine import BLACK, WHITE
from games.othello.messages import PLAYERS
from games.othello.position import OthelloPosition

_LEVEL: Final = 5
"""The level that answers in the lines."""
_LAST: Final = 12
"""With at most so many empty squares, the lines to the end are those of exact play."""
_FEWER: Final = 3
"""The difference in the number of moves that is worth a sentence."""
_PLIES: Final = 3
"""The plies of a line after a move in which a lost corner is told."""
_LATER: Final = 8
"""The plies of the better line in which that corner must not be lost either."""
_WORTH: Final = 3
"""The discs that a move of the opponent more or less may explain."""
_LOST: Final = 40
"""The discs behind from which the number of moves does not matter."""
_FEW: Final = 3
"""With at most so many moves, a side is short of moves."""


def explain(
    position: Position, best: str, played: str, values: Mapping[str, MoveValue]
) -> Reason | None:
    """Return why ``played`` cost discs; see `games.contract.Reasons`."""
    if not isinstance(position, OthelloPosition):
        return None
    (seat,) = position.to_move()
    pair = _Pair(seat, After(position, seat, best), After(position, seat, played), values)
    return next(filter(None, (test(pair) for test in _TESTS)), None)


class After:
    """The position after a move of ``seat``, and the line of the search from there."""

    def __init__(self, before: OthelloPosition, seat: SeatKey, move: str) -> None:
        self.before, self.seat, self.move = before, seat, move
        self.position = before.copy().play(seat, move)
        self.other: SeatKey = "white" if seat == "black" else "black"

    @property
    def passes(self) -> bool:
        """Whether the opponent has to pass, and the game goes on."""
        return self.position.to_move() == {self.seat}

    @cached_property
    def reply(self) -> str:
        """The best answer of the opponent; '' if there is none."""
        return _answer(self.position) if self.other in self.position.to_move() else ""

    def moves_of(self, seat: SeatKey) -> list[str]:
        """Return where a seat could play if it were to move."""
        return _moves(self.position, seat)

    def free_corners(self, seat: SeatKey) -> set[str]:
        """Return the corners that a seat could take if it were to move."""
        return _corners(self.position) & set(self.moves_of(seat))

    def keeps_corner(self) -> str:
        """Return a corner that ``seat`` can take after every answer of the opponent, and could not
        take before; '' if there is none."""
        if self.other not in self.position.to_move():
            return ""
        left = _corners(self.position) - set(_moves(self.before, self.seat))
        for answer in self.position.legal_moves(self.other):
            later = self.position.copy().play(self.other, answer)
            left = left & set(later.legal_moves(self.seat))
        return min(left, default="")

    @cached_property
    def after_reply(self) -> OthelloPosition:
        """The position after the best answer."""
        return self.position.copy().play(self.other, self.reply) if self.reply else self.position

    def line(self, plies: int = 60) -> Iterator[tuple[SeatKey, str]]:
        """Yield the next best moves, with the seats that play them."""
        position = self.position.copy()
        for _ in range(plies):
            if not (seats := position.to_move()):
                return
            (seat,) = seats
            move = _answer(position)
            position.play(seat, move)
            yield seat, move


@dataclass(frozen=True)
class _Pair:
    """The better and the played move of a seat."""

    seat: SeatKey
    best: After
    played: After
    values: Mapping[str, MoveValue]

    @property
    def words(self) -> dict[str, object]:
        """The moves and the players, for a sentence."""
        return {
            "best": self.best.move,
            "played": self.played.move,
            "player": PLAYERS[self.seat],
            "opponent": PLAYERS[self.best.other],
        }

    @property
    def is_solved(self) -> bool:
        """Whether the values of both moves are exact."""
        return self.values[self.best.move].exact and self.values[self.played.move].exact

    @property
    def empties(self) -> int:
        """The number of empty squares before the move."""
        return len(_empty(self.best.before))


def _gives_a_corner(pair: _Pair) -> Reason | None:
    reply = pair.played.reply
    if reply not in _corners(pair.played.before) or reply in pair.best.free_corners(
        pair.best.other
    ):
        return None
    sentence = text(
        "%(played)s lets %(opponent)s take the corner %(corner)s.", corner=reply, **pair.words
    )
    return Reason(sentence, names_best=False)


def _passes(pair: _Pair) -> Reason | None:
    if pair.best.passes and not pair.played.passes:
        sentence = text("%(best)s leaves %(opponent)s without a move.", **pair.words)
        return Reason(sentence, names_best=True)
    if _must_pass(pair.played) and not _must_pass(pair.best):
        sentence = text(
            "After %(played)s %(opponent)s answers %(reply)s, and %(player)s has to pass.",
            reply=pair.played.reply,
            **pair.words,
        )
        return Reason(sentence, names_best=False)
    return None


def _must_pass(after: After) -> bool:
    if not after.reply:
        return False
    return after.position.copy().play(after.other, after.reply).to_move() == {after.other}


def _wins_a_corner(pair: _Pair) -> Reason | None:
    corners = _corners(pair.best.before)
    if pair.best.move in corners:
        sentence = text("%(best)s takes the corner for good.", **pair.words)
        return Reason(sentence, names_best=True)
    corner = pair.best.keeps_corner()
    if not corner or pair.played.keeps_corner():
        return None
    sentence = text(
        "%(best)s wins the corner %(corner)s: %(opponent)s can’t prevent it.",
        corner=corner,
        **pair.words,
    )
    return Reason(sentence, names_best=True)


def _keeps_parity(pair: _Pair) -> Reason | None:
    """Return that the better move keeps the last move in its region, if both lines to the end show
    it."""
    region = _region(pair.best.before, pair.best.move)
    if not pair.is_solved or pair.empties > _LAST or not 1 < len(region) < pair.empties:
        return None
    if len(region) % 2 == 0:
        return None
    if _last_in(region, pair.best) != pair.seat or _last_in(region, pair.played) == pair.seat:
        return None
    sentence = text(
        "%(best)s keeps the last move in the region around it, of %(n)s squares (parity).",
        n=len(region),
        **pair.words,
    )
    return Reason(sentence, names_best=True)


def _last_in(region: set[str], after: After) -> SeatKey | None:
    """Return the seat that takes the last square of a region in a line; None if nobody does."""
    left, last = region - {after.move}, after.seat
    for seat, move in after.line():
        if move in left:
            left, last = left - {move}, seat
    return None if left else last


def _is_solved(pair: _Pair) -> Reason | None:
    if not pair.is_solved or not pair.played.reply:
        return None
    ends = {
        "better": pair.values[pair.best.move].shown,
        "worse": pair.values[pair.played.move].shown,
        "reply": pair.played.reply,
    }
    sentence = text(
        "With best play %(best)s ends %(better)s and %(played)s %(worse)s, after the answer"
        " %(reply)s.",
        **ends,
        **pair.words,
    )
    return Reason(sentence, names_best=True)


def _loses_a_corner(pair: _Pair) -> Reason | None:
    """Return that the line after the played move gives a corner away, and the better one gives
    none, nor offers it, much later either."""
    corner = _corner_lost(pair.played)
    if not corner or _corner_lost(pair.best, _LATER) or _is_offered(pair.best, corner):
        return None
    sentence = text(
        "In the best line after %(played)s, %(opponent)s takes the corner %(corner)s.",
        corner=corner,
        **pair.words,
    )
    return Reason(sentence, names_best=False)


def _corner_lost(after: After, plies: int = _PLIES) -> str:
    line = after.line(plies)
    return next(
        (move for seat, move in line if seat == after.other and move in _corners(after.before)), ""
    )


def _is_offered(after: After, corner: str) -> bool:
    """Return whether the opponent could take a corner at some time in a line."""
    position = after.position.copy()
    for seat, move in after.line(_LATER):
        if seat == after.other and corner in position.legal_moves(seat):
            return True
        position.play(seat, move)
    return False


def _restricts(pair: _Pair) -> Reason | None:
    """Return the moves that the opponent has after both, if they are clearly fewer after the better
    one, and the own moves are not fewer."""
    fewer, more = (
        len(pair.best.moves_of(pair.best.other)),
        len(pair.played.moves_of(pair.best.other)),
    )
    own = len(pair.best.moves_of(pair.seat)) - len(pair.played.moves_of(pair.seat))
    value = pair.values[pair.best.move].value
    lost = value - pair.values[pair.played.move].value
    is_open = abs(value) < _LOST and lost <= _WORTH * (more - fewer)
    if not is_open or own < 0 or not 0 < fewer <= more - _FEWER:
        return None
    sentence = text(
        "%(best)s leaves %(opponent)s %(fewer)s moves, %(played)s leaves %(more)s (mobility).",
        fewer=fewer,
        more=more,
        **pair.words,
    )
    return Reason(sentence, names_best=True)


def _is_short_of_moves(pair: _Pair) -> Reason | None:
    """Return that the answer to the played move leaves few moves, and that to the better one leaves
    clearly more."""
    few, more = (len(_moves(line.after_reply, pair.seat)) for line in (pair.played, pair.best))
    if not pair.played.reply or few > _FEW or more < few + _FEWER:
        return None
    sentence = ntext(
        "After %(played)s and the answer %(reply)s, %(player)s has only %(n)s move left.",
        "After %(played)s and the answer %(reply)s, %(player)s has only %(n)s moves left.",
        n=few,
        reply=pair.played.reply,
        **pair.words,
    )
    return Reason(sentence, names_best=False)


_TESTS: Final = (
    _gives_a_corner,
    _passes,
    _wins_a_corner,
    _keeps_parity,
    _is_solved,
    _loses_a_corner,
    _is_short_of_moves,
    _restricts,
)


# --- the board -----------------------------------------------------------------------------------


def _answer(position: OthelloPosition) -> str:
    (seat,) = position.to_move()
    return choose(position, seat, _LEVEL, Random(0)).move


def _masks(position: OthelloPosition, seat: SeatKey) -> tuple[Mask, Mask]:
    own = opponent = 0
    n, colour = position.board.n, BLACK if seat == "black" else WHITE
    for row in range(n):
        for column in range(n):
            disc = position.board.at((row, column))
            own |= (disc == colour) << n * row + column
            opponent |= bool(disc and disc != colour) << n * row + column
    return own, opponent


def _moves(position: OthelloPosition, seat: SeatKey) -> list[str]:
    n = position.board.n
    found = bits(legal_mask(*_masks(position, seat), geometry(n)))
    return [cell_name(*divmod(bit.bit_length() - 1, n)) for bit in found]


def _corners(position: OthelloPosition) -> set[str]:
    """Return the empty corners."""
    last = position.board.n - 1
    corners = {(row, column) for row in (0, last) for column in (0, last)}
    return {cell_name(*corner) for corner in corners if not position.board.at(corner)}


def _empty(position: OthelloPosition) -> set[tuple[int, int]]:
    n = position.board.n
    squares = ((row, column) for row in range(n) for column in range(n))
    return {square for square in squares if not position.board.at(square)}


def _region(position: OthelloPosition, square: str) -> set[str]:
    """Return the empty squares that are connected to a square."""
    empty, found, new = _empty(position), set[tuple[int, int]](), [parse_cell(square)]
    while new:
        row, column = new.pop()
        if (row, column) in found or (row, column) not in empty:
            continue
        found.add((row, column))
        new += [(r, c) for r in range(row - 1, row + 2) for c in range(column - 1, column + 2)]
    return {cell_name(*cell) for cell in found}
