"""Othello: `Othello` is the game of its document, ``rules`` plays it on the site."""

from games.othello.engine import Othello

__all__ = ["Othello"]
