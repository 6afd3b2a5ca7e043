"""Translation of `games.contract.texts` into the language of the request."""

from __future__ import annotations

from functools import cache, lru_cache

from django.utils.translation import get_language, gettext, ngettext

from games.contract import Text

CACHED_MESSAGES = 2_000
"""Bounded, because old rows may contain messages that the code no longer has."""


class Translator:
    """A caching translator: `gettext` looks up the language for every message, a tenth of the time
    of a board. Call it only while its language is active."""

    def __init__(self, language: str | None) -> None:
        self.language = language
        self.message = lru_cache(CACHED_MESSAGES)(gettext)
        self.counted = lru_cache(CACHED_MESSAGES)(ngettext)


def isolated(name: str) -> str:
    """Return a name between marks that keep a right-to-left name from reordering the text."""
    return f"\u2068{name}\u2069"


def translate(text: Text | object, translator: Translator | None = None) -> str:
    """Translate a text into the language of the request; return any other value as a string.
    ``translator`` is the result of `active_translator`, if the caller has it."""
    if not isinstance(text, Text):
        return str(text)
    translator = translator or active_translator()
    if not text.params:
        return translator.message(text.message) % {}
    params = {
        key: translate(value, translator) if isinstance(value, Text) else value
        for key, value in text.params.items()
    }
    if text.plural:
        return translator.counted(text.message, text.plural, int(params["n"])) % params
    return translator.message(text.message) % params


def active_translator() -> Translator:
    return _translator_in(get_language())


@cache
def _translator_in(language: str | None) -> Translator:
    return Translator(language)
