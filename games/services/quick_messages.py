"""Ready-made messages between the players of a game, shown in each reader's own language.

A message is the game's banner until the next one or the next move."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from games.contract import SeatKey, Text, text
from games.core.refusals import NotBegun, Refusal
from games.models import Player
from games.services.versions import save_without_activity
from games.state.questions import DRAW, stored, storing
from games.state.snapshot import GameSnapshot, locked

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
    """Send the other players the message ``word``. It does not count as activity, so an absent
    player stays absent.

    Raises Game.DoesNotExist, NotYourSeat, NotBegun, or Refusal for an unknown message and for a
    seat that may not send any (see `Position.may_speak`)."""
    with locked(game_id, player, seat=seat_key) as snapshot:
        if not snapshot.game.begun:
            raise NotBegun
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
