"""Games in JSON, as the site writes them: one, several in an array, or one a line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from json import JSONDecodeError, JSONDecoder
from typing import Any, NoReturn

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from games.contract import BadRecord, Rules, Text, display_excerpt, text
from games.core.registry import all_rules
from games.exchange.admission import ImportedGame, Inadmissible, admit
from games.presentation.documents import NEWEST, GameDocument, record_of

Path = tuple[str | int, ...]
_BEGIN = re.compile(r"\s*(?:\{\s*[\"}]|\[\s*\{)")
_SPACE = re.compile(r"\s*")
NO_JSON = text("This is no JSON: something else is needed here.")
NO_SETUP = text("The setup of this game is missing or still secret.")
FORM = text("JSON")


def recognises(written: str) -> bool:
    """Return whether a text begins like JSON of the site."""
    return _BEGIN.match(written) is not None


def read(written: str) -> Iterator[ImportedGame]:
    """Yield the games of a text. Raises BadRecord."""
    at = _skip(written, 0)
    while at < len(written):
        value, end = _decode(written, at)
        several = isinstance(value, list)
        for index, part in enumerate(value if several else [value]):
            place = partial(_place, written, at, (index,) if several else ())
            yield admit_document(_from_staff(part), FORM, place)
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
    """Return a line of the export by staff before version 2 as a document, and any other value as
    it is."""
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
        return admit(rules, record, form)
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
    if document.rules_version != rules.version:
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
    """Return the place of a member of the object or array at ``at``."""
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
