"""The coach of Othello on the last sixteen moves, which are counted to the end."""

from __future__ import annotations

from games.contract import Reason, text
from games.othello.pairs import NAMED, Pair, joined
from games.othello.sight import region


def keeps_parity(pair: Pair) -> Reason | None:
    """Return that the better move keeps the last move in its region, if both lines to the end show
    it."""
    around = region(pair.best.before, pair.best.move)
    if not pair.is_counted or not 1 < len(around) < pair.empties:
        return None
    if len(around) % 2 == 0:
        return None
    if pair.best.last_in(around) != pair.seat or pair.played.last_in(around) == pair.seat:
        return None
    sentence = text(
        "%(best)s keeps the last move in the region around it, of %(n)s squares (parity).",
        n=len(around),
        **pair.words,
    )
    return Reason(sentence, names_best=True)


def plays_twice(pair: Pair) -> Reason | None:
    """Return that the opponent plays twice in a row in the line to the end after the played move,
    and nowhere in that after the better one."""
    if not pair.is_counted or pair.best.twice():
        return None
    found = pair.played.twice()
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


def changes_hands(pair: Pair) -> Reason | None:
    """Return the squares that the opponent gets in the line to the end after the played move, and
    the player after the better one."""
    if not pair.is_counted:
        return None
    cells = pair.played.taken_by(pair.best.other) & pair.best.taken_by(pair.seat)
    if not 0 < len(cells) <= NAMED:
        return None
    sentence = text(
        "With best play %(opponent)s gets %(cells)s after %(played)s, and %(player)s after"
        " %(best)s.",
        cells=joined(cells),
        **pair.words,
    )
    return Reason(sentence, names_best=True)


def plays_last(pair: Pair) -> Reason | None:
    """Return that the lines to the end differ in the player who makes the last move."""
    if not pair.is_counted:
        return None
    if pair.best.last != pair.seat or pair.played.last == pair.seat:
        return None
    sentence = text(
        "With best play %(player)s makes the last move of the game after %(best)s, and"
        " %(opponent)s after %(played)s.",
        **pair.words,
    )
    return Reason(sentence, names_best=True)


def keeps_discs(pair: Pair) -> Reason | None:
    """Return squares of the player at the end of the line after the better move alone."""
    if not pair.is_counted or not (cells := pair.best.left - pair.played.left):
        return None
    sentence = text(
        "With best play %(player)s has %(cells)s in the end after %(best)s, and not after"
        " %(played)s.",
        cells=joined(sorted(cells)[:NAMED]),
        **pair.words,
    )
    return Reason(sentence, names_best=True)
