"""The rights to analyse a game and to try out moves in it. Pure."""

from __future__ import annotations

from collections.abc import Collection

from games.contract import SeatKey, Text
from games.state.snapshot import GameSnapshot


def may_analyse(snapshot: GameSnapshot, held: Collection[SeatKey]) -> bool:
    """Return whether the holder of the seats ``held`` may analyse a game: everybody once it is
    over; before that its players, if hints are allowed or nobody plays against them."""
    return snapshot.rules.analysis and may_explore(snapshot, held)


def may_explore(snapshot: GameSnapshot, held: Collection[SeatKey]) -> bool:
    """Return whether the holder of the seats ``held`` may try out moves in a game, by the rules of
    `may_analyse`, even if its kind has no analysis."""
    game = snapshot.game
    return game.over or (bool(held) and (game.hints or snapshot.seating.only(held)))


def never_evaluable(snapshot: GameSnapshot) -> Text | None:
    """Return why no position of a game can be evaluated, None if one can. The position before the
    newest is tried too, since in the newest one nobody may be left."""
    ply = snapshot.last_ply
    newest, before = snapshot.at(ply), snapshot.at(max(0, ply - 1))
    return newest.why_not_evaluable() and before.why_not_evaluable()
