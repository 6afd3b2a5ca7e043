"""The outcome of a game in two words, and the style in which a page shows it."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from games.contract import Result, SeatKey, SeatSpec, Text, loses_on_time, ntext, text
from games.core.translation import translate


def outcome(specs: Sequence[SeatSpec], held: Collection[SeatKey], result: Result) -> Text:
    """Return the outcome for the holder of the seats ``held``. If these include winners and losers,
    the outcome names the winning side.
    """
    if not result.winners:
        return _unwon(specs, held)
    won = [key in result.winners for key in held]
    if won and all(won):
        return text("You won!")
    if won and not any(won):
        return text("You lost.")
    winners = [spec for spec in specs if spec.key in result.winners]
    sides = list(dict.fromkeys(spec.side_name or spec.name for spec in winners))
    return ntext("%(sides)s wins.", "%(sides)s win.", n=len(sides), sides=_listed(sides))


def short_outcome(specs: Sequence[SeatSpec], held: Collection[SeatKey], result: Result) -> Text:
    """Return the outcome in a list of games: a word for its players, a sentence for others."""
    side_won = {key in result.winners for key in held}
    if len(side_won) != 1:
        return outcome(specs, held, result)
    if not result.winners and len({spec.side for spec in specs}) > 1:
        return text("Drawn")
    return text("Won") if side_won == {True} else text("Lost")


def mood(specs: Sequence[SeatSpec], held: Collection[SeatKey], result: Result) -> str:
    """Return the style of the outcome for the holder of the seats ``held``: ``won``, ``lost`` or
    ``drawn``. Spectators and holders of seats on both sides see a win.
    """
    if result.winners:
        return "lost" if held and result.winners.isdisjoint(held) else "won"
    return "drawn" if len({spec.side for spec in specs}) > 1 else "lost"


def _unwon(specs: Sequence[SeatSpec], held: Collection[SeatKey]) -> Text:
    """Return the outcome without winners: a draw, or a loss if all seats are one side."""
    if len({spec.side for spec in specs}) > 1:
        return text("Draw.")
    return text("You lost.") if held else text("The game is lost.")


def ending(verdict: Text, result: Result, *, timed: bool) -> list[Text]:
    """Return the outcome and its reason, or the reason alone if it begins with the outcome. In a
    game that is not ``timed`` nobody loses on time."""
    reason = result.reason
    if not timed and reason.message == loses_on_time(reason).message:
        reason = text("%(player)s was away too long.", **reason.params)
    known = translate(reason).startswith(translate(verdict).rstrip("."))
    return [reason] if known else [verdict, reason]


def _listed(names: Sequence[Text]) -> Text:
    first, *others = names
    for other in others:
        first = text("%(first)s and %(other)s", first=first, other=other)
    return first
