"""Changes of seats in a game that has begun: given up by their holders, given to a stand-in with
the consent of the others, or taken back.

Players or newcomers ask for the seat of an absent person, all present answer, and then a
stand-in gets it. `games.state.seat_rights` says which people may; `games.services.absence` has the
rights after days without a move."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from copy import copy
from datetime import timedelta
from functools import reduce
from types import MappingProxyType
from typing import Any, Final
from uuid import UUID

from django.utils import timezone

from games.contract import SeatKey, Text, text
from games.core.refusals import NotYourSeat, Refusal, SeatTaken, StalePly, StandsIn
from games.core.seating import Occupancy
from games.models import Account, Holder, NoticeKind, Player, Seat
from games.notices.events import note_event
from games.services.clocks import resume_clock
from games.services.insights import check_insights, note_insights
from games.services.plans import default_level
from games.services.seats import add_holder, open_group_link, open_link
from games.services.versions import save_holders, save_without_activity
from games.state.questions import NEWCOMER, SEAT, pending_request, pending_requests, stored, storing
from games.state.seat_claims import Claim, claims_beside, stands_in
from games.state.seat_rights import (
    SeatRights,
    askable,
    awaits,
    computer_fits,
    is_enough,
    seat_rights,
)
from games.state.snapshot import GameSnapshot, locked

LAST_ONE = text("Nobody else would be left. Resign instead.")
NO_COMPUTER = text("A computer can’t take this seat.")
DECLINED = timedelta(minutes=10)
"""How long players cannot ask again after a refusal."""
BARRED = timedelta(days=1)
"""How long a newcomer whom the players have refused cannot ask again."""
NO_REQUEST: Final[Mapping[str, Any]] = MappingProxyType(
    {"seat": "", "asker": "", "waiting": [], "newcomer": None}
)
"""The values of a request that has ended, and has left something behind."""
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
    """Take a player off a seat, and free it for others or give it to a computer. Raises as
    `locked`, or Refusal if nobody else would be left or no computer can play."""
    with locked(game_id, player, seat=seat_key, running=True) as snapshot:
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
        return pass_on(snapshot, [seat], name, computer=computer, **changes)


def pass_on(
    snapshot: GameSnapshot, seats: Sequence[Seat], name: str, *, computer: bool, **changes: Any
) -> GameSnapshot:
    """Open seats that ``name`` has left, or give them to a computer, and save ``changes``."""
    if computer and not computer_fits(snapshot):
        raise Refusal(NO_COMPUTER)
    for seat in seats:
        seat.moving_from = None
        if computer and not seat.holders.exists():
            seat.computer = default_level(snapshot.rules)
            seat.token_salt = ""
        elif not seat.token_salt:
            open_link(seat)
        seat.save()
    invites = copy(snapshot.game)
    if not invites.lobby_salt:
        # Any player of the game invites others by it.
        open_group_link(invites)
    link = {"lobby_salt": invites.lobby_salt, "lobby_hash": invites.lobby_hash}
    seat_name = snapshot.spec(seats[0].key).name
    sentence = _left(name, seat_name, seats[0], computer=computer)
    if snapshot.seating.places[seats[0].key].empty:
        sentence = text("A computer plays on (%(seat)s).", seat=seat_name)
    return _save_seats(snapshot, seats, sentence, **changes, **link)


def _save_seats(
    snapshot: GameSnapshot, seats: Sequence[Seat], sentence: Text, **changes: Any
) -> GameSnapshot:
    computers = set(snapshot.game.seats.exclude(computer=None).values_list("key", flat=True))
    after = save_holders(
        snapshot,
        seats,
        banner=sentence.to_json(),
        computer_to_move=not computers.isdisjoint(snapshot.game.to_move),
        **changes,
    )
    return resume_clock(after)


def _left(name: str, seat_name: Text, seat: Seat, *, computer: bool) -> Text:
    player = name or text("Guest")
    if seat.holders.exists():
        # A team's seat would otherwise be called by the name of the remaining team mate.
        return text("%(name)s left the game.", name=player)
    if computer:
        return text("The computer took over from %(name)s (%(seat)s).", name=player, seat=seat_name)
    return text("%(name)s left. The seat is free (%(seat)s).", name=player, seat=seat_name)


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
        name = mine[0].name or player.name or text("Guest")
        seat_name = snapshot.spec(mine[0].seat).name
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
    seat.holders.filter(player=claim.player).update(name=claim.name)


def ask_for_stand_in(
    *, game_id: str, seat_key: SeatKey, player: Player, computer: bool = False
) -> GameSnapshot:
    """Ask the others to free the seat of an absent player, or to let a ``computer`` play. Raises as
    `locked`, StandsIn, or Refusal if that player is there or nobody could agree."""
    with locked(game_id) as snapshot:
        rights = seat_rights(snapshot, player.pk)
        if not rights.held:
            raise NotYourSeat
        if seat_key not in askable(snapshot, rights.held) or not (
            computer or snapshot.seating.people_on(seat_key)
        ):
            raise Refusal(NOBODY_ELSE)
        if rights.stands_in:
            raise StandsIn
        if timezone.now().isoformat() < (stored(snapshot.game, SEAT) or {}).get("declined", ""):
            raise Refusal(JUST_DECLINED)
        if computer:
            _check_computer(snapshot, seat_key)
        elif _has_account(snapshot, seat_key):
            raise Refusal(COMPUTER_ONLY)
        return _ask(SEAT, rights, seat_key, computer=computer)


def ask_to_sit(
    *, game_id: str, seat_key: SeatKey, player: Player, origin: str = ""
) -> GameSnapshot:
    """Ask the players of a game, as a newcomer at the address of ``origin``, for the seat of an
    absent person, perhaps one's own of another browser, or for a closed empty one. Raises as
    `locked`, SeatTaken, AnotherInformationSet, or Refusal if nobody could agree."""
    with locked(game_id, running=True) as snapshot:
        rights = seat_rights(snapshot, player.pk)
        if rights.held or rights.returns:
            raise SeatTaken
        _check_away(rights, seat_key)
        for key in snapshot.seating.seats_of_people(seat_key):
            check_insights(snapshot, key, player)
        if _has_account(snapshot, seat_key):
            raise Refusal(HAS_ACCOUNT)
        if seat_key not in rights.open_to_newcomers:
            raise Refusal(NOBODY_ELSE) if snapshot.seating.people_on(seat_key) else SeatTaken
        if any(
            timezone.now().isoformat() < bar["until"]
            and (bar["player"] == str(player.pk) or (origin and bar["origin"] == origin))
            for bar in (snapshot.game.newcomer or {}).get("barred", ())
        ):
            raise Refusal(BARRED_TODAY)
        return _ask(NEWCOMER, rights, seat_key, newcomer=player, origin=origin)


def answer_request(*, game_id: str, player: Player, agree: bool, kind: str = SEAT) -> GameSnapshot:
    """Agree to a request, or decline or cancel it. It is granted once all who are present and have
    a voice have agreed, and the absent person is still away. Raises NotYourSeat, StalePly without a
    request, or Refusal if the holder has come back."""
    with locked(game_id) as snapshot:
        rights, request = seat_rights(snapshot, player.pk), pending_request(snapshot, kind)
        if not rights.held:
            raise NotYourSeat
        if request is None:
            raise StalePly
        if not agree and request.asker in rights.held:
            return _end_request(snapshot, kind)
        if player.pk not in rights.asked_about(request.seat):
            raise Refusal
        if not agree:
            return _end_request(snapshot, kind, declined=True)
        _check_away(rights, request.seat)
        asked = stored(snapshot.game, kind) or {}
        return _proceed(kind, rights, asked, {*request.agreed, player.pk})


def end_if_back(snapshot: GameSnapshot, player_id: UUID | None) -> None:
    people_on, requests = snapshot.seating.people_on, pending_requests(snapshot).items()
    back = [kind for kind, request in requests if player_id in people_on(request.seat)]
    if back:
        with locked(snapshot.game.pk) as locked_game:
            reduce(_end_request, back, locked_game)


def _has_account(snapshot: GameSnapshot, seat: SeatKey) -> bool:
    return Account.objects.filter(player__in=snapshot.seating.people_on(seat)).exists()


def _check_away(rights: SeatRights, seat: SeatKey) -> None:
    if not rights.is_away(seat):
        raise Refusal(THERE)


def _check_computer(snapshot: GameSnapshot, seat: SeatKey) -> None:
    if not computer_fits(snapshot):
        raise Refusal(NO_COMPUTER)
    if not awaits(snapshot, snapshot.seating.seats_of_people(seat)):
        raise Refusal(NOT_AWAITED)


def _ask(
    kind: str, rights: SeatRights, seat: SeatKey, *, newcomer: Player | None = None, **values: Any
) -> GameSnapshot:
    """Store a request, or grant it at once if the asker alone has to agree. Raises Refusal."""
    snapshot = rights.snapshot
    if pending_request(snapshot, kind):
        raise Refusal(ALREADY_ASKED)
    _check_away(rights, seat)
    if not is_enough(snapshot, seat, rights.asked_about(seat)):
        raise Refusal(NOBODY_ELSE)
    asked = {
        **(stored(snapshot.game, kind) or {}),
        "seat": seat,
        "asker": min(rights.held, default=""),
        "newcomer": str(newcomer.pk) if newcomer else None,
        "since": rights.now.isoformat(),
        "ply": snapshot.game.ply,
        **values,
    }
    note_event(snapshot, NoticeKind.SEAT_ASKED, by=newcomer, to=snapshot.seating.people_on(seat))
    return _proceed(kind, rights, asked, {newcomer.pk} if newcomer else {rights.visitor})


def _proceed(
    kind: str, rights: SeatRights, question: dict[str, Any], agreed: Collection[UUID | None]
) -> GameSnapshot:
    """Grant a request to which all present have agreed, or store those left."""
    snapshot, seat = rights.snapshot, question["seat"]
    voices = rights.asked_about(seat)
    yes = {player: sides for player, sides in voices.items() if player in agreed}
    left = rights.present(seat) - yes.keys()
    if not left and is_enough(snapshot, seat, yes):
        newcomer = UUID(question["newcomer"]) if question["newcomer"] else None
        computer = question.get("computer", False)
        return _seat_stand_in(_end_request(snapshot, kind), seat, newcomer, computer=computer)
    # In a slow game the request stands until others come.
    left = left or voices.keys() - yes.keys()
    places = snapshot.seating.places.items()
    asked = {
        "asked": sorted(map(str, left)),
        "agreed": sorted(map(str, yes)),
        "waiting": [key for key, place in places if not left.isdisjoint(place.players)],
    }
    changes = storing(snapshot.game, kind, {**question, **asked})
    return save_without_activity(snapshot, **changes)


def _end_request(snapshot: GameSnapshot, kind: str, *, declined: bool = False) -> GameSnapshot:
    """End a request; a declined one bars the players, or the newcomer's browser and address."""
    now, asked = timezone.now(), stored(snapshot.game, kind) or {}
    left: dict[str, Any] = {}
    if kind == NEWCOMER and declined:
        bar = {"player": asked["newcomer"], "origin": asked.get("origin", "")}
        bars = [*asked.get("barred", []), {**bar, "until": (now + BARRED).isoformat()}]
        left = {**NO_REQUEST, "barred": bars}
    elif kind == NEWCOMER and "barred" in asked:
        left = {**NO_REQUEST, "barred": asked["barred"]}
    elif declined:
        left = {**NO_REQUEST, "declined": (now + DECLINED).isoformat()}
    return save_without_activity(snapshot, **storing(snapshot.game, kind, left or None))


def _seat_stand_in(
    snapshot: GameSnapshot, seat: SeatKey, newcomer_id: UUID | None, *, computer: bool
) -> GameSnapshot:
    """Give absent people's seats, which they may take back, to a newcomer, a computer or nobody."""
    keys, place = snapshot.seating.seats_of_people(seat), snapshot.seating.places[seat]
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
    name, seat_name = snapshot.seating.name_on(seat), snapshot.spec(seat).name
    if newcomer is None:
        return pass_on(snapshot, seats, name, computer=computer, claims=kept)
    for row in seats:
        add_holder(row, newcomer.pk)
        row.token_salt, row.moving_from, row.listed, row.lister = "", None, False, None
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
    held = Holder.objects.filter(seat__in=seats)
    return [
        Claim(seat, player, joined, timezone.now(), by, name)
        for seat, player, joined, name in held.values_list("seat__key", "player", "joined", "name")
        if not stands_in(snapshot, player)
    ]
