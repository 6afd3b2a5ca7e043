"""The coach of Santorini: wins that were missed, threats that were allowed, and steps upwards.

Every sentence is checked on the board: all answers are tried where it says that nothing helps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from games.contract import MoveValue, Position, Reason, Text, parse_cell, text
from games.santorini.ai.bits import NEAR, climbs, level_of
from games.santorini.ai.spaces import see
from games.santorini.engine import SIZE
from games.santorini.messages import display_move
from games.santorini.pairs import Pair
from games.santorini.position import SantoriniPosition
from games.santorini.replies import (
    allows_more_threats,
    allows_two_threats,
    by_best_answers,
    is_answered,
    keeps_a_step,
    loses_by_force,
    must_be_closed,
)
from games.santorini.sight import (
    HIGH,
    around,
    is_double,
    more_steps,
    names,
    new_steps,
    own_threats,
    reached,
    room,
    state_after,
    stuck,
    threats,
)

_ROOMIER: Final = 2
"""The difference in spaces to move to that is worth a sentence."""


def explain(
    position: Position, best: str, played: str, values: Mapping[str, MoveValue]
) -> Reason | None:
    """Return why ``played`` cost so much; see `games.contract.Reasons`."""
    if not isinstance(position, SantoriniPosition):
        return None
    seen = see(position.view(min(position.to_move())))
    if seen.placing:
        return _on_placing(best, played)
    if len(seen.pairs) != 2:
        return None
    if best in seen.climbs():
        sentence = text("%(best)s climbs to the third level and wins.", best=display_move(best))
        return Reason(sentence, names_best=True)
    opponent = _opponent(position, played)
    if opponent is None:
        return None
    words = {"best": display_move(best), "played": display_move(played), "opponent": opponent}
    good, bad = (state_after(seen, move) for move in (best, played))
    pair = Pair(seen.two_player_state(), good, bad, position, played, words)
    ends = {
        "is_won": values[best].exact and values[best].value > 0,
        "is_lost": values[played].exact,
    }
    return next(filter(None, _reasons(pair, **ends)), None) or is_answered(pair)


def _on_placing(best: str, played: str) -> Reason | None:
    more, few = (
        around(SIZE * row + column for row, column in map(parse_cell, move.split()))
        for move in (best, played)
    )
    return _nearer_the_middle(more, few, best=best, played=played)


def _nearer_the_middle(more: int, few: int, **words: Text | str) -> Reason | None:
    """Return how many spaces are around both workers, where the moves clearly differ."""
    if more < few + _ROOMIER:
        return None
    sentence = text(
        "%(best)s stands nearer the middle: %(more)s spaces are around the workers, after"
        " %(played)s only %(few)s.",
        more=more,
        few=few,
        **words,
    )
    return Reason(sentence, names_best=True)


def _reasons(pair: Pair, *, is_won: bool, is_lost: bool) -> Iterator[Reason | None]:
    """Yield the reasons that hold, the most pressing first."""
    yield _allows_a_climb(pair)
    yield _makes_two_threats(pair)
    yield allows_two_threats(pair)
    if is_lost:
        # Where the game is lost, no step upwards is the reason.
        yield loses_by_force(pair)
        return
    if is_won:
        yield _wins_by_force(pair)
    yield _threatens(pair)
    yield must_be_closed(pair)
    yield _climbs(pair)
    yield _shuts_in(pair)
    yield _changes_access(pair)
    yield _steps_down(pair)
    yield keeps_a_step(pair)
    yield from by_best_answers(pair)
    yield _changes_room(pair)
    yield allows_more_threats(pair)
    more, few = (around(state[6:8]) for state in (pair.best, pair.played))
    yield _nearer_the_middle(more, few, **pair.words)


def _opponent(position: SantoriniPosition, played: str) -> Text | None:
    """Return the name of the player to move after a move; None if the game is over then."""
    after = position.copy().play(min(position.to_move()), played)
    if not after.to_move():
        return None
    return next(spec.name for spec in after.seats if spec.key in after.to_move())


def _allows_a_climb(pair: Pair) -> Reason | None:
    lost = climbs(pair.played, pair.played[4], pair.played[5])
    if not lost or climbs(pair.best, pair.best[4], pair.best[5]):
        return None
    sentence = text(
        "%(played)s lets %(opponent)s climb to %(cell)s and win.",
        cell=names(lost)[0],
        **pair.words,
    )
    return Reason(sentence, names_best=False)


def _makes_two_threats(pair: Pair) -> Reason | None:
    if not is_double(pair.best):
        return None
    one, other, *_ = own_threats(pair.best)
    sentence = text(
        "%(best)s threatens to climb to %(one)s and to %(other)s: one dome can’t stop both.",
        one=one,
        other=other,
        **pair.words,
    )
    return Reason(sentence, names_best=True)


def _wins_by_force(pair: Pair) -> Reason:
    if cells := threats(pair.best):
        sentence = text(
            "%(best)s threatens to climb to %(cell)s, and wins by force after the dome there too.",
            cell=cells[0],
            **pair.words,
        )
    else:
        sentence = text("%(best)s wins by force, whatever %(opponent)s answers.", **pair.words)
    return Reason(sentence, names_best=True)


def _climbs(pair: Pair) -> Reason | None:
    """Return that the better move brings a worker to level 2 beside towers of level 2 or 3, if the
    played one does not."""
    before = pair.before
    height = [
        max(level_of(option, space) for space in option[6:8]) for option in (pair.best, pair.played)
    ]
    if height[0] < HIGH or height[1] >= HIGH:
        return None
    if max(level_of(before, space) for space in before[4:6]) >= HIGH:
        return None
    worker = next(space for space in pair.best[6:8] if level_of(pair.best, space) == HIGH)
    beside = int(NEAR[worker]) & int(pair.best[1]) & ~int(pair.best[3])
    if not beside:
        return None
    sentence = text(
        "%(best)s brings a worker to level 2, beside the tower on %(cell)s.",
        cell=names(beside)[0],
        **pair.words,
    )
    return Reason(sentence, names_best=True)


def _threatens(pair: Pair) -> Reason | None:
    """Return that the better move threatens a climb, if the played one does not."""
    cells = threats(pair.best)
    if not cells or threats(pair.played):
        return None
    sentence = text(
        "%(best)s threatens to climb to %(cell)s, and only a dome there stops it.",
        cell=cells[0],
        **pair.words,
    )
    return Reason(sentence, names_best=True)


def _shuts_in(pair: Pair) -> Reason | None:
    """Return that a worker of one side cannot move after one of the moves, and could after the
    other."""
    best, played = (stuck(state, state[4:6]) for state in (pair.best, pair.played))
    if best and not played:
        sentence = text(
            "%(best)s shuts in the worker of %(opponent)s on %(cell)s: it cannot move.",
            cell=best[0],
            **pair.words,
        )
        return Reason(sentence, names_best=True)
    best, played = (stuck(state, state[6:8]) for state in (pair.best, pair.played))
    if played and not best:
        sentence = text(
            "After %(played)s the worker on %(cell)s cannot move.", cell=played[0], **pair.words
        )
        return Reason(sentence, names_best=False)
    return None


def _changes_access(pair: Pair) -> Reason | None:
    """Return the steps up that one side has after one of the moves alone, the highest first."""
    best, played = (reached(state, state[4:6]) for state in (pair.best, pair.played))
    if level := more_steps(played, best):
        sentence = text(
            "%(played)s lets %(opponent)s step up to level %(level)s on %(cells)s, which is out of"
            " reach after %(best)s.",
            level=level,
            cells=new_steps(played, best, level),
            **pair.words,
        )
        return Reason(sentence, names_best=True)
    best, played = (reached(state, state[6:8]) for state in (pair.best, pair.played))
    if level := more_steps(best, played):
        sentence = text(
            "After %(best)s a step up to level %(level)s on %(cells)s is next, which is out of"
            " reach after %(played)s.",
            level=level,
            cells=new_steps(best, played, level),
            **pair.words,
        )
        return Reason(sentence, names_best=True)
    return None


def _steps_down(pair: Pair) -> Reason | None:
    """Return that the played move leaves the own workers lower than the better one."""
    before = pair.before[4:6]
    state = pair.before
    heights = [sorted(level_of(s, space) for space in s[6:8]) for s in (pair.best, pair.played)]
    was = sorted(level_of(state, space) for space in before)
    if sum(heights[1]) < sum(was) <= sum(heights[0]):
        sentence = text("%(played)s steps down; %(best)s keeps the height.", **pair.words)
    elif sum(heights[0]) > sum(was) >= sum(heights[1]):
        sentence = text("%(best)s steps up, and %(played)s does not.", **pair.words)
    else:
        return None
    return Reason(sentence, names_best=True)


def _changes_room(pair: Pair) -> Reason | None:
    """Return how many spaces the workers of one side can move to, where the moves clearly
    differ."""
    theirs = [room(state, state[4:6]) for state in (pair.best, pair.played)]
    own = [room(state, state[6:8]) for state in (pair.best, pair.played)]
    if theirs[1] - theirs[0] >= max(_ROOMIER, own[0] - own[1]):
        sentence = text(
            "%(best)s leaves the workers of %(opponent)s %(few)s spaces to move to, %(played)s"
            " leaves %(more)s.",
            few=theirs[0],
            more=theirs[1],
            **pair.words,
        )
    elif own[0] - own[1] >= _ROOMIER:
        sentence = text(
            "%(best)s leaves its own workers %(more)s spaces to move to, %(played)s only %(few)s.",
            few=own[1],
            more=own[0],
            **pair.words,
        )
    else:
        return None
    return Reason(sentence, names_best=True)
