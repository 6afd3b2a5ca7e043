"""The accessibility rules of axe-core on every page, in both themes and widths."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from games.classes.recording import all_exercises
from games.core.registry import all_rules
from tests.support.browser import accessibility
from tests.support.browser.play import choose_all_seats, skip_lobby, start_solo_game, unfold
from tests.support.kinds import kinds_with_shared_seats, two_player_rules
from tests.support.repeats import LANGUAGES


@pytest.fixture(params=LANGUAGES)
def page(request: pytest.FixtureRequest, browser: Browser, base_url: str) -> Iterator[Page]:
    size: ViewportSize = {"width": 320, "height": 800}
    context = browser.new_context(base_url=base_url, viewport=size, locale=request.param)
    page = context.new_page()
    page.set_default_timeout(15_000)
    yield page
    context.close()


def addresses(page: Page) -> Iterator[str]:
    """Yield the address of every page: the site's own, and those of a game of each kind."""
    yield from (
        "/",
        "/settings/",
        "/nowhere/",
        "/me/devices/",
        "/me/",
        "/me/finished/",
        "/me/packs/",
        "/me/access/",
        "/api/",
        "/import/",
        "/puzzles/",
        "/report/",
        "/report/?of=/players/nobody/",
    )
    yield from (
        "/classes/",
        *(f"/classes/{exercise.slug}/" for _rules, exercise in all_exercises()),
    )
    for slug in all_rules():
        yield from (f"/new/{slug}/", f"/rules/{slug}/")
        page.goto(f"/new/{slug}/")
        choose_all_seats(page, "invite")
        page.locator(".seat-setup [value=me]").first.check()
        skip_lobby(page)
        page.locator(".setup-form button.big").click()
        page.wait_for_url("**/g/**")
        game = page.url
        invitation = page.locator("#links input.link").first.input_value()
        yield from (game, f"{game}0/", invitation)
        page.goto(game)
        page.locator("#b-resign").evaluate("button => button.click()")
        page.locator("#board .result").wait_for()
        yield game
        yield from (f"{game}export/", f"{game}print/", f"{game}embed/", f"{game}tokens/")
        if all_rules()[slug].analysis:
            yield f"{game}analysis/"
        if all_rules()[slug].day_board:
            yield from day_board_addresses(page, f"/puzzles/{slug}/today/")
    yield from bot_addresses(page)
    yield from device_addresses(page)
    yield from pack_addresses(page)
    yield from class_addresses(page)
    yield from account_addresses(page)


def day_board_addresses(page: Page, address: str) -> Iterator[str]:
    """Yield the address of a board of the day before and after it is played."""
    yield address
    page.locator(".puzzles form button.big").click()
    page.wait_for_url("**/g/**")
    page.locator("#b-resign").evaluate("button => button.click()")
    page.locator("#board .result").wait_for()
    yield address
    page.locator("#share").wait_for()


def bot_addresses(page: Page) -> Iterator[str]:
    """Yield the addresses of bots: making one, the list, its token and changing it."""
    yield "/me/bots/new/"
    page.goto("/me/bots/new/")
    page.locator("#id_name").fill("Randy the Random")
    page.locator("#id_about").fill("Plays a random legal move")
    page.locator(".bot-form button").click()
    page.locator("#token").wait_for()
    change = page.locator(".own-bots .devices a").first.get_attribute("href") or ""
    yield from ("/bots/", "/me/access/", change)


def device_addresses(page: Page) -> Iterator[str]:
    """Yield the addresses of the visitor's devices and of the link for another one."""
    page.goto("/me/devices/")
    page.locator("form[action*=link] button").click()
    link = page.locator("#device-link").input_value()
    yield from ("/me/", "/me/devices/", link, "/me/account/", "/me/account/recover/")


def pack_addresses(page: Page) -> Iterator[str]:
    """Yield the addresses of a word pack: making, changing, playing and sharing it."""
    slug = next(slug for slug, rules in all_rules().items() if rules.pack)
    yield f"/me/packs/new/{slug}/"
    page.locator("#pack-name").fill("Holidays by the sea with all the family")
    page.locator("#words").fill("sun, sea")
    page.locator("#words").press("Tab")
    page.locator("form.card button").click()
    page.wait_for_url("**/?done=saved")
    yield page.url
    play, edit = (page.locator("ul.devices a").nth(n).get_attribute("href") or "" for n in (0, 1))
    page.goto(edit)
    page.locator("#share ~ form button").click()
    link = page.locator("#pack-link").input_value()
    yield from (edit, play, link)
    page.context.clear_cookies()
    yield from (link, "/pack/withdrawn/")


def class_addresses(page: Page) -> Iterator[str]:
    """Yield the addresses of a class of pupils: for its teacher, and for its pupils."""
    page.goto("/classes/")
    page.locator("form[action='/classes/new/'] button").click()
    page.wait_for_url("**/results/**")
    yield from (page.locator("#own-link").input_value(), page.locator("#pupils-link").input_value())


def make_account(page: Page) -> None:
    page.goto("/me/account/")
    page.locator("#new-name").fill(f"Vera {uuid4().hex[:8]}")
    page.locator("#new-password").fill("four wise otters")
    page.locator("#new-password").press("Enter")
    page.locator(".codes code").first.wait_for()


def account_addresses(page: Page) -> Iterator[str]:
    """Yield the addresses of a player with an account and a public page."""
    make_account(page)
    start_solo_game(page, two_player_rules().slug)
    page.goto("/me/account/")
    unfold(page, "form[action$='/me/public/']")
    page.locator("form[action$='/me/public/'] button").click()
    public = page.locator("#public a").get_attribute("href") or ""
    of = public.strip("/").rpartition("/")[2]
    yield from ("/me/", public, f"/me/ask/?of={of}", "/me/account/?done=public")
    yield "/me/devices/?done=hook"


def faults(page: Page, name: str) -> list[tuple[str, str, str, str]]:
    """Return the faults of the page as it is shown, in all looks, with a name for it."""
    return [(name, *fault) for fault in accessibility.faults_in_all_looks(page)]


def test_axe_finds_no_violation_on_any_page(page: Page) -> None:
    found = []
    for address in addresses(page):
        page.goto(address)
        found += faults(page, address)
    assert found == []


def test_axe_finds_no_violation_while_games_are_imported_nor_in_frames(page: Page) -> None:
    make_account(page)
    page.goto("/import/")
    page.locator("#text").fill("hello")
    page.locator(".go .big").click()
    page.locator("#unread").wait_for()
    found = faults(page, "an error")
    page.locator("#text").fill("hello\nhello")
    page.locator(".go .quiet").click()
    page.locator("#import").wait_for()
    found += faults(page, "progress")
    page.locator("#import h2").first.wait_for()
    found += faults(page, "errors")
    page.goto("/puzzles/")
    puzzle = page.locator("a[href^='/puzzles/']:has(svg)").first.get_attribute("href") or ""
    page.goto(f"{puzzle}embed/")
    assert faults(page, "frame") + found == []


def open_lobby(page: Page) -> None:
    """Invite friends to a game of teams."""
    page.goto(f"/new/{kinds_with_shared_seats()[0]}/")
    choose_all_seats(page, "invite")
    page.locator(".seat-setup [value=me]").first.check()
    page.locator(".setup-form button.big").click()
    page.locator("#b-begin").wait_for()


def test_axe_finds_no_violation_in_a_lobby_and_beside_a_game(page: Page) -> None:
    open_lobby(page)
    found = faults(page, "lobby")
    start_solo_game(page, kinds_with_shared_seats()[0])
    page.locator("#board td.legal button").first.click()
    page.locator("#b-reveal").wait_for()
    found += faults(page, "marked")
    for opener in ("#b-settings", "#board a[data-beside]"):
        page.locator(opener).first.evaluate("link => link.click()")
        page.locator("dialog .back").wait_for()
        page.wait_for_load_state("networkidle")
        found += faults(page, opener)
        page.keyboard.press("Escape")
        page.locator("dialog").wait_for(state="detached")
    assert found == []
