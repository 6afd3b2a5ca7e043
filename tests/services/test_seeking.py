"""Seekers of an opponent: two meet in a game, and the first waits with an open seat."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.contract import Rules
from games.core.clocks import TimeControl
from games.core.rate_limits import SEEKS_PER_PLAYER
from games.core.registry import all_rules
from games.live.events import Asked
from games.live.source import Database
from games.models import Game, Holder, Player, Sighting
from games.services.absence import take_attendance
from games.services.seeking import all_wishes, seeker_for, seekers, usual_wish, withdraw
from games.services.setup import LISTED, ME, NewGame, create_game
from games.storage.cache import clear_all
from tests.support.game_requests import post_move
from tests.support.kinds import default_specs, kinds_with_two_information_sets, two_player_rules
from tests.support.players import Person

pytestmark = [pytest.mark.django_db, pytest.mark.services]

RULES = two_player_rules()
USUAL = usual_wish(RULES)
SIZES = [key for key, wish in all_wishes().items() if wish.rules == RULES]
OTHER = next(wish for wish in all_wishes().values() if wish.usual and wish.rules != RULES).key


def seek(person: Person, *kinds: str, pace: str = "now", **sent: str) -> Game:
    """Seek an opponent, and return the game to which that leads."""
    sought = {"kinds": [*kinds] or [USUAL], "pace": pace, **sent}
    response = person.client.post("/seek/", sought)
    assert response.status_code == 302, response.text
    return Game.objects.get(pk=response["Location"].split("/")[2])


def people(game: Game) -> list[str]:
    return sorted(Holder.objects.filter(seat__game=game).values_list("player__name", flat=True))


def leave(game: Game) -> None:
    """Let it be a while ago that anybody was seen in a lobby."""
    long_ago = timezone.now() - timedelta(minutes=2)
    Sighting.objects.filter(game=game).delete()
    Game.objects.filter(pk=game.pk).update(created=long_ago)
    clear_all()


def come(game: Game) -> None:
    """Let the host of a lobby be seen there."""
    Sighting.objects.create(game=game, player=game.created_by, seen=timezone.now())
    clear_all()


def open_seat(person: Person, time: TimeControl | None = None, **changes: object) -> Game:
    """Return a game with a lobby and an open seat, without seeking."""
    first, second = (spec.key for spec in default_specs(RULES))
    seating = {first: ME, second: LISTED}
    new = NewGame(rules=RULES, options={}, seating=seating, lobby=True, time=time)
    game = create_game(player=person.player, new=new)
    Game.objects.filter(pk=game.pk).update(**changes)
    return game


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
    first = game.seats.get(key__in=game.to_move).players.get()
    persons = sorted((owner, opponent), key=lambda person: person.player != first)
    for person in persons:
        assert seek(person) == game
        post_move(person, game)
        assert seek(person) != game


def test_a_game_met_long_ago_does_not_keep_anyone_from_the_next(
    owner: Person, opponent: Person
) -> None:
    seek(owner)
    game = seek(opponent)
    Game.objects.filter(pk=game.pk).update(began=timezone.now() - timedelta(minutes=11))
    assert seek(owner) != game


def test_an_absent_host_is_not_met(owner: Person, opponent: Person) -> None:
    waiting = seek(owner)
    leave(waiting)
    assert seek(opponent) != waiting


def test_an_open_game_with_a_clock_is_listed_while_its_host_is_there(
    owner: Person, stranger: Person
) -> None:
    waiting = seek(owner)
    leave(waiting)
    assert waiting.get_absolute_url() not in stranger.client.get("/").text
    come(waiting)
    assert waiting.get_absolute_url() in stranger.client.get("/").text


def test_an_open_game_whose_host_is_gone_is_listed_over_days(
    owner: Person, stranger: Person
) -> None:
    waiting = open_seat(owner)
    assert "over days" not in stranger.client.get("/").text
    leave(waiting)
    assert "over days" in stranger.client.get("/").text


def test_the_one_who_has_waited_longest_is_met(
    owner: Person, opponent: Person, stranger: Person
) -> None:
    first = seek(owner)
    leave(first)
    second = seek(opponent)
    come(first)
    assert seek(stranger) == first != second


def test_any_of_some_kinds_meets_one_of_them(
    owner: Person, opponent: Person, stranger: Person
) -> None:
    waiting = seek(owner, USUAL, OTHER)
    game = seek(opponent, OTHER)
    assert (game, people(game)) == (waiting, ["Olive", "Otto"])
    assert game.begun
    assert game.kind == all_wishes()[OTHER].rules.slug
    assert game.version > waiting.version
    assert seek(stranger) != game


def test_another_size_is_another_game(owner: Person, opponent: Person, stranger: Person) -> None:
    waiting = seek(owner, SIZES[0])
    assert seek(opponent, SIZES[1]) != waiting
    game = seek(stranger, *SIZES)
    assert game == waiting


def test_one_who_waits_already_waits_for_the_new_wishes_instead(
    owner: Person, opponent: Person
) -> None:
    waiting = seek(owner)
    assert seek(owner, OTHER) == waiting
    assert Game.objects.count() == 1
    assert seek(opponent, OTHER) == waiting


def test_who_meets_an_opponent_elsewhere_waits_no_longer(
    owner: Person, opponent: Person, stranger: Person
) -> None:
    first = seek(owner)
    second = seek(opponent, OTHER)
    assert seek(owner, OTHER) == second
    lobby = owner.client.get(first.get_absolute_url(), follow=True).text
    assert "You found an opponent in another game" in lobby
    assert seek(stranger) not in (first, second)


def test_days_and_now_are_different_seeks(owner: Person, opponent: Person) -> None:
    now, days = seek(owner), seek(owner, pace="days")
    assert now != days
    leave(days)
    game = seek(opponent, pace="days")
    assert (game, game.begun, game.time) == (days, True, TimeControl(days=3))


@pytest.mark.parametrize("slug", kinds_with_two_information_sets())
def test_two_are_operatives_beside_computers(slug: str, owner: Person, opponent: Person) -> None:
    key = usual_wish(all_rules()[slug])
    waiting, game = seek(owner, key), seek(opponent, key)
    assert (game, game.begun) == (waiting, True)
    secret = {spec.key for spec in default_specs(game.rules) if spec.secret}
    seats = {seat.key: seat for seat in game.seats.all()}
    assert {key for key, seat in seats.items() if seat.computer} == secret
    assert len(people(game)) == 2


@pytest.mark.parametrize(
    ("time", "changes"),
    [
        (None, {"hints": True}),
        (None, {"closed": True}),
        (None, {"rules_version": 0}),
        (TimeControl(minutes=1), {}),
        (TimeControl(days=1), {}),
    ],
    ids=str,
)
def test_open_games_of_another_sort_are_not_joined(
    owner: Person, opponent: Person, time: TimeControl | None, changes: dict[str, object]
) -> None:
    waiting = open_seat(owner, time, **changes)
    assert seek(opponent) != waiting


@pytest.mark.parametrize("time", [None, TimeControl(minutes=5, increment=3)], ids=str)
def test_an_open_seat_is_met_as_well(
    owner: Person, opponent: Person, time: TimeControl | None
) -> None:
    waiting = open_seat(owner, time)
    assert seek(opponent) == waiting
    assert people(waiting) == ["Olive", "Otto"]


def test_a_damaged_game_is_passed_over(owner: Person, opponent: Person) -> None:
    waiting = seek(owner)
    Game.objects.filter(pk=waiting.pk).update(setup={"size": "seven"})
    assert people(seek(opponent)) == ["Otto"]


def test_a_suspended_host_is_not_met(owner: Person, opponent: Person) -> None:
    waiting = seek(owner)
    Player.objects.filter(pk=owner.player.pk).update(suspended=True)
    assert seek(opponent) != waiting


def test_a_seek_for_a_kind_that_is_gone_is_refused_in_a_sentence(owner: Person) -> None:
    response = owner.client.post("/seek/", {"kinds": "chess"})
    assert (response.status_code, Game.objects.count()) == (422, 0)
    assert "no longer available" in response.text


def test_a_seek_without_a_kind_is_refused_in_a_sentence(owner: Person) -> None:
    response = owner.client.post("/seek/", {"pace": "now"})
    assert response.status_code == 422
    assert "Choose at least one game." in response.text


def test_the_last_choice_is_the_next_one(owner: Person) -> None:
    seek(owner, SIZES[1], pace="days", remember="1")
    form = owner.client.get("/").text.split('class="seek"')[1].split("</form>")[0]
    assert form.count(" checked") == 2
    assert f'value="{SIZES[1]}" checked' in form
    assert 'value="days" checked' in form


def test_a_withdrawn_seek_is_gone(owner: Person, opponent: Person) -> None:
    waiting = seek(owner)
    response = owner.client.post(f"{waiting.get_absolute_url()}leave/")
    assert (response.status_code, response["Location"]) == (302, "/")
    assert not Game.objects.exists()
    assert people(seek(opponent)) == ["Otto"]


def test_a_seek_withdrawn_after_its_match_leads_to_the_game(
    owner: Person, opponent: Person
) -> None:
    waiting = seek(owner)
    seek(opponent)
    response = owner.client.post(f"{waiting.get_absolute_url()}leave/")
    assert response["Location"] == waiting.get_absolute_url()
    assert people(waiting) == ["Olive", "Otto"]


def test_the_lobby_of_a_seek_waits_for_an_opponent(owner: Person) -> None:
    lobby = owner.client.get(seek(owner).get_absolute_url(), follow=True).text
    assert "Waiting for an opponent" in lobby
    assert "Stop looking" in lobby
    assert "Shuffle seats" not in lobby
    assert "Start now" not in lobby


# --- the line ---


def line_of(client: Client, address: str = "/") -> str:
    page = client.get(address).text
    return page.split('id="someone"')[1].split("</div>")[0] if 'id="someone"' in page else "closed"


def solo_game(person: Person, rules: Rules = RULES) -> Game:
    person.client.post(f"/new/{rules.slug}/start/", {"with": "computer"})
    return Game.objects.latest("created")


def test_the_front_page_has_a_line_of_others_who_wait(owner: Person, stranger: Person) -> None:
    seek(owner)
    assert "Someone wants to play" in line_of(stranger.client)
    assert "Someone wants to play" not in line_of(owner.client)


def test_who_plays_a_computer_of_the_kind_has_the_line(owner: Person, stranger: Person) -> None:
    seek(owner, USUAL, OTHER)
    for wish in (all_wishes()[USUAL], all_wishes()[OTHER]):
        clear_all()
        game = solo_game(stranger, wish.rules)
        assert f" {wish.key}" in line_of(stranger.client, game.get_absolute_url())


def test_joining_by_the_line_keeps_the_game_against_the_computer(
    owner: Person, stranger: Person
) -> None:
    waiting, solo = seek(owner, USUAL, OTHER), solo_game(stranger, all_wishes()[OTHER].rules)
    game = seek(stranger, join=f"{waiting.pk} {OTHER}")
    assert (game, game.kind) == (waiting, solo.kind)
    assert Game.objects.get(pk=solo.pk).status == Game.Status.RUNNING


def test_the_second_who_joins_by_the_line_is_told_so(
    owner: Person, opponent: Person, stranger: Person
) -> None:
    waiting = seek(owner)
    seek(opponent, join=f"{waiting.pk} {USUAL}")
    response = stranger.client.post("/seek/", {"join": f"{waiting.pk} {USUAL}"})
    assert response.status_code == 409
    assert "Someone else was faster" in response.text
    assert Game.objects.count() == 1


def test_the_line_stays_closed_for_a_day(
    owner: Person, stranger: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    seek(owner)
    game = solo_game(stranger)
    response = stranger.client.post("/seek/", {"quiet": "1", "next": game.get_absolute_url()})
    assert response["Location"] == game.get_absolute_url()
    assert line_of(stranger.client) == "closed"
    assert line_of(stranger.client, game.get_absolute_url()) == "closed"
    monkeypatch.setattr("games.web.preferences.QUIET_FOR", 0)
    assert line_of(stranger.client) != "closed"


def test_the_line_closes_to_an_own_page_only(stranger: Person) -> None:
    response = stranger.client.post("/seek/", {"quiet": "1", "next": "https://evil.example/"})
    assert response["Location"] == "/"


def test_one_whose_tab_is_gone_is_on_no_line(owner: Person, stranger: Person) -> None:
    waiting = seek(owner)
    leave(waiting)
    assert "Someone" not in line_of(stranger.client)


def test_one_who_seeks_over_days_is_on_no_line(owner: Person, stranger: Person) -> None:
    seek(owner, pace="days")
    assert "Someone" not in line_of(stranger.client)


def test_a_seeker_is_shown_to_others_only(owner: Person, stranger: Person) -> None:
    game = seek(owner)
    found = seekers()
    assert seeker_for(stranger.player.pk, RULES.slug, found) == (game.pk, USUAL, RULES)
    assert seeker_for(owner.player.pk, RULES.slug, found) is None
    assert seeker_for(None, "chess", found) is None


def test_streams_get_the_line_in_their_language(owner: Person, stranger: Person) -> None:
    seek(owner)
    asked = [Asked(RULES.slug, language, None) for language in ("en", "nl")]
    asked += [Asked("chess", "en", None), Asked(RULES.slug, "en", owner.player.pk)]
    found = [Database().lines(asked)[each].plain["body"].decode() for each in asked]
    assert "Someone wants to play" in found[0]
    assert "Iemand wil" in found[1]
    assert found[2] == found[3]
    assert "<p" not in found[2]


def test_seeks_of_one_player_are_limited(owner: Person, settings) -> None:
    settings.RATE_LIMITS = True
    for _ in range(SEEKS_PER_PLAYER.limit):
        seek(owner)
    assert owner.client.post("/seek/", {"kinds": USUAL}).status_code == 429


def test_a_withdrawn_lobby_keeps_no_others_from_being_noted(owner: Person) -> None:
    waiting = seek(owner)
    withdraw(game_id=waiting.pk, player=owner.player)
    take_attendance(waiting.pk)
    assert not Game.objects.exists()
