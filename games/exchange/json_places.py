"""The place of a value in a JSON text, for messages about it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from json import JSONDecoder

_SPACE = re.compile(r"[ \t\n\r]*")
_decoder = JSONDecoder()


def place_of(text: str, path: Sequence[str | int], at: int = 0) -> int:
    """Return how many characters stand before the value at ``path`` in the JSON value at ``at``;
    if there is no such value, those before the innermost one around it."""
    at = _skip(text, at)
    for step in path:
        inner = _member(text, at, step)
        if inner is None:
            break
        at = inner
    return at


def _member(text: str, at: int, step: str | int) -> int | None:
    """Return the place of a member of the object or array at ``at``."""
    is_object, index = text[at : at + 1] == "{", 0
    if not is_object and text[at : at + 1] != "[":
        return None
    at = _skip(text, at + 1)
    while text[at : at + 1] not in {"}", "]", ""}:
        key: str | int = index
        if is_object:
            key, at = _decoder.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        if key == step:
            return at
        _, at = _decoder.raw_decode(text, at)
        at = _skip(text, at)
        at, index = _skip(text, at + (text[at : at + 1] == ",")), index + 1
    return None


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at
