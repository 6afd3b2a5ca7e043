"""Evaluations: the values of a position's moves, as computers have stored them.

An evaluation belongs to one history of its game: ``move_id`` names the move that led to its
position (0: the start), for moves can be undone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.models import Evaluation
from games.snapshot import GameSnapshot
from games.storage.cache import LRUCache

VERDICTS = ("inaccuracy", "mistake", "blunder")
"""The losses from which a move is called so. Old evaluations have that of mistakes alone."""

Summary = Mapping[str, Any]
"""The part of an evaluation that a report needs; see `summary`."""

_summaries: LRUCache[tuple[str, int, str], Summary] = LRUCache(5_000)
"""By game, evaluation and the move that followed: a finished evaluation never changes."""


@dataclass(frozen=True)
class Evaluations:
    """The evaluations of a game's present history: how many positions have been asked for, how
    many of those are still to come, in so many ``jobs`` (see `waiting`), and the summaries of those
    that have values by ply."""

    asked: int
    waiting: int
    jobs: int
    summaries: Mapping[int, Summary]


def move_id_at(snapshot: GameSnapshot, ply: int) -> int:
    """Return the id of the move that led to the position after ``ply`` moves; 0 for the start."""
    return snapshot.moves[ply - 1].id if ply else 0


def evaluation_at(snapshot: GameSnapshot, ply: int) -> Evaluation | None:
    """Return the evaluation of one position of the present history, if it was asked for."""
    if not 0 <= ply <= len(snapshot.moves):
        return None
    found = snapshot.game.evaluations.filter(ply=ply, move_id=move_id_at(snapshot, ply))
    evaluation: Evaluation | None = found.first()
    return evaluation


def waiting(snapshot: GameSnapshot) -> int:
    """Count the jobs that are left of the present history: two for a position without any value,
    one where it has first values."""
    rows = snapshot.game.evaluations.filter(done=False)
    return sum(
        _jobs(row) for row in rows.defer("values") if _is_present(snapshot, row.ply, row.move_id)
    )


def _jobs(row: Evaluation) -> int:
    if row.done:
        return 0
    return 2 if row.summary is None else 1


def read_evaluations(snapshot: GameSnapshot) -> Evaluations:
    """Read all evaluations of the present history, without their values."""
    rows = [
        row
        for row in snapshot.game.evaluations.defer("values")
        if _is_present(snapshot, row.ply, row.move_id)
    ]
    to_come, jobs = sum(not row.done for row in rows), sum(map(_jobs, rows))
    return Evaluations(len(rows), to_come, jobs, _read_summaries(snapshot, rows))


def _is_present(snapshot: GameSnapshot, ply: int, move_id: int) -> bool:
    return ply <= len(snapshot.moves) and move_id_at(snapshot, ply) == move_id


def _read_summaries(snapshot: GameSnapshot, rows: Sequence[Evaluation]) -> dict[int, Summary]:
    """Return the summaries of the positions that have moves with a value, by ply."""
    played = {move.ply - 1: move.text for move in snapshot.moves}
    done = [(row, played.get(row.ply, "")) for row in rows if row.done or row.summary]
    known = {row.ply: _known_summary(row, text) for row, text in done}
    # Rare: another move followed, or none had, when the position was evaluated.
    others = {row.pk: text for row, text in done if known[row.ply] is None}
    for row in Evaluation.objects.filter(pk__in=others) if others else ():
        key = (row.game_id, row.pk, others[row.pk])
        known[row.ply] = _summaries.put(key, summary(row.values, others[row.pk]))
    return {ply: found for ply, found in sorted(known.items()) if found and found["best"]}


def _known_summary(row: Evaluation, played: str) -> Summary | None:
    if row.summary and row.summary["of"] == played:
        stored: Summary = row.summary
        return stored
    return _summaries.get((row.game_id, row.pk, played))


def summary(values: Mapping[str, Any] | None, played: str) -> Summary:
    """Return the part of an evaluation's values that a report needs when the move ``played``
    followed ('' when none did). ``best`` is None where no move has a value."""
    moves = values["moves"] if values else []
    if values is None or not moves:
        return {"of": played, "best": None, "played": None}
    found = next((entry for entry in moves if entry["move"] == played), None)
    return {
        "of": played,
        "seat": values["seat"],
        **{name: values[name] for name in VERDICTS if name in values},
        "best": _short(moves[0]),
        "played": found and _short(found),
    }


def _short(entry: Mapping[str, Any]) -> dict[str, Any]:
    """Return a move without its reasons. Evaluations of old versions do not say ``known``."""
    short = {name: entry[name] for name in ("move", "value", "shown")}
    return {**short, "known": bool(entry.get("known", True))}
