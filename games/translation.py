"""The sentences of `games.contract.texts` in the language of the request."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

from django.utils.translation import get_language, gettext, ngettext

from games.contract import Text

Say = Callable[[str], str]
"""A message in one language."""


def translate(text: Text, say: Say | None = None) -> str:
    """Translate a text into the language of the request. ``say`` is the result of `say_now`, if at
    hand.
    """
    return _translate(text, say or say_now())


def say_now() -> Say:
    """Return the translator into the language of the request. `gettext` looks the language up for
    every message, which took a tenth of the time of a board.
    """
    return _say_in(get_language())


@cache
def _say_in(language: str | None) -> Say:
    """Return a translator that caches. Call it only while ``language`` is active."""
    # The messages are those of the code, but old rows may hold some that it no longer has.
    return lru_cache(2_000)(gettext)


def _translate(text: Text, say: Say) -> str:
    params = {
        key: _translate(value, say) if isinstance(value, Text) else value
        for key, value in text.params.items()
    }
    if text.plural:
        return str(ngettext(text.message, text.plural, int(text.params["n"])) % params)
    return say(text.message) % params
