"""A whole game of every kind by clicks alone, and its first clicks without scripts."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from games.core.registry import all_rules
from tests.support.browser.play import click_next_step, click_solo_game, is_over, shown_ply

CLICKS = 8
LONGEST = 150
"""More moves than any of these games has."""

each_kind = pytest.mark.parametrize("slug", all_rules())


@pytest.fixture
def page_errors(context: BrowserContext) -> list[str]:
    """Return a list that collects script errors, refused resources and failed requests."""
    found: list[str] = []
    context.on("weberror", lambda error: found.append(str(error.error)))
    context.on(
        "console",
        lambda line: found.append(line.text) if line.type in {"error", "warning"} else None,
    )
    return found


@each_kind
def test_every_game_can_be_played_to_its_end_with_the_mouse(
    page: Page, page_errors: list[str], slug: str
) -> None:
    click_solo_game(page, slug)
    while not is_over(page):
        assert shown_ply(page) < LONGEST
        click_next_step(page)
    expect(page.locator("#board .result")).to_be_visible()
    assert page_errors == []


@each_kind
@pytest.mark.browser_context_args(java_script_enabled=False)
def test_every_game_can_be_played_without_scripts(page: Page, slug: str) -> None:
    click_solo_game(page, slug)
    for _ in range(CLICKS):
        if not is_over(page):
            click_next_step(page)
    assert shown_ply(page) >= 1
