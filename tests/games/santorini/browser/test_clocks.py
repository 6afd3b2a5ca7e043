"""The clocks of three and four players of Santorini, each at a telephone of their own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser.accessibility import faults_in_all_looks
from tests.support.browser.play import NewContext, set_up_game, type_move
from tests.support.servers.site_process import query_database

LONG_AGO = "2020-01-01 00:00:00.000000+00:00"
PLACES = {"p1": "a1 b1", "p2": "c3 d4", "p3": "a5 b5", "p4": "e1 e2"}


def start_timed_game(new_context: NewContext, players: int) -> dict[str, Page]:
    """Start a game with clocks and return the page of each player."""
    seats = list(PLACES)[:players]
    pages = {seat: new_context(viewport={"width": 320, "height": 664}).new_page() for seat in seats}
    owner, seating = pages["p1"], dict.fromkeys(seats, "invite") | {"p1": "me"}
    set_up_game(owner, "santorini", seating, {"players": str(players), "time": "3+2"})
    for seat in seats[1:]:
        pages[seat].goto(owner.locator(f"#link-{seat}").input_value())
        pages[seat].locator("form.field button").click()
        expect(pages[seat].locator("#board")).to_be_visible()
    for seat in seats:
        type_move(pages[seat], PLACES[seat])
    return pages


def use_up(data: Path, game: str, milliseconds: int) -> None:
    """Let a clock have run for so much longer."""
    ((stored,),) = query_database(data, "SELECT clock FROM games_game WHERE id = ?", game)
    clock = stored if isinstance(stored, dict) else json.loads(stored)
    clock["since"] -= milliseconds
    # Another version, since a site keeps the row of a version that it has read.
    change = "UPDATE games_game SET clock = ?, flag_at = ?, version = version + 1 WHERE id = ?"
    query_database(data, change, json.dumps(clock), LONG_AGO, game)


@pytest.mark.parametrize("players", [3, 4])
def test_a_player_whose_flag_falls_is_out_and_the_others_play_on(
    new_context: NewContext, site_data: Path, players: int
) -> None:
    pages = start_timed_game(new_context, players)
    for page in pages.values():
        expect(page.locator(".clock b")).to_have_count(players)
        expect(page.locator(".clock.running")).to_have_count(1)
    assert faults_in_all_looks(pages["p2"]) == []
    use_up(site_data, pages["p1"].url.split("/g/")[1].split("/")[0], 200_000)
    type_move(pages["p2"], "C N S")
    for page in pages.values():
        expect(page.locator("#board .result")).to_have_count(0)
        expect(page.locator("#board .to-move .clock.running")).to_have_count(1)
