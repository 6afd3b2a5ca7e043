"""Conversions between the views and moves of a game and the integers of the search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.contract import cell_name
from games.santorini.ai.bits import State
from games.santorini.engine import NEIGHBOURS, SIZE

Towers = tuple[int, int, int, int]
Pair = tuple[int, int]

_WAYS = tuple({space: way for way, space in near.items()} for near in NEIGHBOURS)


@dataclass(frozen=True)
class Seen:
    """A position: four sets of spaces, see `bits`, and the remaining players in turn order.

    ``pairs`` are the spaces of each player's two workers, in the order of their letters, None
    before they are placed. The first player is the one to move, whose workers have the letters
    ``letters``.
    """

    towers: Towers
    pairs: tuple[Pair | None, ...]
    letters: str
    placing: bool

    def two_player_state(self) -> State:
        """Return the state of the search, if two players are left and have workers on the board."""
        mine, theirs = self.pairs
        if mine is None or theirs is None:
            raise ValueError("the workers are not on the board yet")
        return (*self.towers, *mine, *theirs)

    def climbs(self) -> list[str]:
        """Return the winning climbs of the player to move, in the notation."""
        _, two, three, dome = self.towers
        taken = {space for pair in self.pairs for space in pair or ()}
        return [
            f"{letter} {way}"
            for letter, start in zip(self.letters, self.pairs[0] or (), strict=False)
            for way, space in NEIGHBOURS[start].items()
            if two >> start & 1 and three >> space & 1 and not dome >> space & 1
            if space not in taken
        ]

    def notation(self, move: int) -> str:
        """Return a move of the search in the notation, such as ``B E W``."""
        start, target, build = move & 31, move >> 5 & 31, move >> 10
        letter = self.letters[(self.pairs[0] or ()).index(start)]
        return f"{letter} {_WAYS[start][target]} {_WAYS[target][build]}"


def space_name(space: int) -> str:
    """Return the name of a space: ``a1`` for 0."""
    return cell_name(*divmod(space, SIZE))


def see(view: Mapping[str, Any]) -> Seen:
    """Read a view of `SantoriniPosition`, of a game that is not over."""
    cells = [cell for row in view["rows"] for cell in row]
    one, two, three, dome = (
        sum(1 << space for space, cell in enumerate(cells) if cell["level"] >= height)
        for height in range(1, 5)
    )
    standing = {cell["worker"]: space for space, cell in enumerate(cells) if cell["worker"]}
    players = view["players"]
    mover = next(index for index, player in enumerate(players) if player["turn"])
    in_turn = [*players[mover:], *players[:mover]]
    pairs = [_pair(player["letters"], standing) for player in in_turn if not player["out"]]
    return Seen((one, two, three, dome), tuple(pairs), players[mover]["letters"], view["placing"])


def _pair(letters: str, standing: Mapping[str, int]) -> Pair | None:
    if letters[0] not in standing:
        return None
    return standing[letters[0]], standing[letters[1]]
