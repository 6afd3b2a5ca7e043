"""The page of a new game: it fits on a telephone, and hides fields without an effect."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from games.contract import Option
from games.registry import all_rules
from tests.support.browser_play import NewContext, choose_option
from tests.support.kinds import options_with_a_condition

PHONE = {"width": 390, "height": 664}


@pytest.mark.parametrize("locale", ["en", "nl"])
def test_a_telephone_shows_all_of_a_new_game_at_once(new_context: NewContext, locale: str) -> None:
    page = new_context(viewport=PHONE, locale=locale, has_touch=True).new_page()
    for slug in all_rules():
        page.goto(f"/new/{slug}/")
        expect(page.locator(".setup-form button.big")).to_be_in_viewport(ratio=1)
        assert page.evaluate("scrollY") == 0
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


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
