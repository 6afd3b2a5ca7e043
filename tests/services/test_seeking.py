"""Games against anyone: two who come alone meet in one, and the first waits with an open seat."""

from __future__ import annotations

import pytest

from games.core.clocks import TimeControl
from games.core.registry import all_rules
from games.models import Game, Holder
from games.services import plans
from games.storage.cache import clear_all
from tests.support.game_requests import post_move
from tests.support.kinds import default_specs, two_player_rules
from tests.support.players import Person

pytestmark = pytest.mark.django_db

START = f"/new/{two_player_rules().slug}/start/"


def seek(person: Person) -> Game:
    """Seek an opponent, and return the game to which that leads."""
    response = person.client.post(START, {"with": plans.ANYONE})
    assert response.status_code == 302, response.text
    return Game.objects.get(pk=response["Location"].split("/")[2])


def people(game: Game) -> list[str]:
    return sorted(Holder.objects.filter(seat__game=game).values_list("player__name", flat=True))


def test_two_who_seek_an_opponent_meet(owner: Person, opponent: Person) -> None:
    waiting = seek(owner)
    assert not waiting.begun
    assert waiting.get_absolute_url() in opponent.client.get("/").text
    game = seek(opponent)
    assert (game, people(game)) == (waiting, ["Olive", "Otto"])
    assert game.begun
    assert game.time == TimeControl(minutes=10, increment=5)


def test_the_third_waits_for_a_fourth(owner: Person, opponent: Person, stranger: Person) -> None:
    first, second, third = seek(owner), seek(opponent), seek(stranger)
    assert first == second != third
    assert people(third) == ["Stan"]


def test_seeking_twice_leads_to_the_same_game(owner: Person, opponent: Person) -> None:
    assert seek(owner) == seek(owner) == seek(opponent) == seek(opponent) == seek(owner)
    assert Game.objects.count() == 1


def test_who_has_moved_seeks_a_new_game(owner: Person, opponent: Person) -> None:
    seek(owner)
    game = seek(opponent)
    for person in (owner, opponent):
        post_move(person, game)
    assert seek(owner) != game


def leave(game: Game, *people: Person) -> None:
    """Note that some people have no page of the lobby open."""
    away = [str(person.player.pk) for person in people]
    Game.objects.filter(pk=game.pk).update(attendance={"away": away})


def test_an_absent_host_is_not_met(owner: Person, opponent: Person) -> None:
    waiting = seek(owner)
    leave(waiting, owner)
    assert seek(opponent) != waiting


def test_an_open_game_with_a_clock_is_listed_while_its_host_is_there(
    owner: Person, stranger: Person
) -> None:
    waiting = seek(owner)
    leave(waiting, owner)
    assert waiting.get_absolute_url() not in stranger.client.get("/").text
    clear_all()
    leave(waiting)
    assert waiting.get_absolute_url() in stranger.client.get("/").text


def test_the_one_who_has_waited_longest_is_met(
    owner: Person, opponent: Person, stranger: Person
) -> None:
    first = seek(owner)
    leave(first, owner)
    second = seek(opponent)
    leave(first)
    assert seek(stranger) == first != second


@pytest.mark.parametrize(
    "changes", [{"hints": True}, {"closed": True}, {"clock": None}, {"rules_version": 0}], ids=str
)
def test_games_of_another_sort_are_not_joined(
    owner: Person, opponent: Person, changes: dict[str, object]
) -> None:
    waiting = seek(owner)
    Game.objects.filter(pk=waiting.pk).update(**changes)
    assert seek(opponent) != waiting


def test_a_damaged_game_is_passed_over(owner: Person, opponent: Person) -> None:
    waiting = seek(owner)
    Game.objects.filter(pk=waiting.pk).update(setup={"size": "seven"})
    assert people(seek(opponent)) == ["Otto"]


def test_only_games_of_two_offer_anyone() -> None:
    for rules in all_rules().values():
        for_two = len(default_specs(rules)) == 2
        assert (plans.ANYONE in plans.quick_opponents(rules)) == for_two
