"""The board of Santorini as a player sees it: climbs that threaten, steps up, and room to move.
Sentences on games speak of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import numpy as np

from games.santorini.ai.bits import BOARD, SPACES, State, climbs, generate, level_of, play, reach
from games.santorini.ai.spaces import Seen, space_name
from games.santorini.engine import NEIGHBOURS

TOP = 3
"""The level on which a climb wins."""
HIGH = 2
"""The level from which a worker can climb there."""


def state_after(seen: Seen, move: str) -> State:
    """Return the state after a turn in the notation."""
    state, moves = seen.two_player_state(), np.empty(128, dtype=np.int64)
    number = generate(state, BOARD, moves)
    found = next(turn for turn in map(int, moves[:number]) if seen.notation(turn) == move)
    return play(state, found)


def answers(state: State) -> Iterator[tuple[int, State]]:
    """Yield the turns of the player to move and the states after them; none if he can climb."""
    if climbs(state, state[4], state[5]):
        return
    moves = np.empty(128, dtype=np.int64)
    for turn in map(int, moves[: generate(state, BOARD, moves)]):
        if level_of(state, turn >> 5 & 31) < TOP:
            yield turn, play(state, turn)


def own_threats(state: State) -> list[str]:
    """Return the spaces to which the player who is not to move could climb."""
    return names(climbs(state, state[6], state[7]))


def threats(state: State) -> list[str]:
    """Return where the player who is not to move threatens to climb, if the other cannot climb
    first."""
    return [] if climbs(state, state[4], state[5]) else own_threats(state)


def is_double(state: State) -> bool:
    """Return whether the player who is not to move has two threats that nothing stops."""
    return len(threats(state)) > 1


def reached(state: State, workers: Iterable[int]) -> dict[int, int]:
    """Return the spaces that the workers can move to, each with its level if that is a step up for
    one of them, else 0."""
    found: dict[int, int] = {}
    for worker in workers:
        for space in range(SPACES):
            if int(reach(state, worker)) >> space & 1:
                level = level_of(state, space)
                step = level if level > level_of(state, worker) else 0
                found[space] = max(step, found.get(space, 0))
    return found


def more_steps(one: Mapping[int, int], other: Mapping[int, int]) -> int:
    """Return the highest level with more spaces that are in ``one`` alone than in ``other`` alone,
    if no higher one has fewer; 0 for none."""
    for level in range(TOP, 0, -1):
        more = len(new_steps(one, other, level)) - len(new_steps(other, one, level))
        if more:
            return level if more > 0 else 0
    return 0


def new_steps(one: Mapping[int, int], other: Mapping[int, int], level: int) -> str:
    """Return the spaces that are steps up to a level in ``one``, and out of reach in ``other``."""
    cells = sorted(one.keys() - other.keys())
    return ", ".join(space_name(space) for space in cells if one[space] == level)


def stuck(state: State, workers: Iterable[int]) -> list[str]:
    """Return the spaces of the workers that cannot move."""
    return [space_name(space) for space in workers if not reach(state, space)]


def room(state: State, workers: Iterable[int]) -> int:
    """Return how many spaces the workers can move to."""
    return sum(int(reach(state, worker)).bit_count() for worker in workers)


def around(workers: Iterable[int]) -> int:
    """Return how many spaces are around the workers: fewer at an edge, and in a corner."""
    return sum(len(NEIGHBOURS[worker]) for worker in workers)


def names(spaces: int) -> list[str]:
    return [space_name(space) for space in range(SPACES) if int(spaces) >> space & 1]
