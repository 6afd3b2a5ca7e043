"""The coach of Santorini: wins that were missed, threats that were allowed, and steps upwards.

Every sentence is checked on the board: all answers are tried where it says that nothing helps.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from games.contract import MoveValue, Position, Reason, Text, parse_cell, text
from games.santorini.ai.bits import BOARD, NEAR, State, climbs, generate, level_of, play, reach
from games.santorini.ai.root import Budget, think
from games.santorini.ai.spaces import Seen, see, space_name
from games.santorini.engine import NEIGHBOURS, SIZE
from games.santorini.messages import display_move
from games.santorini.position import SantoriniPosition

_NODES: Final = 50_000
_ROOMIER: Final = 2
"""The difference in spaces to move to that is worth a sentence."""
_HIGH, _TOP = 2, 3
"""The level below the top, and the top."""


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
    pair = _Pair(_after(seen, best), _after(seen, played), seen, position, played, words)
    ends = {
        "is_won": values[best].exact and values[best].value > 0,
        "is_lost": values[played].exact,
    }
    return next(filter(None, _reasons(pair, **ends)), None)


def _on_placing(best: str, played: str) -> Reason | None:
    """Return how many spaces are around both workers where they are placed."""
    more, few = (
        sum(len(NEIGHBOURS[SIZE * row + column]) for row, column in map(parse_cell, move.split()))
        for move in (best, played)
    )
    if more < few + _ROOMIER:
        return None
    sentence = text(
        "%(best)s stands nearer the middle: %(more)s spaces are around the workers, after"
        " %(played)s only %(few)s.",
        best=best,
        played=played,
        more=more,
        few=few,
    )
    return Reason(sentence, names_best=True)


@dataclass(frozen=True)
class _Pair:
    """The states after the better and the played move, with the opponent to move, and the words for
    both."""

    best: State
    played: State
    seen: Seen
    position: SantoriniPosition
    move: str
    words: Mapping[str, Text]


def _reasons(pair: _Pair, *, is_won: bool, is_lost: bool) -> Iterator[Reason | None]:
    """Yield the reasons that hold, the most pressing first."""
    yield _allows_a_climb(pair)
    yield _makes_two_threats(pair)
    yield _allows_two_threats(pair)
    if is_lost:
        # Where the game is lost, no step upwards is the reason.
        yield _loses_by_force(pair)
        return
    if is_won:
        sentence = text("%(best)s wins by force, whatever %(opponent)s answers.", **pair.words)
        yield Reason(sentence, names_best=True)
    yield _must_be_closed(pair)
    yield _allows_a_step_up(pair)
    yield _climbs(pair)
    yield _shuts_in(pair)
    yield _changes_access(pair)
    yield _steps_down(pair)
    yield _changes_room(pair)


def _opponent(position: SantoriniPosition, played: str) -> Text | None:
    """Return the name of the player to move after a move; None if the game is over then."""
    after = position.copy().play(min(position.to_move()), played)
    if not after.to_move():
        return None
    return next(spec.name for spec in after.seats if spec.key in after.to_move())


def _after(seen: Seen, move: str) -> State:
    """Return the state after a turn in the notation."""
    state, moves = seen.two_player_state(), np.empty(128, dtype=np.int64)
    number = generate(state, BOARD, moves)
    found = next(turn for turn in map(int, moves[:number]) if seen.notation(turn) == move)
    return play(state, found)


def _own_threats(state: State) -> list[str]:
    """Return the spaces to which the player who is not to move could climb."""
    return _names(climbs(state, state[6], state[7]))


def _allows_a_climb(pair: _Pair) -> Reason | None:
    lost = climbs(pair.played, pair.played[4], pair.played[5])
    if not lost or climbs(pair.best, pair.best[4], pair.best[5]):
        return None
    sentence = text(
        "%(played)s lets %(opponent)s climb to %(cell)s and win.",
        cell=_names(lost)[0],
        **pair.words,
    )
    return Reason(sentence, names_best=False)


def _makes_two_threats(pair: _Pair) -> Reason | None:
    if not _is_double(pair.best):
        return None
    one, other, *_ = _own_threats(pair.best)
    sentence = text(
        "%(best)s threatens to climb to %(one)s and to %(other)s: one dome can’t stop both.",
        one=one,
        other=other,
        **pair.words,
    )
    return Reason(sentence, names_best=True)


def _is_double(state: State) -> bool:
    """Return whether the player who is not to move has two threats that nothing stops."""
    return len(_own_threats(state)) > 1 and not climbs(state, state[4], state[5])


def _allows_two_threats(pair: _Pair) -> Reason | None:
    if any(_is_double(after) for _, after in _answers(pair.best)):
        return None
    found = next(
        ((turn, after) for turn, after in _answers(pair.played) if _is_double(after)), None
    )
    if found is None:
        return None
    turn, after = found
    one, other, *_ = _own_threats(after)
    sentence = text(
        "After %(played)s the answer %(reply)s threatens to climb to %(one)s and to %(other)s at"
        " once.",
        reply=_shown(pair, turn),
        one=one,
        other=other,
        **pair.words,
    )
    return Reason(sentence, names_best=False)


def _answers(state: State) -> Iterator[tuple[int, State]]:
    """Yield the turns of the player to move, who cannot climb, and the states after them."""
    if climbs(state, state[4], state[5]):
        return
    moves = np.empty(128, dtype=np.int64)
    for turn in map(int, moves[: generate(state, BOARD, moves)]):
        if level_of(state, turn >> 5 & 31) < _TOP:
            yield turn, play(state, turn)


def _loses_by_force(pair: _Pair) -> Reason | None:
    line = next(iter(think(pair.played, Budget(_NODES, 3.0))), None)
    if line is None or not line.is_decided or line.value < 0:
        return None
    sentence = text(
        "After %(played)s, %(opponent)s wins by force, beginning with %(reply)s.",
        reply=_shown(pair, line.move),
        **pair.words,
    )
    return Reason(sentence, names_best=False)


def _shown(pair: _Pair, turn: int) -> Text:
    """Return a turn of the opponent after the played move as lists show it."""
    after = pair.position.copy().play(min(pair.position.to_move()), pair.move)
    return display_move(see(after.view(min(after.to_move()))).notation(turn))


def _allows_a_step_up(pair: _Pair) -> Reason | None:
    """Return that the opponent can step up to level 2 beside a high tower, which the better move
    prevents."""
    cells = _steps_up(pair.played)
    if not cells or _steps_up(pair.best):
        return None
    sentence = text(
        "%(played)s lets %(opponent)s step up to level 2 on %(cell)s; %(best)s prevents that.",
        cell=cells[0],
        **pair.words,
    )
    return Reason(sentence, names_best=True)


def _steps_up(state: State) -> list[str]:
    """Return the spaces of level 2, beside a tower that is higher or could be, to which a worker of
    the player to move can step from level 1."""
    found = 0
    for worker in state[4:6]:
        if level_of(state, worker) == 1:
            found |= int(reach(state, worker)) & int(state[1]) & ~int(state[2])
    return _names(found)


def _climbs(pair: _Pair) -> Reason | None:
    """Return that the better move brings a worker to level 2 beside towers of level 2 or 3, if the
    played one does not."""
    before = pair.seen.two_player_state()
    height = [
        max(level_of(option, space) for space in option[6:8]) for option in (pair.best, pair.played)
    ]
    if height[0] < _HIGH or height[1] >= _HIGH:
        return None
    if max(level_of(before, space) for space in before[4:6]) >= _HIGH:
        return None
    worker = next(space for space in pair.best[6:8] if level_of(pair.best, space) == _HIGH)
    beside = int(NEAR[worker]) & int(pair.best[1]) & ~int(pair.best[3])
    if not beside:
        return None
    sentence = text(
        "%(best)s brings a worker to level 2, beside the tower on %(cell)s.",
        cell=_names(beside)[0],
        **pair.words,
    )
    return Reason(sentence, names_best=True)


def _best_answer(pair: _Pair, state: State) -> int | None:
    """Return the opponent's best turn in a state after one of the moves."""
    return next((line.move for line in think(state, Budget(_NODES, 3.0))), None)


def _must_be_closed(pair: _Pair) -> Reason | None:
    """Return that the best answer to the played move threatens a climb, which only a dome stops, if
    that to the better move does not."""
    turn, other = _best_answer(pair, pair.played), _best_answer(pair, pair.best)
    if turn is None or other is None or len(_after_answer(pair.best, other)):
        return None
    cells = _after_answer(pair.played, turn)
    if len(cells) != 1:
        return None
    sentence = text(
        "After %(played)s the answer %(reply)s threatens to climb to %(cell)s, and only a dome"
        " there stops it.",
        reply=_shown(pair, turn),
        cell=cells[0],
        **pair.words,
    )
    return Reason(sentence, names_best=False)


def _after_answer(state: State, turn: int) -> list[str]:
    """Return where the opponent threatens to climb after a turn, unless you can climb first."""
    if level_of(state, turn >> 5 & 31) == _TOP:
        return []
    after = play(state, turn)
    return [] if climbs(after, after[4], after[5]) else _own_threats(after)


def _shuts_in(pair: _Pair) -> Reason | None:
    """Return that a worker of one side cannot move after one of the moves, and could after the
    other."""
    best, played = _stuck(pair.best[4:6], pair.best), _stuck(pair.played[4:6], pair.played)
    if best and not played:
        sentence = text(
            "%(best)s shuts in the worker of %(opponent)s on %(cell)s: it cannot move.",
            cell=best[0],
            **pair.words,
        )
        return Reason(sentence, names_best=True)
    best, played = _stuck(pair.best[6:8], pair.best), _stuck(pair.played[6:8], pair.played)
    if played and not best:
        sentence = text(
            "After %(played)s the worker on %(cell)s cannot move.", cell=played[0], **pair.words
        )
        return Reason(sentence, names_best=False)
    return None


def _stuck(workers: Iterable[int], state: State) -> list[str]:
    return [space_name(space) for space in workers if not reach(state, space)]


def _changes_access(pair: _Pair) -> Reason | None:
    """Return the highest step up that one side has after one of the moves alone."""
    theirs = [_steps(state, state[4:6]) for state in (pair.best, pair.played)]
    if max(theirs[1]) > max(theirs[0]):
        level = max(theirs[1])
        sentence = text(
            "%(played)s lets %(opponent)s step up to level %(level)s on %(cell)s; after %(best)s it"
            " reaches nothing so high.",
            level=level,
            cell=theirs[1][level],
            **pair.words,
        )
        return Reason(sentence, names_best=True)
    own = [_steps(state, state[6:8]) for state in (pair.best, pair.played)]
    if max(own[0]) > max(own[1]):
        level = max(own[0])
        sentence = text(
            "After %(best)s a step up to level %(level)s on %(cell)s is next; after %(played)s"
            " nothing so high is in reach.",
            level=level,
            cell=own[0][level],
            **pair.words,
        )
        return Reason(sentence, names_best=True)
    return None


def _steps(state: State, workers: Iterable[int]) -> dict[int, str]:
    """Return by level a space that one of the workers could step up to; 0 for none."""
    found = {0: ""}
    for worker in workers:
        for space in range(25):
            level = level_of(state, space)
            if int(reach(state, worker)) >> space & 1 and level > level_of(state, worker):
                found.setdefault(level, space_name(space))
    return found


def _steps_down(pair: _Pair) -> Reason | None:
    """Return that the played move leaves the own workers lower than the better one."""
    before = pair.seen.two_player_state()[4:6]
    state = pair.seen.two_player_state()
    heights = [sorted(level_of(s, space) for space in s[6:8]) for s in (pair.best, pair.played)]
    was = sorted(level_of(state, space) for space in before)
    if sum(heights[1]) < sum(was) <= sum(heights[0]):
        sentence = text("%(played)s steps down; %(best)s keeps the height.", **pair.words)
    elif sum(heights[0]) > sum(was) >= sum(heights[1]):
        sentence = text("%(best)s steps up, and %(played)s does not.", **pair.words)
    else:
        return None
    return Reason(sentence, names_best=True)


def _changes_room(pair: _Pair) -> Reason | None:
    """Return how many spaces the workers of one side can move to, where the moves clearly
    differ."""
    theirs = [_room(state, state[4:6]) for state in (pair.best, pair.played)]
    own = [_room(state, state[6:8]) for state in (pair.best, pair.played)]
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


def _room(state: State, workers: Iterable[int]) -> int:
    return sum(int(reach(state, worker)).bit_count() for worker in workers)


def _names(spaces: int) -> list[str]:
    return [space_name(space) for space in range(25) if int(spaces) >> space & 1]
