"""Closing a game to watchers, and opening it again, by its host."""

from __future__ import annotations

from games.core.rate_limits import SEATS_PER_ADDRESS, SEATS_PER_PLAYER
from games.models import Player
from games.services.watchers import close_to_watchers
from games.state.snapshot import GameSnapshot
from games.views.common import count_request, find_game
from games.views.play.actions import player_action, with_page
from games.web.request import HttpRequest


@player_action(with_page)
def watchers(request: HttpRequest, game_id: str, player: Player) -> GameSnapshot:
    """Close a game to watchers, or with ``watchers=open`` open it again. Redirect to its page,
    which loses or gains the link for watchers."""
    find_game(request, game_id)
    count_request(request, (SEATS_PER_PLAYER, SEATS_PER_ADDRESS))
    closed = request.POST.get("watchers") != "open"
    return close_to_watchers(game_id=game_id, player=player, closed=closed)
