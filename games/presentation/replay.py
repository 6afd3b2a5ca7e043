"""Stepping through the positions of a game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from games.contract import Text, text


@dataclass(frozen=True)
class PlyLink:
    """A link to another position. At an end of the game ``address`` is None: the link leads nowhere
    and stays in its place, so that it keeps the focus."""

    sign: str
    name: Text
    address: str | None
    rel: str = ""


def ply_links(ply: int, last: int, address: Callable[[int], str]) -> list[PlyLink]:
    """Return the links from the position after ``ply`` moves of a game with ``last`` moves."""
    back, on = ply > 0, ply < last
    return [
        PlyLink("«", text("First position"), address(0) if back else None),
        PlyLink("\u2039", text("Previous"), address(ply - 1) if back else None, "prev"),
        PlyLink("\u203a", text("Next"), address(ply + 1) if on else None, "next"),
        PlyLink("»", text("Last position"), address(last) if on else None),
    ]
