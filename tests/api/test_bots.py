"""A bot is a marked player of its own. It takes the open seats that allow bots, and is listed."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.core.refusals import BadName, Refusal
from games.core.registry import all_rules
from games.models import Bot, Game, Player
from games.people.bots import bots_of, make_bot, make_token, tokens_of
from games.people.forgetting import forget_player
from games.people.merging import merge_players
from games.people.personal_data import player_data
from games.services import lobby, play, players, seats
from games.services.lobby import sit_down
from games.services.rematch import rematch
from games.state.snapshot import read_snapshot
from tests.api.test_api import Program, problem
from tests.support.emails import create_account
from tests.support.game_factory import make_game, make_lobby
from tests.support.kinds import (
    default_specs,
    kinds_with_two_information_sets,
    seat_keys,
    two_player_rules,
)
from tests.support.players import Person, new_person


def bot_of(person: Person, name: str = "Randy", **more: Any) -> Bot:
    kinds = more.pop("kinds", list(all_rules()))
    return make_bot(owner=person.player, name=name, about=more.pop("about", ""), kinds=kinds)


def program_of(bot: Bot) -> Program:
    return Program(make_token(player=bot.owner, name="token", bot=bot))


def offered_game(host: Person, choice: str = "listed-bots") -> tuple[Game, str]:
    """Return a game of two, and the key of its open seat."""
    rules = two_player_rules()
    first, second = seat_keys(rules)
    return make_game(host, rules=rules, seating={first: "me", second: choice}), second


# --- making and changing ---------------------------------------------------------------------


def test_a_bot_is_made_on_a_page_that_shows_its_first_token(owner):
    kinds = list(all_rules())[:1]
    form = {"name": "Randy", "about": "Plays at random", "kinds": kinds}
    page = owner.client.post("/me/bots/new/", form)
    bot = Bot.objects.get()
    assert (bot.owner, str(bot), bot.about) == (owner.player, "Randy (bot)", "Plays at random")
    assert page["Cache-Control"] == "no-store"
    assert Program(page.context["made"]).get("games").json() == []
    assert "Randy (bot)" in owner.client.get("/me/access/").text


def test_a_visitor_who_has_not_played_yet_becomes_the_owner_of_a_bot(client, db):
    page = client.post("/me/bots/new/", {"name": "Randy", "kinds": list(all_rules())})
    assert page.status_code == 200
    assert "Randy (bot)" in client.get("/me/access/").text


@pytest.mark.parametrize(
    "wrong",
    [{"name": ""}, {"name": "x" * 25}, {"name": "\u202e"}, {"kinds": []}, {"kinds": ["chess"]}],
)
def test_a_bot_needs_a_name_that_can_be_shown_and_a_game(wrong, owner):
    form = {"name": "Randy", "kinds": list(all_rules()), **wrong}
    assert owner.client.post("/me/bots/new/", form).status_code == 422
    assert not Bot.objects.exists()


def test_the_line_about_a_bot_hides_nothing(owner):
    assert bot_of(owner, about="a\u202eb\n c").about == "a\ufffdb c"


def test_an_owner_has_a_few_bots(owner):
    for number in range(5):
        bot_of(owner, f"Bot {number}")
    form = {"name": "Randy", "kinds": list(all_rules())}
    assert owner.client.post("/me/bots/new/", form).status_code == 422


def test_only_its_owner_changes_or_deletes_a_bot(owner, stranger):
    bot = bot_of(owner)
    form = {"name": "Ada", "about": "Better", "kinds": list(all_rules())[:1]}
    address = f"/me/bots/{bot.pk}/"
    assert stranger.client.post(address, form).status_code == 404
    assert stranger.client.post(address, {"delete": "1"}).status_code == 404
    owner.client.post(address, form)
    assert str(Bot.objects.get()) == "Ada (bot)"
    owner.client.post(address, {"delete": "1"})
    assert not Bot.objects.exists()


def test_a_deleted_bot_leaves_seats_that_still_say_bot(owner, opponent):
    bot = bot_of(owner)
    game, seat = offered_game(opponent)
    program_of(bot).post(f"games/{game.id}/seats/{seat}")
    forget_player(player=owner.player)
    assert not Bot.objects.exists()
    assert names_in(game) == {"Otto", "(bot)"}


def test_nobody_else_has_a_name_that_ends_as_a_bots_does(owner):
    for name in ("Ada (bot)", "Ada(bot)", "Ada (B\u043et)", "Ada [bot]"):
        with pytest.raises(BadName):
            players.rename(player=owner.player, name=name)


def test_staff_who_remove_the_name_of_a_bot_leave_the_mark(owner):
    bot = bot_of(owner, about="Rude")
    players.remove_names(player=bot.player)
    bot = Bot.objects.get()
    assert (str(bot), bot.about) == ("(bot)", "")


def test_the_bots_of_a_suspended_player_are_suspended(owner):
    bot = bot_of(owner)
    players.suspend(player=owner.player, suspended=True)
    assert problem(program_of(bot).post("games", kind=two_player_rules().slug), 403) == "suspended"


def test_bots_follow_their_owner_to_another_device(owner, stranger):
    bot_of(owner)
    merge_players(source=owner.player, target=stranger.player)
    assert [str(bot) for bot in bots_of(stranger.player)] == ["Randy (bot)"]


def test_an_export_names_the_bots(owner):
    bot_of(owner)
    (exported,) = player_data(owner.player)["bots"]
    assert exported["name"] == "Randy (bot)"


def test_tokens_of_a_bot_are_made_and_withdrawn_by_its_owner(owner, stranger):
    bot = bot_of(owner)
    made = owner.client.post("/me/access/", {"name": "Home", "bot": bot.pk}).context["made"]
    assert Program(made).get("games").status_code == 200
    (token,) = tokens_of(owner.player)
    assert token.player == bot.player
    own = stranger.client.post("/me/access/", {"name": "Theft", "bot": bot.pk}).context["made"]
    assert own and tokens_of(stranger.player)[0].player == stranger.player
    owner.client.post("/me/access/", {"withdraw": token.pk})
    assert problem(Program(made).get("games"), 401) == "no_token"


# --- open seats ------------------------------------------------------------------------------


def test_a_bot_takes_an_open_seat_that_allows_bots(owner, opponent):
    program = program_of(bot_of(owner))
    game, seat = offered_game(opponent)
    (offer,) = program.get("open-seats").json()
    assert (offer["id"], offer["seats"], offer["host"]) == (game.id, [seat], "Otto")
    assert program.get(f"games/{game.id}").json()["free_seats"] == [seat]
    state = program.post(f"games/{game.id}/seats/{seat}").json()
    assert state["your_seats"] == [seat]
    assert state["seats"][seat]["names"] == ["Randy (bot)"]


def test_a_bot_finds_and_takes_no_open_seat_of_people(owner, opponent):
    program = program_of(bot_of(owner))
    game, seat = offered_game(opponent, "listed")
    assert program.get("open-seats").json() == []
    assert program.get(f"games/{game.id}").json()["free_seats"] == []
    refused = program.post(f"games/{game.id}/seats/{seat}")
    assert problem(refused, 403) == "not_for_bots"
    assert names_in(game) == {"Otto"}


def test_people_take_open_seats_of_both_kinds(owner, opponent):
    program = Program(make_token(player=owner.player, name="mine"))
    games = [offered_game(new_person("Host"), choice) for choice in ("listed", "listed-bots")]
    assert {game["id"] for game in program.get("open-seats").json()} == {g.id for g, _ in games}
    for game, seat in games:
        assert program.post(f"games/{game.id}/seats/{seat}").status_code == 200


def test_a_bot_takes_the_seat_of_an_invitation_that_its_owner_has_passed_on(owner, opponent):
    game, seat = offered_game(opponent, "invite")
    token = seats.invitation_token(game.seats.get(key=seat))
    state = program_of(bot_of(owner)).post("join", token=token).json()
    assert state["your_seats"] == [seat]


def test_a_bot_is_offered_the_kinds_that_it_plays(owner, opponent):
    game, _seat = offered_game(opponent)
    others = [slug for slug in all_rules() if slug != game.kind]
    assert program_of(bot_of(owner, kinds=others)).get("open-seats").json() == []


def test_a_host_opens_a_seat_to_bots_on_the_page_of_a_new_game(owner):
    rules = two_player_rules()
    first, second = seat_keys(rules)
    form = {f"seat-{first}": "me", f"seat-{second}": "listed-bots"}
    owner.client.post(f"/new/{rules.slug}/", form)
    seat = Game.objects.get().seats.get(key=second)
    assert (seat.listed, seat.for_bots) == (True, True)


def test_a_rematch_opens_the_same_seats_to_bots(owner, opponent):
    game = make_game(
        owner, rules=(rules := two_player_rules()),
        seating=dict(zip(seat_keys(rules), ("me", "listed-bots"), strict=True)),
    )  # fmt: skip
    play.resign(game_id=game.id, seat=seat_keys(rules)[0], player=owner.player, ply=0, undone=0)
    again = rematch(game_id=game.id, player=owner.player)
    assert again.seats.filter(listed=True, for_bots=True).count() == 1


# --- names and the list ----------------------------------------------------------------------


def names_in(game: Game) -> set[str]:
    places = read_snapshot(game.id).seating.places.values()
    return {name for place in places for name in place.players.values()}


def test_every_page_with_the_name_of_a_bot_says_bot(owner, opponent):
    create_account(owner)
    bot = bot_of(owner)
    game, seat = offered_game(opponent)
    program_of(bot).post(f"games/{game.id}/seats/{seat}")
    pages = (
        game.get_absolute_url(),
        f"{game.get_absolute_url()}export.json",
        "/me/",
        f"/players/{bot.player.public_id}/",
        "/bots/",
    )
    assert all("Randy (bot)" in opponent.client.get(page).text for page in pages)


def test_a_lobby_and_the_front_page_say_bot(owner, client):
    bot = bot_of(owner)
    rules = two_player_rules()
    seating = dict(zip(seat_keys(rules), ("me", "listed"), strict=True))
    made = program_of(bot).post("games", kind=rules.slug, seating=seating).json()["id"]
    assert "Randy (bot)" in client.get("/").text
    assert "Randy (bot)" in client.get("/open-seats.atom").text
    game = make_lobby(owner)
    free = next(key for key, place in read_snapshot(game.id).seating.places.items() if place.empty)
    sit_down(game_id=game.id, seat_key=free, player=bot.player)
    assert "Randy (bot)" in owner.client.get(game.get_absolute_url()).text
    assert Game.objects.filter(pk=made).exists()


def test_bots_are_listed_with_what_they_play_and_their_latest_results(owner, opponent, client):
    rules = two_player_rules()
    create_account(owner)
    bot = bot_of(owner, about="Plays at random", kinds=[rules.slug])
    for number in range(4):
        game, seat = offered_game(opponent if number else new_person("Early"))
        program_of(bot).post(f"games/{game.id}/seats/{seat}")
        play.resign(game_id=game.id, seat=seat, player=bot.player, ply=0, undone=0)
    (entry,) = client.get("/bots/").context["bots"]
    assert (str(entry.bot), entry.kinds) == ("Randy (bot)", [rules])
    assert [result.others for result in entry.results] == ["Otto"] * 3
    assert "Plays at random" in client.get("/bots/").text


def test_the_list_leaves_out_suspended_bots_and_closed_games(owner, opponent, client):
    bot = bot_of(owner)
    create_account(owner)
    game, seat = offered_game(opponent)
    program_of(bot).post(f"games/{game.id}/seats/{seat}")
    play.resign(game_id=game.id, seat=seat, player=bot.player, ply=0, undone=0)
    Game.objects.update(closed=True)
    (entry,) = client.get("/bots/").context["bots"]
    assert entry.results == []
    players.suspend(player=bot.player, suspended=True)
    assert client.get("/bots/").context["bots"] == []


def test_the_list_of_bots_has_pages(client, db):
    later = timezone.now() + timedelta(days=1)
    for number in range(21):
        owner = new_person(f"Owner {number}").player
        player = Player.objects.create(name=f"Bot {number} (bot)", public_id=f"bot{number}")
        Bot.objects.create(player=player, owner=owner, kinds=[], listed_until=later)
    first = client.get("/bots/").context
    assert len(first["bots"]) == 20
    assert len(client.get(f"/bots/?before={first['older']}").context["bots"]) == 1
    assert len(Client().get("/bots/?before=x").context["bots"]) == 20


# --- secrecy ---------------------------------------------------------------------------------


def two_sets(slug: str) -> tuple[str, str]:
    """Return two seats of different information sets, the first one without secrets."""
    specs = default_specs(all_rules()[slug])
    plain = next(spec for spec in specs if not spec.secret)
    return plain.key, next(s.key for s in specs if s.information_set != plain.information_set)


@pytest.mark.parametrize("slug", kinds_with_two_information_sets())
def test_a_bot_and_its_owner_do_not_get_seats_with_different_secrets(slug, owner, opponent):
    plain, secret = two_sets(slug)
    program = program_of(bot_of(owner))
    game = make_game(opponent, rules=all_rules()[slug], seating={secret: "listed-bots"})
    sit = game.seats.get(key=plain)
    seats.claim_seat(token=seats.invitation_token(sit), player=owner.player)
    refused = program.post(f"games/{game.id}/seats/{secret}")
    assert problem(refused, 422) == "another_information_set"


@pytest.mark.parametrize("slug", kinds_with_two_information_sets())
def test_two_bots_of_an_owner_do_not_get_seats_with_different_secrets(slug, owner, opponent):
    plain, secret = two_sets(slug)
    game = make_lobby(opponent, rules=all_rules()[slug])
    sit_down(game_id=game.id, seat_key=plain, player=bot_of(owner, "Ada").player)
    token = seats.invitation_token(game.seats.get(key=secret))
    refused = program_of(bot_of(owner, "Bob")).post("join", token=token)
    assert problem(refused, 422) == "another_information_set"


@pytest.mark.parametrize("slug", kinds_with_two_information_sets())
def test_an_owner_joins_no_device_that_plays_with_other_secrets_than_the_bot(
    slug, owner, opponent, stranger
):
    plain, secret = two_sets(slug)
    game = make_game(opponent, rules=all_rules()[slug], seating={secret: "listed-bots"})
    program_of(bot_of(owner)).post(f"games/{game.id}/seats/{secret}")
    sit = game.seats.get(key=plain)
    seats.claim_seat(token=seats.invitation_token(sit), player=stranger.player)
    with pytest.raises(Refusal):
        merge_players(source=owner.player, target=stranger.player)


@pytest.mark.parametrize("slug", kinds_with_two_information_sets())
def test_shuffled_seats_keep_a_bot_and_its_owner_to_the_same_secrets(slug, owner):
    rules = all_rules()[slug]
    plain, _ = two_sets(slug)
    game = make_lobby(owner, rules=rules)
    sit_down(game_id=game.id, seat_key=plain, player=owner.player)
    bot = bot_of(owner)
    same = [spec.key for spec in default_specs(rules) if not spec.secret][-1]
    sit_down(game_id=game.id, seat_key=same, player=bot.player)
    for seed in range(8):
        snapshot = lobby.shuffle(game_id=game.id, player=owner.player, rng=Random(seed))
        held = {snapshot.spec(key).information_set
                for who in (owner.player.pk, bot.player_id)
                for key in snapshot.seats_of(who)}  # fmt: skip
        assert len(held) == 1


@pytest.mark.parametrize("slug", kinds_with_two_information_sets())
def test_the_owner_of_a_deleted_bot_gets_no_seat_with_other_secrets(slug, owner, opponent):
    plain, secret = two_sets(slug)
    game = make_game(opponent, rules=all_rules()[slug], seating={secret: "listed-bots"})
    bot = bot_of(owner)
    program_of(bot).post(f"games/{game.id}/seats/{secret}")
    forget_player(player=bot.player)
    sit = game.seats.get(key=plain)
    with pytest.raises(Refusal):
        seats.claim_seat(token=seats.invitation_token(sit), player=owner.player)
