"""A player's lists of own games, from which games are removed and put back."""

from __future__ import annotations

from games.core.refusals import NotYourSeat
from games.models import Holder, Player
from games.storage.write_lock import write_transaction


def remove_from_lists(*, game_id: str, player: Player, removed: bool) -> None:
    """Remove a game from a player's lists, or put it back. The player keeps the seats. Raises
    NotYourSeat."""
    held = Holder.objects.filter(seat__game=game_id, player=player)
    with write_transaction():
        if not held.update(hidden=removed):
            raise NotYourSeat
