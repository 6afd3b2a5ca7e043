"""The board of the day: 25 cards, a computer as spymaster, and the result as small squares."""

from __future__ import annotations

from typing import Final

from games.codenames.engine import TEAMS
from games.codenames.position import OPERATIVES, SIDES
from games.contract import DayBoard, Position, SeatKey, Setup, Text, ntext

_LEVEL: Final = 4
_SQUARES: Final = {"R": "🟥", "B": "🟦", "-": "⬜", "X": "⬛"}


def _seat(setup: Setup) -> SeatKey:
    """Return the operatives of the team that begins: it has one spy more to find."""
    return OPERATIVES[max(TEAMS, key=setup["key"].count)]


def _turns(position: Position, seat: SeatKey) -> list[str]:
    """Return the squares that a team found in each of its turns."""
    side = next(SIDES[team] for team, key in OPERATIVES.items() if key == seat)
    turns = [turn for turn in position.view(None)["turns"] if turn["team"] == side]
    found = ["".join(_SQUARES[card["square"]] for card in turn["found"]) for turn in turns]
    return [line for line in found if line]


def _told(position: Position, seat: SeatKey) -> Text:
    result, n = position.result(), len(_turns(position, seat))
    if result and seat in result.winners:
        return ntext("All spies found in %(n)s turn", "All spies found in %(n)s turns", n=n)
    return ntext("Lost after %(n)s turn", "Lost after %(n)s turns", n=n)


DAY_BOARD: Final = DayBoard(
    level=_LEVEL,
    options=lambda language: {"language": language},
    seat=_seat,
    sentence=_told,
    squares=_turns,
)
