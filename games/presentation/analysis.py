"""A game looked back at: what each move was worth, where it could have been better."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.contract import SeatKey, SeatSpec, Text, ntext
from games.models import Evaluation, Game, Move
from games.replay import position_at
from games.storage.cache import LRUCache

WIDTH, HEIGHT = 600, 160
SPAN = 8
"""How many mistakes' worth of advantage reach the edge of the graph."""

Summary = Mapping[str, Any]
"""What a report needs of an evaluation; see `summary`."""

_kept: LRUCache[tuple[str, int, str], Summary] = LRUCache(5_000)
"""By game, evaluation and the move that followed: what an evaluation says never changes."""


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
    def mistakes(self) -> list[tuple[Move, float, float]]:
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


def may_analyse(game: Game, held: Collection[SeatKey]) -> bool:
    """Whether a holder of the seats ``held`` may have a game analysed: anybody once it is over,
    before that its players, if hints are allowed or nobody plays against them."""
    if not game.rules.analysis:
        return False
    return game.over or (bool(held) and (game.hints or game.seating.only(held)))


def never_valued(game: Game) -> Text | None:
    """Why no position of a game can be valued; None where one can: the newest or, since nobody may
    be left in that one, the one before. Raises as `position_at`."""
    newest, before = (position_at(game, ply) for ply in (game.ply, max(0, game.ply - 1)))
    return newest.why_not_evaluable() and before.why_not_evaluable()


def evaluation_at(game: Game, ply: int) -> Evaluation | None:
    """The evaluation of one position of the game's present history."""
    moves = game.moves.filter(ply=ply).values_list("id", flat=True)
    return game.evaluations.filter(ply=ply, move_id=moves.first() or 0).first()


def waiting(game: Game) -> int:
    """How many positions of the present history have been asked for and are still to come."""
    ids = dict(game.moves.values_list("ply", "id"))
    asked = game.evaluations.filter(done=False).values_list("ply", "move_id")
    return sum(move_id == ids.get(ply, 0) for ply, move_id in asked)


def report(game: Game) -> Report:
    """What is known so far of every move of ``game``."""
    moves = list(game.moves.all())
    asked = _asked(game, moves)
    found = _summaries(asked, moves)
    names = {spec.key: spec.name for spec in game.specs}
    lines = [_line(move, names[move.seat], found.get(move.ply - 1)) for move in moves]
    to_come = sum(not evaluation.done for evaluation in asked)
    sides = _sides(game.specs, found)
    first, second, *_ = [*(spec.name for spec in sides), None, None]
    complete = len(asked) > game.ply
    graph = _graph(game, found, sides)
    return Report(lines, _tallies(game.specs, lines), graph, first, second, to_come, complete)


def _asked(game: Game, moves: Sequence[Move]) -> list[Evaluation]:
    """The evaluations of the present history, without their values, which may be megabytes."""
    ids = {move.ply: move.pk for move in moves}
    rows = game.evaluations.defer("values")
    return [row for row in rows if row.move_id == ids.get(row.ply, 0)]


def _summaries(asked: Sequence[Evaluation], moves: Sequence[Move]) -> dict[int, Summary]:
    """What is known of the positions that have moves with a value, by ply."""
    played = {move.ply - 1: move.text for move in moves}
    done = [(row, played.get(row.ply, "")) for row in asked if row.done]
    known = {row.ply: _known_summary(row, text) for row, text in done}
    # Rare: the move that followed was another one, or none, when the position was evaluated.
    others = {row.pk: text for row, text in done if known[row.ply] is None}
    for row in Evaluation.objects.filter(pk__in=others) if others else ():
        key = (row.game_id, row.pk, others[row.pk])
        known[row.ply] = _kept.put(key, summary(row.values, others[row.pk]))
    return {ply: found for ply, found in sorted(known.items()) if found and found["best"]}


def _known_summary(row: Evaluation, played: str) -> Summary | None:
    if row.summary and row.summary["of"] == played:
        return row.summary
    return _kept.get((row.game_id, row.pk, played))


def summary(values: Mapping[str, Any] | None, played: str) -> Summary:
    """The little of an evaluation's values that a report needs, when the move ``played`` followed;
    '' when none did. ``best`` is None where no move has a value."""
    moves = values["moves"] if values else []
    if values is None or not moves:
        return {"of": played, "best": None, "played": None}
    found = next((entry for entry in moves if entry["move"] == played), None)
    return {
        "of": played,
        "seat": values["seat"],
        "mistake": values["mistake"],
        "best": _short(moves[0]),
        "played": found and _short(found),
    }


def _short(entry: Mapping[str, Any]) -> dict[str, Any]:
    """A move without its reasons; before it was kept with it, every move was said to be known."""
    kept = {name: entry[name] for name in ("move", "value", "shown")}
    return {**kept, "known": bool(entry.get("known", True))}


def _sides(specs: Sequence[SeatSpec], found: Mapping[int, Summary]) -> Sequence[SeatSpec]:
    """The two seats that the graph compares: moves are valued once no others are in the game."""
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


def looked_back(game: Game, ply: int) -> Hint | None:
    """What the moves after ``ply`` were worth, once the game has been analysed."""
    evaluation = evaluation_at(game, ply) if game.rules.analysis else None
    return hint(evaluation) if evaluation else None


def hint(evaluation: Evaluation) -> Hint | None:
    """The hint of a finished evaluation; None where there was nothing to say."""
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
    """What a list says of a move; before this was kept with it, it was what was shown."""
    return Text.from_json(entry.get("detail", entry["shown"]))


def why_not_evaluable(evaluation: Evaluation) -> Text | None:
    """Why a finished evaluation has no values, if its computer said why."""
    refused = (evaluation.values or {}).get("refused")
    return Text.from_json(refused) if refused else None


def _line(move: Move, seat: Text, known: Summary | None) -> Line:
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
    game: Game, found: Mapping[int, Summary], sides: Sequence[SeatSpec]
) -> dict[int, tuple[float, float]]:
    """The best value before each move, for the first side: up is good for it."""
    step = WIDTH / max(1, game.ply)
    return {ply: (ply * step, _height(known, sides[0].key)) for ply, known in found.items()}


def _height(known: Summary, first: SeatKey) -> float:
    best = known["best"]["value"]
    value = best if known["seat"] == first else -best
    share = max(-1.0, min(1.0, value / (SPAN * known["mistake"])))
    return HEIGHT / 2 * (1 - share)
