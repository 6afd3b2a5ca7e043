"""Lobbies in three browsers: friends gather by one link and are led to the board."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from games.contract import Rules
from games.core.registry import all_rules
from tests.support.browser import accessibility
from tests.support.browser.play import TIMEOUT_MS, NewContext, make_move
from tests.support.kinds import default_specs, kinds_with_shared_seats, seat_keys, two_player_rules
from tests.support.repeats import LANGUAGES

PHONE = {"viewport": {"width": 390, "height": 664}, "has_touch": True, "is_mobile": True}
DESKTOP = {"viewport": {"width": 1280, "height": 800}}
SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])


def team_rules() -> Rules:
    return all_rules()[kinds_with_shared_seats()[0]]


def open_lobby(page: Page, rules: Rules, mine: str, name: str = "Anna") -> str:
    """Set up a game for friends with the seat ``mine``, and return the link of its lobby."""
    page.set_default_timeout(TIMEOUT_MS)
    page.goto(f"/new/{rules.slug}/")
    form = {option.name: str(option.default) for option in rules.options if option.kind != "flag"}
    seats = {f"seat-{key}": "me" if key == mine else "invite" for key in seat_keys(rules)}
    token = page.locator("[name=csrfmiddlewaretoken]").first.input_value()
    sent = {**form, **seats, "name": name, "lobby": "1", "csrfmiddlewaretoken": token}
    page.request.post(page.url, form=sent, headers={"Referer": page.url})
    page.goto("/")
    page.locator(".entries a").first.click()
    expect(page.locator("#board.lobby")).to_be_visible()
    return page.locator("#invite").input_value()


def visit(new_context: NewContext, link: str, name: str, **size: object) -> Page:
    """Open the link of a lobby in a new browser, with a name typed in."""
    page: Page = new_context(**size).new_page()
    page.set_default_timeout(TIMEOUT_MS)
    page.goto(link)
    page.get_by_label("Your name").fill(name)
    return page


@SIZES
def test_friends_gather_change_seats_shuffle_and_play(
    new_context: NewContext, size: dict[str, object]
) -> None:
    rules = team_rules()
    secret, team = (
        next(spec.key for spec in default_specs(rules) if spec.shared is shared)
        for shared in (False, True)
    )
    host = new_context(**size).new_page()
    link = open_lobby(host, rules, team)
    first, second = (visit(new_context, link, name, **size) for name in ("Bea", "Cas"))
    first.locator(f"#b-sit-{secret}").click()
    expect(first.locator(".seat.mine")).to_contain_text("Bea")
    second.locator(f"#b-sit-{team}").click()
    for page in (host, first, second):
        expect(page.locator(".team")).to_contain_text(["Bea", ""])
        expect(page.locator("#board")).to_contain_text("Cas")
    second.locator("[id^=b-stand]").click()
    expect(host.locator("#board")).not_to_contain_text("Cas")
    second.locator(f"#b-sit-{team}").click()
    expect(host.locator("#board")).to_contain_text("Cas")
    host.locator("#b-shuffle").click()
    for page in (host, first, second):
        expect(page.locator(".game-banner")).to_have_text("The seats were shuffled.")
    host.locator("#b-begin").click()
    for page in (host, first, second):
        expect(page.locator("#board .grid")).to_be_visible()
        expect(page.locator("#board .seat.mine")).not_to_have_count(0)


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_a_game_for_two_begins_when_the_friend_sits_down(
    new_context: NewContext, scripts: bool
) -> None:
    first, second = seat_keys(two_player_rules())
    host = new_context().new_page()
    link = open_lobby(host, two_player_rules(), first)
    friend = visit(new_context, link, "Bea", java_script_enabled=scripts)
    friend.locator(f"#b-sit-{second}").press("Enter")
    for page in (host, friend):
        expect(page.locator("#board .grid")).to_be_visible()
    make_move(host)


def test_a_spectator_of_a_lobby_sees_the_game_begin(new_context: NewContext) -> None:
    first, second = seat_keys(two_player_rules())
    host = new_context().new_page()
    link = open_lobby(host, two_player_rules(), first)
    host.goto(link)
    spectator = new_context().new_page()
    spectator.goto(host.locator("#board").get_attribute("data-game") or "")
    expect(spectator.locator("#board")).to_contain_text("Anna")
    expect(spectator.get_by_role("button", name="Sit here")).to_have_count(0)
    visit(new_context, link, "Bea").locator(f"#b-sit-{second}").click()
    expect(spectator.locator("#board .grid")).to_be_visible()


def test_a_rematch_leads_both_players_into_a_new_game(new_context: NewContext) -> None:
    first, second = seat_keys(two_player_rules())
    host = new_context().new_page()
    link = open_lobby(host, two_player_rules(), first)
    friend = visit(new_context, link, "Bea")
    friend.locator(f"#b-sit-{second}").click()
    expect(host.locator("#board .grid")).to_be_visible()
    old = host.url
    host.locator("#b-resign").evaluate("button => button.click()")
    host.locator("#b-rematch").click()
    expect(host.locator("#board.lobby")).to_be_visible()
    friend.locator("#b-rematch").click()
    for page in (host, friend):
        expect(page.locator("#board:not(.over) .grid")).to_be_visible()
        assert page.url != old


def test_the_qr_code_opens_over_the_page_without_moving_it(new_context: NewContext) -> None:
    host = new_context(**PHONE).new_page()
    open_lobby(host, two_player_rules(), seat_keys(two_player_rules())[0])
    before = host.locator("#board").bounding_box()
    host.get_by_role("button", name="QR code").first.click()
    code = host.get_by_role("img", name="QR code of the link").first
    expect(code).to_be_visible()
    expect(code).not_to_have_js_property("naturalWidth", 0)
    assert host.locator("#board").bounding_box() == before


@pytest.mark.parametrize("locale", LANGUAGES)
def test_axe_finds_no_violation_in_a_lobby(new_context: NewContext, locale: str) -> None:
    rules = team_rules()
    host = new_context().new_page()
    team = next(spec.key for spec in default_specs(rules) if spec.shared)
    link = open_lobby(host, rules, team)
    guest = new_context(locale=locale).new_page()
    own = new_context(locale=locale, storage_state=host.context.storage_state()).new_page()
    for page, address in ((guest, link), (own, link), (guest, host.url)):
        page.goto(address)
        expect(page.locator("#board.lobby")).to_be_visible()
        assert accessibility.faults_in_all_looks(page) == []
