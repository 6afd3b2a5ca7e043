"""The board of the day."""

from __future__ import annotations

import re
from datetime import date, timedelta
from html import unescape
from random import Random
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from games.core.registry import all_rules
from games.models import Game
from games.presentation.board import build_board
from games.presentation.pictures import render_board_svg
from games.puzzles.day_board import board_of
from games.services.play import play_move
from games.state.snapshot import read_snapshot
from tests.support.players import Person

pytestmark = pytest.mark.django_db

KINDS = [rules for rules in all_rules().values() if rules.day_board]
DAY = date(2026, 11, 25)


@pytest.fixture(params=KINDS, ids=lambda rules: rules.slug)
def address(request: pytest.FixtureRequest) -> str:
    return reverse("day_board", args=[request.param.slug])


def setup_on(day: date, language: str = "en") -> object:
    board = board_of(KINDS[0], day, language)
    assert board
    return board.plan.setup


def test_a_day_and_a_language_have_one_board() -> None:
    assert setup_on(DAY) == setup_on(DAY)
    assert setup_on(DAY) != setup_on(DAY + timedelta(days=1))
    assert setup_on(DAY) != setup_on(DAY, "nl")


def test_the_board_of_a_day_is_a_secret_of_the_site(settings: Any) -> None:
    before = setup_on(DAY)
    settings.SECRET_KEY = "another secret"
    assert setup_on(DAY) != before


def test_everybody_plays_the_same_board(address: str, owner: Person, opponent: Person) -> None:
    games = []
    for person in (owner, opponent):
        path = person.client.post(address).headers["Location"]
        games.append(Game.objects.get(pk=path.split("/")[2]))
        # A second time leads back to the same game.
        assert person.client.post(address).headers["Location"] == path
    assert games[0].setup == games[1].setup
    assert games[0].closed


def test_the_board_is_shown_before_the_game_as_strangers_see_it(
    address: str, owner: Person
) -> None:
    page = owner.client.get(address).text
    game = read_snapshot(owner.client.post(address).headers["Location"].split("/")[2])
    board = build_board(game.rules, game.standing, viewpoint=None)
    assert render_board_svg(board) in page


def test_the_result_gives_nothing_of_the_board_away(address: str, owner: Person) -> None:
    path = owner.client.post(address).headers["Location"]
    game = Game.objects.get(pk=path.split("/")[2])
    assert address in owner.client.get(path).text
    position, rng = read_snapshot(game.pk).position, Random(1)
    while seats := position.to_move():
        seat = min(seats)
        move = rng.choice(position.legal_moves(seat))
        before = read_snapshot(game.pk)
        held = owner.player if seat in before.seats_of(owner.player.pk) else None
        ply = before.game.ply
        after = play_move(game_id=game.pk, seat=seat, text=move, ply=ply, player=held)
        position = after.position
    page = unescape(owner.client.get(address).text)
    shared = page.partition('id="share" readonly value="')[2].partition('"')[0]
    assert address in shared
    assert any(square in shared for square in "🟥🟦⬜⬛")
    sentence = shared.partition("http")[0]
    assert [card for card in game.setup["cards"] if card in sentence] == []
    # Its square follows those of the puzzles of today.
    assert re.search("#[0-9]+\n⬜+[🟩🟥]\nhttp", owner.client.get(reverse("today")).text)


def test_a_kind_without_a_board_of_the_day_has_no_such_page(owner: Person) -> None:
    other = next(rules.slug for rules in all_rules().values() if not rules.day_board)
    assert owner.client.get(reverse("day_board", args=[other])).status_code == 404


def test_the_page_of_puzzles_leads_to_the_board_of_the_day(address: str, owner: Person) -> None:
    assert address in owner.client.get(reverse("puzzles")).text


def test_the_board_of_an_earlier_day_is_played_after(address: str, owner: Person) -> None:
    day = timezone.localdate() - timedelta(days=3)
    assert f"{address}?day={day}" in owner.client.get(f"/puzzles/today/{day}/").text
    assert f'action="{address}?day={day}"' in owner.client.get(address, {"day": day}).text
    path = owner.client.post(f"{address}?day={day}").headers["Location"]
    assert Game.objects.get(pk=path.split("/")[2]).setup == setup_on(day)
    assert owner.client.post(f"{address}?day={day}").headers["Location"] == path
    assert owner.client.post(address).headers["Location"] != path


def test_a_day_that_is_not_kept_has_no_board(address: str, owner: Person) -> None:
    now = timezone.localdate()
    for day in (now - timedelta(days=31), now + timedelta(days=1), "0001-01-01", "nonsense"):
        for response in (
            owner.client.get(address, {"day": day}),
            owner.client.post(f"{address}?day={day}"),
        ):
            assert response.status_code == 404
            assert "There are no puzzles for that day." in response.text
    assert not Game.objects.exists()
