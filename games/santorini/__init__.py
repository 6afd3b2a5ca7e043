"""Santorini: a game for two to four players on a 5 x 5 board."""

from games.santorini.engine import Santorini

__all__ = ["Santorini"]
