"""Freeing the seat of an absent player from a game without a clock, if all at the table agree.

Another player asks for it, or the absent one, who comes back in a new browser and gets the seat.
Nobody decides alone: where no other player could agree, a seat is free only after
``settings.ABSENT_AFTER``.
"""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from games.contract import SeatKey, text
from games.core.refusals import GameEnded, NotBegun, NotYourSeat, Refusal, SeatTaken, StalePly
from games.models import Account, Player, Seat
from games.services.giving_up import pass_on
from games.services.insights import check_insights, copy_insights, note_insights
from games.services.seats import seat_player
from games.services.versions import save_without_activity
from games.state.freeing import FreeingRequest, can_free, pending_freeing, people_on
from games.state.sightings import away_people
from games.state.snapshot import GameSnapshot, lock_snapshot
from games.storage.write_lock import write_transaction

HAS_ACCOUNT = text("This seat belongs to an account. Sign in to it to have the seat back.")
THERE = text("That player was here a moment ago.")
ALONE = text("Nobody else is at the board to agree.")
NOBODY_ELSE = text("Nobody else plays in this game who could confirm that.")
ALREADY_ASKED = text("There is a request already. It has to be answered first.")


def ask_to_free(*, game_id: str, seat_key: SeatKey, player: Player) -> GameSnapshot:
    """Ask the others at the table to free the seat of an absent player.

    Raises Game.DoesNotExist, NotYourSeat, or Refusal if that player is there or nobody else is."""
    with write_transaction():
        snapshot = lock_snapshot(game_id)
        held = snapshot.seats_of(player.pk)
        if not held:
            raise NotYourSeat
        if seat_key not in can_free(snapshot, held):
            raise Refusal
        away = _away_from(snapshot, seat_key, player)
        waiting = _others(snapshot, {seat_key, *held}, player.pk, away)
        if not waiting:
            raise Refusal(ALONE)
        return _ask(snapshot, seat_key, asker=min(held), waiting=waiting, newcomer=None)


def ask_back(*, game_id: str, seat_key: SeatKey, player: Player) -> GameSnapshot:
    """Ask the players of a game for one's own seat, in a new browser, whose old one is away.

    Raises Game.DoesNotExist, SeatTaken, AnotherInformationSet, or Refusal if nobody could confirm
    it or the seat belongs to an account."""
    with write_transaction():
        snapshot = lock_snapshot(game_id)
        _check_running(snapshot)
        if snapshot.seats_of(player.pk) or not people_on(snapshot, seat_key):
            raise SeatTaken
        away = _away_from(snapshot, seat_key, player)
        check_insights(snapshot, seat_key, player)
        if Account.objects.filter(player__in=people_on(snapshot, seat_key)).exists():
            raise Refusal(HAS_ACCOUNT)
        there = _others(snapshot, {seat_key}, player.pk, away)
        waiting = there or _others(snapshot, {seat_key}, player.pk, ())
        if not waiting:
            raise Refusal(NOBODY_ELSE)
        return _ask(snapshot, seat_key, asker="", waiting=waiting, newcomer=player.pk)


def answer_freeing(*, game_id: str, player: Player, agree: bool) -> GameSnapshot:
    """Agree to the request, or decline or cancel it. The seat is freed once all who are at the
    table have agreed, and its holder is still away. Raises NotYourSeat, StalePly without a request,
    or Refusal if the holder has come back."""
    with write_transaction():
        snapshot = lock_snapshot(game_id)
        held, request = snapshot.seats_of(player.pk), pending_freeing(snapshot)
        if not held:
            raise NotYourSeat
        if request is None:
            raise StalePly
        if not agree:
            return save_without_activity(snapshot, freeing=None)
        if held.isdisjoint(request.waiting):
            raise Refusal
        away = _away_from(snapshot, request.seat, player)
        left = [key for key in request.waiting if key not in held]
        left = [key for key in left if not people_on(snapshot, key) <= away]
        if left:
            stored = {**(snapshot.game.freeing or {}), "waiting": left}
            return save_without_activity(snapshot, freeing=stored)
        return _free(save_without_activity(snapshot, freeing=None), request)


def end_if_back(snapshot: GameSnapshot, player_id: UUID | None) -> None:
    """End the request to free a player's seat when the player is back."""
    request = pending_freeing(snapshot)
    if request is None or player_id not in people_on(snapshot, request.seat):
        return
    with write_transaction():
        save_without_activity(lock_snapshot(snapshot.game.pk), freeing=None)


def _check_running(snapshot: GameSnapshot) -> None:
    if not snapshot.game.begun:
        raise NotBegun
    if snapshot.game.over:
        raise GameEnded
    if snapshot.game.clock is not None:
        raise Refusal


def _away_from(snapshot: GameSnapshot, seat: SeatKey, player: Player) -> set[UUID]:
    """Return the absent people, among them all of a seat. Raises Refusal if one is there."""
    away = away_people(snapshot) - {player.pk}
    if not people_on(snapshot, seat) <= away:
        raise Refusal(THERE)
    return away


def _others(
    snapshot: GameSnapshot, but: Collection[SeatKey], player_id: UUID, away: Collection[UUID]
) -> list[SeatKey]:
    """Return the seats, except some, with people present, apart from one player."""
    gone = {player_id, *away}
    return [
        spec.key
        for spec in snapshot.specs
        if spec.key not in but and people_on(snapshot, spec.key) - gone
    ]


def _ask(
    snapshot: GameSnapshot,
    seat: SeatKey,
    *,
    asker: SeatKey,
    waiting: list[SeatKey],
    newcomer: UUID | None,
) -> GameSnapshot:
    if pending_freeing(snapshot):
        raise Refusal(ALREADY_ASKED)
    stored = {
        "seat": seat,
        "asker": asker,
        "waiting": waiting,
        "newcomer": str(newcomer) if newcomer else None,
    }
    return save_without_activity(snapshot, freeing=stored)


def _free(snapshot: GameSnapshot, request: FreeingRequest) -> GameSnapshot:
    """Take the absent holders off a seat, and free it or give it to the returned one."""
    seat = Seat.objects.get(game=snapshot.game, key=request.seat)
    former = snapshot.seating.places[request.seat].players
    note_insights([seat])
    seat.holders.all().delete()
    found = Player.objects.filter(pk=request.newcomer) if request.newcomer else None
    newcomer = found.first() if found else None
    if newcomer is None:
        return pass_on(snapshot, [seat], next(iter(former.values())), computer=False)
    check_insights(snapshot, request.seat, newcomer)
    for player_id in former:
        copy_insights(snapshot.game, Player(pk=player_id), newcomer)
    return seat_player(save_without_activity(snapshot), seat, newcomer)
