"""A player asks a known one for a game, once, and is answered in one tap."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from games.models import Game, NoticeKind, Outgoing, Player, Seat
from games.notices import channels, events
from games.people.bots import make_bot
from games.services import lobby
from games.services.challenges import challenges_to
from games.state.seat_claims import person_key
from tests.support.game_factory import make_finished_game
from tests.support.kinds import two_player_rules
from tests.support.letters import claim_notices, let_all_be_due
from tests.support.players import Person, new_person

pytestmark = pytest.mark.django_db(transaction=True)

TOLD = "asks you for a game"
NOT_NOW = "You can’t ask this player for a game now."


@pytest.fixture
def before(owner: Person, opponent: Person) -> Game:
    """Return a finished game of owner and opponent, by which they know each other."""
    return make_finished_game(owner, opponent)


def ask(person: Person, before: Game, other: Person, **fields: str):
    key = f"{before.pk}:{person_key(before.pk, other.player.pk)}"
    values = {"of": key, "kind": two_player_rules().slug, "time": "3d"}
    return person.client.post("/me/ask/", values | fields)


def answer(person: Person, game: Game, **fields: str):
    return person.client.post("/me/ask/answer/", {"game": game.pk, **fields})


def asked_game(owner: Person, opponent: Person, before: Game) -> Game:
    response = ask(owner, before, opponent)
    assert response.status_code == 302
    return Game.objects.get(begun=False)


def test_the_page_names_the_people_of_the_last_games(
    owner: Person, opponent: Person, before: Game
) -> None:
    page = owner.client.get("/me/ask/").text
    assert "Otto" in page and str(opponent.player.pk) not in page
    assert "people with whom" in new_person("Stan").client.get("/me/ask/").text


def test_the_other_is_asked_on_both_pages_and_plays_in_one_tap(
    owner: Person, opponent: Person, before: Game
) -> None:
    game = asked_game(owner, opponent, before)
    assert "Otto was asked." in owner.client.get(f"/g/{game.pk}/", follow=True).text
    assert game.time and game.time.days == 3
    for address in ("/me/", "/"):
        assert TOLD in opponent.client.get(address).text
        assert TOLD not in owner.client.get(address).text
    response = answer(opponent, game)
    assert response["Location"] == game.get_absolute_url()
    game.refresh_from_db()
    assert game.begun
    assert TOLD not in opponent.client.get("/me/").text


def test_the_list_of_an_open_front_page_is_renewed(
    owner: Person, opponent: Person, before: Game
) -> None:
    polled = {"HX-Request": "true"}
    assert TOLD not in opponent.client.get("/", headers=polled).text
    asked_game(owner, opponent, before)
    assert TOLD in opponent.client.get("/", headers=polled).text


def test_the_other_is_told_by_a_channel(owner: Person, opponent: Person, before: Game) -> None:
    channels.set_hook(player=opponent.player, url="https://hooks.example/", site="https://x/")
    asked_game(owner, opponent, before)
    let_all_be_due()
    assert [notice.event for notice in claim_notices(opponent.player.pk)] == [NoticeKind.CHALLENGED]


def test_nobody_is_told_of_a_request_that_was_answered(
    owner: Person, opponent: Person, before: Game
) -> None:
    channels.set_hook(player=opponent.player, url="https://hooks.example/", site="https://x/")
    answer(opponent, asked_game(owner, opponent, before), decline="1")
    let_all_be_due()
    assert list(claim_notices(opponent.player.pk)) == []
    assert Outgoing.objects.filter(kind=NoticeKind.CHALLENGED).count() == 0


@pytest.mark.services
def test_asking_again_leads_to_the_same_game(owner: Person, opponent: Person, before: Game) -> None:
    first = ask(owner, before, opponent)["Location"]
    assert ask(owner, before, opponent)["Location"] == first
    assert len(challenges_to(opponent.player.pk)) == 1


@pytest.mark.services
def test_two_who_ask_each_other_get_one_game(owner: Person, opponent: Person, before: Game) -> None:
    asked_game(owner, opponent, before)
    refused = ask(opponent, before, owner)
    assert refused.status_code == 422 and "has asked you" in refused.text
    assert Game.objects.filter(begun=False).count() == 1


def test_a_declined_request_is_over_for_a_day(
    owner: Person, opponent: Person, before: Game
) -> None:
    game = asked_game(owner, opponent, before)
    assert answer(opponent, game, decline="1")["Location"] == "/me/"
    game.refresh_from_db()
    assert "Otto doesn’t want to play now." in owner.client.get(f"/g/{game.pk}/", follow=True).text
    assert NOT_NOW in ask(owner, before, opponent).text
    Seat.objects.exclude(declined=None).update(declined=timezone.now() - timedelta(days=2))
    assert ask(owner, before, opponent).status_code == 302


def test_requests_can_be_shut_off(owner: Person, opponent: Person, before: Game) -> None:
    wanted = [kind for kind in NoticeKind.values if kind != NoticeKind.CHALLENGED]
    events.choose_kinds(player=opponent.player, wanted=wanted)
    assert NOT_NOW in ask(owner, before, opponent).text
    assert not Game.objects.filter(begun=False).exists()


def test_suspended_players_and_bots_are_not_asked(
    owner: Person, opponent: Person, before: Game
) -> None:
    Player.objects.filter(pk=opponent.player.pk).update(suspended=True)
    assert NOT_NOW in ask(owner, before, opponent).text
    Player.objects.update(suspended=False)
    make_bot(owner=new_person("Mia").player, name="Robo", about="", kinds=[before.kind])
    Player.objects.filter(bot__isnull=False).update(public_id="robo")
    assert NOT_NOW in owner.client.post("/me/ask/", {"of": "robo", "kind": before.kind}).text


def test_nobody_asks_oneself_or_one_who_is_gone(
    owner: Person, opponent: Person, before: Game
) -> None:
    Player.objects.filter(pk=owner.player.pk).update(public_id="olive")
    assert NOT_NOW in owner.client.post("/me/ask/", {"of": "olive", "kind": before.kind}).text
    opponent.player.delete()
    assert NOT_NOW in ask(owner, before, opponent).text


def test_an_unknown_kind_is_refused(owner: Person, opponent: Person, before: Game) -> None:
    assert NOT_NOW in ask(owner, before, opponent, kind="ludo").text


def test_a_stranger_cannot_answer(owner: Person, opponent: Person, before: Game) -> None:
    game = asked_game(owner, opponent, before)
    for fields in ({}, {"decline": "1"}):
        refused = answer(new_person("Stan"), game, **fields)
        assert "no longer open" in refused.text
    assert answer(owner, game).status_code == 302
    game.refresh_from_db()
    assert not game.begun and len(challenges_to(opponent.player.pk)) == 1


def test_a_seat_that_a_friend_took_is_gone(owner: Person, opponent: Person, before: Game) -> None:
    game = asked_game(owner, opponent, before)
    free, friend = game.seats.get(players=None), new_person("Stan")
    lobby.sit_down(game_id=game.pk, seat_key=free.key, player=friend.player)
    assert TOLD not in opponent.client.get("/me/").text
    assert "no longer open" in answer(opponent, game).text


def test_a_second_tap_changes_nothing(owner: Person, opponent: Person, before: Game) -> None:
    game = asked_game(owner, opponent, before)
    assert answer(opponent, game)["Location"] == answer(opponent, game)["Location"]


def test_a_public_page_leads_to_the_request(owner: Person, opponent: Person) -> None:
    Player.objects.filter(pk=opponent.player.pk).update(public_id="otto")
    assert "/me/ask/?of=otto" in owner.client.get("/players/otto/").text
    assert "/me/ask/?of=otto" not in opponent.client.get("/players/otto/").text
    page = owner.client.get("/me/ask/?of=otto").text
    assert 'value="otto" selected' in page
    owner.client.post("/me/ask/", {"of": "otto", "kind": two_player_rules().slug})
    assert len(challenges_to(opponent.player.pk)) == 1


def test_a_result_leads_to_the_request(owner: Person, before: Game) -> None:
    assert f"/me/ask/?kind={before.kind}" in owner.client.get(before.get_absolute_url()).text


@pytest.mark.services
def test_at_most_ten_requests_stand_for_a_player(opponent: Person) -> None:
    Player.objects.filter(pk=opponent.player.pk).update(public_id="otto")
    fields = {"of": "otto", "kind": two_player_rules().slug}
    hosts = [new_person(f"P{number}") for number in range(11)]
    answers = [host.client.post("/me/ask/", fields) for host in hosts]
    assert [response.status_code for response in answers] == [302] * 10 + [answers[-1].status_code]
    assert NOT_NOW in answers[-1].text
