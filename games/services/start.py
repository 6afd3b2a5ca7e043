"""The start of a game whose players gather in its lobby."""

from __future__ import annotations

from contextlib import suppress
from copy import copy
from functools import partial

from django.db import transaction
from django.utils import timezone

from games.core.look_alikes import skeleton
from games.models import Game, NoticeKind, Player
from games.notices.events import forget_lobby, note_event
from games.services.clocks import run_clock
from games.services.play import apply_position
from games.services.tokens import hash_token, make_token, new_salt
from games.services.versions import next_banner, save_version, save_without_activity
from games.state.seat_claims import is_host_away
from games.state.snapshot import GameSnapshot, lock_snapshot
from games.storage.write_lock import write_transaction

STARTS_ITSELF = 2
"""A game with so many seats begins when the last one is taken; the host begins larger games."""


def lobby_token(game: Game) -> str:
    return make_token("games.lobby", game.pk, game.lobby_salt)


def open_lobby(game: Game) -> None:
    """Open the lobby of a new, unsaved game: until it begins nobody is to move. The caller saves
    it."""
    game.begun = False
    game.to_move = []
    game.computer_to_move = False
    open_group_link(game)


def open_group_link(game: Game) -> None:
    """Give a game the link that invites a group. The caller saves it."""
    game.lobby_salt = new_salt()
    game.lobby_hash = hash_token(lobby_token(game))


def begin_if_full(snapshot: GameSnapshot, player: Player) -> GameSnapshot:
    """Begin a game for two players when both seats are taken, as other sites do, by ``player``.
    It waits if that may be the absent host, who has lost a cookie."""
    places = snapshot.seating.places.values()
    full = len(places) == STARTS_ITSELF and not any(place.empty for place in places)
    if snapshot.game.begun or not full or _is_namesake_of_host(snapshot, player):
        return snapshot
    return begin_game(snapshot, player)


def _is_namesake_of_host(snapshot: GameSnapshot, player: Player) -> bool:
    places, host = snapshot.seating.places.values(), snapshot.game.created_by_id
    names = [place.players[host] for place in places if host in place.players]
    alike = player.name and skeleton(player.name) in map(skeleton, names)
    return bool(alike) and host != player.pk and is_host_away(snapshot.game)


def begin_game(snapshot: GameSnapshot, player: Player) -> GameSnapshot:
    """Begin a locked game whose players are in the lobby, on behalf of ``player``."""
    game = copy(snapshot.game)
    apply_position(game, snapshot.standing, game.ply, snapshot.seating.thinking())
    game.begun = True
    run_clock(game, snapshot.seating.people())
    # Nobody sits down on these any more without consent, so no list offers them.
    secret = [spec.key for spec in snapshot.specs if spec.secret]
    if secret:
        game.seats.filter(key__in=secret).update(listed=False, lister=None)
    forget_lobby(snapshot)
    note_event(snapshot, NoticeKind.BEGUN, by=player)
    if game.rematch_of_id:
        # After the commit: accepting a rematch locks the previous game first.
        transaction.on_commit(partial(_tell_previous, game.rematch_of_id), robust=True)
    return save_version(
        snapshot,
        begun=True,
        began=timezone.now(),
        fault=None,
        banner=next_banner(game),
        clock=game.clock,
        flag_at=game.flag_at,
        to_move=game.to_move,
        computer_to_move=game.computer_to_move,
    )


def _tell_previous(game_id: str) -> None:
    """Count a version of the previous game, whose pages have asked for this rematch."""
    with suppress(Game.DoesNotExist), write_transaction():
        save_without_activity(lock_snapshot(game_id))
