"""A game's page in browsers without style sheets (lynx, w3m, links)."""

from __future__ import annotations

import pytest
from django.test.html import Element, parse_html

from games.core.registry import all_rules
from tests.support.game_factory import make_game, make_game_with_moves
from tests.support.game_requests import get_game_page
from tests.support.html import attributes_of, only, select, text_of

pytestmark = pytest.mark.django_db


def hidden_elements(element: Element) -> list[Element]:
    """Return the elements with the attribute ``hidden``."""
    children = [child for child in element.children if not isinstance(child, str)]
    found = [element] if "hidden" in attributes_of(element) else []
    return found + [hidden for child in children for hidden in hidden_elements(child)]


@pytest.mark.parametrize("slug", all_rules())
def test_a_game_page_has_no_text_in_what_it_hides(owner, slug):
    game = make_game(owner, rules=all_rules()[slug])
    page = parse_html(get_game_page(owner, game))
    assert [text_of(element) for element in hidden_elements(page) if text_of(element).strip()] == []


@pytest.mark.parametrize("slug", all_rules())
def test_the_board_is_a_table_with_the_names_of_rows_and_columns(owner, slug):
    game = make_game(owner, rules=all_rules()[slug])
    board = only(get_game_page(owner, game), "table", class_="grid")
    rows = select(board, "tr")
    assert text_of(select(rows[0], "th")[0]) == "a"
    assert text_of(select(rows[1], "th")[0]) == "1"


@pytest.mark.parametrize("slug", all_rules())
def test_a_move_changes_the_text_of_the_board(owner, slug):
    game = make_game_with_moves(owner, 1, rules=all_rules()[slug])
    before, after = (
        text_of(only(owner.client.get(f"/g/{game.id}/{ply}/").text, "table", class_="grid"))
        for ply in (0, 1)
    )
    assert before != after
