"""Othello: the plain class `Othello`, and the game on the site."""

from games.othello.engine import Othello

__all__ = ["Othello"]
