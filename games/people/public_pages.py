"""The public page of a player, for players that want one."""

from __future__ import annotations

from games.models import Player, new_game_id
from games.storage.write_lock import write_transaction


def publish_player(*, player: Player, public: bool) -> None:
    """Give a player a public page, or remove it. An earlier address never works again."""
    with write_transaction():
        if public != (player.public_id is not None):
            player.public_id = new_game_id() if public else None
            player.save(update_fields=["public_id"])


def player_of_page(public_id: str) -> Player | None:
    return Player.objects.filter(public_id=public_id[:16]).first()
