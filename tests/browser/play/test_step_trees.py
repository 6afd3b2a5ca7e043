"""Steps chosen in the page look as the server shows them, which pages without scripts see."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from games.core.registry import all_rules
from tests.support.browser.play import (
    click_next_step,
    is_over,
    reveal_secrets,
    shown_ply,
    start_solo_game,
)
from tests.support.kinds import stepwise_rules
from tests.support.repeats import SOAK

COMPARE = """
async () => {
  const look = root => [...root.querySelectorAll("#board td.cell, #prompt, .beside")].map(part => {
    const copy = part.cloneNode(true);
    for (const element of [copy, ...copy.querySelectorAll("*")]) {
      for (const name of ["tabindex", "data-preview", "type"]) element.removeAttribute(name);
      // Of a mark that a player alone sets in the page.
      element.classList.remove("armed");
      const names = [...element.classList].sort().join(" ");
      const rest = [...element.attributes].filter(({ name }) => name !== "class");
      const sorted = rest.map(({ name, value }) => `${name}=${value}`).sort();
      for (const { name } of rest) element.removeAttribute(name);
      element.setAttribute("class", [names, ...sorted].join("|"));
    }
    for (const ghost of copy.querySelectorAll("[class^=ghost]")) ghost.remove();
    return copy.outerHTML.replace(/\\s+/g, " ").replace(/> </g, "><");
  });
  const board = document.getElementById("board");
  const url = new URL(board.dataset.address, location);
  url.searchParams.set("chosen", board.dataset.chosen || "");
  const answer = await fetch(url, { headers: { "HX-Request": "true" } });
  const served = new DOMParser().parseFromString(await answer.text(), "text/html");
  const [here, there] = [look(document), look(served)];
  return here.flatMap((part, index) => part === there[index] ? [] : [[part, there[index]]]);
}
"""


def check_every_stage(page: Page, slug: str) -> int:
    """Compare the board of each stage of some moves, and return the number of stages."""
    start_solo_game(page, slug)
    stages = 0
    while shown_ply(page) < 4 and not is_over(page):
        reveal_secrets(page)
        if page.locator("#board[data-chosen], #b-reveal:visible").count():
            stages += 1
        differences = page.evaluate(COMPARE)
        assert not differences, differences[0]
        click_next_step(page)
    return stages


# The moves to be confirmed have the same steps, and one more to look at.
@pytest.mark.parametrize("slug", all_rules() if SOAK else [stepwise_rules().slug])
def test_a_step_chosen_in_the_page_looks_as_the_server_shows_it(page: Page, slug: str) -> None:
    check_every_stage(page, slug)


@pytest.mark.parametrize("slug", all_rules())
def test_a_whole_move_to_be_confirmed_looks_as_the_server_shows_it(page: Page, slug: str) -> None:
    page.goto("/settings/")
    page.locator("[name=confirm][value=always]").evaluate("box => { box.checked = true }")
    page.locator("main form button").first.click()
    assert check_every_stage(page, slug)


def test_a_language_that_is_changed_keeps_the_half_chosen_move(page: Page) -> None:
    start_solo_game(page, stepwise_rules().slug)
    click_next_step(page)
    chosen = page.locator("#board").get_attribute("data-chosen") or ""
    page.locator(".language button").click()
    expect(page.locator("html")).to_have_attribute("lang", "nl")
    expect(page.locator("#board")).to_have_attribute("data-chosen", chosen)
