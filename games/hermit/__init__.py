"""Hermit: wooden blocks that may not touch a block of their own colour (Dutch: Kluizenaar)."""

from games.hermit.engine import Hermit, Kluizenaar

__all__ = ["Hermit", "Kluizenaar"]
