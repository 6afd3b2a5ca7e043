"""The page of a new game: it fits on a phone, and hides fields without an effect."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from games.contract import Option
from games.core.registry import all_rules
from tests.support.browser.play import NewContext, choose_option
from tests.support.kinds import options_with_a_condition

PHONE = {"width": 390, "height": 664}


@pytest.mark.parametrize("locale", ["en", "nl"])
def test_a_phone_shows_all_of_a_new_game_at_once(new_context: NewContext, locale: str) -> None:
    page = new_context(viewport=PHONE, locale=locale, has_touch=True).new_page()
    for slug in all_rules():
        page.goto(f"/new/{slug}/")
        expect(page.locator(".setup-form button.big")).to_be_in_viewport(ratio=1)
        assert page.evaluate("scrollY") == 0
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("locale", ["en", "nl"])
def test_a_desktop_shows_all_of_a_new_game_at_once(new_context: NewContext, locale: str) -> None:
    page = new_context(viewport={"width": 1280, "height": 800}, locale=locale).new_page()
    for slug in all_rules():
        page.goto(f"/new/{slug}/")
        expect(page.locator(".setup-form button.big")).to_be_in_viewport(ratio=1)


LINES_OF_WORDS = """label => {
    const text = label.firstChild, range = document.createRange();
    return [...text.data.matchAll(/\\S+/g)].map(({ 0: word, index }) => {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        return range.getClientRects().length;
    });
}"""


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.browser_context_args(locale="nl")
def test_no_word_in_the_name_of_a_seat_is_broken(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 664})
    for slug in all_rules():
        page.goto(f"/new/{slug}/")
        for label in page.locator(".seat-called [id]:visible").all():
            assert set(label.evaluate(LINES_OF_WORDS)) == {1}, label.inner_text()


@pytest.mark.parametrize("slug", all_rules())
@pytest.mark.browser_context_args(locale="nl")
def test_the_name_of_the_game_is_not_broken_on_any_screen(page: Page, slug: str) -> None:
    page.goto(f"/new/{slug}/")
    for width in (320, 768, 1024, 1152, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.locator(".setup h1").evaluate(LINES_OF_WORDS) == [1], width


@pytest.mark.parametrize("slug", all_rules())
@pytest.mark.browser_context_args(viewport=PHONE, locale="nl")
def test_further_options_lie_below_their_names_on_a_phone(page: Page, slug: str) -> None:
    page.goto(f"/new/{slug}/")
    page.locator(".further summary").click()
    for field in page.locator(".further .field:visible").all():
        name = field.locator("label, legend").first.bounding_box()
        answer = field.locator("select, textarea, .choices, input").first.bounding_box()
        assert name
        assert answer
        assert answer["y"] >= name["y"] + name["height"]
        assert answer["x"] == name["x"]


@pytest.mark.parametrize(
    ("slug", "option"),
    options_with_a_condition(),
    ids=lambda value: getattr(value, "name", value),
)
def test_a_field_is_shown_while_it_has_an_effect(page: Page, slug: str, option: Option) -> None:
    page.goto(f"/new/{slug}/")
    field = page.locator(f"[name={option.name}]")
    expect(field).to_be_hidden()
    assert option.only_with
    choose_option(page, *option.only_with)
    expect(field).to_be_visible()
