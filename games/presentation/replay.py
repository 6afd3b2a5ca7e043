"""Links for stepping through the positions of a game."""

from __future__ import annotations

from dataclasses import dataclass

from games.contract import Text, text


@dataclass(frozen=True)
class PlyLink:
    """A link to another position. At either end of the game ``address`` is None: the link leads
    nowhere, but stays in place and keeps the focus."""

    sign: str
    name: Text
    address: str | None
    rel: str = ""


@dataclass(frozen=True)
class Stepper:
    """The links through a game of ``last`` moves, at the position after ``at`` of them. ``address``
    is that of a position, with ``{}`` for its number of moves."""

    at: int
    last: int
    address: str

    @property
    def links(self) -> list[PlyLink]:
        """Return the links to the first position, the ones before and after, and the last one."""
        back, on = self.at > 0, self.at < self.last
        return [
            PlyLink("«", text("First position"), self._to(0, back)),
            PlyLink("\u2039", text("Previous"), self._to(self.at - 1, back), "prev"),
            PlyLink("\u203a", text("Next"), self._to(self.at + 1, on), "next"),
            PlyLink("»", text("Last position"), self._to(self.last, on)),
        ]

    def _to(self, ply: int, is_there: bool) -> str | None:
        return self.address.replace("{}", str(ply)) if is_there else None
