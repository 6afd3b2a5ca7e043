"""Changes of seats in a game that has begun: given up by their holders, taken over by stand-ins for
absent people, taken back, or freed after days without a move. `games.state.seat_rights` says who
may do that."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from copy import copy
from types import MappingProxyType
from typing import Any, Final
from uuid import UUID

from django.utils import timezone

from games.contract import SeatKey, Text, text
from games.core.refusals import (
    GameEnded,
    NotBegun,
    NotYourSeat,
    Refusal,
    SeatTaken,
    StalePly,
    StandsIn,
)
from games.core.seating import Occupancy
from games.models import Account, Game, Holder, NoticeKind, Player, Seat
from games.notices.events import note_event
from games.notices.turn_notices import forget_claims
from games.services.clocks import resume_clock
from games.services.insights import check_insights, note_insights
from games.services.plans import default_level
from games.services.play import time_out
from games.services.seats import add_holder, open_link
from games.services.start import open_group_link
from games.services.versions import save_version, save_without_activity
from games.state.absence import computer_fits, opposed, waited_for_by, was_reminded
from games.state.questions import NEWCOMER, SEAT, stored, storing
from games.state.seat_claims import (
    BARRED,
    DECLINED,
    Asker,
    Claim,
    claims_beside,
    pending_request,
    pending_requests,
    people_on,
    stands_in,
)
from games.state.seat_rights import SeatRights, askable, is_enough, seat_rights, seats_of_people
from games.state.snapshot import GameSnapshot, lock_snapshot, locked
from games.storage.write_lock import write_transaction

KINDS: Final[dict[Asker, str]] = {"player": SEAT, "newcomer": NEWCOMER}
NO_REQUEST: Final[Mapping[str, Any]] = MappingProxyType(
    {"seat": "", "asker": "", "waiting": [], "newcomer": None}
)
"""The values of a request that has ended, and has left something behind."""
NOT_ABSENT = text("You can’t do that yet: the others still have time to move.")
LAST_ONE = text("Nobody else would be left. Resign instead.")
REMINDED = text("You can send one reminder a day.")
NO_COMPUTER = text("A computer can’t take this seat.")
NOT_AWAITED = text("A computer takes over only when it’s that player’s turn.")
THERE = text("That player was here a moment ago.")
NOBODY_ELSE = text("Players of both sides have to agree to that, and nobody else could.")
ALREADY_ASKED = text("There is a request already. It has to be answered first.")
JUST_DECLINED = text("The others have just declined. Ask again in ten minutes.")
BARRED_TODAY = text("The players of this game have declined. You can ask again tomorrow.")
COMPUTER_ONLY = text("This seat belongs to an account, so only a computer can sit in.")
HAS_ACCOUNT = text("This seat belongs to an account. Sign in to it to have the seat back.")


def give_up_seat(
    *, game_id: str, seat_key: SeatKey, player: Player, computer: bool = False
) -> GameSnapshot:
    """Take a player off a seat, and free it for others or give it to a computer.

    Raises Game.DoesNotExist, NotYourSeat, NotBegun, GameEnded, or Refusal if nobody else would be
    left or no computer can play."""
    with locked(game_id, player, seat=seat_key) as snapshot:
        if not snapshot.game.begun:
            raise NotBegun
        if snapshot.game.over:
            raise GameEnded
        if snapshot.seating.is_solo(player.pk):
            raise Refusal(LAST_ONE)
        if computer and stands_in(snapshot, player.pk):
            raise StandsIn
        seat = Seat.objects.get(game=snapshot.game, key=seat_key)
        name = snapshot.seating.places[seat_key].players[player.pk]
        note_insights([seat], [player.pk])
        seat.holders.filter(player=player).delete()
        changes: dict[str, Any] = {}
        if stands_in(snapshot, player.pk):
            changes["claims"] = claims_beside(snapshot, [seat_key], None)
        sentence = _told(name, snapshot.spec(seat_key).name, seat, computer=computer)
        return _pass_on(snapshot, [seat], sentence, computer=computer, **changes)


def claim_win(*, game_id: str, player: Player, ply: int, undone: int = 0) -> GameSnapshot:
    """End a game that an absent opponent has left, as if the opponent's time were up. Raises
    Game.DoesNotExist, StalePly, or Refusal if nobody is absent."""
    with locked(game_id, player, at=(ply, undone)) as snapshot:
        absent = _absent(snapshot, player)
        if not opposed(snapshot, absent, snapshot.seats_of(player.pk)):
            raise Refusal(NOT_ABSENT)
        return time_out(snapshot, absent[0])


def replace_absent(
    *, game_id: str, player: Player, ply: int, undone: int = 0, computer: bool = False
) -> GameSnapshot:
    """Free the seats of absent players for others, or give them to a computer. Raises as
    `claim_win`."""
    with locked(game_id, player, at=(ply, undone)) as snapshot:
        absent = _absent(snapshot, player)
        places = snapshot.seating.places
        name = next(iter(places[absent[0]].players.values()))
        seats = list(Seat.objects.filter(game=snapshot.game, key__in=absent))
        note_insights(seats)
        for seat in seats:
            seat.holders.all().delete()
        sentence = _told(name, snapshot.spec(absent[0]).name, seats[0], computer=computer)
        return _pass_on(snapshot, seats, sentence, computer=computer)


def remind_absent(*, game_id: str, player: Player, ply: int, undone: int = 0) -> GameSnapshot:
    """Remind the absent players of their turn, at the board and by their channels, at most once a
    day. A reminder does not shorten the absence. Raises as `claim_win`."""
    with locked(game_id, player, at=(ply, undone)) as snapshot:
        absent = _absent(snapshot, player)
        if was_reminded(snapshot):
            raise Refusal(REMINDED)
        forget_claims(snapshot, absent)
        sentence = _asked(snapshot, absent[0], player)
        return save_without_activity(snapshot, reminded=timezone.now(), banner=sentence.to_json())


def _asked(snapshot: GameSnapshot, seat: SeatKey, player: Player) -> Text:
    held = snapshot.seats_of(player.pk)
    asker = snapshot.seating.places[min(held)].players[player.pk]
    name = next(iter(snapshot.seating.places[seat].players.values()))
    guest = text("Guest")
    return text("%(asker)s asks %(name)s to move.", asker=asker or guest, name=name or guest)


def _absent(snapshot: GameSnapshot, player: Player) -> list[SeatKey]:
    """Return the seats of the absent players for whom a player waits. Raises Refusal for none."""
    absent = waited_for_by(snapshot, snapshot.seats_of(player.pk))
    if not absent:
        raise Refusal(NOT_ABSENT)
    return absent


def _pass_on(
    snapshot: GameSnapshot, seats: Sequence[Seat], sentence: Text, *, computer: bool, **changes: Any
) -> GameSnapshot:
    """Open the seats whose holders have left, or give them to a computer, and save ``changes`` with
    the banner. It starts the time of awaited seats anew."""
    if computer and not computer_fits(snapshot):
        raise Refusal(NO_COMPUTER)
    for seat in seats:
        emptied = not seat.holders.exists()
        seat.moving_from = None
        if computer and emptied:
            seat.computer = default_level(snapshot.rules)
            seat.token_salt = ""
        elif not seat.token_salt:
            open_link(seat)
        seat.save()
    return _save_seats(snapshot, seats, sentence, **changes, **_link_for_others(snapshot.game))


def _save_seats(
    snapshot: GameSnapshot, seats: Sequence[Seat], sentence: Text, **changes: Any
) -> GameSnapshot:
    """Save the version in which seats have changed hands. A change of a seat that is to move starts
    its time anew, and no other change does."""
    awaited = not {seat.key for seat in seats}.isdisjoint(snapshot.game.to_move)
    computers = set(snapshot.game.seats.exclude(computer=None).values_list("key", flat=True))
    save = save_version if awaited else save_without_activity
    after = save(
        snapshot,
        banner=sentence.to_json(),
        computer_to_move=not computers.isdisjoint(snapshot.game.to_move),
        **changes,
    )
    return resume_clock(after)


def _link_for_others(game: Game) -> dict[str, str | None]:
    """Return the columns of the link with which any player of a game invites others."""
    invites = copy(game)
    if not invites.lobby_salt:
        open_group_link(invites)
    return {"lobby_salt": invites.lobby_salt, "lobby_hash": invites.lobby_hash}


def _told(name: str, seat_name: Text, seat: Seat, *, computer: bool) -> Text:
    player = name or text("Guest")
    if seat.holders.exists():
        # A team's seat would otherwise be called by the name of the remaining team mate.
        return text("%(name)s left the game.", name=player)
    if computer:
        return text("The computer took over from %(name)s (%(seat)s).", name=player, seat=seat_name)
    return text("%(name)s left. The seat is free (%(seat)s).", name=player, seat=seat_name)


# --- stand-ins for absent people ---


def ask_for_stand_in(
    *, game_id: str, seat_key: SeatKey, player: Player, computer: bool = False
) -> GameSnapshot:
    """Ask the others to take an absent player off a seat, for a ``computer`` or to free it.

    Raises Game.DoesNotExist, NotYourSeat, StandsIn, or Refusal if that player is there, or if
    nobody could agree."""
    with locked(game_id) as snapshot:
        rights = seat_rights(snapshot, player.pk)
        if not rights.held:
            raise NotYourSeat
        if seat_key not in askable(snapshot, rights.held):
            raise Refusal(NOBODY_ELSE)
        if rights.stands_in:
            raise StandsIn
        declined = (stored(snapshot.game, SEAT) or {}).get("declined")
        if declined and timezone.now().isoformat() < declined:
            raise Refusal(JUST_DECLINED)
        if computer:
            _check_computer(snapshot, seat_key)
        elif _has_account(snapshot, seat_key):
            raise Refusal(COMPUTER_ONLY)
        return _ask(rights, seat_key, "player", computer=computer)


def ask_to_sit(
    *, game_id: str, seat_key: SeatKey, player: Player, origin: str = ""
) -> GameSnapshot:
    """Ask the players of a game, as a newcomer at the address of ``origin``, for the seat of an
    absent person, which may be one's own of another browser, or for an empty one that is closed.

    Raises Game.DoesNotExist, SeatTaken, AnotherInformationSet, or Refusal if nobody could agree or
    the seat belongs to an account."""
    with locked(game_id) as snapshot:
        _check_running(snapshot)
        rights = seat_rights(snapshot, player.pk)
        if rights.held or rights.returns:
            raise SeatTaken
        _check_away(rights, seat_key)
        for key in seats_of_people(snapshot, seat_key):
            check_insights(snapshot, key, player)
        if _has_account(snapshot, seat_key):
            raise Refusal(HAS_ACCOUNT)
        if seat_key not in rights.open_to_newcomers:
            raise Refusal(NOBODY_ELSE) if people_on(snapshot, seat_key) else SeatTaken
        if any(
            timezone.now().isoformat() < bar["until"]
            and (bar["player"] == str(player.pk) or (origin and bar["origin"] == origin))
            for bar in (snapshot.game.newcomer or {}).get("barred", ())
        ):
            raise Refusal(BARRED_TODAY)
        return _ask(rights, seat_key, "newcomer", newcomer=player, origin=origin)


def answer_request(
    *, game_id: str, player: Player, agree: bool, of: Asker = "player"
) -> GameSnapshot:
    """Agree to a request, or decline or cancel it. It is granted once all who are present and have
    a voice have agreed, and the absent person is still away. Raises NotYourSeat, StalePly without a
    request, or Refusal if the holder has come back."""
    with locked(game_id) as snapshot:
        rights, request = seat_rights(snapshot, player.pk), pending_request(snapshot, of)
        if not rights.held:
            raise NotYourSeat
        if request is None:
            raise StalePly
        if not agree and request.asker in rights.held:
            return _end_request(snapshot, of)
        if player.pk not in rights.asked_about(request.seat):
            raise Refusal
        if not agree:
            return _end_request(snapshot, of, declined=True)
        _check_away(rights, request.seat)
        asked = stored(snapshot.game, KINDS[of]) or {}
        return _proceed(rights, asked, {*request.agreed, player.pk}, of)


def end_if_back(snapshot: GameSnapshot, player_id: UUID | None) -> None:
    back = [
        of
        for of, request in pending_requests(snapshot).items()
        if player_id in people_on(snapshot, request.seat)
    ]
    if back:
        with write_transaction():
            newest = lock_snapshot(snapshot.game.pk)
            for of in back:
                newest = _end_request(newest, of)


def take_back(*, game_id: str, player: Player, both: bool = False) -> GameSnapshot:
    """Return to the seats that others have given to stand-ins; with ``both`` beside a stand-in, who
    was the player in another browser. Raises NotYourSeat without a claim."""
    with locked(game_id) as snapshot:
        mine = seat_rights(snapshot, player.pk).returns
        if not mine:
            raise NotYourSeat
        seats = list(snapshot.game.seats.filter(key__in=[claim.seat for claim in mine]))
        for claim in mine:
            seat = next(seat for seat in seats if seat.key == claim.seat)
            _reinstate(claim, seat, both=both)
        kept = [old for old in snapshot.game.claims or () if old["player"] != str(player.pk)]
        name, seat_name = player.name or text("Guest"), snapshot.spec(mine[0].seat).name
        sentence = text("%(name)s is back (%(seat)s).", name=name, seat=seat_name)
        return _save_seats(snapshot, seats, sentence, claims=kept or None)


def _reinstate(claim: Claim, seat: Seat, *, both: bool) -> None:
    if claim.by and not both:
        note_insights([seat], [claim.by])
        seat.holders.filter(player=claim.by).delete()
    if not seat.holders.exists():
        seat.computer = None
    seat.token_salt, seat.moving_from = "", None
    seat.save()
    add_holder(seat, claim.player, joined=claim.joined)


def _check_running(snapshot: GameSnapshot) -> None:
    if not snapshot.game.begun:
        raise NotBegun
    if snapshot.game.over:
        raise GameEnded


def _has_account(snapshot: GameSnapshot, seat: SeatKey) -> bool:
    return Account.objects.filter(player__in=people_on(snapshot, seat)).exists()


def _check_away(rights: SeatRights, seat: SeatKey) -> None:
    if not rights.is_away(seat):
        raise Refusal(THERE)


def _check_computer(snapshot: GameSnapshot, seat: SeatKey) -> None:
    if not computer_fits(snapshot):
        raise Refusal(NO_COMPUTER)
    if set(seats_of_people(snapshot, seat)).isdisjoint(snapshot.game.to_move):
        raise Refusal(NOT_AWAITED)


def _ask(
    rights: SeatRights, seat: SeatKey, of: Asker, *, newcomer: Player | None = None, **values: Any
) -> GameSnapshot:
    """Store a request, or grant it at once if the asker alone has to agree. Raises Refusal."""
    snapshot = rights.snapshot
    if pending_request(snapshot, of):
        raise Refusal(ALREADY_ASKED)
    _check_away(rights, seat)
    if not is_enough(snapshot, seat, rights.asked_about(seat)):
        raise Refusal(NOBODY_ELSE)
    asked = {
        **(stored(snapshot.game, KINDS[of]) or {}),
        "seat": seat,
        "asker": min(rights.held, default=""),
        "newcomer": str(newcomer.pk) if newcomer else None,
        "since": rights.now.isoformat(),
        "ply": snapshot.game.ply,
        **values,
    }
    note_event(snapshot, NoticeKind.SEAT_ASKED, by=newcomer, to=people_on(snapshot, seat))
    return _proceed(rights, asked, {newcomer.pk} if newcomer else {rights.visitor}, of)


def _proceed(
    rights: SeatRights, question: dict[str, Any], agreed: Collection[UUID | None], of: Asker
) -> GameSnapshot:
    """Grant a request to which all have agreed who are present, or store those who are left."""
    snapshot, seat = rights.snapshot, question["seat"]
    voices = rights.asked_about(seat)
    yes = {player: sides for player, sides in voices.items() if player in agreed}
    left = rights.present(seat) - yes.keys()
    if not left and is_enough(snapshot, seat, yes):
        newcomer = UUID(question["newcomer"]) if question["newcomer"] else None
        computer = question.get("computer", False)
        return _seat_stand_in(_end_request(snapshot, of), seat, newcomer, computer=computer)
    # In a slow game the request stands until others come.
    left = left or voices.keys() - yes.keys()
    places = snapshot.seating.places.items()
    asked = {
        "asked": sorted(map(str, left)),
        "agreed": sorted(map(str, yes)),
        "waiting": [key for key, place in places if not left.isdisjoint(place.players)],
    }
    changes = storing(snapshot.game, KINDS[of], {**question, **asked})
    return save_without_activity(snapshot, **changes)


def _end_request(snapshot: GameSnapshot, of: Asker, *, declined: bool = False) -> GameSnapshot:
    """End a request. After it was declined none can be made for a while: by the players, or by the
    newcomer's browser and address."""
    now, asked = timezone.now(), stored(snapshot.game, KINDS[of]) or {}
    left: dict[str, Any] = {}
    if of == "newcomer" and declined:
        bar = {"player": asked["newcomer"], "origin": asked.get("origin", "")}
        bars = [*asked.get("barred", []), {**bar, "until": (now + BARRED).isoformat()}]
        left = {**NO_REQUEST, "barred": bars}
    elif of == "newcomer" and "barred" in asked:
        left = {**NO_REQUEST, "barred": asked["barred"]}
    elif declined:
        left = {**NO_REQUEST, "declined": (now + DECLINED).isoformat()}
    return save_without_activity(snapshot, **storing(snapshot.game, KINDS[of], left or None))


def _seat_stand_in(
    snapshot: GameSnapshot, seat: SeatKey, newcomer_id: UUID | None, *, computer: bool
) -> GameSnapshot:
    """Take the absent people off their seats, which they may take back, and give these to a
    newcomer, to a computer, or free them."""
    keys, place = seats_of_people(snapshot, seat), snapshot.seating.places[seat]
    newcomer = Player.objects.filter(pk=newcomer_id).first() if newcomer_id else None
    if newcomer_id and newcomer is None:
        raise StalePly
    if computer:
        _check_computer(snapshot, seat)
    for key in keys:
        if newcomer:
            check_insights(snapshot, key, newcomer)
    seats = sorted(snapshot.game.seats.filter(key__in=keys), key=lambda row: row.key != seat)
    kept = claims_beside(snapshot, keys, newcomer_id, _new_claims(snapshot, seats, newcomer_id))
    note_insights(seats)
    Holder.objects.filter(seat__in=seats).delete()
    name, seat_name = next(iter(place.players.values()), ""), snapshot.spec(seat).name
    if newcomer is None:
        sentence = _told(name, seat_name, seats[0], computer=computer)
        return _pass_on(snapshot, seats, sentence, computer=computer, claims=kept)
    for row in seats:
        add_holder(row, newcomer.pk)
        row.token_salt, row.moving_from, row.listed = "", None, False
        row.save()
    return _save_seats(snapshot, seats, _sits_in(newcomer, name, seat_name, place), claims=kept)


def _sits_in(newcomer: Player, name: str, seat_name: Text, place: Occupancy) -> Text:
    guest = text("Guest")
    if not place.players:
        return text("%(name)s joined (%(seat)s).", name=newcomer.name or guest, seat=seat_name)
    return text(
        "%(newcomer)s sits in for %(name)s (%(seat)s).",
        newcomer=newcomer.name or guest,
        name=name or guest,
        seat=seat_name,
    )


def _new_claims(snapshot: GameSnapshot, seats: Sequence[Seat], by: UUID | None) -> list[Claim]:
    """Return the claims of the people on some seats; a stand-in among them has none."""
    held = Holder.objects.filter(seat__in=seats).values_list("seat__key", "player", "joined")
    return [
        Claim(seat, player, joined, timezone.now(), by)
        for seat, player, joined in held
        if not stands_in(snapshot, player)
    ]
