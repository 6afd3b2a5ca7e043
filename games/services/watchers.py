"""Games that their hosts close to watchers, and open again."""

from __future__ import annotations

from games.contract import text
from games.draw_offers import pending_offer
from games.models import Player
from games.refusals import NotBegun, NotHost
from games.services.versions import save_aside
from games.snapshot import GameSnapshot, lock_snapshot
from games.storage.write_lock import write_transaction
from games.watching import may_close

CLOSED = text("The game is closed to watchers now.")
OPEN = text("The game is open to watchers again.")


def close_to_watchers(*, game_id: str, player: Player, closed: bool) -> GameSnapshot:
    """Close a game to all but its players, or open it again, as its host.

    Watchers lose the board with the version that this counts. Raises Game.DoesNotExist, NotHost or
    NotBegun."""
    with write_transaction():
        snapshot = lock_snapshot(game_id)
        if not may_close(snapshot, player.pk):
            raise NotHost
        if not snapshot.game.begun:
            raise NotBegun
        if snapshot.game.closed == closed:
            return snapshot
        if pending_offer(snapshot):
            # The offer is the notice, and waits for its answer.
            return save_aside(snapshot, closed=closed)
        told = CLOSED if closed else OPEN
        return save_aside(snapshot, closed=closed, notice=told.to_json())
