"""The site's own text of a game: lines ``Name: value``, an empty line, and one move a line.

The seat stands before each move, so that any game of any kind can be written. Several games follow
each other.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from games.contract import BadRecord, Record, Rules, display_excerpt, text
from games.core.registry import all_rules
from games.exchange.admission import ImportedGame, Inadmissible, admit
from games.exchange.documents import GameDocument

FORM = text("Text")
_BEGIN = re.compile(r"\s*Game:")
_LINE = re.compile(r"[^\n]*\n?")
_NAMES = "Game|Address|Day|Options|Setup|Player|Computer|Winners"
_HEAD = re.compile(rf"({_NAMES})(?: ([\w-]+))?:\s*(.*)")
_MOVE = re.compile(r"(?:[0-9]{1,4}\.\s*)?([\w-]+)\s+(.*)")


def write(document: GameDocument) -> str:
    """Return a game as text."""
    head = [f"Game: {document.kind} {document.rules_version}"]
    head += [f"Address: {document.address}"] if document.address else []
    head += [f"Day: {document.day}"] if document.day else []
    head.append(f"Options: {_json(document.options)}")
    if document.setup is not None:
        head.append(f"Setup: {_json(document.setup)}")
    for key, seat in document.seats.items():
        head += [f"Player {key}: {' '.join(name.split())}" for name in seat.names]
        head += [f"Computer {key}: {seat.computer}"] if seat.computer else []
    if document.result:
        head.append(f"Winners: {', '.join(document.result.winners) or '-'}")
    moves = [f"{n}. {move.seat} {move.move}" for n, move in enumerate(document.moves, start=1)]
    return "\n".join([*head, "", *moves, ""])


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))


def recognises(written: str) -> bool:
    """Return whether a text is in this form."""
    return _BEGIN.match(written) is not None


@dataclass
class _Draft:
    """A game while its lines are read: its values and moves, and their places."""

    rules: Rules
    begin: int
    places: dict[str, int] = field(default_factory=dict)
    values: dict[str, dict[str, Any]] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    day: str = ""
    moves: list[tuple[str, str]] = field(default_factory=list)
    move_places: list[int] = field(default_factory=list)

    def admit(self) -> ImportedGame:
        """Return the game that was read. Raises BadRecord."""
        if "Setup" not in self.values:
            reason = text("The setup of this game is missing or still secret.")
            raise BadRecord(reason, self.begin)
        record = Record(
            options=self.values.get("Options", {}),
            setup=self.values["Setup"],
            moves=self.moves,
            names=self.names,
            day=self.day,
        )
        try:
            return admit(self.rules, record, FORM)
        except Inadmissible as error:
            raise BadRecord(error.text, self._place(error)) from error

    def _place(self, error: Inadmissible) -> int:
        if error.place[0] == "moves" and self.moves:
            return self.move_places[int(error.place[1])]
        return self.places.get(str(error.place[0]).capitalize(), self.begin)


def read(written: str) -> Iterator[ImportedGame]:
    """Yield the games of a text. Raises BadRecord."""
    draft: _Draft | None = None
    for match in _LINE.finditer(written):
        line = match[0].strip()
        at = match.start() + len(match[0]) - len(match[0].lstrip())
        head = _HEAD.fullmatch(line)
        if not line:
            continue
        if head and head[1] == "Game":
            if draft:
                yield draft.admit()
            draft = _begin(head[3], at, at + head.start(3))
        elif draft is None:
            raise BadRecord(text("A game begins with “Game:”."), at)
        elif head:
            _add_value(draft, head, at + head.start(3))
        else:
            _add_move(draft, line, at)
    if draft:
        yield draft.admit()


def _begin(value: str, begin: int, at: int) -> _Draft:
    kind, _, version = value.partition(" ")
    rules = all_rules().get(kind)
    if rules is None:
        raise BadRecord(text("This site does not have that game."), at)
    if version and version != str(rules.version):
        raise BadRecord(text("The rules of this game have changed since it was written."), at)
    return _Draft(rules, begin)


def _add_value(draft: _Draft, head: re.Match[str], at: int) -> None:
    name, seat, value = head[1], head[2] or "", head[3]
    draft.places[name] = at
    if name == "Player":
        draft.names[seat] = ", ".join(filter(None, [draft.names.get(seat, ""), value]))
    elif name == "Day":
        draft.day = value[:10]
    elif name in {"Options", "Setup"}:
        draft.values[name] = _object(value, at)


def _object(value: str, at: int) -> dict[str, Any]:
    try:
        read = json.loads(value)
        json.dumps(read).encode()
        json.dumps(read, ensure_ascii=False).encode()
    except (ValueError, RecursionError):
        read = None
    if not isinstance(read, dict):
        raise BadRecord(text("An object in JSON belongs here, such as {}."), at)
    return read


def _add_move(draft: _Draft, line: str, at: int) -> None:
    found = _MOVE.fullmatch(line)
    if found is None:
        excerpt = display_excerpt(line, 40)
        raise BadRecord(text("“%(line)s” is not a seat and its move.", line=excerpt), at)
    draft.moves.append((found[1], found[2]))
    draft.move_places.append(at + found.start(1))
