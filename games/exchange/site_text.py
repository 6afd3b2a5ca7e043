"""The site's own text of a game: lines ``Name: value``, an empty line, and one move a line.

The seat stands before each move, so that any game of any kind can be written. Several games follow
each other."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from games.contract import BadRecord, display_excerpt, text
from games.core.registry import all_rules
from games.exchange.admission import ImportedGame
from games.exchange.documents_reading import Path, admit_document
from games.presentation.documents import GameDocument

FORM = text("Text")
_BEGIN = re.compile(r"\s*Game:")
_LINE = re.compile(r"[^\n]*\n?")
_NAMES = "Game|Address|Day|Event|Place|Result|Options|Setup|Player|Computer|Winners"
_HEAD = re.compile(rf"({_NAMES})(?: ([\w-]+))?:\s*(.*)")
_MOVE = re.compile(r"(?:[0-9]{1,4}\.\s*)?([\w-]+)\s+(.*)")


def write(document: GameDocument) -> str:
    """Return a game as text."""
    head = [f"Game: {document.kind} {document.rules_version}"]
    head += [f"Address: {document.address}"] if document.address else []
    about = {
        "Day": document.day,
        "Event": document.event,
        "Place": document.place,
        "Result": document.written_result,
    }
    head += [f"{name}: {' '.join(value.split())}" for name, value in about.items() if value]
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
    """A game while its lines are read: the values of its document, and the places of some."""

    begin: int
    values: dict[str, Any]
    places: dict[Path, int] = field(default_factory=dict)

    def admit(self) -> ImportedGame:
        """Return the game that was read. Raises BadRecord."""
        return admit_document(self.values, FORM, self._place)

    def _place(self, path: Path) -> int:
        around = (tuple(path[:length]) for length in (2, 1))
        return next((self.places[part] for part in around if part in self.places), self.begin)


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
    version = version or str(rules.version if rules else 1)
    values = {"kind": kind, "rules_version": version, "seats": {}, "moves": []}
    return _Draft(begin, values, {("kind",): at, ("rules_version",): at})


def _add_value(draft: _Draft, head: re.Match[str], at: int) -> None:
    name, seat, value = head[1].lower(), head[2] or "", head[3]
    draft.places[name,] = at
    if name == "player":
        draft.values["seats"].setdefault(seat, {}).setdefault("names", []).append(value)
    elif name == "computer":
        draft.values["seats"].setdefault(seat, {})["computer"] = value
    elif name == "winners":
        winners = [] if value == "-" else value.split(", ")
        draft.values["result"] = {"winners": winners}
    elif name in {"options", "setup"}:
        draft.values[name] = _object(value, at)
    elif name == "result":
        draft.values["written_result"] = value
    else:
        draft.values[name] = value[:10] if name == "day" else value


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
    moves = draft.values["moves"]
    draft.places["moves", len(moves)] = at + found.start(1)
    moves.append({"seat": found[1], "move": found[2]})
