"""Two turns in one position of Santorini, for two players, and the states after them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from games.contract import Text
from games.santorini.ai.bits import State
from games.santorini.ai.spaces import see
from games.santorini.messages import display_move
from games.santorini.position import SantoriniPosition


@dataclass(frozen=True)
class Pair:
    """The states ``before`` the move, and after the better and the played one, with the opponent to
    move; ``words`` name both moves and the opponent."""

    before: State
    best: State
    played: State
    position: SantoriniPosition
    move: str
    words: Mapping[str, Text]

    def shown(self, turn: int) -> Text:
        """Return a turn of the opponent after the played move as lists show it."""
        after = self.position.copy().play(min(self.position.to_move()), self.move)
        return display_move(see(after.view(min(after.to_move()))).notation(turn))
