"""What brings a page up to date, as HTML: made once for all who see the same.

A move is answered to its player by a view and sent to everybody else by streams, at the same
moment and from different threads. Whoever comes first makes it, and the others wait for that.
"""

from __future__ import annotations

from threading import Lock

from django.utils import translation

from games.contract import Position
from games.drawing import draw
from games.kept import Kept
from games.models import Game
from games.tables import Seen, lay

Key = tuple[str, int, Seen, str]


class _Answer:
    """An answer that is made, or being made."""

    __slots__ = ("html", "turn")

    def __init__(self) -> None:
        self.turn = Lock()
        self.html: str | None = None


_kept: Kept[Key, _Answer] = Kept(500)


def answer(game: Game, position: Position, seen: Seen, language: str) -> str:
    """Title, board and status of a game as it was just read, ``position`` being where it stands."""
    kept = _kept.setdefault((game.id, game.version, seen, language), _Answer())
    with kept.turn:
        if kept.html is None:
            kept.html = _make(game, position, seen, language)
        return kept.html


def _make(game: Game, position: Position, seen: Seen, language: str) -> str:
    with translation.override(language):
        table = lay(game, position, seen)
        return draw("games/_answer.jinja", table=table, refused=None, stepping=False)
