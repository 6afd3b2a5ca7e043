"""The filters of a list of finished games: kind, result, and a name."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from games.contract import SeatKey
from games.core.seating import Seating
from games.models import NAME_LENGTH, Game
from games.presentation.outcome import mood

RESULTS = ("won", "lost", "drawn")


@dataclass(frozen=True)
class Filters:
    """The values by which a list of finished games is filtered; '' stands for all."""

    kind: str = ""
    result: str = ""
    name: str = ""

    @classmethod
    def parse(cls, kind: str, result: str, name: str) -> Filters:
        """Return the filters in a query string; invalid ones are ignored."""
        known = result if result in RESULTS else ""
        return cls(kind[:40], known, " ".join(name.split())[:NAME_LENGTH])

    def may_match(self, kind: str, seat: SeatKey, result: Any) -> bool:
        """Return whether a game can match, judging by its kind, its result as JSON and one seat of
        the player."""
        if self.kind and kind != self.kind:
            return False
        winners = result.get("winners") if isinstance(result, dict) else None
        if not self.result or not isinstance(winners, list):
            return not self.result
        if self.result == "won":
            return seat in winners
        return not winners if self.result == "drawn" else seat not in winners

    def match(self, game: Game, seating: Seating, player_id: UUID) -> bool:
        if self.kind and game.kind != self.kind:
            return False
        if self.name and not _has_name(seating, player_id, self.name.casefold()):
            return False
        return not self.result or _mood(game, seating, player_id) == self.result

    @property
    def query(self) -> str:
        chosen = {"kind": self.kind, "result": self.result, "name": self.name}
        return urlencode({name: value for name, value in chosen.items() if value})


def _has_name(seating: Seating, player_id: UUID, wanted: str) -> bool:
    others = (place.players.items() for place in seating.places.values())
    return any(
        wanted in name.casefold() for people in others for key, name in people if key != player_id
    )


def _mood(game: Game, seating: Seating, player_id: UUID) -> str:
    """Return how a game ended for a player; '' if the player holds seats of winners and losers, and
    for a damaged row."""
    held = seating.held_by(player_id)
    try:
        result = game.result
    except ValueError:
        return ""
    if result is None or (result.winners and held & result.winners and held - result.winners):
        return ""
    return mood(game.specs, held, result)
