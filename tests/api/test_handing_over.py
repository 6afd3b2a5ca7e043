"""A player's seat goes to a bot of the player and back, who are one person where secrets matter."""

from __future__ import annotations

from typing import Any

import pytest

from games.core.registry import all_rules
from games.models import Bot, Game
from games.people.bots import make_bot, make_token
from games.services.insights import noted_sets
from games.services.lobby import close_to_watchers
from tests.api.test_api import Program, problem, program_of
from tests.support.game_factory import make_finished_game, make_game
from tests.support.kinds import default_specs, kinds_with_secrets
from tests.support.players import Person


def bot_of(owner: Person) -> Bot:
    return make_bot(owner=owner.player, name="Edda", about="", kinds=[*all_rules()])


def hand(person: Person, game: Game, seat: str, to: Any) -> Any:
    return person.client.post(f"/g/{game.id}/tokens/", {"seat": seat, "to": str(to.pk)})


def holder(game: Game, seat: str) -> Any:
    return game.seats.get(key=seat).holders.get().player


def test_the_menu_of_a_running_game_leads_players_to_their_bots(owner, opponent, stranger):
    game = make_game(owner, opponent)
    address = f'href="{game.get_absolute_url()}tokens/"'
    assert address in owner.client.get(game.get_absolute_url()).text
    assert address not in stranger.client.get(game.get_absolute_url()).text
    over = make_finished_game(owner, opponent)
    assert f"{over.get_absolute_url()}tokens/" not in owner.client.get(over.get_absolute_url()).text


def test_a_bot_plays_on_from_the_seat_of_its_owner_who_takes_it_back(owner, opponent):
    game, bot = make_game(owner, opponent), bot_of(owner)
    seat = game.specs[0].key
    page = owner.client.get(f"/g/{game.id}/tokens/").text
    assert f'name="to" value="{bot.player.pk}"' in page
    assert hand(owner, game, seat, bot.player).url == game.get_absolute_url()
    program = Program(make_token(player=owner.player, name="bot", bot=bot))
    state = program.get(f"games/{game.id}").json()
    assert state["your_seats"] == [seat]
    move = {"seat": seat, "move": state["legal_moves"][seat][0], "ply": 0}
    assert program.post(f"games/{game.id}/moves", **move).status_code == 200
    hand(owner, game, seat, owner.player)
    assert holder(game, seat) == owner.player


def test_a_program_hands_a_seat_of_its_player_to_a_bot(owner, opponent):
    game, bot = make_game(owner, opponent), bot_of(owner)
    seat, program = game.specs[0].key, program_of(owner)
    path = f"games/{game.id}/seats/{seat}/hand-over"
    state = program.post(path, to=bot.player.public_id).json()
    assert (state["your_seats"], holder(game, seat)) == ([], bot.player)
    of_bot = Program(make_token(player=owner.player, name="bot", bot=bot))
    assert problem(of_bot.post(path, to="me"), 403) == "not_your_seat"
    assert program.post(path, to="me").json()["your_seats"] == [seat]


def test_nobody_hands_over_the_seat_of_another_or_to_the_bot_of_another(owner, opponent, stranger):
    game, bot = make_game(owner, opponent), bot_of(opponent)
    first, second = (spec.key for spec in game.specs)
    assert hand(owner, game, first, bot.player).status_code == 403
    assert hand(opponent, game, first, bot.player).status_code == 403
    assert hand(owner, game, second, owner.player).status_code == 403
    assert hand(stranger, game, first, stranger.player).status_code == 404
    assert holder(game, first) == owner.player


def test_no_seat_of_a_finished_game_is_handed_over(owner, opponent):
    game, bot = make_finished_game(owner, opponent), bot_of(owner)
    assert hand(owner, game, game.specs[0].key, bot.player).status_code == 409


@pytest.mark.parametrize("kind", kinds_with_secrets())
def test_the_owner_of_a_bot_with_secrets_has_seen_them(owner, opponent, kind):
    rules = all_rules()[kind]
    secret = next(spec for spec in default_specs(rules) if spec.secret)
    seating = {spec.key: "me" if spec == secret else "invite" for spec in default_specs(rules)}
    game, bot = make_game(owner, rules=rules, seating=seating), bot_of(owner)
    hand(owner, game, secret.key, bot.player)
    assert holder(game, secret.key) == bot.player
    assert noted_sets(game.pk, owner.player.pk) == {secret.information_set}


@pytest.mark.parametrize("kind", kinds_with_secrets())
def test_no_bot_gets_a_seat_whose_owner_sees_something_else(owner, kind):
    game, bot = make_game(owner, rules=all_rules()[kind]), bot_of(owner)
    for spec in game.specs:
        assert hand(owner, game, spec.key, bot.player).status_code == 422


def test_the_owner_of_a_bot_still_sees_a_closed_game_and_takes_the_seat_back(
    owner, opponent, stranger
):
    game, bot = make_game(opponent, owner), bot_of(owner)
    seat = game.specs[1].key
    close_to_watchers(game_id=game.id, player=opponent.player, closed=True)
    hand(owner, game, seat, bot.player)
    assert owner.client.get(f"/g/{game.id}/").status_code == 200
    assert stranger.client.get(f"/g/{game.id}/").status_code == 403
    assert hand(owner, game, seat, owner.player).status_code == 302
    assert holder(game, seat) == owner.player
