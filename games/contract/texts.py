"""Sentences of the interface, which are translated only when they are shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

EMPTY: Mapping[str, Any] = MappingProxyType({})
"""The default of a mapping that nobody changes."""


@dataclass(frozen=True, slots=True)
class Text:
    """A sentence of the interface, translated when it is shown and not when it is made.

    ``message`` is the English sentence and the key in the catalogue, with placeholders
    ``%(name)s``; ``params`` fill them and may be texts themselves. With ``plural`` the catalogue
    chooses the form by ``params["n"]``. ``str(text)`` is the English sentence."""

    message: str
    params: Mapping[str, Any] = field(default_factory=lambda: EMPTY)
    plural: str = ""

    def __str__(self) -> str:
        singular = not self.plural or self.params["n"] == 1
        template = self.message if singular else self.plural
        return template % {key: str(value) for key, value in self.params.items()}

    def __hash__(self) -> int:
        return hash(self.message)

    def to_json(self) -> dict[str, Any]:
        """Return the text as JSON, nested texts included."""
        params = {
            key: value.to_json() if isinstance(value, Text) else value
            for key, value in self.params.items()
        }
        return {"message": self.message, "plural": self.plural, "params": params}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Text:
        """Return the text that `to_json` wrote."""
        params = {
            key: cls.from_json(value) if isinstance(value, dict) else value
            for key, value in data["params"].items()
        }
        return cls(data["message"], params, data.get("plural", ""))


def text(message: str, /, **params: Any) -> Text:
    """Return a `Text` of one message. ``make messages`` collects messages from calls of this
    function.

    >>> print(text("%(colour)s plays %(move)s.", colour=text("White"), move="f5"))
    White plays f5.
    """
    return Text(message, params)


def ntext(message: str, plural: str, /, *, n: int, **params: Any) -> Text:
    """Return a `Text` whose form depends on ``n``.

    >>> print(ntext("%(n)s disc", "%(n)s discs", n=2))
    2 discs
    """
    return Text(message, {"n": n, **params}, plural)


def loses_on_time(player: Text) -> Text:
    """Return the event of a fallen flag. A page of a game without a clock says it otherwise."""
    return text("%(player)s loses on time.", player=player)
