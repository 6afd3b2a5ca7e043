"""Codenames: two teams look for their own spies among cards that everybody can see."""

from games.codenames.engine import GameBoard

__all__ = ["GameBoard"]
