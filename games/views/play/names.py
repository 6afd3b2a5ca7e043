"""The names of the people on a shared device."""

from __future__ import annotations

from games.core.rate_limits import NAMES_PER_PLAYER
from games.models import Player
from games.services import players
from games.state.snapshot import GameSnapshot
from games.views.common import find_game, held_seats
from games.views.play.actions import player_action, with_page
from games.web.request import HttpRequest


@player_action(with_page)
def name_seats(request: HttpRequest, game_id: str, player: Player) -> GameSnapshot:
    """Name the people on the visitor's seats, by the fields ``name-<seat>``."""
    seats = held_seats(request, find_game(request, game_id))
    sent = {key: request.POST.get(f"name-{key}") for key in seats}
    names = {key: name for key, name in sent.items() if name is not None}
    NAMES_PER_PLAYER.hit(str(player.pk))
    return players.name_seats(game_id=game_id, player=player, names=names)
