"""Watchers: the viewers without a seat, to whom the host may close a game."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import UUID

from games.contract import Rules
from games.state.identity import same_person

if TYPE_CHECKING:
    from games.state.snapshot import GameSnapshot


class ClosedToWatchers(Exception):
    """Raised when a viewer without a seat requests a closed game, of these ``rules``."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules.slug)
        self.rules = rules


def is_shut_out(snapshot: GameSnapshot, player_id: UUID | None) -> bool:
    """Return whether a closed game shuts a viewer out, neither its host nor the holder of a seat,
    nor the owner of a bot that holds one."""
    if not snapshot.game.closed or snapshot.is_host(player_id) or snapshot.seats_of(player_id):
        return False
    return player_id is None or not any(map(snapshot.seats_of, same_person(player_id)))


def check_watching(snapshot: GameSnapshot, player_id: UUID | None) -> None:
    """Raise ClosedToWatchers if a game is closed to a viewer."""
    if is_shut_out(snapshot, player_id):
        raise ClosedToWatchers(snapshot.rules)
