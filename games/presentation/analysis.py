"""The analysis of a game: the value of each move, and the better moves."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.contract import SeatKey, SeatSpec, Text, ntext
from games.evaluations import Evaluations, Summary
from games.models import Evaluation
from games.replay import StoredMove
from games.snapshot import GameSnapshot

WIDTH, HEIGHT = 600, 160
SPAN = 8
"""How many mistakes' worth of advantage reach the edge of the graph."""


@dataclass(frozen=True)
class Line:
    """One move of an analysis. ``shown`` is its value, None while that is unknown."""

    move: StoredMove
    seat: Text
    shown: Text | None = None
    better: str = ""
    better_shown: Text | None = None
    mistake: bool = False


@dataclass(frozen=True)
class Tally:
    """How well a seat played."""

    seat: Text
    mistakes: Text


@dataclass(frozen=True)
class Hint:
    """The best moves of a position, and its regions where it falls apart into some. ``cells`` are
    those that the very best is made on, ``steps`` say how; none of a hint from before they were
    kept."""

    best: str
    cells: Sequence[str]
    steps: Sequence[Text]
    shown: Text
    detail: Text
    why: Text | None
    others: Sequence[tuple[str, Text]]
    regions: Sequence[tuple[str, Text]]


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

    @property
    def done(self) -> int:
        """Return how many positions have been evaluated."""
        return self.asked - self.waiting

    @property
    def is_empty(self) -> bool:
        """Whether all has been asked for and answered, and no position could be valued."""
        return self.complete and not self.waiting and not self.graph

    @property
    def mistakes(self) -> list[tuple[StoredMove, float, float]]:
        """Moves that were mistakes, and where in the graph each led to; where it was made, if the
        game ended with it."""
        made = [line.move for line in self.lines if line.mistake]
        return [(move, *(self.graph.get(move.ply) or self.graph[move.ply - 1])) for move in made]

    @property
    def worth_a_look(self) -> int:
        """The ply of the first mistake; of the last move, where there is none."""
        mistakes = (line.move.ply for line in self.lines if line.mistake)
        return next(mistakes, len(self.lines))

    @property
    def points(self) -> str:
        """The graph as SVG's polyline wants it."""
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in self.graph.values())


def may_analyse(snapshot: GameSnapshot, held: Collection[SeatKey]) -> bool:
    """Return whether a holder of the seats ``held`` may analyse a game: everybody once it is over,
    before that its players, if hints are allowed or nobody plays against them."""
    game = snapshot.game
    if not snapshot.rules.analysis:
        return False
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
        _line(move, snapshot.spec(move.seat).name, found.get(move.ply - 1))
        for move in snapshot.moves
    ]
    sides = _sides(snapshot.specs, found)
    first, second, *_ = [*(spec.name for spec in sides), None, None]
    return Report(
        lines=lines,
        tallies=_tallies(snapshot.specs, lines),
        graph=_graph(snapshot.game.ply, found, sides),
        first=first,
        second=second,
        waiting=known.waiting,
        complete=known.asked > snapshot.game.ply,
        asked=known.asked,
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
    mistakes = sum(line.mistake for line in lines if line.move.seat == spec.key)
    return Tally(spec.name, ntext("%(n)s mistake", "%(n)s mistakes", n=mistakes))


def hint_of(evaluation: Evaluation) -> Hint | None:
    """Return the hint of a finished evaluation; None where there was nothing to say."""
    values = evaluation.values
    if not values or not values["moves"]:
        return None
    best, *others = values["moves"]
    return Hint(
        best["move"],
        values.get("cells", ()),
        [Text.from_json(step) for step in values.get("steps", ())],
        Text.from_json(best["shown"]),
        _detail(best),
        Text.from_json(best["why"]) if best["why"] else None,
        [(other["move"], _detail(other)) for other in others],
        [(" ".join(r["cells"]), Text.from_json(r["value"])) for r in values["regions"]],
    )


def _detail(entry: Mapping[str, Any]) -> Text:
    """Return a move's value for a list; old evaluations have no ``detail``."""
    return Text.from_json(entry.get("detail", entry["shown"]))


def why_not_evaluable(evaluation: Evaluation) -> Text | None:
    """Why a finished evaluation has no values, if its computer said why."""
    refused = (evaluation.values or {}).get("refused")
    return Text.from_json(refused) if refused else None


def _line(move: StoredMove, seat: Text, known: Summary | None) -> Line:
    if known is None or known["played"] is None:
        return Line(move, seat)
    best, played = known["best"], known["played"]
    loss = best["value"] - played["value"]
    shown = Text.from_json(played["shown"])
    if loss <= 0 or best["shown"] == played["shown"] or not (best["known"] and played["known"]):
        return Line(move, seat, shown)
    better_shown = Text.from_json(best["shown"])
    return Line(move, seat, shown, best["move"], better_shown, loss >= known["mistake"])


def _graph(
    plies: int, found: Mapping[int, Summary], sides: Sequence[SeatSpec]
) -> dict[int, tuple[float, float]]:
    """Return the best value before each move, for the first side: up is good for it."""
    step = WIDTH / max(1, plies)
    return {ply: (ply * step, _height(known, sides[0].key)) for ply, known in found.items()}


def _height(known: Summary, first: SeatKey) -> float:
    best = known["best"]["value"]
    value = best if known["seat"] == first else -best
    share: float = max(-1.0, min(1.0, value / (SPAN * known["mistake"])))
    return HEIGHT / 2 * (1 - share)
