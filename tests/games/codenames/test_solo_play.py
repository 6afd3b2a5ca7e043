"""Codenames for one: a person on one seat and computers on the other three, through the pages."""

from __future__ import annotations

from html import escape
from typing import Any

import pytest
from django.utils.translation import override

from games.codenames.rules import RULES
from games.contract import Position, Text
from games.core.translation import translate
from games.models import Game
from games.services.setup import NewGame, create_game
from games.worker.jobs import run_one_job
from tests.support.players import Person, new_person
from tests.support.snapshots import position_at

pytestmark = pytest.mark.django_db

SEATS = ("red-spymaster", "red-operatives", "blue-spymaster", "blue-operatives")
CARDS = {
    "English words": {"language": "en"},
    "Dutch words": {"language": "nl"},
    "pictures": {"cards": "pictures", "language": "nl"},
    "words that nobody knows": {
        "cards": "own",
        "own_words": ",".join(f"qx{chr(97 + n)}z{chr(97 + n)}" for n in range(25)),
    },
    "the fewest cards": {"rows": 2, "columns": 3},
    "the most cards": {"rows": 8, "columns": 8},
}


@pytest.fixture
def olive() -> Person:
    return new_person("Olive")


def start(olive: Person, seat: str, level: int = 2, **options: Any) -> Game:
    """Return a game with Olive on ``seat``, with the default option for clues."""
    seating = {key: "me" if key == seat else f"computer-{level}" for key in SEATS}
    return create_game(
        player=olive.player, new=NewGame(rules=RULES, options=options, seating=seating)
    )


def now(game: Game) -> Position:
    game.refresh_from_db()
    return position_at(game, game.ply)


def play_to_the_end(olive: Person, game: Game, seat: str, number: str = "1") -> Any:
    """Play to the end with computers and Olive's first legal moves, and return the last page."""
    clues = 0
    while to_move := now(game).to_move():
        if seat not in to_move:
            assert run_one_job()
            continue
        clues += 1
        # A new unknown word each time, however long the game gets.
        word = f"q{clues:010b}".translate({ord("0"): "x", ord("1"): "z"})
        move = f"clue {word} {number}"
        if seat.endswith("operatives"):
            move = next(iter(now(game).legal_moves(seat)))
        sent = {"seat": seat, "move": move, "ply": game.ply}
        assert olive.client.post(f"/g/{game.id}/move/", sent).status_code == 302
    return olive.client.get(game.get_absolute_url())


def test_clues_are_given_here_wherever_a_computer_sits(olive: Person) -> None:
    game = start(olive, "red-operatives", clues="spoken")
    assert game.options["clues"] == "typed"
    assert {seat.partition("-")[2] for seat in now(game).to_move()} == {"spymaster"}


@pytest.mark.parametrize(
    ("seating", "chosen", "required"),
    [
        ("me", {}, False),
        ("me", {"clues": "typed"}, True),
        ("invite", {}, True),
        ("invite", {"clues": "spoken"}, False),
    ],
)
def test_clues_are_spoken_on_one_device_and_where_it_is_chosen(
    olive: Person, seating: str, chosen: dict[str, str], required: bool
) -> None:
    seats = dict.fromkeys(SEATS, seating) | {SEATS[1]: "me"}
    game = create_game(player=olive.player, new=NewGame(rules=RULES, options=chosen, seating=seats))
    assert game.setup["clues_required"] is required


def test_the_set_up_page_says_where_clues_are_given(olive: Person) -> None:
    assert "Always typed when a computer plays." in olive.client.get("/new/codenames/").text


def test_a_rematch_has_its_clues_given_here_too(olive: Person) -> None:
    game = start(olive, "red-operatives")
    olive.client.post(f"/g/{game.id}/resign/", {"seat": "red-operatives", "ply": 0})
    olive.client.post(f"/g/{game.id}/rematch/")
    again = Game.objects.get(rematch_of=game)
    assert again.options["clues"] == "typed"
    assert list(again.seats.values_list("computer", flat=True)) == [2, None, 2, 2]


@pytest.mark.parametrize("seat", SEATS[:2])
@pytest.mark.parametrize("cards", CARDS)
def test_a_person_alone_plays_to_the_end(olive: Person, cards: str, seat: str) -> None:
    game = start(olive, seat, **CARDS[cards])
    page = play_to_the_end(olive, game, seat).text
    assert "You won!" in page or "You lost." in page
    assert game.banner is None


@pytest.mark.parametrize("number", ["0", "unlimited", "9"])
def test_computers_guess_after_any_number(olive: Person, number: str) -> None:
    game = start(olive, "red-spymaster")
    play_to_the_end(olive, game, "red-spymaster", number)
    assert game.over
    assert game.banner is None


def test_after_the_game_the_page_names_the_cards_of_each_clue(olive: Person) -> None:
    game = start(olive, "red-operatives")
    play_to_the_end(olive, game, "red-operatives")
    clues = [move for move in game.moves.all() if move.text.startswith("clue ")]
    assert clues
    # On the page of the game itself the table of the turns tells them.
    past = f"{game.get_absolute_url()}1/"
    page = olive.client.get(past, headers={"Accept-Language": "nl"}).text
    for clue in clues:
        with override("nl"):
            assert escape(translate(Text.from_json(clue.note))) in page


def test_during_the_game_no_page_names_the_cards_of_a_clue(olive: Person) -> None:
    game = start(olive, "red-operatives")
    while "red-operatives" not in now(game).to_move():
        assert run_one_job()
    assert game.moves.exclude(note=None).exists()
    assert "Meant:" not in olive.client.get(game.get_absolute_url()).text


def test_a_computer_without_words_says_so_and_leaves_its_seat(olive: Person) -> None:
    letters = ",".join("aeiouybcdfghjklmnpqrstvwx")
    game = start(olive, "red-operatives", cards="own", own_words=letters)
    assert run_one_job()
    page = olive.client.get(game.get_absolute_url()).text
    assert "The computer can’t think of another clue." in page
    assert not now(game).result()
