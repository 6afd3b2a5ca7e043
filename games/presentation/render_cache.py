"""A cache of the HTML that updates a page, rendered once for all viewers with one perspective.

A move is answered by a view to its player, and sent by streams to everybody else, at the same
moment and from different threads. The first thread renders, and the others wait for it.
"""

from __future__ import annotations

from threading import Lock

from games.contract import Text
from games.presentation.game_page import GamePage, build_page
from games.presentation.jinja import render
from games.presentation.lobby import build_lobby
from games.presentation.visibility import Perspective
from games.state.snapshot import GameSnapshot
from games.storage.cache import LRUCache

Key = tuple[str, int, Perspective]
MOST, MOST_BYTES = 500, 16 * 2**20
"""Limits of the cache: the number limits small boards, the size limits large ones."""


class _Rendering:
    """HTML that has been rendered, or is being rendered by the holder of ``lock``."""

    __slots__ = ("html", "lock")

    def __init__(self) -> None:
        self.lock = Lock()
        self.html = b""


_renderings: LRUCache[Key, _Rendering] = LRUCache(
    MOST, size_of=lambda rendering: len(rendering.html), max_size=MOST_BYTES
)


def render_update(snapshot: GameSnapshot, seen_by: Perspective) -> bytes:
    """Return title, board or lobby, and status of a game from one perspective, in UTF-8. The
    language of the perspective is active."""
    key = (snapshot.game.id, snapshot.game.version, seen_by)
    rendering = _renderings.setdefault(key, _Rendering())
    with rendering.lock:
        if not rendering.html:
            rendering.html = _render(snapshot, seen_by)
            _renderings.put(key, rendering)
        return rendering.html


def render_answer(
    page: GamePage, *, refused: Text | None = None, mistyped: bool = False, stepping: bool = False
) -> str:
    """Return title, board and status of a page. A refusal is shown at the field of the ``mistyped``
    move or above the buttons; ``stepping`` reads out the prompt of a half-chosen move."""
    return render(
        "board/_answer.jinja", page=page, refused=refused, mistyped=mistyped, stepping=stepping
    )


def _render(snapshot: GameSnapshot, seen_by: Perspective) -> bytes:
    if seen_by.lobby:
        lobby = build_lobby(snapshot, seen_by)
        return render("lobby/_lobby_answer.jinja", lobby=lobby).encode()
    return render_answer(build_page(snapshot, seen_by)).encode()
