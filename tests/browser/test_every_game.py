"""Every game there is, played with a mouse in a real browser against the real site."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page

from games.registry import all_rules
from tests.support.browser_play import click_next_step, is_over, shown_ply, start_solo_game

CLICKS = 8

each_kind = pytest.mark.parametrize("slug", all_rules())


@pytest.fixture
def faults(context: BrowserContext) -> list[str]:
    """What a page complained of: script errors, refused resources, failed requests."""
    found: list[str] = []
    context.on("weberror", lambda error: found.append(str(error.error)))
    context.on(
        "console",
        lambda line: found.append(line.text) if line.type in {"error", "warning"} else None,
    )
    return found


@each_kind
def test_every_game_can_be_played_with_the_mouse(page: Page, faults: list[str], slug: str) -> None:
    start_solo_game(page, slug)
    for _ in range(CLICKS):
        if not is_over(page):
            click_next_step(page)
    assert shown_ply(page) >= 1
    assert faults == []


@each_kind
@pytest.mark.browser_context_args(java_script_enabled=False)
def test_every_game_can_be_played_without_scripts(page: Page, slug: str) -> None:
    start_solo_game(page, slug)
    for _ in range(CLICKS):
        if not is_over(page):
            click_next_step(page)
    assert shown_ply(page) >= 1
