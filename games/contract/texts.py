"""Sentences for people, made where something is decided and translated where it is shown."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any


@dataclass(frozen=True, slots=True)
class Text:
    """A sentence for people, translated where it is shown and not where it is made.

    ``message`` is the English sentence and the catalogue's key, with ``%(name)s`` places;
    ``params`` fill them and may be texts themselves. With ``plural`` the catalogue chooses
    by ``params["n"]``. ``str(text)`` is the English sentence.
    """

    message: str
    params: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    plural: str = ""

    def __str__(self) -> str:
        singular = not self.plural or self.params["n"] == 1
        template = self.message if singular else self.plural
        return template % {key: str(value) for key, value in self.params.items()}

    def __hash__(self) -> int:
        return hash(str(self))

    def to_json(self) -> dict[str, Any]:
        """The text as JSON, nested texts included."""
        params = {
            key: value.to_json() if isinstance(value, Text) else value
            for key, value in self.params.items()
        }
        return {"message": self.message, "plural": self.plural, "params": params}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Text:
        """The inverse of `to_json`."""
        params = {
            key: cls.from_json(value) if isinstance(value, dict) else value
            for key, value in data["params"].items()
        }
        return cls(data["message"], params, data.get("plural", ""))


def text(message: str, /, **params: Any) -> Text:
    """A `Text` of one message; the call is what the catalogue's extraction looks for."""
    return Text(message, params)


def ntext(message: str, plural: str, /, *, n: int, **params: Any) -> Text:
    """A `Text` whose form depends on ``n``."""
    return Text(message, {"n": n, **params}, plural)
