"""Seats that change hands during a game: given up by their holder, or taken from an absent
player."""

from __future__ import annotations

from copy import copy
from typing import Any

from django.utils import timezone

from games.contract import SeatKey, Text, text
from games.core.refusals import GameEnded, NotBegun, NotYourSeat, Refusal, StalePly
from games.models import Game, Player, Seat
from games.notices.turn_notices import forget_claims
from games.services.clocks import resume_clock
from games.services.insights import note_insights
from games.services.play import time_out
from games.services.quick_start import default_level
from games.services.seats import open_link
from games.services.start import open_group_link
from games.services.versions import save_version, save_without_activity
from games.state.absence import computer_fits, opposed, waited_for_by, was_reminded
from games.state.draw_offers import pending_offer
from games.state.snapshot import GameSnapshot, lock_snapshot
from games.storage.write_lock import write_transaction

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
    with write_transaction():
        snapshot = lock_snapshot(game_id)
        if seat_key not in snapshot.seats_of(player.pk):
            raise NotYourSeat
        if not snapshot.game.begun:
            raise NotBegun
        if snapshot.game.over:
            raise GameEnded
        if snapshot.seating.is_solo(player.pk):
            raise Refusal(LAST_ONE)
        seat = Seat.objects.get(game=snapshot.game, key=seat_key)
        name = snapshot.seating.places[seat_key].players[player.pk]
        note_insights([seat], [player.pk])
        seat.holders.filter(player=player).delete()
        return pass_on(snapshot, [seat], name, computer=computer)


def claim_win(*, game_id: str, player: Player, ply: int, undone: int = 0) -> GameSnapshot:
    """End a game that an absent opponent has left, as if the opponent's time were up. Raises
    Game.DoesNotExist, StalePly, or Refusal if nobody is absent."""
    with write_transaction():
        snapshot, absent = _lock_waiting(game_id, player, ply, undone)
        if not opposed(snapshot, absent, snapshot.seats_of(player.pk)):
            raise Refusal(NOT_ABSENT)
        return time_out(snapshot, absent[0])


def replace_absent(
    *, game_id: str, player: Player, ply: int, undone: int = 0, computer: bool = False
) -> GameSnapshot:
    """Free the seats of absent players for others, or give them to a computer. Raises as
    `claim_win`."""
    with write_transaction():
        snapshot, absent = _lock_waiting(game_id, player, ply, undone)
        places = snapshot.seating.places
        name = next(iter(places[absent[0]].players.values()))
        seats = list(Seat.objects.filter(game=snapshot.game, key__in=absent))
        note_insights(seats)
        for seat in seats:
            seat.holders.all().delete()
        return pass_on(snapshot, seats, name, computer=computer)


def remind_absent(*, game_id: str, player: Player, ply: int, undone: int = 0) -> GameSnapshot:
    """Remind the absent players of their turn, at the board and by their channels, at most once a
    day. A reminder does not shorten the absence. Raises as `claim_win`."""
    with write_transaction():
        snapshot, absent = _lock_waiting(game_id, player, ply, undone)
        if was_reminded(snapshot):
            raise Refusal(REMINDED)
        forget_claims(snapshot, absent)
        changes: dict[str, Any] = {"reminded": timezone.now()}
        if pending_offer(snapshot) is None:
            changes["banner"] = _asked(snapshot, absent[0], player).to_json()
        return save_without_activity(snapshot, **changes)


def _asked(snapshot: GameSnapshot, seat: SeatKey, player: Player) -> Text:
    held = snapshot.seats_of(player.pk)
    asker = snapshot.seating.places[min(held)].players[player.pk]
    name = next(iter(snapshot.seating.places[seat].players.values()))
    guest = text("Guest")
    return text("%(asker)s asks %(name)s to move.", asker=asker or guest, name=name or guest)


def _lock_waiting(
    game_id: str, player: Player, ply: int, undone: int
) -> tuple[GameSnapshot, list[SeatKey]]:
    """Lock a game for a player, and return it with the seats of the absent players.

    Raises NotYourSeat, StalePly or Refusal."""
    snapshot = lock_snapshot(game_id)
    held = snapshot.seats_of(player.pk)
    if not held:
        raise NotYourSeat
    if (ply, undone) != (snapshot.game.ply, snapshot.game.undone):
        raise StalePly
    absent = waited_for_by(snapshot, held)
    if not absent:
        raise Refusal(NOT_ABSENT)
    return snapshot, absent


def pass_on(
    snapshot: GameSnapshot, seats: list[Seat], name: str, *, computer: bool
) -> GameSnapshot:
    """Free seats whose holders have left or give them to a computer, and save the banner that
    ``name`` has left."""
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
    sentence = _told(name, snapshot.spec(seats[0].key).name, seats[0])
    computers = set(snapshot.game.seats.exclude(computer=None).values_list("key", flat=True))
    after = save_version(
        snapshot,
        banner=sentence.to_json(),
        computer_to_move=not computers.isdisjoint(snapshot.game.to_move),
        **_link_for_others(snapshot.game),
    )
    return resume_clock(after)


def _link_for_others(game: Game) -> dict[str, str | None]:
    """Return the columns of the link with which any player of a game invites others."""
    invites = copy(game)
    if not invites.lobby_salt:
        open_group_link(invites)
    return {"lobby_salt": invites.lobby_salt, "lobby_hash": invites.lobby_hash}


def _told(name: str, seat_name: Text, seat: Seat) -> Text:
    player = name or text("Guest")
    if seat.computer:
        return text("The computer took over from %(name)s (%(seat)s).", name=player, seat=seat_name)
    if seat.holders.exists():
        # A team's seat would otherwise be called by the name of the remaining team mate.
        return text("%(name)s left the game.", name=player)
    return text("%(name)s left. The seat is free (%(seat)s).", name=player, seat=seat_name)
