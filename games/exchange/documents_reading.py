"""Games in JSON, as the site writes them: one, several in an array, or one a line."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from json import JSONDecodeError, JSONDecoder
from typing import Any, NoReturn

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from games.contract import BadRecord, Record, Rules, Text, display_excerpt, text
from games.core.registry import all_rules
from games.exchange.admission import ImportedGame, Inadmissible, admit
from games.exchange.documents import GameDocument, names_of
from games.exchange.json_places import place_of

_BEGIN = re.compile(r"\s*(?:\{\s*[\"}]|\[\s*\{)")
_SPACE = re.compile(r"\s*")
NO_JSON = text("This is no JSON: something else is needed here.")
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
            yield _game(part, written, at, (index,) if several else ())
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


def _game(value: Any, written: str, at: int, path: tuple[str | int, ...]) -> ImportedGame:
    try:
        document = GameDocument.model_validate(value)
        return admit(_rules(document), _record(document), FORM)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise BadRecord(_fault(first), place_of(written, (*path, *first["loc"]), at)) from error
    except Inadmissible as error:
        raise BadRecord(error.text, place_of(written, (*path, *error.place), at)) from error


def _fault(error: ErrorDetails) -> Text:
    name = display_excerpt(".".join(map(str, error["loc"])), 40)
    if error["type"] == "missing":
        return text("“%(name)s” is missing from this game.", name=name)
    return text("The value of “%(name)s” is not that of a game.", name=name)


def _rules(document: GameDocument) -> Rules:
    rules = all_rules().get(document.kind)
    if rules is None:
        raise Inadmissible(text("This site does not have that game."), ("kind",))
    if document.rules_version != rules.version:
        reason = text("The rules of this game have changed since it was written.")
        raise Inadmissible(reason, ("rules_version",))
    return rules


def _record(document: GameDocument) -> Record:
    if document.setup is None:
        raise Inadmissible(text("The setup of this game is missing or still secret."), ("setup",))
    return Record(
        options=document.options,
        setup=document.setup,
        moves=[(move.seat, move.move) for move in document.moves],
        names=names_of(document),
        day=document.day,
    )
