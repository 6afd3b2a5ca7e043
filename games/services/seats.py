"""Seats: their holders, the secret links with which they are claimed, and the start of a game whose
players gather in its lobby.

Claiming a seat removes the salt of its link, which ends the link (see `games.services.tokens`). The
hash stays until the next link is made, to recognize the claimant."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from copy import copy
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from games.contract import Text, text
from games.core.look_alikes import skeleton
from games.core.refusals import (
    GameEnded,
    NotForBots,
    NotYourSeat,
    Refusal,
    SeatTaken,
    SecretSeat,
    StandsIn,
)
from games.core.registry import all_rules
from games.models import Game, Holder, NoticeKind, Player, Seat
from games.notices.events import forget_lobby, note_event
from games.services.clocks import resume_clock, run_clock
from games.services.insights import check_insights, note_insights
from games.services.play import apply_position
from games.services.tokens import hash_token, make_token, new_salt
from games.services.versions import next_banner, save_holders, save_version, save_without_activity
from games.state.identity import is_bot, same_person
from games.state.seat_claims import claims_beside, is_host_away, stands_in
from games.state.seat_rights import LOST, OPEN, is_closed, seat_rights
from games.state.snapshot import GameSnapshot, lock_snapshot, locked
from games.storage.write_lock import write_transaction

STARTS_ITSELF = 2
"""A game with so many seats begins when the last one is taken; the host begins larger games."""


def lobby_token(game: Game) -> str:
    return make_token("games.lobby", game.pk, game.lobby_salt)


def open_lobby(game: Game) -> None:
    """Open the lobby of a new, unsaved game, with nobody to move. The caller saves it."""
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
    for_two = len(places) == STARTS_ITSELF or snapshot.game.seeks
    full = for_two and not any(place.empty for place in places)
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


def invitation_token(seat: Seat) -> str:
    return make_token("games.seat", seat.pk, seat.token_salt)


def open_link(seat: Seat) -> None:
    """Give the seat a new link; an older link stops working. The caller saves and announces it."""
    seat.token_salt = new_salt()
    seat.token_hash = hash_token(invitation_token(seat))


def _close_link(seat: Seat) -> None:
    seat.token_salt = ""
    seat.moving_from = None


def seat_of_token(token: str) -> Seat | None:
    """Return the seat of a link, None if the link is unknown or used up."""
    return _seats_of_token(token).exclude(token_salt="").first()


def game_of_token(token: str) -> Game | None:
    seat = _seats_of_token(token).first()
    return seat.game if seat else None


def seat_taken_with(*, token: str, player: Player) -> Seat | None:
    return _seats_of_token(token).filter(token_salt="", players=player).first()


def _seats_of_token(token: str) -> QuerySet[Seat]:
    found = Seat.objects.select_related("game").filter(token_hash=hash_token(token))
    return found.filter(game__kind__in=list(all_rules()))


def offer_seat(*, game_id: str, seat_key: str, player: Player) -> Seat:
    """Give the holder of a seat a link that moves it to another device. Raises NotYourSeat, or
    Refusal for a team's seat, whose one link invites others."""
    with locked(game_id, player, seat=seat_key) as snapshot:
        seat = Seat.objects.get(game=snapshot.game, key=seat_key)
        if stands_in(snapshot, player.pk):
            raise StandsIn
        if snapshot.spec(seat_key).shared:
            raise Refusal(text("A team’s invitation link works on any device: just open it there."))
        seat.moving_from = player
        open_link(seat)
        seat.save()
    return seat


def withdraw_seat(*, game_id: str, seat_key: str, player: Player) -> None:
    """Withdraw the link that offers a seat to another device, if there is one. No version is
    counted, since only the holder sees the link. Raises NotYourSeat."""
    with locked(game_id, player, seat=seat_key) as snapshot:
        seat = Seat.objects.get(game=snapshot.game, key=seat_key)
        # A team's link is left alone, since it invites others.
        if seat.moving_from_id == player.pk:
            _close_link(seat)
            seat.save()


def claim_seat(*, token: str, player: Player) -> Seat:
    """Take the seat of a link; the holder of the seat keeps it. Raises SeatTaken if another player
    has it, or Refusal if it cannot be combined with a seat that the player holds."""
    with write_transaction():
        if offered := seat_of_token(token):
            snapshot = lock_snapshot(offered.game_id)
            # Read again under the lock, when nobody else can change the seats.
            if seat := seat_of_token(token):
                seat_player(snapshot, seat, player)
                return seat
        if seat := seat_taken_with(token=token, player=player):
            return seat
        raise SeatTaken(text("This invitation has already been used."))


def take_free_seat(*, game_id: str, seat_key: str, player: Player) -> Seat:
    """Take a seat without its link, by the rights of `SeatRights.offer`. Raises GameEnded,
    SeatTaken, NotForBots for a bot unless the open seat allows them, or Refusal as `claim_seat`."""
    with locked(game_id) as snapshot:
        seat = Seat.objects.get(game=snapshot.game, key=seat_key)
        if seat_key not in snapshot.seats_of(player.pk):
            way = check_offered(snapshot, seat_key, player)
            if way == OPEN and not seat.for_bots and is_bot(player.pk):
                raise NotForBots
            seat_player(snapshot, seat, player)
    return seat


def check_offered(snapshot: GameSnapshot, seat_key: str, player: Player | None) -> str:
    """Return the right by which a visitor may take a seat. Raises as `take_free_seat`."""
    if snapshot.game.over:
        raise GameEnded
    offer = seat_rights(snapshot, player.pk if player else None).offer
    if seat_key in offer.seats and offer.way != LOST:
        return offer.way
    place = snapshot.seating.places[seat_key]
    if place.listed and not place.players:
        return OPEN
    raise SeatTaken


def hand_over(*, game_id: str, seat_key: str, owner: Player, to: Player) -> GameSnapshot:
    """Give a seat of a player, or of one of the player's bots, to another of them: they are one
    person. A stand-in passes no seat on. Raises NotYourSeat, GameEnded, SeatTaken for a seat
    beside one in the lobby, or Refusal as `claim_seat`."""
    with write_transaction():
        snapshot, persons = lock_snapshot(game_id), same_person(owner.pk)
        held = [person for person in persons if seat_key in snapshot.seats_of(person)]
        if not held or to.pk not in persons or is_bot(owner.pk) or stands_in(snapshot, held[0]):
            raise NotYourSeat
        if snapshot.game.over:
            raise GameEnded
        if to.pk in held or (not snapshot.game.begun and snapshot.seats_of(to.pk)):
            raise SeatTaken
        check_insights(snapshot, seat_key, to)
        seat = Seat.objects.get(game=snapshot.game, key=seat_key)
        note_insights([seat], held)
        seat.holders.filter(player=held[0]).update(player=to, name="")
        banner = next_banner(snapshot.game, _joined(snapshot, seat_key, to))
        return resume_clock(save_without_activity(snapshot, banner=banner))


def seat_player(
    snapshot: GameSnapshot, seat: Seat, player: Player, *, adds: bool = False
) -> GameSnapshot:
    """Put a player on a seat of a locked game, in a lobby in place of an earlier one unless it
    ``adds``, and begin a game that waited for it. Raises Refusal if the player has seen other
    secrets, or if this seat needs consent."""
    moved, joined = seat.moving_from_id is not None, None
    if moved:
        note_insights([seat])
        former = seat.holders.filter(player=seat.moving_from_id)
        joined = former.values_list("joined", flat=True).first()
        former.delete()
    if not seat.holders.filter(player=player).exists():
        check_insights(snapshot, seat.key, player)
        if is_closed(snapshot, seat.key) and not moved:
            raise SecretSeat
        if not snapshot.game.begun and not adds:
            free_seats(snapshot, snapshot.seats_of(player.pk), player)
        ended = snapshot.game.updated if snapshot.game.over else None
        add_holder(seat, player.pk, joined=joined, ended=ended)
    # The link of a team continues to invite others.
    if not snapshot.spec(seat.key).shared:
        _close_link(seat)
        # A seat in a lobby may be left again, so its link is kept.
        seat.listed = seat.listed and not snapshot.game.begun
        seat.lister = seat.lister if seat.listed else None
    seat.save()
    # The others need no notice of a seat that moves to another device.
    sentence = None if moved else _joined(snapshot, seat.key, player)
    changes: dict[str, Any] = {"banner": next_banner(snapshot.game, sentence)} if sentence else {}
    if snapshot.game.claims and snapshot.seating.places[seat.key].empty:
        changes["claims"] = claims_beside(snapshot, [seat.key], player.pk)
    if moved:
        after = save_without_activity(snapshot, **changes)
    else:
        after = save_holders(snapshot, [seat], **changes)
    after = resume_clock(after)
    if sentence and not snapshot.game.over:
        _tell_of_seat(after, player)
    return begin_if_full(after, player)


def _tell_of_seat(snapshot: GameSnapshot, player: Player) -> None:
    """Note for the others that a player has taken a seat, or that it was the last one."""
    is_full = not any(place.empty for place in snapshot.seating.places.values())
    kind = NoticeKind.LOBBY_FULL if is_full else NoticeKind.SEAT_TAKEN
    note_event(snapshot, kind, by=player)


def add_holder(
    seat: Seat, player_id: UUID, *, joined: datetime | None = None, ended: datetime | None = None
) -> None:
    """Add a player to the holders of a seat, who took it at ``joined`` if not now."""
    holder, _ = Holder.objects.get_or_create(
        seat=seat, player_id=player_id, defaults={"ended": ended}
    )
    if joined:
        Holder.objects.filter(pk=holder.pk).update(joined=joined)
    if ended:
        # Which of a player's seats is the first in the game may be another one now.
        Holder.objects.filter(seat__game=seat.game_id).update(kind=None)


def free_seats(snapshot: GameSnapshot, keys: Collection[str], player: Player) -> None:
    """Take a player off some seats in a lobby. The caller counts the version."""
    for seat in snapshot.game.seats.filter(key__in=keys):
        seat.holders.filter(player=player).delete()
        if not seat.token_salt:
            open_link(seat)
            seat.save()


def _joined(snapshot: GameSnapshot, seat_key: str, player: Player) -> Text:
    name = player.name or text("Guest")
    return text("%(name)s joined (%(seat)s).", name=name, seat=snapshot.spec(seat_key).name)
