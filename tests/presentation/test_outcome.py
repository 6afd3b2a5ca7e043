"""The outcome of a game: its sentence for players and spectators, and its announcement."""

from __future__ import annotations

import pytest

from games.contract import Result, SeatSpec, loses_on_time, text
from games.core.registry import all_rules
from games.models import Game
from games.presentation.sight import call_by_name, ending, mood, outcome, seat_names
from games.state.snapshot import read_snapshot
from tests.support.game_factory import make_game
from tests.support.game_requests import get_game_page, post_resign
from tests.support.kinds import default_specs
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

COOPERATIVE = [SeatSpec(key=key, name=text("?"), side="all") for key in ("one", "two", "three")]


def sentence(held: set[str], *winners: str, specs: list[SeatSpec] | None = None) -> str:
    """Return the outcome as told to the holder of some seats."""
    result = Result(frozenset(winners), text("Because."))
    return str(outcome(specs or [RED, BLUE, GREEN], held, result))


def test_players_are_told_whether_they_won():
    assert sentence({"red"}, "red") == "You won!"
    assert sentence({"blue"}, "red") == "You lost."
    assert sentence({"blue", "green"}, "red") == "You lost."


def test_spectators_are_told_the_winner():
    assert sentence(set(), "red") == "Red wins."


def test_a_shared_device_is_told_the_winner():
    assert sentence({"red", "blue"}, "red") == "Red wins."


def test_a_winning_team_is_named():
    assert sentence(set(), "south-one", "south-two", specs=TEAMS) == "South wins."
    assert sentence({"south-two"}, "south-one", "south-two", specs=TEAMS) == "You won!"


def test_several_winners_are_all_named():
    assert sentence(set(), "red", "green") == "Red and Green win."


def test_a_game_without_winners_is_a_draw():
    for specs in ([RED, BLUE, GREEN], [RED, BLUE], PLAIN):
        assert sentence({"red"}, specs=specs) == sentence(set(), specs=specs) == "Draw."


def test_a_cooperative_game_without_winners_is_lost():
    assert sentence({"one"}, specs=COOPERATIVE) == "You lost."
    assert sentence({"one", "two", "three"}, specs=COOPERATIVE) == "You lost."
    assert sentence(set(), specs=COOPERATIVE) == "The game is lost."


def test_a_cooperative_game_is_won_by_every_player():
    assert sentence({"two"}, "one", "two", "three", specs=COOPERATIVE) == "You won!"


def test_lists_say_the_outcome_in_a_word_to_those_who_played():
    result = Result(frozenset({"red"}), text("Because."))
    told = [outcome(PLAIN, held, result, short=True) for held in ({"red"}, {"blue"}, set())]
    assert [*map(str, told)] == ["Won", "Lost", sentence(set(), "red", specs=PLAIN)]
    drawn = Result(frozenset(), text("Equal."))
    assert str(outcome(PLAIN, {"red"}, drawn, short=True)) == "Drawn"


def test_nobody_loses_on_time_in_a_game_without_a_clock():
    result = Result(frozenset({"red"}), loses_on_time(text("Blue")))
    outcomes = {
        timed: str(ending(text("You won!"), result, timed=timed)[-1]) for timed in (True, False)
    }
    assert outcomes == {True: "Blue loses on time.", False: "Blue was away too long."}


def make_resigned_game(owner: Person, opponent: Person, slug: str) -> Game:
    game = make_game(owner, opponent, rules=all_rules()[slug])
    post_resign(owner, game)
    return game


def card(person: Person, game: Game) -> str:
    """Return the card of the turn beside the board."""
    return get_game_page(person, game).split('<div class="turn">')[1].split("</div>")[0]


def kinds_of_two() -> list[str]:
    """Return the slugs of the games of two, which end with a resignation."""
    return [slug for slug, rules in all_rules().items() if len(default_specs(rules)) == 2]


@pytest.mark.django_db
@pytest.mark.parametrize("slug", kinds_of_two())
def test_the_card_beside_the_board_shows_the_outcome_first(slug, owner, opponent, client):
    game = make_resigned_game(owner, opponent, slug)
    assert "<strong>You lost.</strong>" in card(owner, game)
    assert "<strong>You won!</strong>" in card(opponent, game)
    assert "wins.</strong>" in client.get(game.get_absolute_url()).text


@pytest.mark.django_db
@pytest.mark.parametrize("slug", kinds_of_two())
def test_the_end_is_announced_once_with_the_outcome_first(slug, owner, opponent):
    game = make_resigned_game(owner, opponent, slug)
    board = opponent.client.get(f"/g/{game.id}/board/", headers={"HX-Request": "true"}).text
    announced = board.split('<div id="status" hx-swap-oob="innerHTML">')[1].split("</div>")[0]
    assert announced.startswith("You won! ")
    reason = str(call_by_name(game.result.reason, seat_names(read_snapshot(game.pk))))
    assert announced.count(reason) == 1
    assert card(opponent, game).count(reason) == 1


def shown_mood(held: set[str], *winners: str, specs: list[SeatSpec]) -> str:
    """Return how the end is shown to the holder of some seats."""
    return mood(specs, held, Result(frozenset(winners), text("Because.")))


def test_a_win_is_shown_to_winners_spectators_and_shared_devices():
    for held in ({"red"}, set(), {"red", "blue"}):
        assert shown_mood(held, "red", specs=PLAIN) == "won"


def test_a_loss_is_not_shown_as_a_win():
    assert shown_mood({"blue"}, "red", specs=PLAIN) == "lost"
    assert shown_mood({"one"}, specs=COOPERATIVE) == "lost"


def test_a_draw_is_shown_as_a_draw():
    assert shown_mood({"blue"}, specs=PLAIN) == "drawn"


@pytest.mark.django_db
@pytest.mark.parametrize("slug", kinds_of_two())
def test_the_board_at_the_end_has_the_style_of_its_viewers_outcome(slug, owner, opponent, client):
    game = make_resigned_game(owner, opponent, slug)
    assert " over is-lost" in get_game_page(owner, game)
    assert " over is-won" in get_game_page(opponent, game)
    assert " over is-won" in client.get(game.get_absolute_url()).text
