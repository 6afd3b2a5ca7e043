"""Clocks on the pages of games: set up, counted down, announced, and run out."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, Request, expect

from games.core.registry import all_rules
from tests.support.browser.accessibility import faults_in_all_looks, faults_of_a_board_in_all_looks
from tests.support.browser.play import MOVE_BUTTON, NewContext, choose_all_seats, set_up_game
from tests.support.kinds import kinds_with_shared_seats, one_step_rules_with_hints, seat_keys
from tests.support.servers.site_process import query_database

LONG_AGO = "2020-01-01 00:00:00.000000+00:00"
RUNNING = ".clock.running b"


def start_timed_game(page: Page, time: str, slug: str = "") -> None:
    """Create a game of this time control, with every seat on this device."""
    rules = all_rules()[slug] if slug else one_step_rules_with_hints()
    set_up_game(page, rules.slug, dict.fromkeys(seat_keys(rules), "me"), {"time": time})


def play_first_move(page: Page) -> None:
    page.locator(MOVE_BUTTON).first.press("Enter")
    expect(page.locator("#board")).to_have_attribute("data-ply", "1")


def test_a_clock_is_chosen_among_the_further_options_by_keyboard(page: Page) -> None:
    page.goto(f"/new/{one_step_rules_with_hints().slug}/")
    choose_all_seats(page, "me")
    page.locator(".further summary").press("Enter")
    expect(page.locator("[name=minutes]")).to_be_hidden()
    page.locator("[name=time]").select_option("other")
    page.locator("[name=minutes]").fill("7")
    page.locator("[name=increment]").fill("1")
    page.locator("[name=increment]").press("Enter")
    expect(page.locator(".clock b")).to_have_text(["7:00", "7:00"])


@pytest.mark.parametrize("time", ["90s", "15+10"])
def test_the_clocks_of_teams_cut_no_score_on_phones(new_context: NewContext, time: str) -> None:
    page = new_context(locale="nl").new_page()
    start_timed_game(page, time, kinds_with_shared_seats()[0])
    for width in (320, 390):
        page.set_viewport_size({"width": width, "height": 664})
        scores = page.locator(".bar-score")
        expect(scores).to_have_count(2)
        for score in scores.all():
            assert score.evaluate("element => element.scrollWidth - element.clientWidth") <= 0


def test_a_running_clock_counts_down_without_asking_the_server(page: Page) -> None:
    start_timed_game(page, "3+2")
    expect(page.locator(".clock b")).to_have_text(["3:00", "3:00"])
    expect(page.locator(RUNNING)).to_have_count(0)
    play_first_move(page)
    posts: list[Request] = []
    page.on("request", lambda request: posts.append(request) if "flag" in request.url else None)
    expect(page.locator(RUNNING)).to_have_text(re.compile(r"2:5[0-7]"))
    assert posts == []


def test_the_last_minute_and_seconds_are_announced_and_the_server_is_asked_at_the_end(
    page: Page,
) -> None:
    page.clock.install()
    start_timed_game(page, "3+2")
    play_first_move(page)
    warning = page.locator("#clock-warning")
    page.clock.fast_forward(100_000)
    expect(warning).to_be_empty()
    page.clock.fast_forward(25_000)
    expect(warning).to_have_text("One minute left.")
    page.clock.fast_forward(30_000)
    expect(warning).to_have_text("30 seconds left.")
    with page.expect_request("**/flag/") as asked:
        page.clock.fast_forward(30_000)
    assert asked.value.method == "POST"
    expect(page.locator(RUNNING)).to_have_text("0:00.0")


def test_a_turn_passes_without_a_click_when_its_timer_runs_out(page: Page, site_data: Path) -> None:
    rules = next(rules for rules in all_rules().values() if rules.turn_times)
    start_timed_game(page, f"{rules.turn_times[0]}s", rules.slug)
    expect(page.locator(RUNNING)).to_have_count(1)
    side = page.locator(".bar.to-move").get_attribute("class") or ""
    game = page.url.split("/g/")[1].split("/")[0]
    ((stored,),) = query_database(site_data, "SELECT clock FROM games_game WHERE id = ?", game)
    clock = stored if isinstance(stored, dict) else json.loads(stored)
    clock["since"] -= 1_000 * rules.turn_times[0]
    # Another version, since a site keeps the row of a version that it has read.
    change = "UPDATE games_game SET clock = ?, flag_at = ?, version = version + 1 WHERE id = ?"
    query_database(site_data, change, json.dumps(clock), LONG_AGO, game)
    expect(page.locator("#board")).to_have_attribute("data-ply", "1")
    expect(page.locator(".bar.to-move")).not_to_have_attribute("class", side)
    expect(page.locator("#board .result")).to_have_count(0)
    assert faults_in_all_looks(page) == []


def test_the_clocks_of_two_players_agree(new_context: NewContext) -> None:
    owner, other = new_context().new_page(), new_context(locale="nl").new_page()
    first, second = seat_keys(one_step_rules_with_hints())
    owner.goto("/")
    slug, seating = one_step_rules_with_hints().slug, {first: "me", second: "invite"}
    set_up_game(owner, slug, seating, {})
    expect(owner.locator(".clock")).to_have_count(0)
    set_up_game(owner, slug, seating, {"time": "5+3"})
    other.goto(owner.locator(f"#link-{second}").input_value())
    other.locator("form.field button").click()
    play_first_move(owner)
    for page in (owner, other):
        expect(page.locator(RUNNING)).to_have_text(re.compile(r"4:5\d"))
    expect(other.locator(".clock.running")).to_contain_text("Resterende tijd")


def test_a_clock_for_days_is_written_in_days(page: Page) -> None:
    start_timed_game(page, "3d")
    expect(page.locator(RUNNING)).to_have_text("2 d 23 h")


def test_without_scripts_the_bars_show_the_time_left(new_context: NewContext) -> None:
    page = new_context(java_script_enabled=False).new_page()
    page.goto(f"/new/{one_step_rules_with_hints().slug}/")
    choose_all_seats(page, "me")
    page.locator(".further summary").click()
    page.locator("[name=time]").select_option("10+5")
    page.locator(".setup-form button.big").click()
    expect(page.locator(".clock b")).to_have_text(["10:00", "10:00"])
    page.locator(MOVE_BUTTON).first.click()
    expect(page.locator(RUNNING)).to_have_text(re.compile(r"9:5\d|10:00"))


@pytest.mark.parametrize("slug", kinds_with_shared_seats())
def test_a_team_has_one_clock_in_its_bar(page: Page, slug: str) -> None:
    start_timed_game(page, "15+10", slug)
    expect(page.locator(".clock")).to_have_count(page.locator(".bar").count())


@pytest.mark.browser_context_args(locale="nl")
def test_axe_finds_no_violation_beside_clocks(page: Page) -> None:
    for slug in all_rules():
        start_timed_game(page, "5+3", slug)
        assert faults_of_a_board_in_all_looks(page) == []
