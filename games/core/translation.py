"""Translation of `games.contract.texts` into the language of the request."""

from __future__ import annotations

from functools import cache, lru_cache

from django.utils.translation import get_language, gettext, ngettext

from games.contract import Text

CACHED_MESSAGES = 2_000
"""Bounded, because old rows may contain messages that the code no longer has."""


class Say:
    """A caching translator into one language. `gettext` looks up the language for every message,
    which took a tenth of the time of a board. Call a translator only while its language is active.
    """

    def __init__(self, language: str | None) -> None:
        self.language = language
        self.message = lru_cache(CACHED_MESSAGES)(gettext)
        self.counted = lru_cache(CACHED_MESSAGES)(ngettext)


def translate(text: Text, say: Say | None = None) -> str:
    """Translate a text into the language of the request. ``say`` is the result of `say_now`, if the
    caller has it.
    """
    return _translate(text, say or say_now())


def say_now() -> Say:
    """Return the translator into the language of the request."""
    return _say_in(get_language())


@cache
def _say_in(language: str | None) -> Say:
    return Say(language)


def _translate(text: Text, say: Say) -> str:
    if not text.params:
        return say.message(text.message) % {}
    params = {
        key: _translate(value, say) if isinstance(value, Text) else value
        for key, value in text.params.items()
    }
    if text.plural:
        return say.counted(text.message, text.plural, int(params["n"])) % params
    return say.message(text.message) % params
