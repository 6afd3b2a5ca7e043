"""The analysis of a game: the value of each move, and the better moves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
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
from games.models import Game
from games.state.evaluations import Evaluated, Evaluations, Summary
from games.state.replay import StoredMove
from games.state.snapshot import GameSnapshot

WIDTH, HEIGHT = 600, 160
LEAST_SPAN = 4
"""The graph spans at least the value of so many mistakes, so that a small advantage looks small."""
MARGIN = 1.15
"""The factor by which the graph is higher than its line."""


class Verdict(NamedTuple):
    """The verdict on a move that lost value: its words and sign, and those for several."""

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
    """A move with a verdict in the graph; ``x`` and ``y`` are fractions of its width and height."""

    line: Line
    x: float
    y: float


@dataclass(frozen=True)
class Line:
    """A move of an analysis. ``shown`` is its value in words, None while it is unknown; ``why`` is
    the coach's sentence on a move with a verdict, which may tell the best move (``tells_best``),
    with ``figures`` for those who ask."""

    move: StoredMove
    seat: Text
    shown: Text | None = None
    better: str = ""
    better_shown: Text | None = None
    verdict: Verdict | None = None
    loss: float = 0.0
    why: Text | None = None
    tells_best: bool = False
    figures: Text | None = None


@dataclass(frozen=True)
class Tally:
    """How well a seat played."""

    seat: Text
    verdicts: Sequence[Text]


@dataclass(frozen=True)
class Hint:
    """The best moves of a position, and its regions if it has several. ``cells`` are those of the
    very best move, and ``steps`` its steps. ``complete`` says that these are all moves of the
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
    """The analysis of a game's moves so far. ``graph`` holds a point (x, y) of the SVG by ply:
    above the middle ``first`` is ahead, below it ``second``; both are None if they are unknown.
    ``complete`` says that every position of the game has been requested. Of ``asked`` positions, so
    many are ``waiting`` and the rest is ``done``."""

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
    def is_scored(self) -> bool:
        """Whether every move has a value already, so that only a deeper look is left."""
        return bool(self.lines) and all(line.shown for line in self.lines)

    @property
    def is_empty(self) -> bool:
        """Whether every position has been evaluated, but none could be given a value."""
        return self.complete and not self.waiting and not self.graph

    @property
    def dots(self) -> list[Dot]:
        """The moves with a verdict, at the positions after them, or before the last one."""
        judged = [line for line in self.lines if line.verdict]
        return [Dot(line, *self._share(line.move.ply)) for line in judged]

    def _share(self, ply: int) -> tuple[float, float]:
        x, y = self.graph.get(ply) or self.graph[ply - 1]
        return 100 * x / WIDTH, 100 * y / HEIGHT

    def worth_a_look(self, held: Collection[SeatKey] = ()) -> int:
        """Return the ply of the costliest move of the seats ``held``; if they have none, that of
        the first mistake or blunder, or else of the last move."""
        own = [line for line in self.lines if line.verdict and line.move.seat in held]
        if own:
            return max(own, key=lambda line: line.loss).move.ply
        worst = (line.move.ply for line in self.lines if line.verdict in {MISTAKE, BLUNDER})
        return next(worst, len(self.lines))

    @property
    def polylines(self) -> list[str]:
        """The graph in the format of SVG polylines: a position of unknown value leaves a gap."""
        runs = groupby(enumerate(sorted(self.graph)), lambda at: at[1] - at[0])
        points = [[self.graph[ply] for _, ply in run] for _, run in runs]
        # A line of one point is a dot, if it has an end.
        return [
            " ".join(f"{x:.1f},{y:.1f}" for x, y in (run * 2 if len(run) == 1 else run))
            for run in points
        ]


def report(snapshot: GameSnapshot, known: Evaluations) -> Report:
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
    """Return the two seats that the graph compares: the last two active ones."""
    if len(specs) == 2:
        return specs
    valued = {known["seat"] for known in found.values()}
    return [spec for spec in specs if spec.key in valued]


def _tallies(specs: Sequence[SeatSpec], lines: Sequence[Line]) -> list[Tally]:
    valued = {line.move.seat for line in lines if line.shown}
    return [_tally(spec, lines) for spec in specs if spec.key in valued]


def _tally(spec: SeatSpec, lines: Sequence[Line]) -> Tally:
    made = Counter(line.verdict for line in lines if line.move.seat == spec.key)
    verdicts = INACCURACY, MISTAKE, BLUNDER
    return Tally(spec.name, [verdict.several(made[verdict]) for verdict in verdicts])


def hint_of(evaluation: Evaluated, position: Position) -> Hint | None:
    """Return the hint from a finished evaluation of a position; None if it has no values."""
    values = evaluation.values
    if not values or not values["moves"]:
        return None
    best, *others = values["moves"]
    steps = move_steps(position, best["move"])
    return Hint(
        best["move"],
        list(dict.fromkeys(step.cell for step in steps if step.cell)),
        _words(position, best["move"], steps),
        Text.from_json(best["shown"]),
        _detail(best),
        Text.from_json(best["why"]) if best["why"] else None,
        [(other["move"], _detail(other)) for other in others],
        [(" ".join(r["cells"]), Text.from_json(r["value"])) for r in values["regions"]],
        values["count"] == len(values["moves"]),
    )


def _words(position: Position, move: str, steps: Sequence[Step]) -> Sequence[Text]:
    # The present rules may forbid a move that older ones allowed; then it has no steps.
    sentence = position.tell_move(move) if steps else None
    return [sentence] if sentence else [step.label for step in steps]


def move_steps(position: Position, move: str) -> list[Step]:
    """Return the steps of a move as buttons show them; none for a move forbidden today."""
    seat, tokens = min(position.to_move(), default=""), split_move(move)
    try:
        stages = [position.stage(seat, tokens[:done]) for done in range(len(tokens))]
    except MoveError:
        return []
    chosen = zip(stages, tokens, strict=True)
    return [step for stage, token in chosen for step in stage.steps if step.text == token]


def _detail(entry: Mapping[str, Any]) -> Text:
    return Text.from_json(entry["detail"])


def why_not_evaluable(evaluation: Evaluated) -> Text | None:
    """Return why a finished evaluation has no values, if a reason is stored."""
    refused = (evaluation.values or {}).get("refused")
    return Text.from_json(refused) if refused else None


def valued_line(move: StoredMove, seat: Text, known: Summary | None) -> Line:
    if known is None or known["played"] is None:
        return Line(move, seat)
    best, played = known["best"], known["played"]
    loss = best["value"] - played["value"]
    shown = Text.from_json(played["shown"])
    if loss <= 0 or best["shown"] == played["shown"] or not (best["known"] and played["known"]):
        return Line(move, seat, shown)
    better_shown, verdict = Text.from_json(best["shown"]), _verdict(loss, known)
    line = Line(move, seat, shown, best["move"], better_shown, verdict, loss)
    reason = known["reason"] if line.verdict else None
    if not reason:
        return line
    figures = Text.from_json(reason["figures"]) if "figures" in reason else None
    why = Text.from_json(reason["text"])
    return replace(line, why=why, tells_best=reason["best"], figures=figures)


HOPELESS = 4
"""A position is lost anyway if its best move is worth so many blunders less than nothing."""


def _verdict(loss: float, known: Summary) -> Verdict | None:
    """Return the verdict on a loss; None where the best move loses by much as well. Old evaluations
    contain only the limit for mistakes."""
    mistake = known["mistake"]
    blunder = known.get("blunder", 2 * mistake)
    if known["best"]["value"] <= -HOPELESS * blunder:
        return None
    if loss >= blunder:
        return BLUNDER
    if loss >= mistake:
        return MISTAKE
    return INACCURACY if loss >= known.get("inaccuracy", mistake / 2) else None


def _graph(
    game: Game, found: Mapping[int, Summary], sides: Sequence[SeatSpec]
) -> dict[int, tuple[float, float]]:
    """Return the best value before each move, the first side's advantage at the top. It is scaled
    to the game, so that no part of the line is flattened at an edge."""
    step = WIDTH / max(1, game.ply)
    values = {
        ply: _value(known, "best", sides[0].key)
        for ply, known in found.items()
        if known["best"]["known"]
    }
    last = found.get(game.ply - 1)
    # Nobody is to move at the end, so it is worth what its last move was.
    if game.over and last and last["played"] and last["played"]["known"]:
        values[game.ply] = _value(last, "played", sides[0].key)
    largest = max((abs(value) for value in values.values()), default=0.0)
    least = LEAST_SPAN * max((known["mistake"] for known in found.values()), default=1.0)
    span = max(MARGIN * largest, least)
    return {ply: (ply * step, HEIGHT / 2 * (1 - value / span)) for ply, value in values.items()}


def _value(known: Summary, move: Literal["best", "played"], first: SeatKey) -> float:
    """Return the value of the best or the played move of a position for the first side."""
    value: float = known[move]["value"]
    return value if known["seat"] == first else -value
