"""The coach of Othello: why a move cost discs, tested on the board and on the lines of the search.

The tests go from the plainest reason to the most general one; the first that holds gives the
sentence. Nothing uncertain is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Final

from games.contract import MoveValue, Position, Reason, SeatKey, cell_name, ntext, parse_cell, text
from games.othello.pairs import After, Pair
from games.othello.position import OthelloPosition
from games.othello.sight import COLOURS, corners, empty, for_good, moves_of, region

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
_NAMED: Final = 4
"""At most so many squares are named one by one."""
_SAFER: Final = 2
"""The difference in discs for good that is worth a sentence."""
_MORE: Final = 2
"""The difference in discs turned by the same answer that is worth a sentence."""


def explain(
    position: Position, best: str, played: str, values: Mapping[str, MoveValue]
) -> Reason | None:
    """Return why ``played`` cost discs; see `games.contract.Reasons`."""
    if not isinstance(position, OthelloPosition):
        return None
    (seat,) = position.to_move()
    pair = Pair(seat, After(position, seat, best), After(position, seat, played), values)
    return next(filter(None, (test(pair) for test in _TESTS)), None)


def _gives_a_corner(pair: Pair) -> Reason | None:
    reply = pair.played.reply
    if reply not in corners(pair.played.before) or reply in pair.best.freecorners(pair.best.other):
        return None
    sentence = text(
        "%(played)s lets %(opponent)s take the corner %(corner)s.", corner=reply, **pair.words
    )
    return Reason(sentence, names_best=False)


def _passes(pair: Pair) -> Reason | None:
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


def _wins_a_corner(pair: Pair) -> Reason | None:
    if pair.best.move in corners(pair.best.before):
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


def _keeps_parity(pair: Pair) -> Reason | None:
    """Return that the better move keeps the last move in its region, if both lines to the end show
    it."""
    around = region(pair.best.before, pair.best.move)
    if not pair.is_solved or pair.empties > _LAST or not 1 < len(around) < pair.empties:
        return None
    if len(around) % 2 == 0:
        return None
    if _last_in(around, pair.best) != pair.seat or _last_in(around, pair.played) == pair.seat:
        return None
    sentence = text(
        "%(best)s keeps the last move in the region around it, of %(n)s squares (parity).",
        n=len(around),
        **pair.words,
    )
    return Reason(sentence, names_best=True)


def _last_in(around: set[str], after: After) -> SeatKey | None:
    """Return the seat that takes the last square of a region in a line; None if nobody does."""
    left, last = around - {after.move}, after.seat
    for seat, move in after.line():
        if move in left:
            left, last = left - {move}, seat
    return None if left else last


def _gives_safe_discs(pair: Pair) -> Reason | None:
    """Return the discs that the answer to the played move makes safe, if they are clearly more than
    after the better one."""
    before = _safe(pair.best.before, pair.best.other)
    best, played = (
        _safe(line.after_reply, pair.best.other) - before for line in (pair.best, pair.played)
    )
    if not pair.played.reply or len(played) < len(best) + _SAFER:
        return None
    sentence = text(
        "After %(played)s the answer %(reply)s makes discs safe for good: %(cells)s.",
        reply=pair.played.reply,
        cells=_joined(played),
        **pair.words,
    )
    return Reason(sentence, names_best=False)


def _gains_safe_discs(pair: Pair) -> Reason | None:
    before = _safe(pair.best.before, pair.seat)
    best, played = (_safe(line.position, pair.seat) - before for line in (pair.best, pair.played))
    if len(best) < len(played) + _SAFER:
        return None
    sentence = text(
        "%(best)s makes discs safe for good: %(cells)s.", cells=_joined(best), **pair.words
    )
    return Reason(sentence, names_best=True)


def _plays_twice(pair: Pair) -> Reason | None:
    """Return that the opponent plays twice in a row in the line to the end after the played move,
    and nowhere in that after the better one."""
    if not pair.is_solved or pair.empties > _LAST or _twice(pair.best):
        return None
    found = _twice(pair.played)
    if not found:
        return None
    sentence = text(
        "In the best line after %(played)s, %(player)s has to pass, and %(opponent)s plays"
        " %(one)s and %(other)s.",
        one=found[0],
        other=found[1],
        **pair.words,
    )
    return Reason(sentence, names_best=False)


def _twice(after: After) -> tuple[str, str] | None:
    line = [*after.line()]
    pairs = pairwise(line)
    return next(
        ((one, two) for (seat, one), (then, two) in pairs if seat == then == after.other), None
    )


def _stands_beside_a_corner(pair: Pair) -> Reason | None:
    """Return that the played move is beside an empty corner, and the better one is not."""
    corner = _corner_beside(pair.played)
    if not corner or _corner_beside(pair.best):
        return None
    sentence = text(
        "%(played)s stands next to the empty corner %(corner)s; %(best)s keeps away from corners.",
        corner=corner,
        **pair.words,
    )
    return Reason(sentence, names_best=True)


def _corner_beside(after: After) -> str:
    row, column = parse_cell(after.move)
    for corner in sorted(corners(after.before)):
        r, c = parse_cell(corner)
        if max(abs(r - row), abs(c - column)) == 1:
            return corner
    return ""


def _allows_the_answer(pair: Pair) -> Reason | None:
    """Return that the best answer to the played move is none after the better one, or turns clearly
    fewer discs then."""
    reply = pair.played.reply
    if not reply:
        return None
    words = {"reply": reply, **pair.words}
    if reply not in pair.best.moves_of(pair.best.other):
        if reply == pair.best.move:
            sentence = text(
                "%(best)s takes the square where %(opponent)s answers %(played)s best.", **words
            )
        else:
            sentence = text(
                "%(played)s lets %(opponent)s answer %(reply)s, which %(best)s rules out.", **words
            )
        return Reason(sentence, names_best=True)
    many, few = _turned(pair.played, reply), _turned(pair.best, reply)
    if many < few + _MORE:
        return None
    sentence = ntext(
        "The answer %(reply)s turns %(many)s discs after %(played)s, after %(best)s only %(n)s.",
        "The answer %(reply)s turns %(many)s discs after %(played)s, after %(best)s only %(n)s.",
        n=few,
        many=many,
        **words,
    )
    return Reason(sentence, names_best=True)


def _opens_squares(pair: Pair) -> Reason | None:
    """Return the squares that the played move opens to the opponent, if they are more than those
    that the better one opens."""
    played, best = (set(line.moves_of(pair.best.other)) for line in (pair.played, pair.best))
    new = played - best
    if not len(best - played) < len(new) <= _NAMED:
        return None
    sentence = text(
        "%(played)s lets %(opponent)s play %(cells)s; after %(best)s that is impossible.",
        cells=_joined(new),
        **pair.words,
    )
    return Reason(sentence, names_best=True)


def _faces_outward(pair: Pair) -> Reason | None:
    """Return how many own discs are beside empty squares, where the opponent may turn them."""
    played, best = (len(_frontier(line.position, pair.seat)) for line in (pair.played, pair.best))
    if played < best + _MORE:
        return None
    sentence = text(
        "After %(played)s %(player)s has %(many)s discs beside empty squares, after %(best)s only"
        " %(few)s.",
        many=played,
        few=best,
        **pair.words,
    )
    return Reason(sentence, names_best=True)


def _frontier(position: OthelloPosition, seat: SeatKey) -> set[tuple[int, int]]:
    """Return the discs of a seat with an empty neighbour."""
    around = {
        (row + down, column + right)
        for row, column in empty(position)
        for down in (-1, 0, 1)
        for right in (-1, 0, 1)
    }
    n = position.board.n
    inside = [(r, c) for r, c in around if 0 <= r < n and 0 <= c < n]
    return {cell for cell in inside if position.board.at(cell) == COLOURS[seat]}


def _turned(after: After, reply: str) -> int:
    """Return how many discs an answer turns."""
    number = {"black": 0, "white": 1}[after.seat]
    position = after.position.copy().play(after.other, reply)
    return after.position.board.counts()[number] - position.board.counts()[number]


def _loses_a_corner(pair: Pair) -> Reason | None:
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
        (move for seat, move in line if seat == after.other and move in corners(after.before)), ""
    )


def _is_offered(after: After, corner: str) -> bool:
    """Return whether the opponent could take a corner at some time in a line."""
    position = after.position.copy()
    for seat, move in after.line(_LATER):
        if seat == after.other and corner in position.legal_moves(seat):
            return True
        position.play(seat, move)
    return False


def _restricts(pair: Pair) -> Reason | None:
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
    if fewer <= _FEW:
        cells = _joined(pair.best.moves_of(pair.best.other))
        sentence = text(
            "%(best)s leaves %(opponent)s only %(cells)s, %(played)s leaves %(more)s moves"
            " (mobility).",
            cells=cells,
            more=more,
            **pair.words,
        )
    else:
        sentence = text(
            "%(best)s leaves %(opponent)s %(fewer)s moves, %(played)s leaves %(more)s (mobility).",
            fewer=fewer,
            more=more,
            **pair.words,
        )
    return Reason(sentence, names_best=True)


def _is_short_of_moves(pair: Pair) -> Reason | None:
    """Return that the answer to the played move leaves few moves, and that to the better one leaves
    clearly more."""
    few, more = (len(moves_of(line.after_reply, pair.seat)) for line in (pair.played, pair.best))
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
    _gives_safe_discs,
    _gains_safe_discs,
    _plays_twice,
    _loses_a_corner,
    _is_short_of_moves,
    _restricts,
    _allows_the_answer,
    _stands_beside_a_corner,
    _opens_squares,
    _faces_outward,
)


# --- the board -----------------------------------------------------------------------------------


def _safe(position: OthelloPosition, seat: SeatKey) -> set[str]:
    """Return the discs of a seat along the edges from its corners, which can't be turned."""
    n = position.board.n
    names = [cell_name(row, column) for row in (0, n - 1) for column in (0, n - 1)]
    own = [name for name in names if position.board.at(parse_cell(name)) == COLOURS[seat]]
    return {cell for corner in own for cell in for_good(position, corner)}


def _joined(cells: Iterable[str]) -> str:
    return ", ".join(sorted(cells))
