"""The players around a board: a bar for each side, above the board or below it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from games.contract import Score, Text
from games.presentation.turn import SeatRow


@dataclass(frozen=True)
class PlayerBar:
    """One side of a game: its seats, and its score if the game counts one.

    ``name`` is that of a side of several seats; None for a side that is a single seat.
    """

    side: str
    seats: Sequence[SeatRow]
    name: Text | None
    score: Score | None

    @property
    def to_move(self) -> bool:
        """Whether a seat of the side is to move."""
        return any(seat.to_move for seat in self.seats)

    @property
    def won(self) -> bool:
        """Whether the side has won."""
        return any(seat.won for seat in self.seats)

    @property
    def mine(self) -> bool:
        """Whether the viewer holds a seat of the side."""
        return any(seat.mine for seat in self.seats)


@dataclass(frozen=True)
class PlayerBars:
    """All bars of a board. ``teams`` are beside it if there is room."""

    above: Sequence[PlayerBar]
    below: Sequence[PlayerBar]
    teams: bool


def player_bars(seats: Sequence[SeatRow], scores: Mapping[str, Score]) -> PlayerBars:
    """Return the bars around a board.

    Teams stay in the order of the rules. Otherwise the viewer's side is below the board, or the
    first side if the viewer holds none or all.
    """
    sides = list(dict.fromkeys(seat.spec.side for seat in seats))
    teams = 1 < len(sides) < len(seats)
    bars = _bars(seats, scores) if teams or len(sides) == len(seats) else _alone(seats, scores)
    if teams:
        half = len(bars) // 2
        return PlayerBars(above=bars[:half], below=bars[half:], teams=True)
    mine = [bar for bar in bars if bar.mine]
    below = mine if 0 < len(mine) < len(bars) else bars[:1]
    return PlayerBars(above=[bar for bar in bars if bar not in below], below=below, teams=False)


def _bars(seats: Sequence[SeatRow], scores: Mapping[str, Score]) -> list[PlayerBar]:
    """Return a bar for each side."""
    by_side: dict[str, list[SeatRow]] = {}
    for seat in seats:
        by_side.setdefault(seat.spec.side, []).append(seat)
    return [
        PlayerBar(
            side=side,
            seats=members,
            name=members[0].spec.side_name if len(members) > 1 else None,
            score=scores.get(side),
        )
        for side, members in by_side.items()
    ]


def _alone(seats: Sequence[SeatRow], scores: Mapping[str, Score]) -> list[PlayerBar]:
    """Return a bar for each seat of a single side, which plays against the game."""
    return [PlayerBar(seat.spec.side, [seat], None, scores.get(seat.spec.key)) for seat in seats]
