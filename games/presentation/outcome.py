"""How a game ended, in two words."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from games.contract import Result, SeatKey, SeatSpec, Text, ntext, text
from games.translation import translate


def outcome(specs: Sequence[SeatSpec], held: Collection[SeatKey], result: Result) -> Text:
    """Who won, as the holder of the seats ``held`` is told it. A device that holds winning seats
    and others too is told which side it was."""
    if not result.winners:
        return _unwon(specs, held)
    won = [key in result.winners for key in held]
    if won and all(won):
        return text("You win.")
    if won and not any(won):
        return text("You lose.")
    winners = [spec for spec in specs if spec.key in result.winners]
    sides = list(dict.fromkeys(spec.side_name or spec.name for spec in winners))
    return ntext("%(sides)s wins.", "%(sides)s win.", n=len(sides), sides=_listed(sides))


def _unwon(specs: Sequence[SeatSpec], held: Collection[SeatKey]) -> Text:
    """What it is that nobody has won: where all are one side, it has lost."""
    if len({spec.side for spec in specs}) > 1:
        return text("Draw.")
    return text("You lose.") if held else text("The game is lost.")


def ending(verdict: Text, result: Result) -> list[Text]:
    """Who won, and why; the reason alone where it begins by saying who won."""
    known = translate(result.reason).startswith(translate(verdict).rstrip("."))
    return [result.reason] if known else [verdict, result.reason]


def _listed(names: Sequence[Text]) -> Text:
    first, *others = names
    for other in others:
        first = text("%(first)s and %(other)s", first=first, other=other)
    return first
