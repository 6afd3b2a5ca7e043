"""A game as one viewer sees it at one ply: the material of all parts of its page. Its sentences
have the names of people in place of the names of their seats. Pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from games.contract import Result, Rules, SeatKey, SeatSpec, Text, loses_on_time, ntext, text
from games.core.translation import isolated, translate
from games.presentation.visibility import Perspective, viewpoint
from games.state.outcomes import ended_for
from games.state.snapshot import GameSnapshot, Standing

OUTCOMES: Final = {
    "won": (text("You won!"), text("Won")),
    "lost": (text("You lost."), text("Lost")),
    "drawn": (text("Draw."), text("Drawn")),
    "void": (text("The game was called off."), text("Called off")),
}
"""The sentence and the word for the players of a game by how it ended for them."""


def outcome(
    specs: Sequence[SeatSpec], held: Collection[SeatKey], result: Result, *, short: bool = False
) -> Text:
    """Return the outcome for the holder of the seats ``held``, for players in a word if ``short``.
    If these include winners and losers, the outcome names the winning side."""
    found = ended_for(specs, result, held)
    if found == "lost" and not held:
        return text("The game is lost.")
    if found:
        return OUTCOMES[found][short and bool(held)]
    winners = [spec for spec in specs if spec.key in result.winners]
    sides = list(dict.fromkeys(spec.side_name or spec.name for spec in winners))
    return ntext("%(sides)s wins.", "%(sides)s win.", n=len(sides), sides=_listed(sides))


def mood(specs: Sequence[SeatSpec], held: Collection[SeatKey], result: Result) -> str:
    """Return the style of the outcome for the holder of the seats ``held``: ``won``, ``lost`` or
    ``drawn``. Spectators and holders of seats on both sides see a win."""
    return "drawn" if result.void else ended_for(specs, result, held) or "won"


def ending(verdict: Text, result: Result, *, timed: bool) -> list[Text]:
    """Return the outcome and its reason, or one of them alone if it says both. In a game that is
    not ``timed`` nobody loses on time."""
    if result.void:
        return [verdict]
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


Names = Mapping[Text, str]
"""The people's names by the names of their seats."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Sight:
    """A game from one perspective, as of ``ply`` with its ``standing``.

    A ``live`` board is the current one and is played on; others are for reading. ``viewpoint`` is
    the seat whose view is shown, and ``acting`` the held one for which the board's buttons move.
    ``names`` are those of the people, and ``over`` says that the game ends with this ply."""

    snapshot: GameSnapshot
    seen_by: Perspective
    ply: int
    live: bool
    standing: Standing
    viewpoint: SeatKey | None
    acting: SeatKey | None
    names: Names
    over: bool

    @property
    def seat(self) -> SeatKey | None:
        """The seat for which the forms of a live board act, even when it is not to move."""
        return (self.acting or self.viewpoint) if self.live else None


def sight(snapshot: GameSnapshot, seen_by: Perspective, ply: int | None) -> Sight:
    """Return the sight of a game after ``ply`` moves, None: live. Raises as `GameSnapshot.at`."""
    shown, specs = snapshot.game.ply if ply is None else ply, snapshot.specs
    standing = snapshot.standing_at(shown)
    look = viewpoint(specs, seen_by, standing.to_move)
    return Sight(
        snapshot=snapshot,
        seen_by=seen_by,
        ply=shown,
        live=ply is None,
        standing=standing,
        viewpoint=look,
        acting=_acting(specs, seen_by, look, standing.to_move) if ply is None else None,
        names=seat_names(snapshot),
        over=standing.result is not None,
    )


def _acting(
    specs: Sequence[SeatSpec],
    seen_by: Perspective,
    look: SeatKey | None,
    to_move: frozenset[SeatKey],
) -> SeatKey | None:
    """Return the held seat for which the board's buttons move: the viewpoint, if it is to move, or
    else a public seat, unless the screen shows the secrets of another."""
    if look in to_move:
        return look
    if any(spec.secret for spec in specs if spec.key == look):
        return None
    open_seats = {spec.key for spec in specs if not spec.secret}
    return next(iter(sorted(seen_by.seats & to_move & open_seats)), None)


def computer_name(level: int, rules: Rules) -> Text:
    return text("%(name)s (computer)", name=rules.ladder[level].name)


def person_on(snapshot: GameSnapshot, key: SeatKey) -> str:
    """Return the name of the only person on a seat; '' if there is none."""
    people = list(snapshot.seating.places[key].players.values())
    return isolated(people[0]) if len(people) == 1 and people[0] else ""


def seat_names(snapshot: GameSnapshot) -> Names:
    """Return the names that identify a person in the game; a name on two seats does not."""
    people = [person_on(snapshot, spec.key) for spec in snapshot.specs]
    named = zip(snapshot.specs, people, strict=True)
    return {spec.name: name for spec, name in named if name and people.count(name) == 1}


def name_on(spec: SeatSpec, names: Names) -> Text | str:
    """Return the name of a seat's person, in a team with the seat's own, which is a role."""
    name = names.get(spec.name, "")
    if name and spec.role:
        return text("%(seat)s (%(name)s)", seat=spec.name, name=name)
    return name or spec.name


def call_by_name(sentence: Text, names: Names) -> Text:
    """Return a sentence with the names of people instead of those of their seats."""
    if not names or not sentence.params:
        return sentence
    # Sentences such as "Anna joined (White)." contain the name already.
    mentioned = {isolated(value) for value in sentence.params.values() if isinstance(value, str)}
    others = names
    if not mentioned.isdisjoint(names.values()):
        others = {seat: name for seat, name in names.items() if name not in mentioned}
    params = {key: _called(value, others) for key, value in sentence.params.items()}
    return Text(sentence.message, params, sentence.plural)


def _called(value: Any, names: Names) -> Any:
    if not isinstance(value, Text):
        return value
    return names.get(value) or call_by_name(value, names)
