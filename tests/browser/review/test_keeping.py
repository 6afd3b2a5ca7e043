"""A variation is kept, and a game is printed, from their pages in a browser."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.review.test_variations import ONE_STEP, each_kind, open_ply, try_moves
from tests.support.browser import accessibility
from tests.support.browser.analyses import open_analysis


def test_a_tried_variation_is_kept_and_found_again(page: Page) -> None:
    open_ply(page, ONE_STEP, 1)
    try_moves(page, 2)
    analysis = page.url
    page.locator(".variation").get_by_role("link", name="Keep").click()
    expect(page.locator("h1")).to_have_text("Keep a variation")
    assert accessibility.faults_in_all_looks(page) == []
    page.fill("#name", "The quiet edge")
    page.fill("#sentence", "Why not here?")
    page.get_by_role("button", name="Keep").click()
    expect(page.locator("h1")).to_have_text("The quiet edge")
    assert accessibility.faults_in_all_looks(page) == []
    page.goto(analysis)
    page.get_by_role("link", name="The quiet edge").click()
    expect(page.get_by_text("Why not here?")).to_be_visible()
    page.get_by_role("button", name="Delete").click()
    expect(page).to_have_url(re.compile(r"/g/\w+/$"))


@each_kind
def test_a_game_prints_on_one_sheet(page: Page, slug: str) -> None:
    open_analysis(page, slug)
    page.goto(page.url.split("analysis/")[0] + "print/")
    expect(page.get_by_role("button", name="Print")).to_be_visible()
    sheet = page.pdf(prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", sheet)) == 1
    page.emulate_media(media="print")
    expect(page.locator(".site-top")).to_be_hidden()
    expect(page.locator(".paper h1")).to_be_visible()
