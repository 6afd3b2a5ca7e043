"""Evaluations: the values of a position's moves, as computers have stored them.

An evaluation belongs to one history of its game, since moves can be undone: ``move_id`` names the
move that led to its position (0: the start). The evaluations of a finished game are united in one
row (`games.models.Analysis`), and are returned from there as if each still had its own."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from games.contract import ENDINGS
from games.models import Analysis, Evaluation, Move
from games.state.packed_values import VERDICTS, Packed, lacks, unpack, unpack_together
from games.state.snapshot import GameSnapshot

Summary = Mapping[str, Any]
"""The part of an evaluation that a report needs; see `summary`."""


@dataclass(frozen=True)
class Evaluations:
    """The evaluations of a game's present history: the number of requested positions, the number of
    those still waiting, the ``jobs`` left (see `waiting`), and by ply the summaries of positions
    that have values."""

    asked: int
    waiting: int
    jobs: int
    summaries: Mapping[int, Summary]


def move_id_at(snapshot: GameSnapshot, ply: int) -> int:
    """Return the id of the move that led to the position after ``ply`` moves; 0 for the start."""
    return snapshot.moves[ply - 1].id if ply else 0


def position_id(snapshot: GameSnapshot, ply: int, line: str | None) -> int:
    """Return the ``move_id`` of the position after ``ply`` moves and a variation ``line``. That of
    a variation is a negative number, the same in every process."""
    move_id = move_id_at(snapshot, ply)
    if line is None:
        return move_id
    digest = hashlib.sha256(f"{move_id} {line}".encode()).digest()
    return -1 - int.from_bytes(digest[:7])


def evaluation_at(snapshot: GameSnapshot, ply: int, line: str | None = None) -> Evaluation | None:
    """Return the evaluation of a position of the present history, or of the position after the
    variation ``line`` there, if it was requested. For the empty variation, '', the evaluation of
    the game's own position is returned if there is no other."""
    if not 0 <= ply <= len(snapshot.moves):
        return None
    found = snapshot.game.evaluations.filter(ply=ply, move_id=position_id(snapshot, ply, line))
    evaluation: Evaluation | None = found.first()
    if evaluation or line:
        return evaluation
    if line is not None:
        return evaluation_at(snapshot, ply)
    united = united_values(snapshot)
    return _as_evaluation(snapshot, ply, united[ply]) if united else None


def united_values(snapshot: GameSnapshot) -> list[Packed]:
    """Return the packed values by ply of a game whose analysis is one row; else none."""
    if not snapshot.game.over:
        return []
    found = Analysis.objects.filter(game=snapshot.game.pk).values_list("packed", flat=True).first()
    return unpack_together(found) if found else []


def _as_evaluation(snapshot: GameSnapshot, ply: int, packed: Packed) -> Evaluation:
    move_id = move_id_at(snapshot, ply)
    return Evaluation(game=snapshot.game, ply=ply, move_id=move_id, packed=packed, done=True)


def move_after(evaluation: Evaluation) -> str:
    """Return the move of the game that followed a position; '' for the newest position."""
    followed = Move.objects.filter(game=evaluation.game_id, ply=evaluation.ply + 1)
    return followed.values_list("text", flat=True).first() or ""


def values_of(evaluation: Evaluation) -> dict[str, Any] | None:
    return unpack(evaluation.packed)


def waiting(snapshot: GameSnapshot) -> int:
    """Count the jobs left for the present history: two for a position without values, one for a
    position with first values."""
    waits = snapshot.game.evaluations.filter(done=False)
    rows = waits.annotate(no_values=Q(packed__isnull=True))
    found = rows.values_list("ply", "move_id", "no_values")
    return sum(1 + bool(none) for ply, key, none in found if _is_present(snapshot, ply, key))


def jobs_left(row: Evaluation | None) -> int:
    """Count the jobs left for an evaluation: two if it has no values yet, one if it has first
    values."""
    if row is None or row.done:
        return 0
    return 2 if row.packed is None else 1


def read_evaluations(snapshot: GameSnapshot) -> Evaluations:
    """Read all evaluations of the present history. Those that lack the move played since then count
    as not requested, so that a new request computes them again."""
    played, rows = _played(snapshot), present_evaluations(snapshot)
    to_come, jobs = sum(not row.done for row in rows), sum(map(jobs_left, rows))
    found = {row.ply: summary(values_of(row), played.get(row.ply, "")) for row in rows}
    known = {ply: values for ply, values in sorted(found.items()) if values["best"]}
    return Evaluations(len(rows), to_come, jobs, known)


def present_evaluations(snapshot: GameSnapshot) -> list[Evaluation]:
    """Return the evaluations of the present history, but for those that lack the played move."""
    played = _played(snapshot)
    united = enumerate(united_values(snapshot))
    rows = [_as_evaluation(snapshot, ply, packed) for ply, packed in united]
    return [
        row
        for row in [*snapshot.game.evaluations.all(), *rows]
        if _is_present(snapshot, row.ply, row.move_id) and not _is_lacking(row, played)
    ]


def lacking_evaluations(snapshot: GameSnapshot, plies: Collection[int]) -> list[int]:
    """Return the keys of the evaluations of these plies that have to be computed again."""
    played = _played(snapshot)
    rows = snapshot.game.evaluations.filter(ply__in=plies, done=True)
    present = [row for row in rows if _is_present(snapshot, row.ply, row.move_id)]
    return [row.pk for row in present if _is_lacking(row, played)]


def lacks_move(evaluation: Evaluation | None, tried: str) -> bool:
    """Return whether a move has no value, and no job is left that would compute one."""
    return evaluation is None or (evaluation.done and lacks(evaluation.packed, tried))


def _is_lacking(row: Evaluation, played: Mapping[int, str]) -> bool:
    """Return whether a finished evaluation has not stored the value of the move ``played`` by
    ply."""
    followed = played.get(row.ply, "")
    return row.done and followed not in ENDINGS and lacks(row.packed, followed)


def _played(snapshot: GameSnapshot) -> dict[int, str]:
    return {move.ply - 1: move.text for move in snapshot.moves}


def _is_present(snapshot: GameSnapshot, ply: int, move_id: int) -> bool:
    return ply <= len(snapshot.moves) and move_id_at(snapshot, ply) == move_id


def summary(values: Mapping[str, Any] | None, played: str) -> Summary:
    """Return the part of an evaluation's values that a report needs. ``played`` is the move that
    followed, '' if none did; ``best`` is None if no move has a value."""
    moves = values["moves"] if values else []
    if values is None or not moves:
        return {"best": None, "played": None}
    reason = values.get("reason")
    return {
        "seat": values["seat"],
        "reason": reason if reason and reason["move"] == played else None,
        **{name: values[name] for name in VERDICTS if name in values},
        "best": moves[0],
        "played": next((entry for entry in moves if entry["move"] == played), None),
    }
