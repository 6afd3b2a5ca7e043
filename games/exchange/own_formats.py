"""The site's own formats, in JSON and in text, both of which hold a `GameDocument`.

In JSON a text has one game, several in an array, or one a line. As text a game is lines ``Name:
value``, an empty line, and one move a line with its seat before it, so that any game of any kind
can be written; several games follow each other."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from json import JSONDecodeError, JSONDecoder
from typing import Any, NoReturn

from django.utils.crypto import constant_time_compare
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from games.contract import BadRecord, Rules, Text, attempt, display_excerpt, text
from games.core.registry import all_rules
from games.exchange.admission import ImportedGame, Inadmissible, admit
from games.presentation.documents import NEWEST, GameDocument, record_of

Path = tuple[str | int, ...]
_JSON = re.compile(r"\s*(?:\{\s*[\"}]|\[\s*\{)")
_SPACE = re.compile(r"\s*")
NO_JSON = text("This is no JSON: something else is needed here.")
NO_SETUP = text("The setup of this game is missing or still secret.")
JSON = text("JSON")


def recognises_json(written: str) -> bool:
    """Return whether a text begins like JSON of the site."""
    return _JSON.match(written) is not None


def read_json(written: str) -> Iterator[ImportedGame | BadRecord]:
    """Yield the games of a text. Raises BadRecord."""
    at = _skip(written, 0)
    while at < len(written):
        value, end = _decode(written, at)
        several = isinstance(value, list)
        for index, part in enumerate(value if several else [value]):
            place = partial(_place, written, at, (index,) if several else ())
            yield attempt(admit_document, _from_staff(part), JSON, place)
        at = _skip(written, end)


def _skip(written: str, at: int) -> int:
    found = _SPACE.match(written, at)
    return found.end() if found else at


def _refuse_constant(_name: str) -> NoReturn:
    raise ValueError


_decoder = JSONDecoder(parse_constant=_refuse_constant)


def _decode(written: str, at: int) -> tuple[Any, int]:
    """Return the JSON value at ``at`` and the place after it. Raises BadRecord, also for a value
    that is nested too deeply or has a number or a character that nothing can store."""
    try:
        value, end = _decoder.raw_decode(written, at)
        json.dumps(value, ensure_ascii=False).encode()
    except JSONDecodeError as error:
        raise BadRecord(NO_JSON, error.pos) from error
    except (ValueError, RecursionError) as error:
        raise BadRecord(text("This JSON cannot be a game."), at) from error
    return value, end


def _from_staff(value: Any) -> Any:
    """Return a line of the export by staff before version 2 as a document; others as they are."""
    with suppress(AttributeError, KeyError, TypeError, ValueError):
        if "status" in value and "format" not in value:
            return {
                **{name: value[name] for name in ("id", "kind", "rules_version", "options")},
                "setup": value.get("setup"),
                "day": value["created"][:10],
                "seats": {key: _seat_from_staff(seat) for key, seat in value["seats"].items()},
                "moves": [{"seat": seat, "move": move} for seat, move in value["moves"]],
            }
    return value


def _seat_from_staff(seat: Any) -> dict[str, Any]:
    names = [player["name"] for player in seat.get("players", ()) if player["name"]]
    return {"names": names, "computer": seat.get("computer")}


def admit_document(value: Any, form: Text, place: Callable[[Path], int]) -> ImportedGame:
    """Return the game of a document's values. Raises BadRecord at the ``place`` of the fault."""
    try:
        document = GameDocument.model_validate(value)
        rules, record = _rules(document), record_of(document)
        if record is None:
            raise Inadmissible(NO_SETUP, ("setup",))
        # A clue of an older game may be refused today: what the site has stored, it replays.
        own = bool(document.seal) and constant_time_compare(document.seal, document.right_seal)
        return admit(rules, record, form, version=document.rules_version, own=own)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise BadRecord(_fault(first), place(first["loc"])) from error
    except Inadmissible as error:
        raise BadRecord(error.text, place(error.place)) from error


def _fault(error: ErrorDetails) -> Text:
    name = display_excerpt(".".join(map(str, error["loc"])), 40)
    if error["type"] == "missing":
        return text("“%(name)s” is missing from this game.", name=name)
    if error["loc"] == ("version",):
        return text(
            "This game is in another version of the format: this site reads versions up to "
            "%(newest)s.",
            newest=NEWEST,
        )
    return text("The value of “%(name)s” is not that of a game.", name=name)


def _rules(document: GameDocument) -> Rules:
    rules = all_rules().get(document.kind)
    if rules is None:
        raise Inadmissible(text("This site does not have that game."), ("kind",))
    if document.rules_version not in {rules.version, *rules.older}:
        reason = text("The rules of this game have changed since it was written.")
        raise Inadmissible(reason, ("rules_version",))
    return rules


def _place(written: str, at: int, before: Path, path: Path) -> int:
    """Return how many characters stand before the value at ``path`` in the part at ``before`` of
    the JSON value at ``at``; if there is no such value, those before the innermost one around
    it."""
    at = _skip(written, at)
    for step in (*before, *path):
        inner = _member(written, at, step)
        if inner is None:
            break
        at = inner
    return at


def _member(written: str, at: int, step: str | int) -> int | None:
    is_object, index = written[at : at + 1] == "{", 0
    if not is_object and written[at : at + 1] != "[":
        return None
    at = _skip(written, at + 1)
    while written[at : at + 1] not in {"}", "]", ""}:
        key: str | int = index
        if is_object:
            key, at = _decoder.raw_decode(written, at)
            at = _skip(written, _skip(written, at) + 1)
        if key == step:
            return at
        _, at = _decoder.raw_decode(written, at)
        at = _skip(written, at)
        at, index = _skip(written, at + (written[at : at + 1] == ",")), index + 1
    return None


TEXT = text("Text")
_TEXT = re.compile(r"\s*Game:")
_LINE = re.compile(r"[^\n]*\n?")
_NAMES = "Game|Address|Day|Event|Place|Result|Options|Setup|Player|Computer|Winners|Seal"
_HEAD = re.compile(rf"({_NAMES})(?: ([\w-]+))?:\s*(.*)")
_MOVE = re.compile(r"(?:[0-9]{1,4}\.\s*)?([\w-]+)\s+(.*)")


def write_text(document: GameDocument) -> str:
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
    head += [f"Seal: {document.seal}"] if document.seal else []
    moves = [f"{n}. {move.seat} {move.move}" for n, move in enumerate(document.moves, start=1)]
    return "\n".join([*head, "", *moves, ""])


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(", ", ": "))


def recognises_text(written: str) -> bool:
    return _TEXT.match(written) is not None


@dataclass
class _Draft:
    """A game while its lines are read: the values of its document, and the places of some."""

    begin: int
    values: dict[str, Any]
    places: dict[Path, int] = field(default_factory=dict)

    def admit(self) -> ImportedGame:
        """Return the game that was read. Raises BadRecord."""
        return admit_document(self.values, TEXT, self._place)

    def _place(self, path: Path) -> int:
        around = (tuple(path[:length]) for length in (2, 1))
        return next((self.places[part] for part in around if part in self.places), self.begin)


def read_text(written: str) -> Iterator[ImportedGame | BadRecord]:
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
                yield attempt(draft.admit)
            draft = _begin(head[3], at, at + head.start(3))
        elif draft is None:
            raise BadRecord(text("A game begins with “Game:”."), at)
        elif head:
            _add_value(draft, head, at + head.start(3))
        else:
            _add_move(draft, line, at)
    if draft:
        yield attempt(draft.admit)


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
