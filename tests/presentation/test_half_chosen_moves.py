"""Half-chosen moves: the board and the prompt of their player, and the boards of other viewers."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from django.test import Client

from games.contract import Position, Rules, SeatKey, Text
from games.core.registry import all_rules
from games.models import Game
from games.presentation.board import Board, build_board
from games.state.snapshot import Standing
from tests.support.game_factory import make_game
from tests.support.game_requests import get_game_page
from tests.support.html import attributes_of, only, select, text_of
from tests.support.kinds import default_specs
from tests.support.players import Person
from tests.support.random_games import Variant, sample_positions

HTMX = {"HX-Request": "true"}
Steps = tuple[str, ...]

each_game = pytest.mark.parametrize("rules", all_rules().values(), ids=lambda rules: rules.slug)


def half_chosen_moves(rules: Rules) -> Iterator[tuple[Position, SeatKey, Steps]]:
    """Yield positions with the steps of a half-chosen move of a seat."""
    rng = Random(4)
    for position in sample_positions(Variant(rules, rules.clean({})))[:-1]:
        for seat in sorted(position.to_move()):
            chosen: Steps = ()
            while steps := position.stage(seat, chosen).steps:
                chosen = (*chosen, rng.choice(steps).text)
                yield position, seat, chosen
                if " ".join(chosen) in set(position.legal_moves(seat)):
                    break


def board_of(
    rules: Rules, position: Position, seat: SeatKey, chosen: Steps, **options: bool
) -> Board:
    return build_board(
        rules, Standing.of(position), viewpoint=seat, seat=seat, chosen=chosen, **options
    )


@each_game
def test_a_step_changes_attributes_that_cells_have_in_the_view(rules: Rules) -> None:
    for position, seat, chosen in half_chosen_moves(rules):
        cells = {cell["name"]: cell for row in position.view(seat)["rows"] for cell in row}
        for step in position.stage(seat, chosen[:-1]).steps:
            for name, changed in step.cells.items():
                assert changed.keys() <= cells[name].keys() - {"name"}
                assert isinstance(changed["label"], Text)
                assert hash(tuple(changed.values())) is not None


@each_game
def test_other_viewers_see_nothing_of_a_half_chosen_move(rules: Rules) -> None:
    for position, seat, chosen in half_chosen_moves(rules):
        for other in {None, *(spec.key for spec in default_specs(rules))} - {seat}:
            if other in position.to_move():
                continue
            plain = build_board(rules, Standing.of(position), viewpoint=other, live=True)
            requested = build_board(
                rules, Standing.of(position), viewpoint=other, seat=other, chosen=chosen, live=True
            )
            assert requested == plain


@each_game
def test_every_first_step_can_be_chosen_instead(rules: Rules) -> None:
    for position, seat, chosen in half_chosen_moves(rules):
        board = board_of(rules, position, seat, chosen, live=True)
        buttons = {square.name: square.button for row in board.rows for square in row}
        beside = {button.step.text: button for button in board.beside}
        for step in position.stage(seat, ()).steps:
            if not step.cell:
                assert beside[step.text].value == step.text
                assert beside[step.text].pressed == (step.text == chosen[0])
            elif step.text != chosen[0]:
                assert buttons[step.cell]


@each_game
def test_choosing_another_step_makes_no_move(rules: Rules) -> None:
    for position, seat, chosen in half_chosen_moves(rules):
        board = board_of(rules, position, seat, chosen, live=True)
        on_board = [square.button for row in board.rows for square in row if square.button]
        for button in [*on_board, *board.beside]:
            leads_on = button.value.split()[: len(chosen)] == list(chosen)
            assert leads_on or not button.final


@each_game
def test_a_board_in_the_rules_offers_no_other_step(rules: Rules) -> None:
    for position, seat, chosen in half_chosen_moves(rules):
        board = board_of(rules, position, seat, chosen)
        buttons = [square.button for row in board.rows for square in row if square.button]
        assert all(button.value.split()[: len(chosen)] == list(chosen) for button in buttons)


# --- through the pages -------------------------------------------------------------------


def games_with_steps(owner: Person) -> Iterator[tuple[Game, str]]:
    """Yield a game of each kind whose moves have several steps, and a first step."""
    for rules in all_rules().values():
        game = make_game(owner, rules=rules)
        for button in select(get_game_page(owner, game), "button", form="steps", name="chosen")[:1]:
            yield game, attributes_of(button)["value"]


def get_board(owner: Person, game: Game, chosen: str) -> str:
    address = f"{game.get_absolute_url()}board/"
    return owner.client.get(address, {"chosen": chosen}, headers=HTMX).text


def announcement(page: str) -> str:
    return text_of(only(page, "div", id="status"))


def board_html(page: str) -> str:
    return page.split('id="board"')[1].split("</section>")[0]


def prompt(page: str) -> str:
    return text_of(only(page, "p", id="prompt"))


@pytest.mark.django_db
def test_a_chosen_step_announces_the_next_prompt(owner: Person) -> None:
    for game, step in games_with_steps(owner):
        first = get_board(owner, game, "")
        half = get_board(owner, game, step)
        assert announcement(half) == prompt(half) != prompt(first)
        assert announcement(first) == prompt(first)


@pytest.mark.django_db
def test_the_question_to_confirm_a_move_is_announced(owner: Person) -> None:
    owner.client.cookies["preferences"] = "confirm=always"
    for rules in all_rules().values():
        game = make_game(owner, rules=rules)
        move = next(iter(rules.start(game.setup).legal_moves(game.to_move[0])))
        page = get_board(owner, game, move)
        if 'id="b-confirm"' in page:
            assert announcement(page) == prompt(page)
            assert prompt(page).endswith("?")


@pytest.mark.django_db
def test_chosen_cells_are_labelled_as_chosen(owner: Person) -> None:
    labels = 0
    for game, step in games_with_steps(owner):
        for cell in select(get_board(owner, game, step), "td", class_="mark-chosen"):
            label = attributes_of(only(cell, "button"))["aria-label"]
            assert ", chosen" in label.split(";")[0]
            labels += 1
    assert labels


@pytest.mark.django_db
def test_a_step_in_the_address_changes_no_board_of_other_viewers(
    owner: Person, opponent: Person
) -> None:
    for game, step in games_with_steps(owner):
        for client in (opponent.client, Client()):
            address = game.get_absolute_url()
            half, plain = (client.get(address, sent).text for sent in ({"chosen": step}, {}))
            assert board_html(half) == board_html(plain)


@pytest.mark.django_db
def test_a_half_chosen_move_outlives_a_refused_typed_move(owner: Person) -> None:
    for game, step in games_with_steps(owner):
        half = get_board(owner, game, step)
        fields = map(attributes_of, select(half, "input", type="hidden", form="typed"))
        sent = {field["name"]: field["value"] for field in fields}
        sent |= {"typed": "1", "move": "nonsense"}
        refused = owner.client.post(f"{game.get_absolute_url()}move/", sent, headers=HTMX)
        assert refused.status_code == 422
        assert f'data-chosen="{step}"' in refused.text
        assert prompt(refused.text) == prompt(half)
        assert announcement(refused.text) in refused.text.split('id="mistyped"')[1]
