"""The lobby as a service: seats taken, changed, left and shuffled, and the start."""

from __future__ import annotations

from random import Random

import pytest

from games.contract import Rules, Text
from games.core.refusals import Begun, NotBegun, NotHost, NotYourSeat, Refusal, SeatTaken
from games.core.registry import all_rules
from games.models import Game, Holder
from games.services import lobby, play, questions, seats
from games.state.questions import UNDO
from games.state.snapshot import read_snapshot
from games.worker import leases
from tests.support.game_factory import make_lobby
from tests.support.kinds import default_specs, kinds_with_shared_seats, seat_keys, two_player_rules
from tests.support.players import Person, new_person

pytestmark = pytest.mark.django_db

FIRST, SECOND = seat_keys(two_player_rules())


def team_rules() -> Rules:
    """Return a kind with seats for whole teams and secret seats."""
    return all_rules()[kinds_with_shared_seats()[0]]


def people_on(game: Game) -> dict[str, list[str]]:
    """Return the names of the people on each seat."""
    places = read_snapshot(game.pk).seating.places
    return {key: sorted(place.players.values()) for key, place in places.items()}


def sit(game: Game, person: Person, key: str) -> None:
    lobby.sit_down(game_id=game.pk, seat_key=key, player=person.player)


def test_a_game_for_friends_begins_in_its_lobby_with_nobody_to_move(owner):
    game = make_lobby(owner)
    assert not game.begun
    assert game.to_move == []
    assert people_on(game) == {FIRST: ["Olive"], SECOND: []}


def test_a_game_without_a_seat_for_others_has_no_lobby(owner):
    for second in ("me", "computer-1"):
        game = make_lobby(owner, seating={FIRST: "me", SECOND: second})
        assert game.begun
        assert game.lobby_hash is None


def test_the_database_holds_only_the_hash_of_the_link(owner):
    game = make_lobby(owner)
    token = seats.lobby_token(game)
    assert len(bytes.fromhex(token)) == 16
    assert token not in {game.lobby_salt, game.lobby_hash}
    assert lobby.game_of_lobby(token) == game
    assert lobby.game_of_lobby("0" * 32) is None


@pytest.mark.services
def test_a_game_for_two_begins_when_the_second_seat_is_taken(owner, opponent):
    game = make_lobby(owner)
    sit(game, opponent, SECOND)
    game.refresh_from_db()
    assert game.begun
    assert game.to_move == sorted(read_snapshot(game.pk).position.to_move())


def test_a_game_for_two_begins_by_the_link_of_its_seat_as_well(owner, opponent):
    game = make_lobby(owner)
    token = seats.invitation_token(game.seats.get(key=SECOND))
    seats.claim_seat(token=token, player=opponent.player)
    assert Game.objects.get(pk=game.pk).begun


def test_a_player_of_a_lobby_changes_seats(owner):
    game = make_lobby(owner)
    sit(game, owner, SECOND)
    assert people_on(game) == {FIRST: [], SECOND: ["Olive"]}


def test_a_seat_that_was_left_has_a_link_again(owner, opponent):
    game = make_lobby(owner)
    sit(game, owner, SECOND)
    token = seats.invitation_token(game.seats.get(key=FIRST))
    assert seats.claim_seat(token=token, player=opponent.player).key == FIRST


@pytest.mark.services
def test_a_taken_seat_is_refused(owner, opponent, stranger):
    game = make_lobby(owner, rules=team_rules())
    secret = next(spec.key for spec in game.specs if not spec.shared)
    sit(game, opponent, secret)
    with pytest.raises(SeatTaken):
        sit(game, stranger, secret)
    assert people_on(game)[secret] == ["Otto"]


def test_a_player_may_change_from_a_secret_seat_only_before_the_game_begins(owner, opponent):
    game = make_lobby(owner, rules=team_rules())
    secret, shared = (
        next(spec.key for spec in game.specs if spec.shared is is_shared)
        for is_shared in (False, True)
    )
    sit(game, opponent, secret)
    sit(game, opponent, shared)
    sit(game, opponent, secret)
    lobby.begin(game_id=game.pk, player=owner.player)
    with pytest.raises(Refusal):
        sit(game, opponent, shared)
    assert "Otto" not in people_on(game)[shared]


def test_a_latecomer_joins_a_team_and_takes_an_empty_seat(owner, opponent, stranger):
    game = make_lobby(owner, rules=team_rules())
    other = next(spec.key for spec in game.specs if spec.shared and not people_on(game)[spec.key])
    mine = next(key for key, names in people_on(game).items() if names)
    lobby.begin(game_id=game.pk, player=owner.player)
    sit(game, opponent, mine)
    sit(game, stranger, other)
    assert people_on(game)[mine] == ["Olive", "Otto"]
    assert people_on(game)[other] == ["Stan"]


def test_a_seat_is_left_in_the_lobby_and_not_in_the_game(owner, opponent, stranger):
    game = make_lobby(owner)
    lobby.stand_up(game_id=game.pk, player=owner.player)
    assert people_on(game) == {FIRST: [], SECOND: []}
    with pytest.raises(NotYourSeat):
        lobby.stand_up(game_id=game.pk, player=stranger.player)
    sit(game, owner, FIRST)
    sit(game, opponent, SECOND)
    with pytest.raises(Begun):
        lobby.stand_up(game_id=game.pk, player=opponent.player)


def test_only_the_host_starts_and_shuffles(owner, opponent):
    game = make_lobby(owner, rules=team_rules())
    sit(game, opponent, next(spec.key for spec in game.specs if spec.secret))
    for service in (lobby.begin, lobby.shuffle):
        with pytest.raises(NotHost):
            service(game_id=game.pk, player=opponent.player)
    lobby.begin(game_id=game.pk, player=owner.player)
    for service in (lobby.begin, lobby.shuffle):
        with pytest.raises(Begun):
            service(game_id=game.pk, player=owner.player)


def host_of(game: Game) -> str:
    """Return the name of the host."""
    host = Game.objects.select_related("created_by").get(pk=game.pk).created_by
    return host.name if host else ""


def test_a_host_who_leaves_makes_the_next_person_the_host(owner, opponent):
    game = make_lobby(owner, rules=team_rules())
    lobby.stand_up(game_id=game.pk, player=owner.player)
    assert host_of(game) == "Olive"
    sit(game, owner, next(spec.key for spec in game.specs if spec.shared))
    sit(game, opponent, next(spec.key for spec in game.specs if spec.secret))
    snapshot = lobby.stand_up(game_id=game.pk, player=owner.player)
    assert host_of(game) == "Otto"
    assert str(Text.from_json(snapshot.game.banner)) == "Otto is the host now."
    lobby.begin(game_id=game.pk, player=opponent.player)


def test_a_guest_who_leaves_changes_no_host(owner, opponent):
    game = make_lobby(owner, rules=team_rules())
    sit(game, opponent, next(spec.key for spec in game.specs if spec.secret))
    lobby.stand_up(game_id=game.pk, player=opponent.player)
    assert host_of(game) == "Olive"


def test_the_host_makes_another_person_the_host(owner, opponent):
    game = make_lobby(owner, rules=team_rules())
    taken, empty = [spec.key for spec in game.specs if spec.secret]
    sit(game, opponent, taken)
    with pytest.raises(NotHost):
        lobby.hand_over_host(game_id=game.pk, seat_key=taken, player=opponent.player)
    with pytest.raises(NotYourSeat):
        lobby.hand_over_host(game_id=game.pk, seat_key=empty, player=owner.player)
    lobby.hand_over_host(game_id=game.pk, seat_key=taken, player=owner.player)
    assert host_of(game) == "Otto"
    with pytest.raises(NotHost):
        lobby.begin(game_id=game.pk, player=owner.player)


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 6, 9])
def test_a_shuffle_keeps_everybody_and_makes_teams_as_equal_as_can_be(owner, count):
    game = make_lobby(owner, rules=team_rules())
    shared = next(spec.key for spec in game.specs if spec.shared)
    others = [new_person(f"Person {number}") for number in range(1, count)]
    for person in others:
        sit(game, person, shared)
    lobby.shuffle(game_id=game.pk, player=owner.player, rng=Random(count))
    dealt = people_on(game)
    everybody = sorted(name for names in dealt.values() for name in names)
    assert everybody == sorted(["Olive", *(person.player.name for person in others)])
    for spec in game.specs:
        assert len(dealt[spec.key]) <= 1 or spec.shared
    if count >= len(game.specs):
        sides: dict[str, int] = {}
        for spec in game.specs:
            sides[spec.side] = sides.get(spec.side, 0) + len(dealt[spec.key])
        assert max(sides.values()) - min(sides.values()) <= 1


def test_seats_change_places_in_a_shuffle(owner):
    game = make_lobby(owner)
    seen = set()
    for seed in range(8):
        lobby.shuffle(game_id=game.pk, player=owner.player, rng=Random(seed))
        seen.add(next(key for key, names in people_on(game).items() if names))
    assert seen == {FIRST, SECOND}


def test_nobody_moves_or_undoes_before_the_game_begins(owner):
    game = make_lobby(owner)
    position = read_snapshot(game.pk).position
    seat = min(position.to_move())
    with pytest.raises(NotBegun):
        play.play_move(
            game_id=game.pk,
            seat=seat,
            text=next(iter(position.legal_moves(seat))),
            ply=0,
            player=owner.player,
        )
    with pytest.raises(NotBegun):
        questions.ask(UNDO, game_id=game.pk, player=owner.player, ply=0)


def test_a_computer_waits_for_the_start(owner, opponent):
    rules = next(rules for rules in all_rules().values() if rules.levels and len(three(rules)) > 2)
    keys = three(rules)
    seating = {keys[0]: "computer-1", keys[1]: "me"} | dict.fromkeys(keys[2:], "invite")
    game = make_lobby(owner, rules=rules, seating=seating, **players_of(rules))
    assert leases.next_turn() is None
    lobby.begin(game_id=game.pk, player=owner.player)
    begun = leases.next_turn()
    assert (begun == game) is (keys[0] in read_snapshot(game.pk).position.to_move())


def players_of(rules: Rules) -> dict[str, int]:
    """Return the option that makes a kind one for three players or more, where it has that."""
    option = next((option for option in rules.options if option.name == "players"), None)
    return {"players": 3} if option else {}


def three(rules: Rules) -> list[str]:
    return [spec.key for spec in rules.seats(rules.clean(players_of(rules)))]


@pytest.mark.services
def test_a_seat_of_the_lobby_has_one_row_for_each_player(owner, opponent):
    game = make_lobby(owner, rules=team_rules())
    shared = next(spec.key for spec in default_specs(team_rules()) if spec.shared)
    for _ in range(2):
        sit(game, opponent, shared)
    assert Holder.objects.filter(seat__game=game, player=opponent.player).count() == 1
