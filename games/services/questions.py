"""Questions on the table: a player asks to undo a move, for a draw or to call the game off, and the
others answer.

`games.state.questions` says which people are asked and how it ends. One refusal ends it, and there
is one of a kind at a time. An undo happens at once where no other person plays, gives no time back,
and a loss on time stays. A side that others have awaited for days is not asked to call the game
off. `games.services.seat_changes` asks for seats.
"""

from __future__ import annotations

from copy import copy

from django.utils import timezone

from games.bus import notify_changed
from games.contract import SeatKey, Text, text
from games.core.refusals import NoUndo, Refusal, StalePly, TimeUp, UndoAsked
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
    VOID,
    Question,
    opponents,
    pending,
    storing,
    taken_back,
    undo_of,
)
from games.state.seat_rights import absent_seats, check_may_end
from games.state.snapshot import GameSnapshot, lock_snapshot, locked

IMPOSSIBLE = {
    DRAW: text("You can’t offer a draw here."),
    VOID: text("You can’t call this game off."),
}
CLOSED = text("This request is no longer open.")


def ask(kind: str, *, game_id: str, player: Player, ply: int, undone: int = 0) -> GameSnapshot:
    """Ask the others to undo the player's last move and all moves after it, for a draw, or to call
    the game off. It is granted at once if nobody has to agree; asking as another side does is a
    yes to that.

    Raises as `locked`, StandsIn, TimeUp; NoUndo or Refusal if that cannot be asked; UndoAsked while
    another player asks for an undo."""
    with locked(game_id, player, at=(ply, undone), begun=True) as snapshot:
        held = _voices(kind, snapshot, player)
        question, open_question = _new(kind, snapshot, held, player), pending(snapshot, kind)
        if open_question and open_question.asker not in held:
            if kind == UNDO:
                raise UndoAsked
            if not {*held}.isdisjoint(open_question.waiting):
                return _agree(snapshot, open_question, held, player)
        if not question.waiting:
            return _grant(snapshot, question, held[0], player)
        if open_question:
            return snapshot
        note_event(snapshot, NoticeKind(kind), by=player)
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
            raise StalePly if kind == UNDO else Refusal(CLOSED)
        if not agree and question.asker in held:
            return _end(snapshot, kind)
        seats = {*held} & {*question.waiting}
        if not seats:
            raise NoUndo(CLOSED) if kind == UNDO else Refusal(CLOSED)
        if not agree:
            return _end(snapshot, kind, _declined(kind, snapshot.spec(min(seats)).name))
        return _agree(snapshot, question, held, player)


def _agree(
    snapshot: GameSnapshot, question: Question, held: list[SeatKey], player: Player
) -> GameSnapshot:
    seats = sorted({*held} & {*question.waiting})
    agreed = [*question.agreed, *seats]
    rest = KINDS[question.kind].of(snapshot, [question.asker], agreed)
    if rest and rest.waiting:
        return _save(snapshot, rest)
    # They have answered at the board: they get a notice of their next turn.
    forget_turns(snapshot, agreed)
    return _grant(snapshot, question, seats[0], player)


def _voices(kind: str, snapshot: GameSnapshot, player: Player) -> list[SeatKey]:
    """Return the seats with which a player may answer. Raises TimeUp or as `check_may_end`."""
    held = sorted(snapshot.seats_of(player.pk))
    if kind != UNDO:
        check_may_end(snapshot, player.pk, held)
    if late_move(snapshot):
        raise TimeUp
    return held


def _new(kind: str, snapshot: GameSnapshot, held: list[SeatKey], player: Player) -> Question:
    if kind != UNDO:
        away = _absent_sides(snapshot) if kind == VOID else []
        offer = KINDS[kind].of(snapshot, held, [*held[1:], *away])
        if offer is None:
            raise Refusal(IMPOSSIBLE[kind])
        return offer
    question = undo_of(snapshot, held) if snapshot.rules.undo else None
    if question is None or (snapshot.game.over and not snapshot.seating.is_solo(player.pk)):
        raise NoUndo
    return question


def _absent_sides(snapshot: GameSnapshot) -> list[SeatKey]:
    """Return the absent seats of sides whose people have been awaited for days, all of them."""
    absent = {*absent_seats(snapshot)}
    return sorted(absent & opponents(snapshot, snapshot.seating.people() - absent))


def _declined(kind: str, seat: Text) -> Text:
    if kind == UNDO:
        return text("%(seat)s declined the takeback.", seat=seat)
    if kind == VOID:
        return text("%(seat)s wants to play on.", seat=seat)
    return text("%(seat)s declined the draw.", seat=seat)


def _save(snapshot: GameSnapshot, question: Question) -> GameSnapshot:
    """Store a question, whose sentence takes the place of the banner."""
    asked = {
        "asker": question.asker,
        "agreed": [*question.agreed],
        "waiting": [*question.waiting],
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
    if question.kind == UNDO:
        return _go_back(snapshot, question)
    return play_for_site(snapshot, seat, question.kind, player=player)


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
