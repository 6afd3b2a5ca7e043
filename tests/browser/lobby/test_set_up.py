"""The page of a new game: it fits on a phone, and hides fields without an effect."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from games.contract import Option
from games.core.registry import all_rules
from tests.support.browser.play import choose_option
from tests.support.kinds import options_with_a_condition
from tests.support.repeats import LANGUAGES

ShowNewGame = Callable[[str, int, int], Page]


@pytest.fixture(scope="module", params=LANGUAGES)
def show(request: pytest.FixtureRequest, browser: Browser, base_url: str) -> Iterator[ShowNewGame]:
    """Return a function that shows the page of a new game of a kind in a window of some size. All
    tests see the same pages, which they leave as they were."""
    context = browser.new_context(base_url=base_url, locale=request.param)
    pages = dict[str, Page]()

    def show(slug: str, width: int, height: int) -> Page:
        if slug not in pages:
            pages[slug] = context.new_page()
            pages[slug].goto(f"/new/{slug}/")
        pages[slug].set_viewport_size({"width": width, "height": height})
        return pages[slug]

    yield show
    context.close()


@pytest.mark.parametrize("slug", all_rules())
def test_a_phone_and_a_desktop_show_all_of_a_new_game_at_once(show: ShowNewGame, slug: str) -> None:
    for width, height in ((390, 664), (1280, 800)):
        page = show(slug, width, height)
        expect(page.locator(".setup-form button.big")).to_be_in_viewport(ratio=1)
        assert page.evaluate("scrollY") == 0
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width


LINES_OF_WORDS = """label => {
    const text = label.firstChild, range = document.createRange();
    return [...text.data.matchAll(/\\S+/g)].map(({ 0: word, index }) => {
        range.setStart(text, index);
        range.setEnd(text, index + word.length);
        return range.getClientRects().length;
    });
}"""


@pytest.mark.parametrize("slug", all_rules())
def test_no_word_in_the_name_of_a_seat_is_broken(show: ShowNewGame, slug: str) -> None:
    for width in (320, 390):
        for label in show(slug, width, 664).locator(".seat-called [id]:visible").all():
            assert set(label.evaluate(LINES_OF_WORDS)) == {1}, label.inner_text()


@pytest.mark.parametrize("slug", all_rules())
def test_the_name_of_the_game_is_not_broken_on_any_screen(show: ShowNewGame, slug: str) -> None:
    for width in (320, 768, 1024, 1152, 1280):
        title = show(slug, width, 800).locator(".setup h1")
        assert title.evaluate(LINES_OF_WORDS) == [1], width


@pytest.mark.parametrize("slug", all_rules())
def test_further_options_lie_below_their_names_on_a_phone(show: ShowNewGame, slug: str) -> None:
    page = show(slug, 390, 664)
    page.locator(".further summary").click()
    for field in page.locator(".further .field:visible").all():
        name = field.locator("label, legend").first.bounding_box()
        answer = field.locator("select, textarea, .choices, input").first.bounding_box()
        assert name
        assert answer
        assert answer["y"] >= name["y"] + name["height"]
        assert answer["x"] == name["x"]
    page.locator(".further summary").click()
    page.evaluate("scrollTo(0, 0)")


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
