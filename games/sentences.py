"""The sentences of `games.text` in the language of the request."""

from __future__ import annotations

from django.utils.translation import gettext, ngettext

from games.contract import Text


def translate(text: Text) -> str:
    """A text in the language of the request."""
    params = {
        key: translate(value) if isinstance(value, Text) else value
        for key, value in text.params.items()
    }
    if text.plural:
        return str(ngettext(text.message, text.plural, int(text.params["n"])) % params)
    return str(gettext(text.message) % params)
