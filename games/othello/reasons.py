"""The coach of Othello: why a move cost discs, tested on the board and on the lines of the search.

The tests go from the plainest reason to the most general one; the first that holds gives the
sentence. Nothing uncertain is said.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from games.contract import MoveValue, Position, Reason, ntext, text
from games.othello.last_moves import (
    changes_hands,
    keeps_discs,
    keeps_parity,
    plays_last,
    plays_twice,
)
from games.othello.pairs import NAMED, After, Pair, joined
from games.othello.position import OthelloPosition
from games.othello.sight import beside, corners, frontier, moves_of, safe

_FEWER: Final = 3
"""The difference in the number of moves that is worth a sentence."""
_EARLY: Final = 24
"""With more empty squares than this, few discs are better than many."""
_LATER: Final = 8
"""The plies of the better line in which that corner must not be lost either."""
_WORTH: Final = 3
"""The discs that a move of the opponent more or less may explain."""
_LOST: Final = 40
"""The discs behind from which the number of moves does not matter."""
_FEW: Final = 3
"""With at most so many moves, a side is short of moves."""
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


def _gives_safe_discs(pair: Pair) -> Reason | None:
    """Return the discs that the answer to the played move makes safe, if they are clearly more than
    after the better one."""
    before = safe(pair.best.before, pair.best.other)
    best, played = (
        safe(line.after_reply, pair.best.other) - before for line in (pair.best, pair.played)
    )
    if not pair.played.reply or len(played) < len(best) + _SAFER:
        return None
    sentence = text(
        "After %(played)s the answer %(reply)s makes discs safe for good: %(cells)s.",
        reply=pair.played.reply,
        cells=joined(played),
        **pair.words,
    )
    return Reason(sentence, names_best=False)


def _gains_safe_discs(pair: Pair) -> Reason | None:
    before = safe(pair.best.before, pair.seat)
    best, played = (safe(line.position, pair.seat) - before for line in (pair.best, pair.played))
    if len(best) < len(played) + _SAFER:
        return None
    sentence = text(
        "%(best)s makes discs safe for good: %(cells)s.", cells=joined(best), **pair.words
    )
    return Reason(sentence, names_best=True)


def _stands_beside_a_corner(pair: Pair) -> Reason | None:
    """Return that the played move is beside an empty corner, and the better one is not."""
    corner = beside(pair.played.move, corners(pair.played.before))
    if not corner or beside(pair.best.move, corners(pair.best.before)):
        return None
    sentence = text(
        "%(played)s stands next to the empty corner %(corner)s; %(best)s is next to none.",
        corner=corner,
        **pair.words,
    )
    return Reason(sentence, names_best=True)


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
    many, few = pair.played.turned_by(reply), pair.best.turned_by(reply)
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
    if not len(best - played) < len(new) <= NAMED:
        return None
    sentence = text(
        "%(played)s lets %(opponent)s play %(cells)s; after %(best)s that is impossible.",
        cells=joined(new),
        **pair.words,
    )
    return Reason(sentence, names_best=True)


def _faces_outward(pair: Pair) -> Reason | None:
    """Return how many own discs are beside empty squares, where the opponent may turn them."""
    played, best = (len(frontier(line.position, pair.seat)) for line in (pair.played, pair.best))
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


def _loses_a_corner(pair: Pair) -> Reason | None:
    """Return that the answer to the played move wins a corner for certain, which the better line
    neither gives away nor offers much later."""
    corner = pair.played.reply_wins_corner()
    if not corner or pair.best.loses_corner(_LATER) or pair.best.offers(corner, _LATER):
        return None
    sentence = text(
        "After %(played)s the answer %(reply)s wins the corner %(corner)s: %(player)s can’t prevent"
        " it.",
        reply=pair.played.reply,
        corner=corner,
        **pair.words,
    )
    return Reason(sentence, names_best=False)


def _keeps_squares(pair: Pair) -> Reason | None:
    """Return the squares where the player could move after the better move alone, if they are more
    than those after the played one alone."""
    best, played = (set(line.moves_of(pair.seat)) for line in (pair.best, pair.played))
    kept, new = best - played - {pair.played.move}, played - best - {pair.best.move}
    if not len(new) < len(kept) <= NAMED:
        return None
    sentence = text(
        "%(best)s keeps %(cells)s open for %(player)s; after %(played)s there is no move there.",
        cells=joined(kept),
        **pair.words,
    )
    return Reason(sentence, names_best=True)


def _can_wait(pair: Pair) -> Reason | None:
    """Return that the played move was no move of the opponent, and the better one was."""
    theirs = moves_of(pair.best.before, pair.best.other)
    if pair.played.move in theirs or pair.best.move not in theirs:
        return None
    sentence = text(
        "%(opponent)s could not play %(played)s, so it could wait; %(best)s was open to both.",
        **pair.words,
    )
    return Reason(sentence, names_best=True)


def _turns_more(pair: Pair) -> Reason | None:
    """Return how many discs both moves turn, if the better one turns clearly fewer while there are
    many empty squares."""
    many, few = pair.played.turned, pair.best.turned
    if pair.empties <= _EARLY or many < few + _MORE or pair.lost > _WORTH * (many - few):
        return None
    sentence = ntext(
        "%(played)s turns %(many)s discs, %(best)s only %(n)s: fewer discs leave more moves.",
        "%(played)s turns %(many)s discs, %(best)s only %(n)s: fewer discs leave more moves.",
        n=few,
        many=many,
        **pair.words,
    )
    return Reason(sentence, names_best=True)


def _restricts(pair: Pair) -> Reason | None:
    """Return the moves that the opponent has after both, if they are clearly fewer after the better
    one, and the own moves are not fewer."""
    fewer, more = (
        len(pair.best.moves_of(pair.best.other)),
        len(pair.played.moves_of(pair.best.other)),
    )
    own = len(pair.best.moves_of(pair.seat)) - len(pair.played.moves_of(pair.seat))
    value = pair.values[pair.best.move].value
    is_open = abs(value) < _LOST and pair.lost <= _WORTH * (more - fewer)
    if not is_open or own < 0 or not 0 < fewer <= more - _FEWER:
        return None
    if fewer <= _FEW:
        cells = joined(pair.best.moves_of(pair.best.other))
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


def _leaves_fewer_moves(pair: Pair) -> Reason | None:
    """Return how many moves the best answers to both moves leave, where they clearly differ."""
    few, more = (len(moves_of(line.after_reply, pair.seat)) for line in (pair.played, pair.best))
    if not (pair.played.reply and pair.best.reply) or few > more - _MORE:
        return None
    if pair.lost > _WORTH * (more - few):
        return None
    sentence = text(
        "After %(played)s and the answer %(reply)s %(player)s has %(few)s moves, after %(best)s and"
        " the answer %(other)s %(more)s.",
        reply=pair.played.reply,
        other=pair.best.reply,
        few=few,
        more=more,
        **pair.words,
    )
    return Reason(sentence, names_best=True)


def _is_answered(pair: Pair) -> Reason | None:
    if not (reply := pair.played.reply):
        return None
    sentence = text("The computer answers %(played)s with %(reply)s.", reply=reply, **pair.words)
    return Reason(sentence, names_best=False)


_TESTS: Final = (
    _gives_a_corner,
    _passes,
    _wins_a_corner,
    keeps_parity,
    _gives_safe_discs,
    _gains_safe_discs,
    plays_twice,
    changes_hands,
    plays_last,
    _loses_a_corner,
    _is_short_of_moves,
    _restricts,
    _allows_the_answer,
    _stands_beside_a_corner,
    _opens_squares,
    _keeps_squares,
    _faces_outward,
    _leaves_fewer_moves,
    _can_wait,
    _turns_more,
    keeps_discs,
    _is_answered,
)
