"""Othello's pages: the board, the score beside it, the rules, and their sizes."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from django.test import Client
from lightningcss import bundle_css

from games.models import Game
from games.othello.rules import RULES
from games.presentation.jinja import render_part
from tests.support.game_factory import make_game
from tests.support.html import attributes_of, only, select
from tests.support.players import Person

pytestmark = pytest.mark.django_db

FOLDER = Path(__file__).resolve().parents[3] / "games" / "othello"
BLACK_IS_PASSED = "c4d4b1b4d3d2"
ENDS_WITH_EMPTIES = BLACK_IS_PASSED + "a2"
FULL_AND_WHITE_WINS = BLACK_IS_PASSED + "a1a2c1d1a3a4"
MIDGAME = "f5d6c3d3c4f4f6f3e6e7d7g6d8c5c6c7b6b4"


def played(owner: Person, transcript: str, size: int = 8) -> Game:
    """Return a game on one device in which the moves of ``transcript`` have been posted."""
    game = make_game(owner, rules=RULES, size=size)
    for i in range(0, len(transcript), 2):
        data = {"seat": game.to_move[0], "move": transcript[i : i + 2], "ply": game.ply}
        assert owner.client.post(f"/g/{game.id}/move/", data).status_code == 302
        game.refresh_from_db()
    return game


def board(client: Client, game: Game) -> str:
    """Return the response to a move: the board and its message."""
    return client.get(f"/g/{game.id}/board/", headers={"HX-Request": "true"}).text


def cell(page: str, name: str) -> str:
    """Return the HTML of one square, its table cell included."""
    found = re.search(rf'<td class="cell[^>]*><button [^>]*data-cell="{name}".*?</td>', page)
    assert found
    return found.group()


# --- the board -----------------------------------------------------------------------------


def test_every_disc_is_drawn_in_its_colour(owner: Person) -> None:
    page = board(owner.client, played(owner, "c4"))
    assert '<i class="disc black">x</i>' in cell(page, "d4")
    assert '<i class="disc white">o</i>' in cell(page, "e5")
    assert "<i" not in cell(page, "a1")


@pytest.mark.parametrize(
    ("transcript", "dots"), [("", ["disc black may"] * 4), ("c4", ["disc white may"] * 3)]
)
def test_legal_squares_have_a_dot_of_the_colour_to_move(
    owner: Person, transcript: str, dots: list[str]
) -> None:
    page = board(owner.client, played(owner, transcript))
    legal = select(page, "td", class_="cell legal")
    drawn = [attributes_of(only(cell, "i"))["class"].split() for cell in legal]
    assert drawn == [sorted(dot.split()) for dot in dots]
    assert page.count(" may") == len(dots)


def test_a_spectator_sees_no_dots(owner: Person, client: Client) -> None:
    assert " may" not in board(client, played(owner, "c4"))


def test_the_last_disc_is_marked_apart_from_those_it_turned_over(owner: Person) -> None:
    page = board(owner.client, played(owner, "c4e3"))
    assert page.count('placed">o</i></button>') == 1
    assert '<td class="cell last"' in cell(page, "e3")
    assert "disc white placed" in cell(page, "e3")
    assert '<td class="cell last"' in cell(page, "e4")
    assert '<td class="cell"' in cell(page, "c4")


def test_a_square_says_what_lies_on_it_and_what_a_move_there_does(owner: Person) -> None:
    page = board(owner.client, played(owner, "c4"))
    assert 'aria-label="c3, empty; Flip 1 disc"' in page
    assert 'aria-label="c4, black disc, last move"' in page


def test_the_discs_that_would_flip_are_named_at_the_button(owner: Person) -> None:
    page = board(owner.client, played(owner, ""))
    assert 'data-effects="d3:place d4:flip"' in cell(page, "d3")


@pytest.mark.parametrize("size", range(4, 27, 2))
def test_a_board_of_every_size_is_drawn(owner: Person, size: int) -> None:
    page = board(owner.client, played(owner, "", size))
    assert page.count("data-cell=") == size * size
    assert f'class="grid size-{size}"' in page
    assert ("grid-window large" in page) == (size > 20)


# --- beside the board ----------------------------------------------------------------------


def score(page: str) -> str:
    """Return the words of the players' scores, from above, and of the score beside the board."""
    parts = re.findall(r'<span class="bar-score">(.*?)</span>', page)
    parts.append(page.split('<div class="score">')[1].split("</div>")[0])
    return " ".join(re.sub(r"<[^>]*>", " ", " ".join(parts)).split())


def test_the_score_counts_discs_and_empty_squares(owner: Person) -> None:
    assert score(board(owner.client, played(owner, "c4"))) == "1 disc 4 discs 59 empty squares"


def test_the_bar_is_divided_as_the_discs_are(owner: Person) -> None:
    page = board(owner.client, played(owner, "c4"))
    assert '<rect width="80.0%" height="100%" class="bar-black"/>' in page


@pytest.mark.parametrize("where", ["look back", "list"])
def test_pages_about_the_game_name_the_winner_once(where: str, owner: Person) -> None:
    game = played(owner, FULL_AND_WHITE_WINS, size=4)
    if where == "list":
        assert owner.client.get("/").text.count("White wins") == 1
    else:
        shown = owner.client.get(f"{game.get_absolute_url()}{game.ply}/").text
        assert shown.split("<body>")[1].count("White wins") == 1


@pytest.mark.parametrize(("language", "once"), [("en", "White wins"), ("nl", "Wit wint")])
def test_the_winner_is_named_once_beside_the_score(language: str, once: str, owner: Person) -> None:
    game = played(owner, FULL_AND_WHITE_WINS, size=4)
    headers = {"HX-Request": "true", "Accept-Language": language}
    answer = owner.client.get(f"/g/{game.id}/board/", headers=headers).text
    card, status = answer.split('<div class="turn">')[1], answer.split('<div id="status"')[1]
    assert card.split("</div>")[0].count(once) == status.split("</div>")[0].count(once) == 1


def test_empty_squares_make_an_official_score_at_the_end(owner: Person) -> None:
    page = board(owner.client, played(owner, ENDS_WITH_EMPTIES, 4))
    assert score(page) == "10 discs 1 disc Official score: 1–15 · 5 empty squares"


def test_a_full_board_needs_no_other_score(owner: Person) -> None:
    page = board(owner.client, played(owner, FULL_AND_WHITE_WINS, 4))
    assert re.fullmatch(r"\d+ discs \d+ discs", score(page))


def test_an_earlier_position_has_the_score_of_its_time(owner: Person) -> None:
    game = played(owner, "c4e3")
    page = owner.client.get(f"/g/{game.id}/1/").text
    assert score(page) == "1 disc 4 discs 59 empty squares"


def test_the_page_explains_a_pass(owner: Person) -> None:
    page = board(owner.client, played(owner, BLACK_IS_PASSED, 4))
    assert "Black has no legal move and passes." in page
    assert "White to move." in page


# --- the pages about the game ----------------------------------------------------------------


def test_the_rules_show_what_a_move_turns_over(client: Client) -> None:
    page = client.get("/rules/othello/").text
    assert page.count(" mark-flip") == 4
    assert page.count(" mark-chosen") == 1


def test_the_rules_are_shown_in_dutch(client: Client) -> None:
    page = client.get("/rules/othello/", headers={"Accept-Language": "nl"}).text
    assert "dan pas je" in page
    assert "Place a disc" not in page


def test_events_are_shown_in_dutch(owner: Person) -> None:
    game = played(owner, BLACK_IS_PASSED, 4)
    page = owner.client.get(f"/g/{game.id}/", headers={"Accept-Language": "nl"}).text
    assert "Wit speelt d2 en draait 2 schijven om." in page
    assert "Zwart kan niet zetten en past." in page
    assert score(page) == "6 schijven 4 schijven 6 lege velden"


# --- how much is sent --------------------------------------------------------------------------


@pytest.mark.parametrize("plies", [0, 9, 18])
def test_the_answer_to_a_move_is_small(owner: Person, plies: int) -> None:
    answer = board(owner.client, played(owner, MIDGAME[: 2 * plies]))
    without_tree = re.sub(r'(<script [^>]*id="tree">).*?</script>', r"\1</script>", answer)
    assert len(gzip.compress(without_tree.encode())) <= 2500
    assert len(gzip.compress(answer.encode())) <= 3000


def test_the_styles_are_small() -> None:
    styles = bundle_css(str(FOLDER / "static/othello/board.css"))
    assert len(gzip.compress(styles.encode())) <= 2048


def test_the_picture_is_small() -> None:
    assert len(render_part("othello", "picture").encode()) <= 3 * 1024
