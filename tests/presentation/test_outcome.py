"""The end of a game is told by who won, first of all, and nothing is said twice."""

from __future__ import annotations

import pytest

from games.contract import Result, SeatSpec, text
from games.models import Game
from games.presentation.outcome import outcome
from games.registry import all_rules
from tests.support.game_factory import make_game
from tests.support.players import Person

RED, BLUE, GREEN = (
    SeatSpec(key=key, name=text(key.title()), side=key) for key in ("red", "blue", "green")
)
PLAIN = [SeatSpec(key=key, name=text("?")) for key in ("red", "blue")]
TEAMS = [
    SeatSpec(key=f"{side}-{role}", name=text("?"), side=side, side_name=text(side.title()))
    for side in ("north", "south")
    for role in ("one", "two")
]

TOGETHER = [SeatSpec(key=key, name=text("?"), side="all") for key in ("one", "two", "three")]


def told(held: set[str], *winners: str, specs: list[SeatSpec] | None = None) -> str:
    result = Result(frozenset(winners), text("Because."))
    return str(outcome(specs or [RED, BLUE, GREEN], held, result))


def test_players_are_told_whether_they_won():
    assert told({"red"}, "red") == "You win."
    assert told({"blue"}, "red") == "You lose."
    assert told({"blue", "green"}, "red") == "You lose."


def test_spectators_are_told_the_winner():
    assert told(set(), "red") == "Red wins."


def test_a_shared_device_is_told_the_winner():
    assert told({"red", "blue"}, "red") == "Red wins."


def test_a_winning_team_is_named():
    assert told(set(), "south-one", "south-two", specs=TEAMS) == "South wins."
    assert told({"south-two"}, "south-one", "south-two", specs=TEAMS) == "You win."


def test_several_winners_are_all_named():
    assert told(set(), "red", "green") == "Red and Green win."


def test_a_game_without_winners_is_a_draw():
    for specs in ([RED, BLUE, GREEN], [RED, BLUE], PLAIN):
        assert told({"red"}, specs=specs) == told(set(), specs=specs) == "Draw."


def test_a_cooperative_game_without_winners_is_lost():
    assert told({"one"}, specs=TOGETHER) == "You lose."
    assert told({"one", "two", "three"}, specs=TOGETHER) == "You lose."
    assert told(set(), specs=TOGETHER) == "The game is lost."


def test_a_cooperative_game_is_won_by_every_player():
    assert told({"two"}, "one", "two", "three", specs=TOGETHER) == "You win."


def given_up(owner: Person, opponent: Person, slug: str) -> Game:
    game = make_game(owner, opponent, rules=all_rules()[slug])
    seat = game.seats.filter(players=owner.player).first().key
    owner.client.post(f"/g/{game.id}/resign/", {"seat": seat, "ply": 0})
    game.refresh_from_db()
    return game


def card(who: Person, game: Game) -> str:
    page = who.client.get(game.get_absolute_url()).text
    return page.split('<div class="turn">')[1].split("</div>")[0]


def two_players() -> list[str]:
    """Kinds of game that end when one of two gives up."""
    return [slug for slug, rules in all_rules().items() if len(rules.seats(rules.clean({}))) == 2]


@pytest.mark.django_db
@pytest.mark.parametrize("slug", two_players())
def test_the_card_beside_the_board_shows_the_outcome_first(slug, owner, opponent, client):
    game = given_up(owner, opponent, slug)
    assert "<strong>You lose.</strong>" in card(owner, game)
    assert "<strong>You win.</strong>" in card(opponent, game)
    assert "wins.</strong>" in client.get(game.get_absolute_url()).text


@pytest.mark.django_db
@pytest.mark.parametrize("slug", two_players())
def test_the_end_is_announced_once_with_the_outcome_first(slug, owner, opponent):
    game = given_up(owner, opponent, slug)
    board = opponent.client.get(f"/g/{game.id}/board/", headers={"HX-Request": "true"}).text
    said = board.split('<div id="status" hx-swap-oob="innerHTML">')[1].split("</div>")[0]
    assert said.startswith("You win. ")
    assert said.count(str(game.result.reason)) == 1
    assert card(opponent, game).count(str(game.result.reason)) == 1
