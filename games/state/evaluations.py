"""Evaluations: the values of a game's positions, as computers have stored them.

All values of a game are one block (`games.models.PositionValues`). The key of a position in it is
the id of the move that led there (0: the start), since moves can be undone; a row of
`games.models.Evaluation` waits for each one that is still to be computed.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from games.contract import ENDINGS
from games.models import Evaluation, Move, PositionValues
from games.state.snapshot import GameSnapshot

BEST, BEST_OF_HINT = 4, 10
"""The number of best moves that are stored for an analysis, and for a hint."""
VERDICTS = ("inaccuracy", "mistake", "blunder")
"""The verdicts with stored limits of loss, in older evaluations only that of mistakes."""
DIGITS = 4
"""Decimal places of a value."""

Values = Mapping[str, Any]
"""The values of a position as a worker has found them, cut by `shorten`."""
Summary = Mapping[str, Any]
"""The part of an evaluation that a report needs; see `summary`."""


def write_block(positions: Mapping[str, Values]) -> bytes:
    """Return the values of a game's positions, by the key of each, in the stored form. They repeat
    each other's words: compressed each takes some 50 to 80 bytes."""
    written = json.dumps(positions, ensure_ascii=False, separators=(",", ":"))
    return zlib.compress(written.encode())


def read_block(game_id: str) -> dict[str, Values]:
    """Return the stored values of positions; none for a damaged row, to be made again."""
    block = PositionValues.objects.filter(pk=game_id).values_list("block", flat=True).first()
    try:
        positions: dict[str, Values] = json.loads(zlib.decompress(block)) if block else {}
    except (ValueError, zlib.error):
        return {}
    return positions


def shorten(
    values: Values | None, played: str, *, hint: bool = False, whole: bool = False
) -> Values:
    """Return the part of a position's values that is stored. ``values`` is None if the position
    cannot be evaluated, and ``played`` is the move that followed, '' for none.

    That are the best moves and the played one, or with ``whole`` all, where any may be tried out.
    The sentence of the best move is stored for a ``hint`` alone. If the played move was costly,
    the ``rest`` of the moves says what is shown of each and whether it is as good as the best, for
    those who practise."""
    if not values or not values["moves"]:
        refused = (values or {}).get("refused")
        return {"of": played} | ({"moves": [], "count": 0, "refused": refused} if refused else {})
    moves, most = values["moves"], BEST_OF_HINT if hint else BEST
    most = len(moves) if whole else most
    kept = moves[:most] + [entry for entry in moves[most:] if entry["move"] == played]
    kept = [{**entry, "value": round(entry["value"], DIGITS), "why": None} for entry in kept]
    if hint:
        kept[0]["why"] = moves[0]["why"]
    short = {**values, "of": played, "count": len(moves), "moves": kept}
    return {**short, "rest": _rest(values, kept)} if _is_costly(values, played) else short


def _is_costly(values: Values, played: str) -> bool:
    best = values["moves"][0]
    return any(
        entry["move"] == played
        and (best["known"] and entry["known"])
        and best["value"] - entry["value"] >= noise_of(values)
        for entry in values["moves"]
    )


def _rest(values: Values, kept: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the other moves in groups of the same ``shown`` and ``good``."""
    least, stored = values["moves"][0]["value"] - noise_of(values), {e["move"] for e in kept}
    groups: list[dict[str, Any]] = []
    for entry in values["moves"]:
        same = {"shown": entry["shown"], "good": entry["value"] > least}
        if entry["move"] not in stored:
            known = [group for group in groups if same.items() <= group.items()]
            if not known:
                groups += (known := [{**same, "moves": []}])
            known[0]["moves"].append(entry["move"])
    return groups


def rest_of(values: Values) -> list[dict[str, Any]]:
    """Return the rest of the moves, one by one, if it is stored."""
    groups = values.get("rest", ())
    return [{**group, "move": move} for group in groups for move in group["moves"]]


def noise_of(values: Values) -> float:
    """Return the loss below which a move is as good as the best, also of old evaluations."""
    limit: float | None = values.get("inaccuracy")
    return values.get("mistake", 0.0) / 2 if limit is None else limit


def lacks(values: Values | None, played: str) -> bool:
    """Return whether the move ``played`` may have a value that was not stored, because another
    move, or none, had followed when the position was evaluated."""
    if values is None:
        return True
    moves = values.get("moves", ())
    if not played or values["of"] == played or values.get("count", 0) <= len(moves):
        return False
    return all(entry["move"] != played for entry in moves)


@dataclass(frozen=True)
class Evaluated:
    """A position that was requested: its stored values, None before the first ones, and the row by
    which it waits for others, None once it is done."""

    stored: Values | None
    row: Evaluation | None

    @property
    def done(self) -> bool:
        return self.row is None

    @property
    def values(self) -> Values | None:
        """The values; None if there are none, or none yet."""
        return self.stored if self.stored and "moves" in self.stored else None

    @property
    def jobs(self) -> int:
        """The number of jobs left: two without values, one with first values."""
        return _jobs(self.row) if self.row else 0

    @property
    def looked_at(self) -> bool:
        """Whether a reader waits for it, ahead of others."""
        return self.row is not None and self.row.looked_at is not None


def _jobs(row: Evaluation) -> int:
    return 1 if row.glanced else 2


@dataclass(frozen=True)
class Evaluations:
    """The evaluations of a game: what is ``stored``, and the ``rows`` that wait, by key."""

    snapshot: GameSnapshot
    stored: Mapping[str, Values]
    rows: Mapping[int, Evaluation]

    def at(self, ply: int, line: str | None = None) -> Evaluated | None:
        """Return the evaluation of a position of the present history, or of the position after the
        variation ``line`` there, if it was requested. For the empty variation, '', that of the
        game's own position is returned if there is no other."""
        if not 0 <= ply <= len(self.snapshot.moves):
            return None
        key = position_id(self.snapshot, ply, line)
        row, stored = self.rows.get(key), self.stored.get(str(key))
        if row is None and stored is None:
            return self.at(ply) if line == "" else None
        # Without first values the stored ones are of another time, and lack the played move.
        return Evaluated(None if row and not row.glanced else stored, row)

    @cached_property
    def present(self) -> Mapping[int, Evaluated]:
        """The evaluations of the present history by ply, but for those that lack the move played
        since then, so that a new request computes them again."""
        found = ((ply, self.at(ply)) for ply in range(len(self.snapshot.moves) + 1))
        return {ply: known for ply, known in found if known and not self._is_lacking(ply, known)}

    def _is_lacking(self, ply: int, known: Evaluated) -> bool:
        played = "".join(move.text for move in self.snapshot.moves[ply : ply + 1])
        return known.done and played not in ENDINGS and lacks(known.stored, played)

    @property
    def asked(self) -> int:
        return len(self.present)

    @property
    def waiting(self) -> int:
        return sum(not known.done for known in self.present.values())

    @property
    def jobs(self) -> int:
        return sum(known.jobs for known in self.present.values())

    @cached_property
    def summaries(self) -> Mapping[int, Summary]:
        """The summaries by ply of the positions that have values."""
        moves = [*(move.text for move in self.snapshot.moves), ""]
        found = {ply: summary(known.values, moves[ply]) for ply, known in self.present.items()}
        return {ply: values for ply, values in found.items() if values["best"]}


def read_evaluations(snapshot: GameSnapshot) -> Evaluations:
    """Return all evaluations of a game, in two queries."""
    rows = {row.move_id: row for row in snapshot.game.evaluations.filter(done=False)}
    return Evaluations(snapshot, read_block(snapshot.game.pk), rows)


def jobs_left(snapshot: GameSnapshot) -> int:
    """Count the jobs left for the present history, without reading any values."""
    present = {move_id_at(snapshot, ply) for ply in range(len(snapshot.moves) + 1)}
    rows = snapshot.game.evaluations.filter(done=False)
    return sum(_jobs(row) for row in rows if row.move_id in present)


def move_id_at(snapshot: GameSnapshot, ply: int) -> int:
    """Return the id of the move that led to the position after ``ply`` moves; 0 for the start."""
    return snapshot.moves[ply - 1].id if ply else 0


def position_id(snapshot: GameSnapshot, ply: int, line: str | None) -> int:
    """Return the key of the position after ``ply`` moves and a variation ``line``. That of a
    variation is a negative number, the same in every process."""
    move_id = move_id_at(snapshot, ply)
    if line is None:
        return move_id
    digest = hashlib.sha256(f"{move_id} {line}".encode()).digest()
    return -1 - int.from_bytes(digest[:7])


def move_after(evaluation: Evaluation) -> str:
    """Return the move of the game that followed a position; '' for the newest position."""
    followed = Move.objects.filter(game=evaluation.game_id, ply=evaluation.ply + 1)
    return followed.values_list("text", flat=True).first() or ""


def lacks_move(known: Evaluated | None, tried: str) -> bool:
    """Return whether a move has no value, and no job is left that would compute one."""
    return known is None or (known.done and lacks(known.stored, tried))


def summary(values: Values | None, played: str) -> Summary:
    """Return the part of an evaluation's values that a report needs. ``played`` is the move that
    followed, '' if none did; ``best`` is None if no move has a value."""
    moves = values["moves"] if values else []
    if values is None or not moves:
        return {"best": None, "played": None}
    reason = values.get("reason")
    return {
        "seat": values["seat"],
        "reason": reason if reason and reason["move"] == played else None,
        **{name: values[name] for name in VERDICTS if values.get(name) is not None},
        "best": moves[0],
        "played": next((entry for entry in moves if entry["move"] == played), None),
    }
