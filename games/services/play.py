"""The one place where moves are written, for people, computers, imports and scripts."""

from __future__ import annotations

from collections.abc import Iterable, Set
from copy import copy

from django.utils import timezone

from games.bus import notify_changed
from games.contract import ENDINGS, LONGEST_MOVE, RESIGN, BadNotation, Position, SeatKey, Text, text
from games.core.metrics import moves
from games.core.refusals import MarkGone, NotYourSeat, StalePly, TimeUp
from games.core.seating import Seating
from games.models import Game, Holder, Move, NoticeKind, Player
from games.notices.events import note_event
from games.services.analyses import ask_reviews
from games.services.clocks import late_move, late_seat, run_clock
from games.services.versions import save_without_activity
from games.state.marks import is_confirmed
from games.state.questions import after_a_move
from games.state.replay import StoredMove
from games.state.seat_rights import check_may_end
from games.state.snapshot import GameSnapshot, Standing, locked
from games.storage.compiled_queries import insert_row, update_row

CHANGED_BY_A_MOVE = (
    "ply",
    "undone",
    "version",
    "to_move",
    "status",
    "result_json",
    "undo_request",
    "questions",
    "marks",
    "leased_until",
    "banner",
    "computer_to_move",
    "updated",
)
CHANGED_WITH_A_CLOCK = (*CHANGED_BY_A_MOVE, "clock", "flag_at")
TOO_LONG = text("That’s too long for a move.")
ONLY_THE_SITE = text("That’s not a move that you can type.")


def play_move(
    *,
    game_id: str,
    seat: str,
    text: str,
    ply: int,
    player: Player | None,
    undone: int = 0,
    note: Text | None = None,
    mark: int | None = None,
) -> GameSnapshot:
    """Play a move on the board with ``ply`` moves and ``undone`` undos, and return the next
    snapshot. ``player`` None stands for the seat's computer; ``mark`` is the number of the mark
    that the button of a page names, None for a move from elsewhere. A repeated call writes nothing,
    and one resigns on an older board too. Raises as `locked`, MarkGone, or MoveError from the
    rules, before anything is written; and TimeUp, after writing the fall of a flag."""
    move_text = _normalize(text)
    with locked(game_id, begun=True) as snapshot:
        _check_seat(snapshot, seat, player)
        if move_text == RESIGN and player:
            check_may_end(snapshot, player.pk, [seat])
        if undone != snapshot.game.undone:
            raise StalePly
        if ply != snapshot.game.ply:
            if _is_written(snapshot, seat, move_text, ply, player):
                return snapshot
            if move_text != RESIGN or not 0 <= ply < snapshot.game.ply:
                raise StalePly
        late = late_move(snapshot)
        if late is None:
            position = snapshot.position.copy().play(seat, move_text)
            _check_mark(snapshot, seat, move_text, player, mark)
            return _write_move(snapshot, position, seat, move_text, player, note)
        play_for_site(snapshot, *late)
    raise TimeUp


def fall_flag(*, game_id: str) -> GameSnapshot:
    """End the turn of a side whose time is up, if there is one, and return the game. If the rules
    have no move that passes a turn, the flag is cleared until the next move, and all are told.
    Raises Game.DoesNotExist or Unreadable."""
    with locked(game_id) as snapshot:
        seat = late_seat(snapshot)
        if seat is None:
            return snapshot
        if late := late_move(snapshot):
            return play_for_site(snapshot, *late)
        sentence = snapshot.position.time_is_up(seat)
        return save_without_activity(snapshot, flag_at=None, banner=sentence.to_json())


def play_for_site(
    snapshot: GameSnapshot,
    seat: SeatKey,
    move: str,
    *,
    player: Player | None = None,
    note: Text | None = None,
) -> GameSnapshot:
    """Play a move that no player sends, in a locked game: for a seat whose time is up, an end
    on which a ``player`` has agreed, or for staff, with a note. Raises Unreadable or MoveError."""
    position = snapshot.position.copy().play(seat, move)
    return _write_move(snapshot, position, seat, move, player, note)


def resign(*, game_id: str, seat: str, player: Player, ply: int, undone: int = 0) -> GameSnapshot:
    """Play the move that resigns. Raises as `play_move`."""
    return play_move(game_id=game_id, seat=seat, text=RESIGN, ply=ply, player=player, undone=undone)


def add_moves(game: Game, moves: Iterable[tuple[SeatKey, str]]) -> None:
    """Insert the validated moves of an imported game, in the caller's transaction."""
    Move.objects.bulk_create(
        Move(game=game, ply=ply, seat=seat, text=text)
        for ply, (seat, text) in enumerate(moves, start=1)
    )


def _normalize(move: str) -> str:
    if len(move) > LONGEST_MOVE:
        raise BadNotation(TOO_LONG)
    normalized = " ".join(move.split())
    if normalized in ENDINGS.keys() - {RESIGN}:
        raise BadNotation(ONLY_THE_SITE)
    return normalized


def _check_seat(snapshot: GameSnapshot, key: str, player: Player | None) -> None:
    seating = snapshot.seating
    mine = seating.computers() if player is None else seating.held_by(player.pk)
    if key not in mine:
        raise NotYourSeat


def _is_written(
    snapshot: GameSnapshot, seat: str, move: str, ply: int, player: Player | None
) -> bool:
    """Return whether this very move has been written already; a seat resigns once."""
    at = {"ply__gt": ply} if move == RESIGN else {"ply": ply + 1}
    return snapshot.game.moves.filter(seat=seat, text=move, player=player, **at).exists()


def _check_mark(
    snapshot: GameSnapshot, seat: str, move: str, player: Player | None, mark: int | None
) -> None:
    if player and mark is not None and not is_confirmed(snapshot, seat, move, player.pk, mark):
        raise MarkGone


def _write_move(
    snapshot: GameSnapshot,
    position: Position,
    seat: str,
    text: str,
    player: Player | None,
    note: Text | None,
) -> GameSnapshot:
    """Write the move that has led to ``position``, and announce the game's new version."""
    game = copy(snapshot.game)
    move = Move(
        game_id=game.id,
        ply=game.ply + 1,
        seat=seat,
        text=text,
        player_id=player.pk if player else None,
        note=note.to_json() if note else None,
    )
    insert_row(move)
    standing = Standing.of(position)
    save_position(game, standing, move.ply, snapshot.seating, moved=seat)
    if game.over:
        ask_reviews(snapshot)
    if game.over and len(snapshot.seating.players()) > 1:
        note_event(snapshot, NoticeKind.OVER, by=player)
    notify_changed(game)
    moves.labels(game.kind, "computer" if player is None else "person").inc()
    stored = StoredMove(move.pk, move.ply, seat, text, move.note)
    return snapshot.with_move(game, stored, standing)


def save_position(
    game: Game, standing: Standing, ply: int, seating: Seating, *, moved: SeatKey | None = None
) -> None:
    """Write the state derived from ``standing`` as the next version of the row ``game``, which the
    caller has locked, after a move of the seat ``moved`` or after an undo. Both end requests,
    marks, leases and notices."""
    was_over = game.over
    apply_position(game, standing, ply, seating.thinking())
    if game.over != was_over:
        save_end(game)
    game.undo_request = None
    game.questions = after_a_move(game)
    game.marks = []
    game.leased_until = None
    game.banner = None
    game.version += 1
    if game.fault is not None:
        # The columns that are derived from the replay are written anew, so the game is well again.
        game.fault = None
        game.save(update_fields=["fault"])
    if game.clock is None:
        update_row(game, CHANGED_BY_A_MOVE)
    else:
        run_clock(game, seating.people(), moved=moved)
        update_row(game, CHANGED_WITH_A_CLOCK)


def save_end(game: Game) -> None:
    """Store whether the game of holders has ended, for lists; the worker stores the outcome."""
    ended = timezone.now() if game.over else None
    Holder.objects.filter(seat__game=game).update(ended=ended, kind=None)


def apply_position(game: Game, standing: Standing, ply: int, computers: Set[SeatKey]) -> None:
    """Copy the state derived from ``standing`` onto ``game`` without saving it."""
    result = standing.result
    game.ply = ply
    game.to_move = sorted(standing.to_move)
    game.status = Game.Status.OVER if result else Game.Status.RUNNING
    game.result_json = result.to_json() if result else None
    game.computer_to_move = not computers.isdisjoint(game.to_move)
