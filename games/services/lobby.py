"""The lobby of a game, in which players gather by one link, take seats and change them, all without
seeing the board. Later the link lets others take empty seats and join teams."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, cycle
from random import Random, SystemRandom
from uuid import UUID

from games.contract import SeatKey, text
from games.core.refusals import Begun, GameEnded, NotHost, NotYourSeat, Refusal, SeatLeft, SeatTaken
from games.core.registry import all_rules
from games.models import Game, Holder, Player, Seat
from games.services.insights import TYPED_SECRETS, AnotherInformationSet, noted_in
from games.services.seats import begin_game, free_seats, open_link, seat_player
from games.services.staff import check_not_hidden
from games.services.tokens import hash_token
from games.services.versions import next_banner, save_version, save_without_activity
from games.state.identity import same_person
from games.state.seat_claims import acting_host, may_begin, person_key
from games.state.seat_rights import away_people
from games.state.snapshot import GameSnapshot, locked

PRESENT = text("While you stand in for the host, you can free only the seats of absent people.")
SHUFFLES = 100
"""How often seats are drawn until they suit a host with typed secrets."""


def game_of_lobby(token: str) -> Game | None:
    found = Game.objects.filter(lobby_hash=hash_token(token), kind__in=list(all_rules()))
    return found.first()


def sit_down(*, game_id: str, seat_key: SeatKey, player: Player) -> GameSnapshot:
    """Take a seat by the link of the lobby, in place of an earlier one until the game begins.
    Raises as `locked`, KeyError for an unknown seat, SeatTaken, or as `seat_player`."""
    with locked(game_id) as snapshot:
        if seat_key in snapshot.seats_of(player.pk):
            return snapshot
        if snapshot.game.over:
            raise GameEnded
        if not (snapshot.seating.places[seat_key].empty or snapshot.spec(seat_key).shared):
            raise SeatTaken
        seat = Seat.objects.get(game=snapshot.game, key=seat_key)
        return seat_player(snapshot, seat, player)


def stand_up(*, game_id: str, player: Player) -> GameSnapshot:
    with locked(game_id) as snapshot:
        held = snapshot.seats_of(player.pk)
        if not held:
            raise NotYourSeat
        if snapshot.game.begun:
            raise Begun
        free_seats(snapshot, held, player)
        heir = next(_heirs(snapshot, player), None)
        if snapshot.game.created_by_id != player.pk or heir is None:
            return save_version(snapshot, banner=next_banner(snapshot.game))
        return _make_host(snapshot, *heir)


def hand_over_host(*, game_id: str, seat_key: SeatKey, player: Player) -> GameSnapshot:
    """Make the first other person on a seat the host. Raises Game.DoesNotExist, KeyError for an
    unknown seat, NotHost, Begun, or NotYourSeat if nobody else has that seat."""
    with locked(game_id) as snapshot:
        _check_host(snapshot, player)
        people = snapshot.seating.places[seat_key].players
        heir = next((person for person in people.items() if person[0] != player.pk), None)
        if heir is None:
            raise NotYourSeat
        return _make_host(snapshot, *heir)


def free_seat(*, game_id: str, person: str, player: Player) -> GameSnapshot:
    """Free the seats of another person in the lobby, named by `person_key`, as the host.
    Raises Game.DoesNotExist, NotHost, Begun, SeatLeft if that person has no seat any more, or
    Refusal if a stand-in would free the seat of a person present."""
    with locked(game_id) as snapshot:
        _check_host(snapshot, player)
        people = dict(_heirs(snapshot, player))
        found = next(
            (player_id for player_id in people if person_key(game_id, player_id) == person), None
        )
        if found is None:
            raise SeatLeft
        if player.pk != snapshot.game.created_by_id and found not in away_people(snapshot):
            raise Refusal(PRESENT)
        places = snapshot.seating.places
        held = [key for key, place in places.items() if found in place.players]
        free_seats(snapshot, held, Player(pk=found))
        name, seat = people[found] or text("Guest"), snapshot.spec(held[0]).name
        sentence = text("%(name)s’s seat was freed (%(seat)s).", name=name, seat=seat)
        return save_version(snapshot, banner=next_banner(snapshot.game, sentence))


def _heirs(snapshot: GameSnapshot, host: Player) -> Iterator[tuple[UUID, str]]:
    for spec in snapshot.specs:
        people = snapshot.seating.places[spec.key].players
        yield from (person for person in people.items() if person[0] != host.pk)


def _make_host(snapshot: GameSnapshot, player_id: UUID, name: str) -> GameSnapshot:
    sentence = text("%(name)s is the host now.", name=name or text("Guest"))
    banner = next_banner(snapshot.game, sentence)
    attendance = snapshot.game.attendance and {**snapshot.game.attendance, "stand_in": None}
    return save_version(snapshot, created_by_id=player_id, attendance=attendance, banner=banner)


def begin(*, game_id: str, player: Player) -> GameSnapshot:
    """Begin the game, even with empty seats. While the host is away, everybody on a seat may begin
    a full game. Raises Game.DoesNotExist, NotHost, Begun."""
    with locked(game_id) as snapshot:
        if not may_begin(snapshot, player.pk):
            raise NotHost
        if snapshot.game.begun:
            raise Begun
        return begin_game(snapshot, player)


def shuffle(*, game_id: str, player: Player, rng: Random | None = None) -> GameSnapshot:
    """Give everybody in the lobby a random seat, in teams of nearly equal size. Raises
    Game.DoesNotExist, NotHost, Begun, or AnotherInformationSet if there is no seat for a host who
    has typed secrets."""
    rng = rng or SystemRandom()
    with locked(game_id) as snapshot:
        _check_host(snapshot, player)
        _seat_all(snapshot, _fairly_dealt(snapshot, rng))
        sentence = text("The seats were shuffled.")
        return save_version(snapshot, banner=next_banner(snapshot.game, sentence))


def _check_host(snapshot: GameSnapshot, player: Player) -> None:
    if acting_host(snapshot) != player.pk:
        raise NotHost
    if snapshot.game.begun:
        raise Begun


def _fairly_dealt(snapshot: GameSnapshot, rng: Random) -> dict[SeatKey, list[UUID]]:
    """Return random seats that suit everybody's knowledge. Raises AnotherInformationSet."""
    noted, people = noted_in(snapshot.game.pk), _people(snapshot)
    persons = [same_person(player) & people for player in people]
    for _ in range(SHUFFLES):
        dealt = _dealt(snapshot, rng)
        sets = {who: snapshot.spec(key).information_set for key in dealt for who in dealt[key]}
        knows = all(noted.get(who, set()) <= {sets[who]} for who in sets)
        if knows and all(len({sets[who] for who in person}) == 1 for person in persons):
            return dealt
    raise AnotherInformationSet(TYPED_SECRETS)


def _people(snapshot: GameSnapshot) -> set[UUID]:
    places = snapshot.seating.places.values()
    return {player for place in places for player in place.players}


def _dealt(snapshot: GameSnapshot, rng: Random) -> dict[SeatKey, list[UUID]]:
    """Return the people of a lobby on random seats: one on each, then the rest in teams."""
    places, people = snapshot.seating.places, list(_people(snapshot))
    rng.shuffle(people)
    keys = [spec.key for spec in snapshot.specs if places[spec.key].computer is None]
    if len(people) < len(keys):
        keys = rng.sample(keys, len(people))
    teams = [key for key in keys if snapshot.spec(key).shared]
    rng.shuffle(teams)
    seats: Iterator[SeatKey] = chain(keys, cycle(teams))
    dealt: dict[SeatKey, list[UUID]] = {}
    for person, key in zip(people, seats, strict=False):
        dealt.setdefault(key, []).append(person)
    return dealt


def _seat_all(snapshot: GameSnapshot, dealt: dict[SeatKey, list[UUID]]) -> None:
    seats = list(snapshot.game.seats.exclude(key__in=snapshot.seating.computers()))
    Holder.objects.filter(seat__in=seats).delete()
    for seat in seats:
        players = dealt.get(seat.key, [])
        Holder.objects.bulk_create(Holder(seat=seat, player_id=player) for player in players)
        if players and not snapshot.spec(seat.key).shared:
            seat.token_salt = ""
        elif not seat.token_salt:
            open_link(seat)
        seat.save()


CLOSED = text("The game is private now.")
OPEN = text("The game is public again.")


def close_to_watchers(*, game_id: str, player: Player | None, closed: bool) -> GameSnapshot:
    """Close a game to everybody but its players, so that watchers lose the board, or open it again,
    as its host, or for staff without a ``player``. Raises as `locked`, NotHost or Refusal."""
    with locked(game_id, begun=player is not None) as snapshot:
        if player and not snapshot.is_host(player.pk):
            raise NotHost
        if not closed:
            check_not_hidden(snapshot.game.get_absolute_url())
        if snapshot.game.closed == closed:
            return snapshot
        sentence = CLOSED if closed else OPEN
        return save_without_activity(snapshot, closed=closed, banner=sentence.to_json())
