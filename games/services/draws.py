"""Draws by agreement: offered by one side, accepted or declined by the other."""

from __future__ import annotations

from games.contract import text
from games.core.refusals import NotYourSeat, Refusal, StalePly, StandsIn, TimeUp
from games.models import NoticeKind, Player
from games.notices.events import note_event
from games.services.clocks import late_move
from games.services.play import agree_on_draw
from games.services.versions import save_without_activity
from games.state.draw_offers import can_offer, opponents, pending_offer
from games.state.seat_claims import stands_in
from games.state.snapshot import GameSnapshot, lock_snapshot
from games.storage.write_lock import write_transaction

NO_DRAW = text("You can’t offer a draw here.")
CLOSED = text("This offer is no longer open.")


def offer_draw(*, game_id: str, player: Player, ply: int, undone: int = 0) -> GameSnapshot:
    """Offer a draw, or accept the open offer of the other side.

    Raises Game.DoesNotExist, NotYourSeat, StalePly, TimeUp, or Refusal if no draw can be
    offered."""
    with write_transaction():
        snapshot = _lock_for(game_id, player, ply, undone)
        held = sorted(snapshot.seats_of(player.pk))
        if not can_offer(snapshot, held):
            raise Refusal(NO_DRAW)
        offered_by = pending_offer(snapshot)
        if offered_by in opponents(snapshot, held):
            return agree_on_draw(snapshot, held[0], player)
        if offered_by:
            return snapshot
        sentence = text("%(seat)s offers a draw.", seat=snapshot.spec(held[0]).name)
        note_event(snapshot, NoticeKind.DRAW_OFFERED, by=player)
        return save_without_activity(snapshot, banner={**sentence.to_json(), "draw": held[0]})


def answer_draw(
    *, game_id: str, player: Player, agree: bool, ply: int, undone: int = 0
) -> GameSnapshot:
    """Accept or decline the draw offer of the other side, or withdraw one's own. Raises as
    `offer_draw`."""
    with write_transaction():
        snapshot = _lock_for(game_id, player, ply, undone)
        held, offered_by = sorted(snapshot.seats_of(player.pk)), pending_offer(snapshot)
        if offered_by is None:
            raise Refusal(CLOSED)
        if offered_by in opponents(snapshot, held) and agree:
            return agree_on_draw(snapshot, held[0], player)
        if offered_by in held and not agree:
            return save_without_activity(snapshot, banner=None)
        if agree:
            raise Refusal(CLOSED)
        sentence = text("%(seat)s declined the draw.", seat=snapshot.spec(held[0]).name)
        return save_without_activity(snapshot, banner=sentence.to_json())


def _lock_for(game_id: str, player: Player, ply: int, undone: int) -> GameSnapshot:
    snapshot = lock_snapshot(game_id)
    if not snapshot.seats_of(player.pk):
        raise NotYourSeat
    if stands_in(snapshot, player.pk):
        raise StandsIn
    if (ply, undone) != (snapshot.game.ply, snapshot.game.undone):
        raise StalePly
    if late_move(snapshot):
        raise TimeUp
    return snapshot
