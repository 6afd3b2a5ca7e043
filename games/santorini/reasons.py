"""The coach of Santorini: wins that were missed, threats that were allowed, and steps upwards.

Every sentence is checked on the board: all answers are tried where it says that nothing helps.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from games.contract import MoveValue, Position, Reason, Text, text
from games.santorini.ai.bits import BOARD, NEAR, State, climbs, generate, level_of, play, reach
from games.santorini.ai.root import Budget, think
from games.santorini.ai.spaces import Seen, see, space_name
from games.santorini.messages import display_move
from games.santorini.position import SantoriniPosition

_NODES: Final = 50_000
_HIGH, _TOP = 2, 3
"""The level below the top, and the top."""


def explain(
    position: Position, best: str, played: str, values: Mapping[str, MoveValue]
) -> Reason | None:
    """Return why ``played`` cost so much; see `games.contract.Reasons`."""
    if not isinstance(position, SantoriniPosition):
        return None
    seen = see(position.view(min(position.to_move())))
    if seen.placing or len(seen.pairs) != 2:
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
    yield _allows_a_step_up(pair)
    yield _climbs(pair)


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


def _names(spaces: int) -> list[str]:
    return [space_name(space) for space in range(25) if int(spaces) >> space & 1]
