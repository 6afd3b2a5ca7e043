"""A game as one viewer sees it at one ply: what all parts of its page are made of. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from games.contract import SeatKey, SeatSpec
from games.presentation.names import Names, seat_names
from games.presentation.visibility import Perspective, viewpoint
from games.state.snapshot import GameSnapshot, Standing


@dataclass(frozen=True, kw_only=True, slots=True)
class Sight:
    """A game from one perspective, as of ``ply`` with its ``standing``.

    A ``live`` board is the current one and is played on; others are for reading. ``viewpoint`` is
    the seat whose view is shown, and ``acting`` the held one for which the board's buttons move.
    ``names`` are those of the people, and ``over`` says that the game ends with this ply."""

    snapshot: GameSnapshot
    seen_by: Perspective
    ply: int
    live: bool
    standing: Standing
    viewpoint: SeatKey | None
    acting: SeatKey | None
    names: Names
    over: bool

    @property
    def seat(self) -> SeatKey | None:
        """The seat for which the forms of a live board act, even when it is not to move."""
        return (self.acting or self.viewpoint) if self.live else None


def sight(snapshot: GameSnapshot, seen_by: Perspective, ply: int | None) -> Sight:
    """Return the sight of a game after ``ply`` moves, of the live board with None. Raises as
    `GameSnapshot.at`."""
    shown, specs = snapshot.game.ply if ply is None else ply, snapshot.specs
    standing = snapshot.standing_at(shown)
    look = viewpoint(specs, seen_by, standing.to_move)
    return Sight(
        snapshot=snapshot,
        seen_by=seen_by,
        ply=shown,
        live=ply is None,
        standing=standing,
        viewpoint=look,
        acting=_acting(specs, seen_by, look, standing.to_move) if ply is None else None,
        names=seat_names(snapshot),
        over=standing.result is not None,
    )


def _acting(
    specs: Sequence[SeatSpec],
    seen_by: Perspective,
    look: SeatKey | None,
    to_move: frozenset[SeatKey],
) -> SeatKey | None:
    """Return the held seat for which the board's buttons move: the viewpoint, if it is to move.

    The same screen must not offer the moves of a public seat while it shows the secrets of
    another."""
    if look in to_move:
        return look
    if any(spec.secret for spec in specs if spec.key == look):
        return None
    open_seats = {spec.key for spec in specs if not spec.secret}
    return next(iter(sorted(seen_by.seats & to_move & open_seats)), None)
