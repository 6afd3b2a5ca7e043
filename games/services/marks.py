"""Marks of moves that cannot be taken back, before they are played; and ready-made messages between
the players, shown in each reader's own language. A message is the game's banner until the next one
or the next move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from types import MappingProxyType

from django.utils import timezone

from games.contract import SeatKey, Text, text
from games.core.refusals import Refusal
from games.models import Player
from games.services.versions import save_without_activity
from games.state.marks import step_to_confirm
from games.state.questions import DRAW, stored, storing
from games.state.snapshot import GameSnapshot, locked

NO_MARK: Text = text("You can’t mark that now.")


def mark_move(
    *, game_id: str, seat: str, move: str, player: Player, ply: int, undone: int = 0
) -> GameSnapshot:
    """Mark a move of ``seat`` in place of the player's earlier mark; '' only removes that. A
    repeated call changes nothing. Raises as `locked`, or Refusal for a move that need not be
    marked."""
    with locked(game_id, player, seat=seat, at=(ply, undone), begun=True) as snapshot:
        game = snapshot.game
        if move and step_to_confirm(snapshot.position, seat, move) is None:
            raise Refusal(NO_MARK)
        others = [mark for mark in game.marks if mark["player"] != str(player.pk)]
        mark = {"player": str(player.pk), "seat": seat, "move": move}
        if any(mark.items() < before.items() for before in game.marks):
            return snapshot
        marks = [*others, {**mark, "number": game.version + 1}] if move else others
        if marks == game.marks:
            return snapshot
        # A mark is no move: the game has waited for one all the time.
        return save_without_activity(snapshot, marks=marks)


def is_weighing(snapshot: GameSnapshot, seat: str) -> bool:
    """Return whether the moves that a seat's computer weighs are shown already."""
    return any(not mark["player"] and mark["seat"] == seat for mark in snapshot.game.marks)


def advise(*, snapshot: GameSnapshot, seat: str, moves: Sequence[str]) -> None:
    """Show the moves that a computer would make beside the people on its seat, once a turn to move.

    Raises StalePly if the game has changed."""
    with locked(snapshot.game.pk, at=snapshot.game.board) as newest:
        own = [mark for mark in newest.game.marks if mark["player"] or mark["seat"] != seat]
        advised = [{"player": "", "seat": seat, "move": move} for move in moves]
        save_without_activity(
            newest, marks=[*own, *advised], computer_to_move=False, leased_until=None
        )


def mark_weighed(*, snapshot: GameSnapshot, seat: str, moves: Sequence[str]) -> None:
    """Show the moves that a computer weighs, and keep its game leased while people read them.

    Raises StalePly if the game has changed."""
    pause = timedelta(milliseconds=snapshot.rules.ply_pause)
    with locked(snapshot.game.pk, at=snapshot.game.board) as newest:
        weighed = [{"player": "", "seat": seat, "move": move} for move in moves]
        save_without_activity(
            newest, marks=[*newest.game.marks, *weighed], leased_until=timezone.now() + pause
        )


QUICK_MESSAGES: Mapping[str, Text] = MappingProxyType(
    {
        "hello": text("Hello!"),
        "luck": text("Good luck!"),
        "game": text("Good game!"),
        "thanks": text("Thanks!"),
        "moment": text("One moment, please."),
        "leave": text("I have to go."),
    }
)
SILENCED = text("You can’t send messages now: they could be a hint.")


def say(*, game_id: str, seat_key: SeatKey, word: str, player: Player) -> GameSnapshot:
    """Send the other players the message ``word``, which does not count as activity. Raises as
    `locked`, or Refusal for an unknown one and while the seat may not speak."""
    with locked(game_id, player, seat=seat_key, begun=True) as snapshot:
        if word not in QUICK_MESSAGES:
            raise Refusal
        if not snapshot.position.may_speak(seat_key):
            raise Refusal(SILENCED)
        name = snapshot.seating.places[seat_key].players[player.pk]
        sentence = text("%(name)s: %(said)s", name=name or text("Guest"), said=QUICK_MESSAGES[word])
        banner = {**sentence.to_json(), "said": seat_key}
        # An offer of a draw may still stand in the banner, where the version before stored it.
        offer = storing(snapshot.game, DRAW, stored(snapshot.game, DRAW))
        return save_without_activity(snapshot, **{**offer, "banner": banner})
