"""Take moves back: at once where no other person plays, otherwise by request.

Everybody whose game would change has to accept, see `games.undo_requests.request_for`; one refusal
leaves the game as it is. Requests are answered one after the other.
"""

from __future__ import annotations

from games.contract import Text, ntext, text
from games.models import Game, Player
from games.refusals import NotYourSeat, NoUndo, StalePly, UndoAsked
from games.registry import all_rules
from games.replay import position_at
from games.services.play import save_position
from games.signals import notify_changed
from games.storage.write_lock import write_transaction
from games.undo_requests import UndoRequest, pending, request_for


def undo_is_free(game: Game, player: Player) -> bool:
    """Whether everybody else at the table is a computer, or there is nobody else."""
    return game.seating.is_solo(player.pk)


def ask_undo(*, game_id: str, player: Player, ply: int, undone: int = 0) -> Game:
    """Take back the player's last move and what followed, or ask the others for it; ``ply`` and
    ``undone`` are those of the board that the player saw.

    Raises NoUndo where the game has none or nothing was played, NotYourSeat for a stranger,
    StalePly when that board is no longer the newest, UndoAsked when somebody else asks already."""
    with write_transaction():
        game = _lock(game_id)
        held = _held(game, player)
        _check_board(game, ply, undone)
        wish = request_for(game, held) if game.rules.undo else None
        if wish is None:
            raise NoUndo
        if undo_is_free(game, player):
            _go_back(game, wish)
        elif game.over:
            raise NoUndo
        else:
            _ask(game, held, wish)
    return game


def _ask(game: Game, held: list[str], wish: UndoRequest) -> None:
    asked = pending(game)
    if asked and asked.asker not in held:
        raise UndoAsked
    if not wish.waiting:
        _go_back(game, wish)
    elif not asked:
        _save(game, asked_by=wish.asker)


def answer_undo(
    *, game_id: str, player: Player, agree: bool, asker: str, ply: int, undone: int = 0
) -> Game:
    """Answer the wish of the seat ``asker`` to take a move back, or withdraw one's own; ``ply`` and
    ``undone`` are those of the board that the player saw.

    Raises NotYourSeat, StalePly when that wish does not stand any more, NoUndo when it does not
    wait for this player."""
    with write_transaction():
        game = _lock(game_id)
        held = _held(game, player)
        _check_board(game, ply, undone)
        wish = pending(game)
        if wish is None or wish.asker != asker:
            raise StalePly
        if not agree and asker in held:
            _save(game, asked_by="")
        else:
            _answer(game, wish, {*held} & {*wish.waiting}, agree=agree)
    return game


def _lock(game_id: str) -> Game:
    """The game, which nobody else changes until the transaction ends. Raises Game.DoesNotExist,
    where its kind is gone too."""
    return Game.objects.select_for_update().get(pk=game_id, kind__in=list(all_rules()))


def _answer(game: Game, wish: UndoRequest, seats: set[str], *, agree: bool) -> None:
    if not seats:
        raise NoUndo(text("Nobody waits for your answer."))
    names = {spec.key: spec.name for spec in game.specs}
    if not agree:
        refused = text("%(seat)s does not agree to take a move back.", seat=names[min(seats)])
        _save(game, asked_by="", notice=refused)
    elif seats == {*wish.waiting}:
        _go_back(game, wish)
    else:
        _save(game, asked_by=" ".join([game.undo_asked_by, *sorted(seats)]))


def _taken_back(seat: Text, moves: int) -> Text:
    return ntext(
        "%(seat)s has taken %(n)s move back.",
        "%(seat)s has taken %(n)s moves back.",
        n=moves,
        seat=seat,
    )


def _held(game: Game, player: Player) -> list[str]:
    held = sorted(game.seating.held_by(player.pk))
    if not held:
        raise NotYourSeat
    return held


def _check_board(game: Game, ply: int, undone: int) -> None:
    if (ply, undone) != (game.ply, game.undone):
        raise StalePly


def _go_back(game: Game, wish: UndoRequest) -> None:
    """Grant the wish, and say so: else the move before would be told as if just made."""
    if game.over:
        # It ends once more, and then there is a next game to be played after that.
        Game.objects.filter(rematch_of=game).update(rematch_of=None)
    name = next(spec.name for spec in game.specs if spec.key == wish.asker)
    notice = _taken_back(name, game.ply - wish.ply)
    game.moves.filter(ply__gt=wish.ply).delete()
    game.undone += 1
    save_position(game, position_at(game, wish.ply), wish.ply)
    game.notice = notice.to_json()
    game.save(update_fields=["notice"])
    notify_changed(game)


def _save(game: Game, *, asked_by: str, notice: Text | None = None) -> None:
    game.undo_asked_by = asked_by
    game.notice = notice.to_json() if notice else None
    game.version += 1
    game.save(update_fields=["version", "undo_asked_by", "notice", "updated"])
    notify_changed(game)
