"""Pages without a game use the room of a large screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from games.core.registry import all_rules
from tests.support.repeats import LANGUAGES

RIGHT_OF_TEXT = """pictures => {
    const text = document.querySelector(".rules > p").getBoundingClientRect();
    return pictures.map(picture => picture.getBoundingClientRect().left >= text.right);
}"""


@pytest.mark.parametrize("slug", all_rules())
def test_pictures_of_the_rules_stand_beside_their_text_where_there_is_room(
    page: Page, slug: str
) -> None:
    page.goto(f"/rules/{slug}/")
    for width, beside in ((390, False), (1280, True), (1920, True)):
        page.set_viewport_size({"width": width, "height": 800})
        places = page.locator(".rules .picture").evaluate_all(RIGHT_OF_TEXT)
        assert set(places) == {beside}, width
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width


@pytest.mark.parametrize("locale", LANGUAGES)
def test_the_buttons_of_a_setting_stand_in_one_row(page: Page, locale: str) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.set_extra_http_headers({"Accept-Language": locale})
    page.goto("/settings/")
    rows = page.locator(".choices").evaluate_all(
        "rows => rows.map(row => new Set([...row.children].map(cell => cell.offsetTop)).size)"
    )
    assert set(rows) == {1}
