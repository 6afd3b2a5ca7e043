"""The moves of a game as lists show them, and plies as they are asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from django.utils.translation import gettext

from games.contract import RESIGN, SeatKey
from games.models import Game, Move
from games.storage.cache import LRUCache
from games.storage.compiled_queries import CompiledQuery

LISTED_PLIES = 60


def display_move(move: str) -> str:
    """A stored move as people read it: in notation, but for a resignation, which has none."""
    return gettext("resigns") if move == RESIGN else move


class MoveEntry(NamedTuple):
    """A move as lists show it."""

    ply: int
    seat: SeatKey
    text: str


_kept: LRUCache[tuple[str, int], tuple[MoveEntry, ...]] = LRUCache(2_000)
_last_of = CompiledQuery(
    lambda: (
        Move.objects.filter(game_id="", ply__lte=1)
        .order_by("-ply")
        .values_list("ply", "seat", "text")[:LISTED_PLIES]
    )
)


def all_moves(game: Game) -> Sequence[MoveEntry]:
    """All moves of a game."""
    rows = game.moves.order_by("ply").values_list("ply", "seat", "text")
    return [MoveEntry(*row) for row in rows]


def last_moves(game: Game) -> Sequence[MoveEntry]:
    """The last `LISTED_PLIES` moves of a game as it was read."""
    key = (game.id, game.version)
    found = _kept.get(key)
    if found is None:
        # No later ones, which may have been played since: they would be kept as this version's.
        rows = _last_of.rows(game.pk, game.ply)
        found = _kept.put(key, tuple(MoveEntry(*row) for row in rows)[::-1])
    return found


def keep(game: Game, before: int, move: Move) -> None:
    """Remember the last moves, as they are committed: those of the version ``before``, if they
    are known, and one more."""
    if (moves := _kept.get((game.id, before))) is not None:
        played = MoveEntry(move.ply, move.seat, move.text)
        _kept.put((game.id, game.version), (*moves, played)[-LISTED_PLIES:])


def parse_ply(raw: str) -> int:
    """The ply that a form was made for; -1, which is always stale, for anything else."""
    return int(raw) if re.fullmatch(r"[0-9]{1,6}", raw, re.ASCII) else -1
