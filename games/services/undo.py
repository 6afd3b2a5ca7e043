"""Taking a move back: at once where nobody else minds, otherwise by asking."""

from __future__ import annotations

from games.changes import announce
from games.models import Game, Player
from games.positions import position_at
from games.refusals import NotYourSeat, NoUndo, StalePly
from games.registry import all_rules
from games.services.play import record
from games.writer import writing


def undo_is_free(game: Game, player: Player) -> bool:
    """Whether everybody else at the table is a computer, or there is nobody else."""
    return game.sitting.alone(player.pk)


def ask_undo(*, game_id: str, player: Player, ply: int, undone: int = 0) -> Game:
    """Take back the player's last move and what followed, or ask the others for it; ``ply`` and
    ``undone`` are those of the board that the player saw.

    Raises NoUndo where the game has none or nothing was played, NotYourSeat for a stranger,
    StalePly when that board is no longer the newest."""
    with writing():
        game = _lock(game_id)
        held = _held(game, player)
        if (ply, undone) != (game.ply, game.undone):
            raise StalePly
        last = _last_ply(game, held)
        if undo_is_free(game, player):
            _go_back(game, last - 1)
        elif game.over:
            raise NoUndo
        else:
            game.undo_asked_by = held[0]
            _save(game)
    return game


def answer_undo(*, game_id: str, player: Player, agree: bool) -> Game:
    """Answer the wish to take a move back; nobody answers their own. Raises NoUndo, NotYourSeat."""
    with writing():
        game = _lock(game_id)
        held = _held(game, player)
        asker = game.undo_asked_by
        if not asker or (asker in held and agree):
            raise NoUndo
        if agree:
            askers = Player.objects.filter(seats__game=game, seats__key=asker)
            _go_back(game, _last_ply(game, _held(game, askers[0])) - 1)
        else:
            game.undo_asked_by = ""
            _save(game)
    return game


def _lock(game_id: str) -> Game:
    """The game, which nobody else changes until the transaction ends. Raises Game.DoesNotExist,
    where its kind is gone too."""
    return Game.objects.select_for_update().get(pk=game_id, kind__in=list(all_rules()))


def _held(game: Game, player: Player) -> list[str]:
    places = game.sitting.places
    held = [seat for seat, place in places.items() if player.pk in place.players]
    if not held:
        raise NotYourSeat
    return held


def _last_ply(game: Game, seats: list[str]) -> int:
    if not game.rules.undo:
        raise NoUndo
    last = game.moves.filter(seat__in=seats).order_by("-ply").first()
    if last is None:
        raise NoUndo
    return last.ply


def _go_back(game: Game, ply: int) -> None:
    game.moves.filter(ply__gt=ply).delete()
    game.undone += 1
    record(game, position_at(game, ply), ply)
    announce(game)


def _save(game: Game) -> None:
    game.version += 1
    game.save(update_fields=["version", "undo_asked_by", "updated"])
    announce(game)
