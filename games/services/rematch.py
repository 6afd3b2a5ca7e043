"""Rematches: the next game of the same people, gathered in its lobby."""

from __future__ import annotations

from games.contract import BadSetup, SeatKey, text
from games.core.refusals import Refusal
from games.models import Game, NoticeKind, Pack, Player, Seat
from games.notices.events import note_event
from games.services.seats import seat_player
from games.services.setup import INVITE, LISTED, LISTED_BOTS, ME, NewGame, create_game
from games.services.versions import save_version, save_without_activity
from games.state.seat_rights import REMATCH, seat_rights, sitters
from games.state.snapshot import GameSnapshot, lock_snapshot, locked


def rematch(*, game_id: str, player: Player, level: int | None = None) -> Game:
    """Offer the next game to the same people, or accept it, with computers of the same levels or of
    ``level``.

    If all seats are alike, everybody moves up one seat, so that another player begins; in the lobby
    seats may change. Raises as `locked`, or Refusal."""
    with locked(game_id, player) as snapshot:
        if snapshot.rematch:
            return _accept(snapshot, snapshot.rematch.id, player)
        if not snapshot.game.over:
            raise Refusal(text("This game isn’t over yet."))
        return _offer(snapshot, player, level)


def _offer(snapshot: GameSnapshot, player: Player, level: int | None) -> Game:
    try:
        new = create_game(
            player=player,
            new=NewGame(
                rules=snapshot.rules,
                options=snapshot.game.options,
                seating=_seating(snapshot, player, level),
                hints=snapshot.game.hints,
                lobby=not snapshot.seating.is_solo(player.pk),
                time=snapshot.game.time,
                closed=snapshot.game.closed,
            ),
            # The words come from the same pack as before, whichever player it belongs to.
            packs=Pack.objects.all(),
        )
    except BadSetup as error:
        # The rules have changed since the previous game.
        raise Refusal(text("A rematch isn’t possible: %(why)s", why=error.text)) from error
    new.rematch_of, new.origin = snapshot.game, snapshot.game.origin
    new.save(update_fields=["rematch_of", "origin"])
    before = snapshot.game.seats.exclude(lister=None).first()
    new.seats.filter(listed=True).update(lister=before and before.lister)
    if not snapshot.seating.is_solo(player.pk):
        note_event(snapshot, NoticeKind.REMATCH_OFFERED, by=player)
    save_version(snapshot)
    return new


def _seating(snapshot: GameSnapshot, player: Player, level: int | None) -> dict[SeatKey, str]:
    places, seating = snapshot.seating.places, {}
    for_bots = {*snapshot.game.seats.filter(for_bots=True).values_list("key", flat=True)}
    for key, sitter in sitters(snapshot).items():
        place = places[sitter]
        if place.computer is not None:
            seating[key] = f"computer-{level or place.computer}"
        elif player.pk in place.players:
            seating[key] = f"{ME}-computer-{place.adviser}" if place.adviser else ME
        else:
            listed = LISTED_BOTS if sitter in for_bots else LISTED
            seating[key] = listed if place.listed and place.empty else INVITE
    return seating


def _accept(snapshot: GameSnapshot, rematch_id: str, player: Player) -> Game:
    """Seat a player of the previous game on the intended seats that are free, begun or not."""
    new = lock_snapshot(rematch_id)
    offer, held = seat_rights(new, player.pk).offer, snapshot.seats_of(player.pk)
    if offer.way == REMATCH:
        meant = sitters(new)
        for key in [key for key in offer.seats if meant[key] in held]:
            seat = Seat.objects.get(game=new.game, key=key)
            new = seat_player(new, seat, player, adds=True)
        # The pages of the previous game name the players still asked.
        save_without_activity(snapshot)
    return new.game


MOST = 200
"""Rematches of one evening that are followed."""


def newest_rematch(game: Game) -> str | None:
    """Return the id of the last rematch of a finished game; None without one."""
    newest, last = None, game.pk if game.over else ""
    for _ in range(MOST):
        found = Game.objects.filter(rematch_of=last).values_list("pk", flat=True).first()
        if found is None:
            break
        newest = last = found
    return newest
