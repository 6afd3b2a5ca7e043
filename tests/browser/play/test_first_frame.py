"""The first picture of the screen after a click shows the moved piece, while the server is slow."""

from __future__ import annotations

from base64 import b64encode

import pytest
from playwright.sync_api import Page, Route

from games.core.registry import all_rules
from tests.support.browser.pixels import changed_in_every_box
from tests.support.browser.play import (
    choose_all_but_last_step,
    expect_ply,
    next_step_button,
    reveal_secrets,
    start_solo_game,
)


def picture(page: Page) -> str:
    """Return a screenshot in Base64."""
    return b64encode(page.screenshot()).decode()


@pytest.mark.parametrize("slug", all_rules())
def test_the_first_picture_after_the_click_shows_the_move(page: Page, slug: str) -> None:
    start_solo_game(page, slug)
    reveal_secrets(page)
    choose_all_but_last_step(page)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/move/", hold)
    # The effects of the click are shown under the pointer: any change after that is the move.
    next_step_button(page).hover()
    before = picture(page)
    next_step_button(page).click()
    first = picture(page)
    expect_ply(page, 0)
    boxes = [cell.bounding_box() for cell in page.locator("#board td.sending").all()]
    assert boxes
    assert changed_in_every_box(page, before, first, [box for box in boxes if box])
    assert len(held) == 1
    held[0].continue_()
    expect_ply(page, 1)
