"""The computer player of Santorini: its levels, and values of moves for hints and analysis.

For two players the search is adversarial; with three or four, each is assumed to play for itself
(see `ai.many`). Level 1 is a match for a beginner; all levels climb when they can win.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from games.contract import CannotPlay, Choice, MoveValue, Position, SeatKey, Text, text
from games.santorini.ai import hints
from games.santorini.ai.evaluation import UNIT
from games.santorini.ai.many_root import placement_values_among, think_many
from games.santorini.ai.placement import first_values, second_values
from games.santorini.ai.root import Budget, Line, think
from games.santorini.ai.spaces import Pair, Seen, see, space_name
from games.santorini.ai.tools import DEEPEST, WIN
from games.santorini.engine import DOME
from games.santorini.messages import WHEN_TWO_ARE_LEFT


@dataclass(frozen=True)
class Level:
    """The strength of a level.

    ``noise`` is the standard deviation, in log odds of winning, of the noise added to the value of
    each move; ``depth`` counts turns (of two players) and ``nodes`` counts positions. In a
    ``careless`` share of its turns a level overlooks forced wins and losses, and among four players
    in a ``blind`` one a climb that wins. A level with a style adds ``climbing`` log odds for each
    level on which a move ends, or ``building`` for each part of the tower that it builds on.
    """

    noise: float = 0.0
    depth: int = DEEPEST
    nodes: int = 10_000
    careless: float = 0.0
    blind: float = 0.0
    climbing: float = 0.0
    building: float = 0.0


LEVELS: Mapping[int, Level] = {
    1: Level(noise=8.0, depth=1, careless=1.0),
    7: Level(noise=4.5, depth=1, careless=0.7),
    2: Level(noise=2.5, depth=1, careless=0.3),
    8: Level(noise=1.8, depth=1, careless=0.1),
    3: Level(noise=1.2, depth=1),
    9: Level(noise=0.8, depth=1),
    16: Level(noise=1.0, depth=1, climbing=2.0),
    17: Level(noise=0.4, depth=1, building=1.0),
    4: Level(noise=0.7, depth=2, nodes=20_000),
    10: Level(noise=0.4, depth=2, nodes=20_000),
    11: Level(nodes=450),
    12: Level(nodes=1_300),
    5: Level(nodes=6_000),
    13: Level(nodes=14_000),
    14: Level(nodes=60_000),
    15: Level(nodes=200_000),
    6: Level(nodes=1_500_000),
}
LEVELS_OF_MANY: Mapping[int, Level] = {
    1: Level(noise=6.0, nodes=1, careless=1.0, blind=0.6),
    7: Level(noise=2.5, nodes=1, careless=0.5),
    2: Level(noise=1.0, nodes=1),
    8: Level(noise=0.5, nodes=1),
    3: Level(nodes=100),
    9: Level(nodes=300),
    16: Level(noise=0.05, nodes=300, climbing=0.4),
    17: Level(noise=0.02, nodes=300, building=0.2),
    4: Level(nodes=1_000),
    10: Level(nodes=2_000),
    11: Level(nodes=5_000),
    12: Level(nodes=10_000),
    5: Level(nodes=20_000),
    13: Level(nodes=50_000),
    14: Level(nodes=120_000),
    15: Level(nodes=270_000),
    6: Level(nodes=600_000),
}
"""The levels for three or four players. Their search is broader and gains less from depth."""
_MARGIN = 0.03
"""The log odds by which a placement chosen for variety may be worse than the best one."""
_HINT_NODES = 1_000_000
INACCURACY, MISTAKE, BLUNDER = 16.0, 30.0, 60.0
"""A mistake costs 15 percentage points of the chance to win. Values, from -100 to 100, are twice as
large."""


def choose(
    position: Position, seat: SeatKey, level: int, rng: Random, *, seconds: float = 10.0
) -> Choice:
    """Return the move of ``seat``. Raises CannotPlay for an unknown level, or out of turn."""
    if level not in LEVELS:
        raise CannotPlay(text("The computer plays at levels 1 to %(most)s.", most=len(LEVELS)))
    if seat not in position.to_move():
        raise CannotPlay(text("It is not this seat’s turn."))
    seen = see(position.view(seat))
    plays = (LEVELS if len(seen.pairs) == 2 else LEVELS_OF_MANY)[level]
    if seen.placing:
        return Choice(move=_placement(seen, plays, rng, seconds))
    wins = seen.climbs()
    if wins and plays.blind and len(seen.pairs) == 4 and rng.random() < plays.blind:
        others = [move for move in position.legal_moves(seat) if move not in wins]
        return Choice(move=rng.choice(others or wins))
    if wins:
        return Choice(move=rng.choice(wins))
    lines = _lines(seen, plays, rng, seconds)
    return Choice(move=seen.notation(_with_noise(seen, lines, plays, rng)))


def _lines(seen: Seen, level: Level, rng: Random, seconds: float) -> list[Line]:
    wide, budget = level.noise > 0, Budget(level.nodes, seconds)
    if len(seen.pairs) == 2:
        return think(seen.two_player_state(), budget, depth=level.depth, wide=wide, rng=rng)
    return think_many(seen, budget, rng=rng)


def _with_noise(seen: Seen, lines: list[Line], level: Level, rng: Random) -> int:
    """Return the move of the best line after adding noise to the values that are not certain."""
    if level.noise == 0:
        return lines[0].move
    is_careless = level.careless > 0 and rng.random() < level.careless

    def heard(line: Line) -> float:
        if line.is_decided and not is_careless:
            return line.value
        value = (0 if line.is_decided else line.value) + _taste(seen, level, line.move) * UNIT
        return value + rng.gauss(0, level.noise * UNIT)

    return max(lines, key=heard).move


def _taste(seen: Seen, level: Level, move: int) -> float:
    """Return the log odds by which a level overrates a move."""
    steps, parts = (
        sum(tower >> space & 1 for tower in seen.towers) for space in (move >> 5 & 31, move >> 10)
    )
    # A dome makes no tower higher.
    return level.climbing * steps + level.building * (parts + 1 if parts < DOME - 1 else 0)


def _placement(seen: Seen, level: Level, rng: Random, seconds: float) -> str:
    values = _placement_values(seen, level.nodes, seconds)
    noisy = {pair: value + rng.gauss(0, level.noise * UNIT) for pair, value in values.items()}
    least = max(noisy.values()) - _MARGIN * UNIT
    pair = rng.choice([pair for pair, value in noisy.items() if value >= least])
    return f"{space_name(pair[0])} {space_name(pair[1])}"


def _placement_values(seen: Seen, nodes: int, seconds: float) -> dict[Pair, int]:
    if len(seen.pairs) > 2:
        return placement_values_among(seen)
    theirs = seen.pairs[1]
    return first_values(nodes, seconds) if theirs is None else second_values(theirs, nodes, seconds)


def evaluate(position: Position, *, seconds: float = 2.0) -> Mapping[str, MoveValue]:
    """Return a value for each legal move of the seat to move, if two players are left.

    Raises CannotPlay with more players, and if the game is over."""
    if not position.to_move():
        raise CannotPlay(text("The game is over."))
    (seat,) = position.to_move()
    seen = see(position.view(seat))
    if len(seen.pairs) > 2:
        raise CannotPlay(WHEN_TWO_ARE_LEFT)
    if seen.placing:
        return _valued_placements(_placement_values(seen, _HINT_NODES, seconds))
    values = {move: hints.at_once() for move in seen.climbs()}
    state = seen.two_player_state()
    for line in think(state, Budget(_HINT_NODES, seconds), wide=True):
        values[seen.notation(line.move)] = _valued(line, hints.reason(state, line.move))
    return values


def _valued(line: Line, why: Text | None) -> MoveValue:
    if line.is_decided:
        return hints.forced(WIN - abs(line.value), wins=line.value > 0)
    return hints.estimated(line.value / UNIT, why)


def _valued_placements(values: Mapping[Pair, int]) -> Mapping[str, MoveValue]:
    named: dict[str, MoveValue] = {}
    for pair, value in values.items():
        one, other = map(space_name, pair)
        valued = hints.estimated(value / UNIT, None)
        named |= {f"{one} {other}": valued, f"{other} {one}": valued}
    return named
