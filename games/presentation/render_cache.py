"""What brings a page up to date, as HTML: made once for all who see the same.

A move is answered to its player by a view and sent to everybody else by streams, at the same
moment and from different threads. Whoever comes first makes it, and the others wait for that.
"""

from __future__ import annotations

from threading import Lock

from django.utils import translation

from games.contract import Position
from games.models import Game
from games.presentation.game_page import ViewerContext, build_page
from games.presentation.jinja import render
from games.storage.cache import LRUCache

Key = tuple[str, int, ViewerContext, str]
MOST, MOST_BYTES = 500, 16 * 2**20
"""Kept at once: the answers of small boards by their number, those of large ones by their size."""


class _Answer:
    """An answer that is made, or being made."""

    __slots__ = ("html", "turn")

    def __init__(self) -> None:
        self.turn = Lock()
        self.html = b""


_kept: LRUCache[Key, _Answer] = LRUCache(
    MOST, size_of=lambda kept: len(kept.html), max_size=MOST_BYTES
)


def answer(game: Game, position: Position, seen: ViewerContext, language: str) -> bytes:
    """Title, board and status of a game as it was just read, ``position`` being where it stands.
    As it is sent, in UTF-8."""
    key = (game.id, game.version, seen, language)
    kept = _kept.setdefault(key, _Answer())
    with kept.turn:
        if not kept.html:
            kept.html = _make(game, position, seen, language)
            _kept.put(key, kept)
        return kept.html


def _make(game: Game, position: Position, seen: ViewerContext, language: str) -> bytes:
    with translation.override(language):
        table = build_page(game, position, seen)
        made = render("games/_answer.jinja", table=table, refused=None, stepping=False)
    return made.encode()
