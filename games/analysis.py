"""A game looked back at: what each move was worth, where it could have been better."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.contract import Seat, SeatSpec, Text, ntext
from games.models import Evaluation, Game, Move

WIDTH, HEIGHT = 600, 160
SPAN = 8
"""How many mistakes' worth of advantage reach the edge of the graph."""


@dataclass(frozen=True)
class Line:
    """One move, looked back at. ``shown`` is what it was worth, None while not known."""

    move: Move
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
    """The best moves of a position, and its regions where it falls apart into some."""

    best: str
    shown: Text
    detail: Text
    why: Text | None
    others: Sequence[tuple[str, Text]]
    regions: Sequence[tuple[str, Text]]


@dataclass(frozen=True)
class Report:
    """All that is known of a game's moves. ``graph`` holds a point (x, y) of the SVG by ply.
    It is good for ``first`` above and for ``second`` below, None where nobody is known to be.
    ``complete``: every position of the game has been asked for; ``waiting``: so many of those
    asked for are still to come."""

    lines: Sequence[Line]
    tallies: Sequence[Tally]
    graph: Mapping[int, tuple[float, float]]
    first: Text | None
    second: Text | None
    waiting: int
    complete: bool

    @property
    def is_empty(self) -> bool:
        """Whether all has been asked for and answered, and no position could be valued."""
        return self.complete and not self.waiting and not self.graph

    @property
    def mistakes(self) -> list[tuple[float, float]]:
        """Where in the graph a mistake led to; where it was made, if the game ended with it."""
        made = [line.move.ply for line in self.lines if line.mistake]
        return [self.graph.get(ply) or self.graph[ply - 1] for ply in made]

    @property
    def worth_a_look(self) -> int:
        """The ply of the first mistake; of the last move, where there is none."""
        mistakes = (line.move.ply for line in self.lines if line.mistake)
        return next(mistakes, len(self.lines))

    @property
    def points(self) -> str:
        """The graph as SVG's polyline wants it."""
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in self.graph.values())


def current(game: Game) -> dict[int, Evaluation]:
    """The evaluations of the game's present history, by ply."""
    ids = dict(game.moves.values_list("ply", "id"))
    return {
        evaluation.ply: evaluation
        for evaluation in game.evaluations.all()
        if evaluation.move_id == ids.get(evaluation.ply, 0)
    }


def report(game: Game) -> Report:
    """What is known so far of every move of ``game``."""
    found = current(game)
    names = {spec.key: spec.name for spec in game.specs}
    lines = [_line(move, names[move.seat], found.get(move.ply - 1)) for move in game.moves.all()]
    waiting = sum(not evaluation.done for evaluation in found.values())
    sides = _sides(game.specs, found)
    first, second, *_ = [*(spec.name for spec in sides), None, None]
    complete = len(found) > game.ply
    graph = _graph(game, found, sides)
    return Report(lines, _tallies(game.specs, lines), graph, first, second, waiting, complete)


def _sides(specs: Sequence[SeatSpec], found: Mapping[int, Evaluation]) -> Sequence[SeatSpec]:
    """The two seats that the graph compares: moves are valued once no others are in the game."""
    if len(specs) == 2:
        return specs
    valued = {evaluation.values["seat"] for evaluation in found.values() if _has_moves(evaluation)}
    return [spec for spec in specs if spec.key in valued]


def _has_moves(evaluation: Evaluation) -> bool:
    return bool(evaluation.values and evaluation.values["moves"])


def _tallies(specs: Sequence[SeatSpec], lines: Sequence[Line]) -> list[Tally]:
    """How well each seat played that had a move valued."""
    valued = {line.move.seat for line in lines if line.shown}
    return [_tally(spec, lines) for spec in specs if spec.key in valued]


def _tally(spec: SeatSpec, lines: Sequence[Line]) -> Tally:
    mistakes = sum(line.mistake for line in lines if line.move.seat == spec.key)
    return Tally(spec.name, ntext("%(n)s mistake", "%(n)s mistakes", n=mistakes))


def looked_back(game: Game, ply: int) -> Hint | None:
    """What the moves after ``ply`` were worth, once the game has been analysed."""
    evaluation = current(game).get(ply) if game.rules.analysis else None
    return hint(evaluation) if evaluation else None


def hint(evaluation: Evaluation) -> Hint | None:
    """The hint of a finished evaluation; None where there was nothing to say."""
    values = evaluation.values
    if not values or not values["moves"]:
        return None
    best, *others = values["moves"]
    return Hint(
        best["move"],
        Text.from_json(best["shown"]),
        _detail(best),
        Text.from_json(best["why"]) if best["why"] else None,
        [(other["move"], _detail(other)) for other in others],
        [(" ".join(r["cells"]), Text.from_json(r["value"])) for r in values["regions"]],
    )


def _detail(entry: Mapping[str, Any]) -> Text:
    """What a list says of a move; before this was kept with it, it was what was shown."""
    return Text.from_json(entry.get("detail", entry["shown"]))


def _line(move: Move, seat: Text, evaluation: Evaluation | None) -> Line:
    values = evaluation.values if evaluation else None
    known = {entry["move"]: entry for entry in values["moves"]} if values else {}
    played = known.get(move.text)
    if played is None or values is None:
        return Line(move, seat)
    best = values["moves"][0]
    loss = best["value"] - played["value"]
    shown = Text.from_json(played["shown"])
    if loss <= 0 or best["shown"] == played["shown"] or not (_known(best) and _known(played)):
        return Line(move, seat, shown)
    better_shown = Text.from_json(best["shown"])
    return Line(move, seat, shown, best["move"], better_shown, loss >= values["mistake"])


def _known(entry: Mapping[str, Any]) -> bool:
    """Whether a move was valued; before this was kept with it, every move was said to be."""
    return bool(entry.get("known", True))


def _graph(
    game: Game, found: Mapping[int, Evaluation], sides: Sequence[SeatSpec]
) -> dict[int, tuple[float, float]]:
    """The best value before each move, for the first side: up is good for it."""
    step = WIDTH / max(1, game.ply)
    return {
        ply: (ply * step, _height(evaluation.values, sides[0].key))
        for ply, evaluation in sorted(found.items())
        if _has_moves(evaluation)
    }


def _height(values: Mapping[str, Any], first: Seat) -> float:
    best = values["moves"][0]["value"]
    value = best if values["seat"] == first else -best
    share = max(-1.0, min(1.0, value / (SPAN * values["mistake"])))
    return HEIGHT / 2 * (1 - share)
