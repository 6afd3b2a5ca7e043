"""The options of a game's set-up page, and the check of their values."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from games.contract.errors import Explained
from games.contract.texts import Text, text

RESERVED = frozenset(
    {"name", "random_seats", "transcript", "hints", "time", "minutes", "increment", "level", "bots"}
)
"""Names of the set-up page's own fields, which no option may have."""


class BadSetup(Explained):
    """Raised for options that make no game. ``option`` names the faulty one, if it is one."""

    def __init__(self, option: str, reason: Text) -> None:
        self.option = option
        super().__init__(reason)


@dataclass(frozen=True, kw_only=True)
class Option:
    """A field of the set-up page. ``kind`` decides its form field and how its value is checked.

    number: an int within ``low``..``high``, a whole number of ``step`` above ``low``; choice: one
    of ``choices`` (value, label); flag: a bool; text: a string of at most ``high`` characters;
    pack: a list of texts of the player, whose id is the value, '' for none. `Rules.deal` gets a
    `Deck` of it instead of the id, None without a pack. ``secret`` values are passed to
    `Rules.deal` and never stored. ``advanced`` options are folded away at first. All options but
    flags have a ``default``. A kind of game has at most one pack.

    Two names have a special meaning: the number ``players`` is the number of seats, which no other
    option may change, and the choice ``language`` defaults to the language of the page. The names
    in `RESERVED`, and those that begin with ``seat-`` or ``level-``, are taken by the page itself.
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
    picture: str = ""
    """For a number: its buttons draw so many ``rows``, ``columns``, or both (``board``)."""
    secret: bool = False
    advanced: bool = False
    only_with: tuple[str, str] | None = None
    """The name and value of another option without which this one has no effect. The set-up page
    shows this option only with that value."""
    read: Callable[[str], Sequence[str]] | None = None
    """For a pack: returns the typed texts, each once. Raises BadSetup."""

    def is_chosen(self, options: Mapping[str, Any]) -> bool:
        """Return whether cleaned options contain a value of this option that has an effect."""
        if self.only_with and str(options[self.only_with[0]]) != self.only_with[1]:
            return False
        return bool(options[self.name] != self.default)

    def clean(self, raw: Any) -> Any:
        """Return the value of a submitted field, its default for None. Raises BadSetup."""
        if raw is None:
            return False if self.kind == "flag" and self.default is None else self.default
        return _CLEANERS[self.kind](self, raw)

    def fault(self) -> str:
        """Return the fault in the definition of this option, '' if there is none."""
        if self.name in RESERVED or self.name.startswith(("seat-", "level-")):
            return f"an option called {self.name!r}, as the set-up page calls something of its own"
        if self.default is None and self.kind != "flag":
            return f"an option {self.name!r} without a default"
        if (self.kind == "pack") != (self.read is not None):
            return f"an option {self.name!r} that is a pack without ``read``, or the reverse"
        return ""

    def refuse(self, reason: Text) -> BadSetup:
        """Return the BadSetup that refuses a value of this option."""
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


def _clean_pack(option: Option, raw: Any) -> str:
    try:
        return str(UUID(str(raw))) if raw else ""
    except ValueError:
        raise option.refuse(
            text("%(label)s: choose an option from the list.", label=option.label)
        ) from None


_CLEANERS: Mapping[str, Callable[[Option, Any], Any]] = {
    "number": _clean_number,
    "choice": _clean_choice,
    "flag": _clean_flag,
    "text": _clean_text,
    "pack": _clean_pack,
}
