"""Opponents for those who come alone: who seeks one sits down with the first who waits for the same
game, or waits with an open seat."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from games.core.refusals import Refusal
from games.models import Game, Player
from games.services.seats import take_free_seat
from games.services.setup import Plan, start_game
from games.state.identity import same_person
from games.state.lists import open_games, running_games
from games.state.replay import Unreadable
from games.state.seat_claims import is_host_away
from games.storage.write_lock import one_at_a_time, write_transaction


def find_opponent(
    *, player: Player, plan: Plan, origin: str, lister: str | None, game_id: str | None
) -> Game:
    """Seat a player in an open game like a planned one, that of whoever has waited longest, or
    start this one; a second try leads to the game of the first. Raises as `start_game`."""
    with write_transaction():
        # Two who seek at once would both find nobody.
        one_at_a_time("find_opponent")
        for listed in running_games(player):
            if _is_like(plan, listed.game):
                return listed.game
        for game, seat_key in _waiting(plan, player, lister or ""):
            with suppress(Refusal, Unreadable, Game.DoesNotExist):
                return take_free_seat(game_id=game, seat_key=seat_key, player=player).game
        return start_game(player=player, plan=plan, origin=origin, lister=lister, game_id=game_id)


def _waiting(plan: Plan, player: Player, lister: str) -> Iterator[tuple[str, str]]:
    """Yield the open seats whose hosts are there, the oldest first, by game and key."""
    persons = same_person(player.pk)
    for found in reversed(open_games(player, lister=lister)):
        game = found.game
        here = not is_host_away(game) and game.created_by_id not in persons
        if here and not game.begun and len(found.seats) == 1 and _is_like(plan, game):
            yield game.pk, found.seats[0].key


def _is_like(plan: Plan, game: Game) -> bool:
    """Return whether nobody has moved yet in a game with the rules and the time of a plan."""
    new = plan.new
    known = game.kind == new.rules.slug and game.rules_version == new.rules.version
    plain = not (game.ply or game.hints or game.closed) and game.imported is None
    return known and plain and game.options == new.options and game.time == new.time
