"""The list of moves beside a board."""

from __future__ import annotations

from django.utils.translation import gettext

from games.contract import RESIGN

LISTED_PLIES = 60
"""Moves that a page lists unless all are asked for."""


def display_move(move: str) -> str:
    """Return a stored move as people read it: in notation, but for a resignation."""
    return gettext("resigns") if move == RESIGN else move
