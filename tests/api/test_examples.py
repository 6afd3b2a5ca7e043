"""The bot in `examples` plays whole games at a running site."""

from __future__ import annotations

import pytest

from games.core.registry import all_rules
from tests.support.kinds import default_specs, two_player_rules
from tests.support.servers.programs import Newcomer, running

pytestmark = pytest.mark.processes


def test_the_bot_plays_whole_games_of_all_kinds(site):
    who = Newcomer(site)
    games = [
        who.new_game(slug, {spec.key: "me" for spec in default_specs(rules)})
        for slug, rules in all_rules().items()
    ]
    with running(who, "bot.py"):
        assert all(who.wait_for_end(game)["result"]["reason"] for game in games)


def test_a_bot_that_seeks_takes_an_open_seat_and_plays_on(site):
    host, rules = Newcomer(site), two_player_rules()
    bot = Newcomer(site, "/me/bots/new/", name="Randy", kinds=rules.slug)
    first, second = (spec.key for spec in default_specs(rules))
    game = host.new_game(rules.slug, {first: "me", second: "listed-bots"})
    with running(host, "bot.py"), running(bot, "bot.py", "--seek"):
        assert host.wait_for_end(game)["seats"][second]["names"] == ["Randy (bot)"]


def test_the_bot_takes_the_seat_of_an_invitation(site):
    host, bot, rules = Newcomer(site), Newcomer(site), two_player_rules()
    first, second = (spec.key for spec in default_specs(rules))
    game = host.new_game(rules.slug, {first: "me", second: "invite"})
    (invitation,) = host.ask(f"games/{game}/invitations")
    with running(host, "bot.py"), running(bot, "bot.py", invitation["token"]):
        assert host.wait_for_end(game)["result"]["reason"]
