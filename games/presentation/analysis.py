"""The analysis of a game: the value of each move, and the better moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from games.contract import (
    MoveError,
    Position,
    SeatKey,
    SeatSpec,
    Step,
    Text,
    ntext,
    split_move,
    text,
)
from games.evaluations import Evaluations, Summary, values_of
from games.models import Evaluation, Game
from games.replay import StoredMove
from games.snapshot import GameSnapshot

WIDTH, HEIGHT = 600, 160
LEAST_SPAN = 4
"""How many mistakes' worth of advantage the graph spans at least, so that a trifle looks small."""
MARGIN = 1.15
"""The largest advantage stays so much below the edge, where it would be cut off."""


class Verdict(NamedTuple):
    """What is said of a move that cost something, the sign that stands for it, and its words for
    several such moves."""

    key: str
    name: Text
    sign: str
    several: Callable[[int], Text]


INACCURACY = Verdict(
    "inaccuracy",
    text("inaccuracy"),
    "?!",
    lambda n: ntext("%(n)s inaccuracy", "%(n)s inaccuracies", n=n),
)
MISTAKE = Verdict(
    "mistake", text("mistake"), "?", lambda n: ntext("%(n)s mistake", "%(n)s mistakes", n=n)
)
BLUNDER = Verdict(
    "blunder", text("blunder"), "??", lambda n: ntext("%(n)s blunder", "%(n)s blunders", n=n)
)


class Dot(NamedTuple):
    """A move with a verdict in the graph; ``x`` and ``y`` are shares of its width and height."""

    line: Line
    x: float
    y: float


@dataclass(frozen=True)
class Line:
    """One move of an analysis. ``shown`` is its value, None while that is unknown."""

    move: StoredMove
    seat: Text
    shown: Text | None = None
    better: str = ""
    better_shown: Text | None = None
    verdict: Verdict | None = None


@dataclass(frozen=True)
class Tally:
    """How well a seat played."""

    seat: Text
    verdicts: Sequence[Text]


@dataclass(frozen=True)
class Hint:
    """The best moves of a position, and its regions where it falls apart into some. ``cells`` are
    those that the very best is made on, ``steps`` say how. ``complete``: these are all moves of the
    position."""

    best: str
    cells: Sequence[str]
    steps: Sequence[Text]
    shown: Text
    detail: Text
    why: Text | None
    others: Sequence[tuple[str, Text]]
    regions: Sequence[tuple[str, Text]]
    complete: bool


@dataclass(frozen=True)
class Report:
    """All that is known of a game's moves. ``graph`` holds a point (x, y) of the SVG by ply.
    It is good for ``first`` above and for ``second`` below, None where nobody is known to be.
    ``complete``: every position of the game has been asked for; of the ``asked`` ones so many are
    ``waiting``, and the rest is ``done``."""

    lines: Sequence[Line]
    tallies: Sequence[Tally]
    graph: Mapping[int, tuple[float, float]]
    first: Text | None
    second: Text | None
    waiting: int
    complete: bool
    asked: int = 0
    jobs: int = 0

    @property
    def done(self) -> int:
        """Return how many positions have been evaluated."""
        return self.asked - self.waiting

    @property
    def is_empty(self) -> bool:
        """Whether all has been asked for and answered, and no position could be valued."""
        return self.complete and not self.waiting and not self.graph

    @property
    def dots(self) -> list[Dot]:
        """Moves with a verdict, and where in the graph each led to; where it was made, if the game
        ended with it."""
        judged = [line for line in self.lines if line.verdict]
        return [Dot(line, *self._share(line.move.ply)) for line in judged]

    def _share(self, ply: int) -> tuple[float, float]:
        x, y = self.graph.get(ply) or self.graph[ply - 1]
        return 100 * x / WIDTH, 100 * y / HEIGHT

    @property
    def worth_a_look(self) -> int:
        """The ply of the first mistake or blunder; of the last move, where there is none."""
        worst = (line.move.ply for line in self.lines if line.verdict in {MISTAKE, BLUNDER})
        return next(worst, len(self.lines))

    @property
    def points(self) -> str:
        """The graph as SVG's polyline wants it."""
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in self.graph.values())


def may_analyse(snapshot: GameSnapshot, held: Collection[SeatKey]) -> bool:
    """Return whether a holder of the seats ``held`` may analyse a game: everybody once it is over,
    before that its players, if hints are allowed or nobody plays against them."""
    return snapshot.rules.analysis and may_explore(snapshot, held)


def may_explore(snapshot: GameSnapshot, held: Collection[SeatKey]) -> bool:
    """Return whether a holder of the seats ``held`` may do with the positions of a game as with
    those of its analysis, whether or not its kind has one."""
    game = snapshot.game
    return game.over or (bool(held) and (game.hints or snapshot.seating.only(held)))


def never_evaluable(snapshot: GameSnapshot) -> Text | None:
    """Return why no position of a game can be evaluated; None where one can: the newest or, since
    nobody may be left in that one, the one before."""
    ply = snapshot.last_ply
    newest, before = snapshot.at(ply), snapshot.at(max(0, ply - 1))
    return newest.why_not_evaluable() and before.why_not_evaluable()


def report(snapshot: GameSnapshot, known: Evaluations) -> Report:
    """Return the report of a game from the evaluations ``known``."""
    found = known.summaries
    lines = [
        valued_line(move, snapshot.spec(move.seat).name, found.get(move.ply - 1))
        for move in snapshot.moves
    ]
    sides = _sides(snapshot.specs, found)
    first, second, *_ = [*(spec.name for spec in sides), None, None]
    return Report(
        lines=lines,
        tallies=_tallies(snapshot.specs, lines),
        graph=_graph(snapshot.game, found, sides),
        first=first,
        second=second,
        waiting=known.waiting,
        complete=known.asked > snapshot.game.ply,
        asked=known.asked,
        jobs=known.jobs,
    )


def _sides(specs: Sequence[SeatSpec], found: Mapping[int, Summary]) -> Sequence[SeatSpec]:
    """Return the two seats that the graph compares: moves have values once only two are active."""
    if len(specs) == 2:
        return specs
    valued = {known["seat"] for known in found.values()}
    return [spec for spec in specs if spec.key in valued]


def _tallies(specs: Sequence[SeatSpec], lines: Sequence[Line]) -> list[Tally]:
    """How well each seat played that had a move valued."""
    valued = {line.move.seat for line in lines if line.shown}
    return [_tally(spec, lines) for spec in specs if spec.key in valued]


def _tally(spec: SeatSpec, lines: Sequence[Line]) -> Tally:
    made = Counter(line.verdict for line in lines if line.move.seat == spec.key)
    verdicts = INACCURACY, MISTAKE, BLUNDER
    return Tally(spec.name, [verdict.several(made[verdict]) for verdict in verdicts])


def hint_of(evaluation: Evaluation, position: Position) -> Hint | None:
    """Return the hint of a finished evaluation of a position; None where there was nothing to
    say."""
    values = values_of(evaluation)
    if not values or not values["moves"]:
        return None
    best, *others = values["moves"]
    steps = move_steps(position, best["move"])
    return Hint(
        best["move"],
        list(dict.fromkeys(step.cell for step in steps if step.cell)),
        [step.label for step in steps],
        Text.from_json(best["shown"]),
        _detail(best),
        Text.from_json(best["why"]) if best["why"] else None,
        [(other["move"], _detail(other)) for other in others],
        [(" ".join(r["cells"]), Text.from_json(r["value"])) for r in values["regions"]],
        values["count"] == len(values["moves"]),
    )


def move_steps(position: Position, move: str) -> list[Step]:
    """Return the steps by which somebody makes a move; none of a move that later rules do not
    allow."""
    seat, tokens = min(position.to_move(), default=""), split_move(move)
    try:
        stages = [position.stage(seat, tokens[:done]) for done in range(len(tokens))]
    except MoveError:
        return []
    chosen = zip(stages, tokens, strict=True)
    return [step for stage, token in chosen for step in stage.steps if step.text == token]


def _detail(entry: Mapping[str, Any]) -> Text:
    """Return a move's value for a list."""
    return Text.from_json(entry["detail"])


def why_not_evaluable(evaluation: Evaluation) -> Text | None:
    """Why a finished evaluation has no values, if its computer said why."""
    refused = (values_of(evaluation) or {}).get("refused")
    return Text.from_json(refused) if refused else None


def valued_line(move: StoredMove, seat: Text, known: Summary | None) -> Line:
    """Return a move with its value, by the summary of the position before it."""
    if known is None or known["played"] is None:
        return Line(move, seat)
    best, played = known["best"], known["played"]
    loss = best["value"] - played["value"]
    shown = Text.from_json(played["shown"])
    if loss <= 0 or best["shown"] == played["shown"] or not (best["known"] and played["known"]):
        return Line(move, seat, shown)
    better_shown = Text.from_json(best["shown"])
    return Line(move, seat, shown, best["move"], better_shown, _verdict(loss, known))


def _verdict(loss: float, known: Summary) -> Verdict | None:
    """Return the verdict on a move that lost so much. Evaluations of old versions say only from
    where on a loss is a mistake."""
    mistake = known["mistake"]
    if loss >= known.get("blunder", 2 * mistake):
        return BLUNDER
    if loss >= mistake:
        return MISTAKE
    return INACCURACY if loss >= known.get("inaccuracy", mistake / 2) else None


def _graph(
    game: Game, found: Mapping[int, Summary], sides: Sequence[SeatSpec]
) -> dict[int, tuple[float, float]]:
    """Return the best value before each move, for the first side: up is good for it. The scale is
    that of the game, so that no part of the line lies flat on an edge."""
    step = WIDTH / max(1, game.ply)
    values = {ply: _value(known, "best", sides[0].key) for ply, known in found.items()}
    last = found.get(game.ply - 1)
    # Nobody is to move at the end, so it is worth what its last move was.
    if game.over and last and last["played"]:
        values[game.ply] = _value(last, "played", sides[0].key)
    largest = max((abs(value) for value in values.values()), default=0.0)
    least = LEAST_SPAN * max((known["mistake"] for known in found.values()), default=1.0)
    span = max(MARGIN * largest, least)
    return {ply: (ply * step, HEIGHT / 2 * (1 - value / span)) for ply, value in values.items()}


def _value(known: Summary, move: Literal["best", "played"], first: SeatKey) -> float:
    """Return the value of the best or the played move of a position for the first side."""
    value: float = known[move]["value"]
    return value if known["seat"] == first else -value
