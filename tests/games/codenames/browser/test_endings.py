"""The end of a game of Codenames: the key is turned up, card by card, for those without it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.games.codenames.browser.test_play import KEY, SEATS, NewContext, join, start
from tests.support.browser.play import reveal, set_up_game

TURNED_FROM = """() => document.getAnimations()
    .filter(({ animationName }) => animationName === "codenames-turn-up")
    .map((animation) => {
        const card = animation.effect.target;
        for (const animation of card.getAnimations({ subtree: true })) animation.currentTime = 0;
        return [
            getComputedStyle(card).borderTopColor,
            getComputedStyle(card, "::after").opacity,
        ];
    })"""


def stop_animations(page: Page) -> None:
    """Let all animations of a page stand at their beginning."""
    session = page.context.new_cdp_session(page)
    session.send("Animation.enable")
    session.send("Animation.setPlaybackRate", {"playbackRate": 0})


@pytest.fixture
def ended(page: Page, new_context: NewContext) -> tuple[Page, Page]:
    """Return the pages of a spymaster and of his operative as their game ends."""
    start(page, "invite")
    guest = join(new_context(), page, "red-operatives")
    stop_animations(guest)
    page.locator("#b-resign").evaluate("button => button.click()")
    for window in (page, guest):
        expect(window.locator("#board.over .key")).to_have_count(len(KEY))
    return page, guest


def test_a_card_shows_nothing_of_the_key_before_it_is_turned_up(ended: tuple[Page, Page]) -> None:
    _spymaster, operative = ended
    assert operative.evaluate(TURNED_FROM) == [["rgba(0, 0, 0, 0.267)", "0"]] * len(KEY)


def test_a_spymaster_sees_no_card_turned_up_that_was_known(ended: tuple[Page, Page]) -> None:
    spymaster, _operative = ended
    assert spymaster.evaluate(TURNED_FROM) == []


FIVE_BY_FIVE = "RRRRX" + "R" * 5 + "B" * 8 + "-" * 7
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
# The animations of a win, each at the moment at which its card is largest.
LARGEST = """() => {
    for (const animation of document.getAnimations()) {
        animation.pause();
        animation.currentTime = (animation.effect.getTiming().delay || 0) + 220;
    }
}"""


@pytest.mark.parametrize(("width", "height"), [(320, 568), (390, 664), (1280, 800)])
def test_all_cards_of_a_won_board_are_whole(page: Page, width: int, height: int) -> None:
    page.set_viewport_size({"width": width, "height": height})
    options = {"clues": "spoken", "own_key": FIVE_BY_FIVE}
    set_up_game(page, "codenames", dict.fromkeys(SEATS, "me"), options)
    reveal(page, "#c-0-4")
    expect(page.locator("#board.is-won")).to_be_visible()
    page.evaluate(LARGEST)
    assert page.evaluate(WIDER) == 0
    page.evaluate("document.getAnimations().forEach(animation => animation.finish())")
    for card in page.locator("#board .card").all():
        card.evaluate("card => card.scrollIntoView({ block: 'center', behavior: 'instant' })")
        expect(card).to_be_in_viewport(ratio=1)
    expect(page.locator("#board .card")).to_have_count(25)
