"""The values of moves in words, and the sentences of hints."""

from __future__ import annotations

from math import exp

from games.contract import MoveValue, Text, ntext, text
from games.santorini.ai.bits import State, climbs, level_of, play
from games.santorini.ai.spaces import space_name

WINNING = 100.0
"""Values go from -100 (loses) over 0 (even) to 100 (wins). Those of forced wins and losses are
beyond that range, the further the sooner the game ends."""

ALL_LOSE = text("Every move loses against perfect play. This one holds out longest.")
"""The hint for a losing move, which can be the best one only if all others lose too."""
_STORED = text("Your opponent can force a win.")
"""The hint for a losing move in evaluations stored by older versions, for which it is still
translated."""


def at_once() -> MoveValue:
    """Return the value of a winning climb."""
    return MoveValue(
        value=WINNING + 1,
        shown=text("wins immediately"),
        why=text("You climb to the third level."),
        exact=True,
    )


def forced(turns: int, wins: bool) -> MoveValue:
    """Return the value of a move that forces a win or a loss in ``turns`` turns of both players."""
    own = (turns + 1) // 2 if wins else turns // 2
    if wins:
        return MoveValue(
            value=WINNING + 1 / turns,
            shown=ntext("wins in %(n)s turn", "wins in %(n)s turns", n=own),
            why=text("Your opponent can’t stop it."),
            exact=True,
        )
    return MoveValue(
        value=-WINNING - 1 / max(turns, 1),
        shown=ntext("loses in %(n)s turn", "loses in %(n)s turns", n=own),
        why=ALL_LOSE,
        exact=True,
    )


def estimated(log_odds: float, why: Text | None) -> MoveValue:
    """Return the value of an undecided move, shown as the chance to win in per cent."""
    chance = 1 / (1 + exp(-log_odds))
    percent = round(100 * chance)
    return MoveValue(
        value=WINNING * (2 * chance - 1),
        shown=text("%(percent)s%% chance to win", percent=percent),
        detail=text("%(percent)s%%", percent=percent),
        why=why,
    )


def reason(state: State, move: int) -> Text | None:
    """Return the obvious effect of an undecided turn in a game of two, None if there is none."""
    after = play(state, move)
    faced = climbs(state, state[6], state[7])
    if faced:
        return text("Stops the climb to %(cell)s.", cell=_first(faced))
    threats = climbs(after, after[6], after[7])
    if threats:
        return text("Threatens to climb to %(cell)s.", cell=_first(threats))
    if level_of(state, move >> 5 & 31) > level_of(state, move & 31):
        return text("Brings a worker higher.")
    return None


def _first(spaces: int) -> str:
    return space_name((spaces & -spaces).bit_length() - 1)
