"""Othello: the class `Othello` of its document, and the game on the site."""

from games.othello.engine import Othello

__all__ = ["Othello"]
