"""One place where a move happens: people, computers, imports and scripts all come here."""

from __future__ import annotations

from collections.abc import Iterable, Set
from copy import copy
from dataclasses import dataclass

from games import move_list, replay
from games.contract import RESIGN, BadNotation, Position, SeatKey, Text, text
from games.models import Game, Move, Player, just_played, read_game, seatings
from games.refusals import NotYourSeat, StalePly
from games.replay import current_position
from games.signals import notify_changed
from games.storage.compiled_queries import insert_row, lock_row, update_row
from games.storage.write_lock import write_transaction

LONGEST_MOVE = 80
CHANGED_BY_A_MOVE = (
    "ply",
    "undone",
    "version",
    "to_move",
    "status",
    "result_json",
    "undo_asked_by",
    "thinking_until",
    "notice",
    "computer_to_move",
    "updated",
)
TOO_LONG = text("That’s too long for a move.")


@dataclass(frozen=True)
class Played:
    """What `play_move` did: the game as it now is, and its position."""

    game: Game
    position: Position


def play_move(
    *,
    game_id: str,
    seat: str,
    text: str,
    ply: int,
    player: Player | None,
    undone: int = 0,
    note: Text | None = None,
) -> Played:
    """Play a move on the board that has ``ply`` moves, after ``undone`` takings back; ``player``
    None is the seat's computer.

    The same call twice lands once and answers the same. Raises Game.DoesNotExist, NotYourSeat,
    StalePly, or MoveError as the rules say; then nothing is written.
    """
    move_text = _normalize(text)
    with write_transaction():
        game = _locked(game_id)
        _check_seat(game, seat, player)
        if undone != game.undone:
            raise StalePly
        if ply != game.ply:
            return _repeated(game, seat, move_text, ply, player)
        before, position = game.version, current_position(game).play(seat, move_text)
        move = _insert_move(game, position, seat, move_text, player, note)
        notify_changed(game)
    _prime_caches(game, before, position.copy(), move)
    return Played(game, position)


def _locked(game_id: str) -> Game:
    """A game that nobody else changes until the transaction ends. Raises Game.DoesNotExist."""
    # The lock for databases that lock rows; SQLite has locked as a whole by now.
    version = lock_row(Game, game_id, "version")
    known = just_played.get((game_id, version))
    return copy(known) if known else read_game(game_id)


def add_moves(game: Game, moves: Iterable[tuple[SeatKey, str]]) -> None:
    """Write down the first moves of a new game, made elsewhere by nobody who is known here, each
    with its seat; the caller holds the transaction, and has played them."""
    Move.objects.bulk_create(
        Move(game=game, ply=ply, seat=seat, text=text)
        for ply, (seat, text) in enumerate(moves, start=1)
    )


def _insert_move(
    game: Game, position: Position, seat: str, text: str, player: Player | None, note: Text | None
) -> Move:
    """Write a move down that has led to ``position``; the caller holds the transaction."""
    move = Move(game=game, ply=game.ply + 1, seat=seat, text=text, player=player)
    move.note = note.to_json() if note else None
    insert_row(move)
    save_position(game, position, move.ply)
    return move


def resign(*, game_id: str, seat: str, player: Player, ply: int, undone: int = 0) -> Played:
    """Give up; a move like any other. Raises as `play_move`."""
    return play_move(game_id=game_id, seat=seat, text=RESIGN, ply=ply, player=player, undone=undone)


def _normalize(move: str) -> str:
    if len(move) > LONGEST_MOVE:
        raise BadNotation(TOO_LONG)
    return " ".join(move.split())


def _check_seat(game: Game, key: str, player: Player | None) -> None:
    sitting = game.seating
    mine = sitting.computers() if player is None else sitting.held_by(player.pk)
    if key not in mine:
        raise NotYourSeat


def _repeated(game: Game, seat: str, move: str, ply: int, player: Player | None) -> Played:
    """Nothing is written of a move that has landed before. Raises StalePly if it has not."""
    landed = Move.objects.filter(game=game, ply=ply + 1, seat=seat, text=move, player=player)
    if not landed.exists():
        raise StalePly
    return Played(game, current_position(game))


def _prime_caches(game: Game, before: int, position: Position, move: Move) -> None:
    """Spare whoever shows the game now, or moves next, what is known here."""
    seatings.put((game.id, game.version), game.seating)
    just_played.put((game.id, game.version), game)
    replay.keep(game, move.id, position)
    move_list.keep(game, before, move)


def save_position(game: Game, position: Position, ply: int) -> None:
    """Write on the game's row what the position tells; the caller holds the transaction."""
    apply_position(game, position, ply, game.seating.computers())
    game.undo_asked_by = ""
    game.thinking_until = None
    game.notice = None
    game.version += 1
    update_row(game, CHANGED_BY_A_MOVE)


def apply_position(game: Game, position: Position, ply: int, computers: Set[SeatKey]) -> None:
    """Let a game, which is not written, say what its position tells."""
    result = position.result()
    game.ply = ply
    game.to_move = sorted(position.to_move())
    game.status = Game.Status.OVER if result else Game.Status.RUNNING
    game.result_json = result.to_json() if result else None
    game.computer_to_move = not computers.isdisjoint(game.to_move)
