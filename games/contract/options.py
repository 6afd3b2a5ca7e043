"""What the set-up page of a game asks, and the one check of what is answered."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from games.contract.texts import Text, text

RESERVED = frozenset({"name", "draw", "record", "hints"})
"""Fields of the set-up page that no game's option is."""


class BadSetup(Exception):
    """Options that make no game; ``option`` names the culprit ('' when it is no single one)."""

    def __init__(self, option: str, reason: Text) -> None:
        self.option = option
        self.text = reason
        super().__init__(str(reason))


@dataclass(frozen=True, kw_only=True)
class Option:
    """One thing that the set-up page asks. ``kind`` decides the field and the check.

    number: an int within ``low``..``high``, a whole number of ``step`` above ``low``;
    choice: one of ``choices`` (value, label); flag: a bool; text: a string of at most
    ``high`` characters. ``secret`` values are handed to `Rules.deal` and never kept.

    Two names mean something to the set-up page: the number ``players`` says how many seats there
    are, and no other option may; the choice ``language`` is that of the page to begin with. Others
    are its own: `RESERVED`, and what begins with ``seat-``. All but flags have a ``default``.
    """

    name: str
    label: Text
    kind: str = "number"
    default: Any = None
    low: int = 0
    high: int = 0
    step: int = 1
    choices: tuple[tuple[str, Text], ...] = ()
    help: Text | None = None
    secret: bool = False
    advanced: bool = False

    def clean(self, raw: Any) -> Any:
        """The value of what was sent, ``None`` meaning nothing was. Raises BadSetup."""
        if raw is None:
            return False if self.kind == "flag" and self.default is None else self.default
        return _CLEANERS[self.kind](self, raw)

    def fault(self) -> str:
        """What is wrong with it as its game gives it; '' if nothing."""
        if self.name in RESERVED or self.name.startswith("seat-"):
            return f"an option called {self.name!r}, as the set-up page calls something of its own"
        if self.default is None and self.kind != "flag":
            return f"an option {self.name!r} without a default"
        return ""

    def refuse(self, reason: Text) -> BadSetup:
        """The error that says what is wrong with this option."""
        return BadSetup(self.name, reason)


def _clean_number(option: Option, raw: Any) -> int:
    digits = str(raw).strip()
    if isinstance(raw, bool) or not re.fullmatch(r"-?[0-9]{1,9}", digits, re.ASCII):
        raise option.refuse(text("%(label)s must be a whole number.", label=option.label))
    number = int(digits)
    if not option.low <= number <= option.high:
        raise option.refuse(
            text(
                "%(label)s: choose a number from %(low)s to %(high)s.",
                label=option.label,
                low=option.low,
                high=option.high,
            )
        )
    if (number - option.low) % option.step:
        raise option.refuse(
            text(
                "%(label)s: choose %(low)s, %(next)s, …, %(high)s.",
                label=option.label,
                low=option.low,
                next=option.low + option.step,
                high=option.high,
            )
        )
    return number


def _clean_choice(option: Option, raw: Any) -> str:
    if raw not in [value for value, _ in option.choices]:
        raise option.refuse(text("%(label)s: choose an option from the list.", label=option.label))
    return str(raw)


def _clean_flag(option: Option, raw: Any) -> bool:
    return raw is True or str(raw).lower() in {"on", "true", "1", "yes"}


def _clean_text(option: Option, raw: Any) -> str:
    value = str(raw).replace("\r\n", "\n").strip()
    if len(value) > option.high:
        raise option.refuse(
            text("%(label)s: at most %(high)s characters.", label=option.label, high=option.high)
        )
    return value


_CLEANERS: Mapping[str, Callable[[Option, Any], Any]] = {
    "number": _clean_number,
    "choice": _clean_choice,
    "flag": _clean_flag,
    "text": _clean_text,
}
