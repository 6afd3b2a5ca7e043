"""Closing a game to watchers, and opening it again."""

from __future__ import annotations

from games.contract import text
from games.core.refusals import NotBegun, NotHost
from games.models import Player
from games.services.versions import save_without_activity
from games.state.draw_offers import pending_offer
from games.state.snapshot import GameSnapshot, locked
from games.state.watching import may_close

CLOSED = text("The game is private now.")
OPEN = text("The game is public again.")


def close_to_watchers(*, game_id: str, player: Player, closed: bool) -> GameSnapshot:
    """Close a game to everybody but its players, or open it again, as its host.

    The new version makes watchers lose the board. Raises Game.DoesNotExist, NotHost or NotBegun."""
    with locked(game_id) as snapshot:
        if not may_close(snapshot, player.pk):
            raise NotHost
        if not snapshot.game.begun:
            raise NotBegun
        if snapshot.game.closed == closed:
            return snapshot
        if pending_offer(snapshot):
            # An open draw offer is stored in the banner, so it is kept.
            return save_without_activity(snapshot, closed=closed)
        sentence = CLOSED if closed else OPEN
        return save_without_activity(snapshot, closed=closed, banner=sentence.to_json())
