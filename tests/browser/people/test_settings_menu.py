"""Settings and rules that open beside a game, sounds and vibration."""

from __future__ import annotations

from playwright.sync_api import Page, Route, expect

from games.core.registry import all_rules
from tests.support.browser.page_spies import open_streams, tones, vibrations, wait_until
from tests.support.browser.play import (
    MOVE_BUTTON,
    STEP_BUTTON,
    claim_seat,
    expect_ply,
    make_move,
    start_game,
)
from tests.support.kinds import one_step_rules_with_hints

KIND = one_step_rules_with_hints().slug


def open_settings(page: Page) -> None:
    """Open the settings beside the game."""
    page.locator("#b-settings").click()
    expect(page.locator("dialog form")).to_be_visible()


def choose(page: Page, name: str, value: str) -> None:
    """Choose a setting beside the game, and wait until it is stored."""
    with page.expect_response(lambda response: response.request.method == "POST"):
        page.locator(f"dialog label:has([name={name}][value={value}])").click()


def switch_sound_on(page: Page) -> None:
    """Switch sounds on and close the settings; forget the sound that this makes."""
    open_settings(page)
    choose(page, "sound", "on")
    wait_until(page, lambda: tones(page) == [520, 700])
    page.keyboard.press("Escape")
    page.evaluate("sounds.length = 0; vibrations.length = 0")


def sound_scripts(page: Page) -> int:
    """Return how many scripts with sounds the page has loaded."""
    entries = "performance.getEntriesByType('resource')"
    return int(page.evaluate(f"{entries}.filter(({{ name }}) => /sounds/.test(name)).length"))


def test_a_setting_takes_effect_at_once_and_stays(visit, site):
    page = visit()
    start_game(page, site, KIND)
    expect(page.locator(MOVE_BUTTON)).not_to_have_count(0)
    open_settings(page)
    choose(page, "confirm", "always")
    expect(page.locator(STEP_BUTTON)).not_to_have_count(0)
    choose(page, "theme", "dark")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator(STEP_BUTTON)).not_to_have_count(0)


def test_the_stream_goes_on_after_a_change_of_settings(visit, site):
    mine, other = visit(), visit()
    start_game(mine, site, KIND, others="invite")
    claim_seat(other, mine)
    open_settings(other)
    choose(other, "confirm", "always")
    expect(other.locator("#board")).to_have_attribute("data-confirm", "always")
    wait_until(other, lambda: open_streams(other) == 1)
    make_move(mine)
    expect(other.locator(STEP_BUTTON)).not_to_have_count(0)


def test_sounds_are_loaded_only_when_they_are_on(visit, site):
    page = visit()
    start_game(page, site, KIND)
    make_move(page)
    assert (sound_scripts(page), tones(page)) == (0, [])
    switch_sound_on(page)
    assert sound_scripts(page) == 1
    make_move(page)
    wait_until(page, lambda: tones(page) == [240])


def test_a_players_own_move_is_heard_before_it_is_answered_and_only_once(visit, site):
    page = visit()
    start_game(page, site, KIND)
    switch_sound_on(page)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/move/", hold)
    page.locator(MOVE_BUTTON).first.click()
    wait_until(page, lambda: tones(page) == [240])
    held[0].continue_()
    expect_ply(page, 1)
    assert tones(page) == [240]


def test_the_end_of_a_game_has_a_sound(visit, site):
    page = visit()
    start_game(page, site, KIND)
    switch_sound_on(page)
    page.locator("#b-resign").evaluate("button => button.click()")
    wait_until(page, lambda: tones(page) == [392, 494, 587])


def test_a_touch_screen_vibrates_where_sounds_are_on(visit, site):
    page = visit(has_touch=True, is_mobile=True, viewport={"width": 390, "height": 664})
    start_game(page, site, KIND)
    make_move(page)
    assert vibrations(page) == []
    switch_sound_on(page)
    make_move(page)
    wait_until(page, lambda: vibrations(page) == [15])


def test_a_page_with_sounds_on_plays_them_from_the_start(visit, site):
    page = visit()
    start_game(page, site, KIND)
    switch_sound_on(page)
    page.reload()
    wait_until(page, lambda: sound_scripts(page) == 1)
    make_move(page)
    expect_ply(page, 1)
    wait_until(page, lambda: tones(page) == [240])


def test_the_rules_open_beside_the_game_and_lead_back(visit, site):
    page = visit()
    for slug in all_rules():
        address = start_game(page, site, slug)
        page.evaluate("window.same = true")
        page.locator("#board a[data-beside]").first.evaluate("link => link.click()")
        dialog = page.locator("dialog")
        expect(dialog).to_be_visible()
        expect(dialog.locator("h1")).to_contain_text("How to play")
        dialog.locator(".back").click()
        expect(dialog).to_have_count(0)
        page.locator("#board a[data-beside]").first.evaluate("link => link.click()")
        expect(dialog).to_be_visible()
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        assert page.evaluate("window.same")
        assert page.url.startswith(address)


def test_rules_that_cannot_be_fetched_are_a_page_of_their_own(visit, site):
    page = visit()
    address = start_game(page, site, KIND)
    page.evaluate("window.fetch = () => Promise.reject(new TypeError()); 0")
    page.locator("#board a[data-beside]").first.evaluate("link => link.click()")
    expect(page).to_have_url(f"{site}/rules/{KIND}/?next={address.removeprefix(site)}")
    page.locator("article .back").click()
    expect(page).to_have_url(address)
