"""The sentences of `games.contract.texts` in the language of the request."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache

from django.utils.translation import get_language, gettext, ngettext

from games.contract import Text

Say = Callable[[str], str]
"""A message in one language."""


def translate(text: Text, say: Say | None = None) -> str:
    """A text in the language of the request; ``say`` is what `say_now` gave, if that is at hand."""
    return _translate(text, say or say_now())


def say_now() -> Say:
    """What says messages in the language of the request: `gettext`, which looks the language up
    for every message, took a tenth of the time of a board."""
    return _say_in(get_language())


@cache
def _say_in(language: str | None) -> Say:
    """Says each message once. Only to be asked while ``language`` is the active one."""
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
