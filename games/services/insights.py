"""The information sets that players have seen in a game, by the seats that they hold or have held.

A player that has held a seat of one information set gets no seat of another in that game: a player
who has seen a key would play on with it. In a lobby nobody has seen anything but the host who has
typed secrets of the deal. The owner of a bot can read what the bot sees, so the two count as one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import product
from uuid import UUID

from games.contract import SeatKey, text
from games.core.refusals import Refusal
from games.models import Device, Game, Insight, Player, Seat
from games.state.identity import same_person
from games.state.snapshot import GameSnapshot
from games.storage.write_lock import write_transaction


class AnotherInformationSet(Refusal):
    """Raised for a seat that sees something else than an earlier seat of the player."""

    reason = text("You already have a seat that can’t be combined with this one.")


HELD_ANOTHER = text(
    "You’ve had a seat in this game that sees something else, so you can’t take this one."
)
OWN_BOT = text("Your bot or its owner plays in this game and sees something else.")
TYPED_SECRETS = text("You’ve typed what this seat must not know. Take a seat that sees it.")


def note_insights(seats: Iterable[Seat], players: Collection[UUID] | None = None) -> None:
    """Store the secrets that the holders of some seats, or only ``players`` of them, know, before
    they leave a game that has begun. The caller holds the transaction."""
    for seat in seats:
        game = seat.game
        sets = {spec.key: spec.information_set for spec in game.specs}
        if not game.begun:
            continue
        for player in seat.holders.values_list("player", flat=True):
            if players is None or player in players:
                _note(game.pk, player, sets[seat.key])


def note_typed_secrets(game: Game, host: Player) -> None:
    """Store that the host of a game may know all its secrets, having typed some."""
    for known in {spec.information_set for spec in game.specs} - {""}:
        _note(game.pk, host.pk, known)


def seen_by(player_id: UUID) -> set[tuple[str, str]]:
    """Return the running games of which a player knows secrets, each with an information set, and
    note those of the player's seats. The caller holds the transaction."""
    held = Seat.objects.filter(holders__player=player_id, holders__ended=None)
    note_insights(held.select_related("game"), [player_id])
    known = Insight.objects.filter(player=player_id, game__status=Game.Status.RUNNING)
    return set(known.values_list("game", "information_set"))


def hand_on_insights(seen: Iterable[tuple[str, str]], heirs: Iterable[UUID]) -> None:
    """Store for others what a player has `seen_by`: for the owner of a deleted bot, or under the
    ids of browsers, whose next player knows it too. The caller holds the transaction."""
    for heir, (game_id, known) in product(heirs, seen):
        _note(game_id, heir, known)


def hand_on_in_browser(device_id: UUID, player: Player) -> None:
    """Store for a browser's new player what its earlier ones, now gone, have seen."""
    with write_transaction():
        former = Device.objects.filter(pk=device_id).values_list("player", flat=True)
        for earlier in {device_id, *former} - {player.pk}:
            hand_on_insights(seen_by(earlier), [player.pk])


def check_insights(snapshot: GameSnapshot, seat_key: SeatKey, player: Player) -> None:
    """Raise AnotherInformationSet if a player has seen what this seat must not, or vice versa."""
    wanted = snapshot.spec(seat_key).information_set
    begun = snapshot.game.begun
    if begun and any(known != wanted for known in held_sets(snapshot, player.pk)):
        raise AnotherInformationSet
    if any(known != wanted for known in noted_sets(snapshot.game.pk, player.pk)):
        raise AnotherInformationSet(HELD_ANOTHER if begun else TYPED_SECRETS)
    for other in same_person(player.pk) - {player.pk}:
        known = held_sets(snapshot, other) | noted_sets(snapshot.game.pk, other)
        if known - {wanted}:
            raise AnotherInformationSet(OWN_BOT)


def held_sets(snapshot: GameSnapshot, player_id: UUID) -> set[str]:
    """Return the information sets of the seats that a player holds, suspended or not."""
    places = snapshot.seating.places
    held = [spec for spec in snapshot.specs if player_id in places[spec.key].players]
    return {spec.information_set for spec in held}


def noted_sets(game_id: str, player_id: UUID) -> set[str]:
    """Return the information sets that a player has seen in a game by seats given up since."""
    return noted_in(game_id).get(player_id, set())


def noted_in(game_id: str) -> dict[UUID, set[str]]:
    """Return the information sets that former holders of seats have seen, by player."""
    noted: dict[UUID, set[str]] = {}
    rows = Insight.objects.filter(game=game_id)
    for player_id, information_set in rows.values_list("player", "information_set"):
        noted.setdefault(player_id, set()).add(information_set)
    return noted


def _note(game_id: str, player_id: UUID, information_set: str) -> None:
    Insight.objects.get_or_create(
        game_id=game_id, player_id=player_id, information_set=information_set
    )
