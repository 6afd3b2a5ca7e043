"""Names of people in the sentences of a game, in place of the names of their seats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.contract import SeatKey, SeatSpec, Text, text
from games.state.snapshot import GameSnapshot

Names = Mapping[Text, str]
"""The people's names by the names of their seats."""


def person_on(snapshot: GameSnapshot, key: SeatKey) -> str:
    """Return the name of the only person on a seat; '' if there is none."""
    people = list(snapshot.seating.places[key].players.values())
    # Isolated, so that a right-to-left name does not reorder the text around it.
    return f"\u2068{people[0]}\u2069" if len(people) == 1 and people[0] else ""


def seat_names(snapshot: GameSnapshot) -> Names:
    """Return the names that identify a person in the game; a name on two seats does not."""
    people = [person_on(snapshot, spec.key) for spec in snapshot.specs]
    named = zip(snapshot.specs, people, strict=True)
    return {spec.name: name for spec, name in named if name and people.count(name) == 1}


def name_on(spec: SeatSpec, names: Names) -> Text | str:
    """Return the name of a seat's person, and for a seat of a team also the seat's own name, which
    is the person's role."""
    name = names.get(spec.name, "")
    if name and spec.role:
        return text("%(seat)s (%(name)s)", seat=spec.name, name=name)
    return name or spec.name


def call_by_name(sentence: Text, names: Names) -> Text:
    """Return a sentence with the names of people instead of those of their seats."""
    if not names or not sentence.params:
        return sentence
    # Sentences such as "Anna joined (White)." contain the name already.
    told = {f"\u2068{value}\u2069" for value in sentence.params.values() if isinstance(value, str)}
    others = names
    if not told.isdisjoint(names.values()):
        others = {seat: name for seat, name in names.items() if name not in told}
    params = {key: _called(value, others) for key, value in sentence.params.items()}
    return Text(sentence.message, params, sentence.plural)


def _called(value: Any, names: Names) -> Any:
    if not isinstance(value, Text):
        return value
    return names.get(value) or call_by_name(value, names)
