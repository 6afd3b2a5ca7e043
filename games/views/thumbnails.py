"""Small pictures of boards in lists of games."""

from __future__ import annotations

from django.utils.safestring import mark_safe

from games.contract import MoveError
from games.models import Game
from games.presentation.board import build_board
from games.presentation.pictures import render_board_svg
from games.state.replay import Unreadable
from games.state.snapshot import read_snapshot

PICTURES = 12
"""Games shown with a picture of their board; those after them have none."""


def thumbnail(game_id: str) -> str:
    """Return a picture of the board as spectators see it, since a list shows no secrets; '' for a
    faulty game."""
    try:
        snapshot = read_snapshot(game_id)
        board = build_board(snapshot.rules, snapshot.standing, viewpoint=None)
    except (Game.DoesNotExist, Unreadable, MoveError):
        return ""
    return mark_safe(render_board_svg(board))  # noqa: S308 - drawn by templates, which escape
