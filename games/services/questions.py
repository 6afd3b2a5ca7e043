"""Questions on the table: a player asks to undo a move or for a draw, and the others answer.

`games.state.questions` says who is asked and what ends a question. One refusal ends it, and there
is one of a kind at a time. An undo happens at once where no other person plays, gives no time back,
and a loss on time stays. `games.services.seat_changes` asks for seats.
"""

from __future__ import annotations

from copy import copy

from django.utils import timezone

from games.bus import notify_changed
from games.contract import DRAW as AGREED_DRAW
from games.contract import SeatKey, Text, text
from games.core.refusals import (
    NoUndo,
    Refusal,
    StalePly,
    StandsIn,
    TimeUp,
    UndoAsked,
)
from games.models import Game, NoticeKind, Player
from games.notices.events import forget_turns, note_event
from games.services.analyses import forget_values
from games.services.clocks import late_move
from games.services.play import play_for_site, save_position
from games.services.versions import save_without_activity
from games.state.questions import (
    DRAW,
    KINDS,
    UNDO,
    Question,
    can_offer,
    draw_of,
    pending,
    storing,
    taken_back,
    undo_of,
)
from games.state.seat_claims import stands_in
from games.state.snapshot import GameSnapshot, lock_snapshot, locked

NO_DRAW = text("You can’t offer a draw here.")
CLOSED = {
    UNDO: text("This request is no longer open."),
    DRAW: text("This offer is no longer open."),
}
NOTICES = {UNDO: NoticeKind.UNDO_ASKED, DRAW: NoticeKind.DRAW_OFFERED}


def ask(kind: str, *, game_id: str, player: Player, ply: int, undone: int = 0) -> GameSnapshot:
    """Ask the others to undo the player's last move and all moves after it, or for a draw. It is
    granted at once if nobody has to agree, or if the other side has offered the draw.

    ``ply`` and ``undone`` are those of the board that the player saw. Raises NotBegun, NotYourSeat,
    StandsIn, StalePly, TimeUp; NoUndo or Refusal if that cannot be asked; UndoAsked while another
    player asks for an undo."""
    with locked(game_id, player, at=(ply, undone), begun=True) as snapshot:
        held = _voices(kind, snapshot, player)
        question, open_question = _new(kind, snapshot, held, player), pending(snapshot, kind)
        if open_question and open_question.asker not in held:
            if kind == UNDO:
                raise UndoAsked
            if not {*held}.isdisjoint(open_question.waiting):
                return _grant(snapshot, open_question, held[0], player)
        if not question.waiting:
            return _grant(snapshot, question, held[0], player)
        if open_question:
            return snapshot
        note_event(snapshot, NOTICES[kind], by=player)
        return _save(snapshot, question)


def answer(
    kind: str,
    *,
    game_id: str,
    player: Player,
    agree: bool,
    ply: int,
    undone: int = 0,
    asker: str | None = None,
) -> GameSnapshot:
    """Agree to the question of the seat ``asker`` or decline it, or cancel one's own. Raises as
    `ask`, or StalePly or Refusal if that question is closed or does not wait for this player."""
    with locked(game_id, player, at=(ply, undone), begun=True) as snapshot:
        held = _voices(kind, snapshot, player)
        question = pending(snapshot, kind)
        if question is None or asker not in {None, question.asker}:
            raise StalePly if kind == UNDO else Refusal(CLOSED[kind])
        if not agree and question.asker in held:
            return _end(snapshot, kind)
        seats = {*held} & {*question.waiting}
        if not seats:
            raise NoUndo(CLOSED[kind]) if kind == UNDO else Refusal(CLOSED[kind])
        seat = min(seats)
        if not agree:
            return _end(snapshot, kind, _declined(kind, snapshot.spec(seat).name))
        agreed = [*question.agreed, *sorted(seats)]
        if KINDS[kind].all and seats != {*question.waiting}:
            return _save(snapshot, question, agreed)
        # They have answered at the board, so they get a notice of their next turn without having
        # moved.
        forget_turns(snapshot, agreed)
        return _grant(snapshot, question, seat, player)


def _voices(kind: str, snapshot: GameSnapshot, player: Player) -> list[SeatKey]:
    """Return the seats of a player who may ask and answer. Raises StandsIn or TimeUp."""
    if kind == DRAW and stands_in(snapshot, player.pk):
        raise StandsIn
    if late_move(snapshot):
        raise TimeUp
    return sorted(snapshot.seats_of(player.pk))


def _new(kind: str, snapshot: GameSnapshot, held: list[SeatKey], player: Player) -> Question:
    if kind == DRAW:
        if not can_offer(snapshot, held) or not (offer := draw_of(snapshot, held)):
            raise Refusal(NO_DRAW)
        return offer
    question = undo_of(snapshot, held) if snapshot.rules.undo else None
    if question is None or (snapshot.game.over and not snapshot.seating.is_solo(player.pk)):
        raise NoUndo
    return question


def _declined(kind: str, seat: Text) -> Text:
    if kind == UNDO:
        return text("%(seat)s declined the takeback.", seat=seat)
    return text("%(seat)s declined the draw.", seat=seat)


def _save(
    snapshot: GameSnapshot, question: Question, agreed: list[SeatKey] | None = None
) -> GameSnapshot:
    """Store a question, whose sentence takes the place of the banner."""
    asked = {
        "asker": question.asker,
        "agreed": agreed or [],
        "waiting": [seat for seat in question.waiting if seat not in (agreed or ())],
        "since": timezone.now().isoformat(),
    }
    changes = {**storing(snapshot.game, question.kind, asked), "banner": None}
    return save_without_activity(snapshot, **changes)


def _end(snapshot: GameSnapshot, kind: str, banner: Text | None = None) -> GameSnapshot:
    changes = storing(snapshot.game, kind, None)
    return save_without_activity(
        snapshot, **{**changes, "banner": banner.to_json() if banner else None}
    )


def _grant(
    snapshot: GameSnapshot, question: Question, seat: SeatKey, player: Player
) -> GameSnapshot:
    if question.kind == DRAW:
        return play_for_site(snapshot, seat, AGREED_DRAW, player=player)
    return _go_back(snapshot, question)


def _go_back(snapshot: GameSnapshot, question: Question) -> GameSnapshot:
    """Undo moves. The banner is announced in place of the move before it, which is not new."""
    game = copy(snapshot.game)
    if game.over:
        # The game will end again, and get another rematch then.
        Game.objects.filter(rematch_of=game.pk).update(rematch_of=None)
    banner = taken_back(snapshot.spec(question.asker).name, game.ply - question.ply)
    game.moves.filter(ply__gt=question.ply).delete()
    forget_values(game.pk)
    game.undone += 1
    save_position(game, snapshot.standing_at(question.ply), question.ply, snapshot.seating)
    game.banner = banner.to_json()
    game.save(update_fields=["banner"])
    notify_changed(game)
    return lock_snapshot(game.id)
