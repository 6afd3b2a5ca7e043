"""Changes of seats in a game that has begun: given up by their holders, freed after days without a
move, or taken back. `games.state.seat_rights` says who may do that, and `seat_requests` asks for
stand-ins."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any

from django.utils import timezone

from games.contract import SeatKey, Text, text
from games.core.refusals import (
    GameEnded,
    NotBegun,
    NotYourSeat,
    Refusal,
    StandsIn,
)
from games.models import Game, Player, Seat
from games.notices.events import forget_turns
from games.services.clocks import resume_clock
from games.services.insights import note_insights
from games.services.plans import default_level
from games.services.play import time_out
from games.services.seats import add_holder, open_group_link, open_link
from games.services.versions import save_holders, save_without_activity
from games.state.seat_claims import (
    Claim,
    claims_beside,
    stands_in,
)
from games.state.seat_rights import computer_fits, opposed, seat_rights, waited_for_by, was_reminded
from games.state.snapshot import GameSnapshot, locked

NOT_ABSENT = text("You can’t do that yet: the others still have time to move.")
LAST_ONE = text("Nobody else would be left. Resign instead.")
REMINDED = text("You can send one reminder a day.")
NO_COMPUTER = text("A computer can’t take this seat.")


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
        sentence = name_left(name, snapshot.spec(seat_key).name, seat, computer=computer)
        return pass_on(snapshot, [seat], sentence, computer=computer, **changes)


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
        sentence = name_left(name, snapshot.spec(absent[0]).name, seats[0], computer=computer)
        return pass_on(snapshot, seats, sentence, computer=computer)


def remind_absent(*, game_id: str, player: Player, ply: int, undone: int = 0) -> GameSnapshot:
    """Remind the absent players of their turn, at the board and by their channels, at most once a
    day. A reminder does not shorten the absence. Raises as `claim_win`."""
    with locked(game_id, player, at=(ply, undone)) as snapshot:
        absent = _absent(snapshot, player)
        if was_reminded(snapshot):
            raise Refusal(REMINDED)
        forget_turns(snapshot, absent)
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


def pass_on(
    snapshot: GameSnapshot, seats: Sequence[Seat], sentence: Text, *, computer: bool, **changes: Any
) -> GameSnapshot:
    """Open the seats whose holders have left, or give them to a computer, and save ``changes`` with
    the banner."""
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
    return save_seats(snapshot, seats, sentence, **changes, **_link_for_others(snapshot.game))


def save_seats(
    snapshot: GameSnapshot, seats: Sequence[Seat], sentence: Text, **changes: Any
) -> GameSnapshot:
    """Save the version in which seats have changed hands."""
    computers = set(snapshot.game.seats.exclude(computer=None).values_list("key", flat=True))
    after = save_holders(
        snapshot,
        seats,
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


def name_left(name: str, seat_name: Text, seat: Seat, *, computer: bool) -> Text:
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
        name, seat_name = player.name or text("Guest"), snapshot.spec(mine[0].seat).name
        sentence = text("%(name)s is back (%(seat)s).", name=name, seat=seat_name)
        return save_seats(snapshot, seats, sentence, claims=kept or None)


def _reinstate(claim: Claim, seat: Seat, *, both: bool) -> None:
    if claim.by and not both:
        note_insights([seat], [claim.by])
        seat.holders.filter(player=claim.by).delete()
    if not seat.holders.exists():
        seat.computer = None
    seat.token_salt, seat.moving_from = "", None
    seat.save()
    add_holder(seat, claim.player, joined=claim.joined)
