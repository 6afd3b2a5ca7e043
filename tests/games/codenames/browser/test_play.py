"""Codenames in a real browser: on four devices, on one, by keyboard, without scripts."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page, expect

from tests.support.browser.accessibility import LOOKS
from tests.support.browser.play import (
    DOUBLE_CLICK_MS,
    choose_option,
    choose_seat,
    reveal,
    reveal_marked,
    set_up_game,
    show_more,
)

SEATS = ("red-spymaster", "red-operatives", "blue-spymaster", "blue-operatives")
# Six cards in two rows. Red begins and looks for a1 and b1; c2 is the assassin.
KEY = "RRB--X"
WORDS = "anchor,bicycle,castle,cactus,guitar,rocket"

NewContext = Callable[..., BrowserContext]


def start(page: Page, seating: str, *, clues: bool = True) -> None:
    """Set up a game on this device; ``seating`` is for all seats but the red spymaster's."""
    options = {"rows": "2", "columns": "3", "cards": "own", "own_words": WORDS, "own_key": KEY}
    options["clues"] = "typed" if clues else "spoken"
    set_up_game(page, "codenames", dict.fromkeys(SEATS, seating) | {SEATS[0]: "me"}, options)


def join(context: BrowserContext, host: Page, seat: str) -> Page:
    """Take a seat on another device by the link that the host sees."""
    page = context.new_page()
    page.goto(host.locator(f"#link-{seat}").input_value())
    page.locator("#name").fill(seat)
    page.locator("main button").click()
    expect(page.locator("#board")).to_be_visible()
    return page


def give_clue(page: Page, word: str, number: str) -> None:
    page.locator("#clue-word").fill(word)
    if number not in "1234":
        page.locator("#more-numbers summary").click()
    page.locator(f"label:has(#clue-{number})").click()
    page.locator("#b-clue").click()


def test_a_game_is_won_at_four_devices(page: Page, new_context: NewContext) -> None:
    start(page, "invite")
    red, blue_spy, blue = (join(new_context(), page, seat) for seat in SEATS[1:])
    for guesser in (red, blue):
        expect(guesser.locator(".key")).to_have_count(0)
    expect(blue_spy.locator(".key")).to_have_count(6)
    expect(red.locator(".clue")).to_contain_text("Waiting for the clue")

    give_clue(page, "ocean", "2")
    for window in (page, red, blue_spy, blue):
        expect(window.locator(".said")).to_contain_text("ocean")
    expect(blue.locator("#board [name=move]")).to_have_count(0)
    reveal(red, "#c-0-0")
    expect(blue.locator("#c-0-0 .out.R")).to_be_visible()
    reveal(red, "#c-0-1")
    for window in (page, red, blue_spy, blue):
        expect(window.locator(".result")).to_contain_text("All of Red’s spies have been found.")
        expect(window.locator(".key")).to_have_count(4)
    for context in {red.context, blue_spy.context, blue.context}:
        context.close()


def test_one_device_is_handed_round_by_keyboard_to_the_assassin(page: Page) -> None:
    start(page, "me")
    expect(page.locator(".key")).to_have_count(0)
    page.get_by_role("button", name="Pass to: Red spymaster").press("Enter")
    show = page.get_by_role("link", name="It’s me – show the board")
    expect(show).to_be_focused()
    show.press("Enter")
    expect(page.locator(".key")).to_have_count(6)
    page.locator("#clue-word").focus()
    page.keyboard.type("ocean")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".said")).to_contain_text("ocean")
    expect(page.locator(".key")).to_have_count(0)
    assert "seat=" not in page.url

    page.locator("#c-0-0").focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "Enter"):
        page.keyboard.press(key)
    page.wait_for_timeout(DOUBLE_CLICK_MS)
    page.keyboard.press("Enter")
    expect(page.locator("#c-1-2 .out.X")).to_be_visible()
    expect(page.locator(".result")).to_contain_text("Red hit the assassin.")
    expect(page.locator("#c-1-2")).to_be_focused()


def test_a_marked_card_and_the_end_of_the_turn_take_each_others_place(page: Page) -> None:
    start(page, "me", clues=False)
    reveal(page, "#c-0-0")
    expect(page.locator("#c-0-0 .out")).to_be_visible()
    page.locator("#b-stop").click()
    expect(page.locator("#prompt")).to_have_text("End our turn?")
    page.locator("#c-0-1").click()
    expect(page.locator("#b-reveal")).to_have_text(re.compile("^Reveal “"))
    expect(page.locator("#b-confirm")).to_have_count(0)
    expect(page.locator("#prompt")).to_have_text("Pick a card or end your turn.")
    page.locator("#b-stop").click()
    expect(page.locator("#prompt")).to_have_text("End our turn?")
    expect(page.locator("#b-reveal")).to_be_hidden()
    expect(page.locator(".armed, .mark-chosen")).to_have_count(0)


def test_back_shows_no_key_that_was_hidden(page: Page) -> None:
    page.goto("/new/codenames/")
    start(page, "me")
    game = page.url
    page.get_by_role("button", name="Pass to: Red spymaster").click()
    page.get_by_role("link", name="It’s me – show the board").click()
    expect(page.locator(".key")).to_have_count(6)
    page.get_by_role("link", name="Hide").click()
    expect(page.locator(".key")).to_have_count(0)
    for go in (page.go_back, page.go_back, page.go_forward):
        go()
        expect(page.locator("#board .card, .setup")).not_to_have_count(0)
        expect(page.locator(".key")).to_have_count(0)
    page.goto(game + "?seat=red-spymaster")
    give_clue(page, "ocean", "2")
    # The page with the key may get the board with the clue before it is replaced.
    expect(page.locator(".key")).to_have_count(0)
    expect(page.locator(".said")).to_contain_text("ocean")
    page.wait_for_load_state()
    page.go_back()
    expect(page.locator(".key")).to_have_count(0)


def test_a_refused_clue_says_why_and_stays_in_its_field(
    page: Page, new_context: NewContext
) -> None:
    start(page, "invite")
    give_clue(page, "castles", "2")
    expect(page.locator("#board .refused")).to_have_text(
        "“castles” is a form of “castle”, one of the cards on the table."
    )
    expect(page.locator("#clue-word")).to_have_value("castles")
    # A newcomer changes the board, but not the text being typed.
    page.locator("#clue-word").fill("fortress")
    join(new_context(), page, "red-operatives").context.close()
    expect(page.locator(".seat-player", has_text="red-operatives")).to_be_visible()
    expect(page.locator("#clue-word")).to_have_value("fortress")
    expect(page.locator("#clue-2")).to_be_checked()
    page.locator("#b-clue").click()
    expect(page.locator(".said")).to_contain_text("fortress")


def alone(page: Page, seat: str) -> None:
    """Start a game of six cards against computers from the front page, with ``seat`` on this
    device."""
    page.goto("/")
    page.locator("a[href='/new/codenames/']").first.click()
    choose_option(page, "rows", "2")
    choose_option(page, "columns", "3")
    for other in SEATS:
        choose_seat(page, other, "me" if other == seat else "computer-2")
    page.locator(".setup-form button.big").click()


def wait_for_my_turn(page: Page) -> bool:
    """Wait until the computers have moved; False when the game is over."""
    expect(page.locator("#board.my-turn, #board.over")).to_be_visible()
    expect(page.locator(".htmx-request")).to_have_count(0)
    return page.locator("#board.over").count() == 0


def moved(page: Page, ply: str | None) -> None:
    expect(page.locator(f"#board[data-ply='{ply}']")).to_have_count(0)


def test_a_person_alone_guesses_to_the_end_and_sees_the_cards_of_the_clues(page: Page) -> None:
    alone(page, "red-operatives")
    show_more(page)
    expect(page.locator("#more-links .more-links")).to_be_visible()
    while wait_for_my_turn(page):
        ply = page.locator("#board").get_attribute("data-ply")
        expect(page.locator(".said")).to_be_visible()
        expect(page.locator(".key, .note")).to_have_count(0)
        page.locator("#board td.legal button").first.click()
        reveal_marked(page)
        moved(page, ply)
    expect(page.locator(".result")).to_contain_text(re.compile("You (won|lost)"))
    expect(page.locator(".recap").first).to_contain_text("Cards meant")
    expect(page.locator(".note")).to_have_count(0)
    # A finished game invites nobody.
    expect(page.locator("#more-links .more-links")).to_have_count(0)


def test_a_person_alone_gives_clues_to_the_end(page: Page) -> None:
    alone(page, "red-spymaster")
    # The cards come from the whole list, no word of which is a part of these clues.
    for word in ("jealousy", "philosophy", "sympathy", "quartz", "tomorrow", "zeppelin"):
        if not wait_for_my_turn(page):
            break
        ply = page.locator("#board").get_attribute("data-ply")
        expect(page.locator(".key")).not_to_have_count(0)
        give_clue(page, word, "1")
        moved(page, ply)
    wait_for_my_turn(page)
    expect(page.locator(".result")).to_contain_text(re.compile("You (won|lost)"))


@pytest.mark.browser_context_args(java_script_enabled=False)
def test_a_game_can_be_played_to_its_end_without_scripts(page: Page) -> None:
    start(page, "me")
    page.get_by_role("button", name="Pass to: Red spymaster").click()
    page.get_by_role("link", name="It’s me – show the board").click()
    give_clue(page, "ocean", "1")
    expect(page.locator(".key")).to_have_count(0)
    page.locator("#c-0-0").click()
    page.locator("#b-reveal").click()
    page.locator("#b-stop").click()
    page.locator("#b-confirm").click()
    expect(page.locator(".clue")).to_contain_text("Waiting for the clue")
    show_more(page)
    page.locator("#typed-move").fill("a2")
    page.locator("#typed button").click()
    expect(page.locator(".refused")).to_be_visible()
    page.get_by_role("button", name="Pass to: Blue spymaster").click()
    page.get_by_role("link", name="It’s me – show the board").click()
    give_clue(page, "sky", "unlimited")
    page.locator("#c-0-2").click()
    page.locator("#b-reveal").click()
    expect(page.locator(".result")).to_contain_text("All of Blue’s spies have been found.")


OVERLAPPING = """() => {
    const prompt = document.createRange();
    prompt.selectNodeContents(document.querySelector(".now"));
    const words = [...prompt.getClientRects()];
    return [...document.querySelectorAll(".answer-bar :is(button, .choice)")].filter(control => {
        const { left, right, top, bottom } = control.getBoundingClientRect();
        const covers = words.some(({ x, y, width, height }) =>
            x < right && x + width > left && y < bottom && y + height > top);
        return control.checkVisibility() && (covers || left < 0 || right > innerWidth || top < 0);
    }).map(control => control.textContent);
}"""


OUTSIDE_INVITATIONS = """() => [...document.querySelectorAll("#links .invite")].filter(invite => {
    const { right } = invite.getBoundingClientRect();
    return [...invite.querySelectorAll(".button")].some(
        button => button.getBoundingClientRect().right > right);
}).map(invite => invite.textContent)"""


@pytest.mark.parametrize("width", [320, 390])
def test_a_phone_shows_the_prompt_and_all_numbers_of_a_clue(
    new_context: NewContext, width: int
) -> None:
    size = {"width": width, "height": 664}
    page = new_context(viewport=size, has_touch=True, is_mobile=True, locale="nl").new_page()
    start(page, "invite")
    assert page.evaluate(OVERLAPPING) == []
    assert page.evaluate(OUTSIDE_INVITATIONS) == []
    page.locator("#more-numbers summary").tap()
    expect(page.locator("label:has(#clue-0)")).to_be_visible()
    assert page.evaluate(OVERLAPPING) == []
    page.locator("#clue-word").fill("oceaan")
    page.locator("label:has(#clue-0)").tap()
    page.locator("#b-clue").tap()
    expect(page.locator(".clue")).to_contain_text("Onbeperkt raden")
    expect(page.locator(".said")).to_be_in_viewport()


@pytest.mark.parametrize(("language", "scheme", "width"), LOOKS)
def test_axe_finds_no_faults_on_the_pages(
    new_context: NewContext, language: str, scheme: str, width: int
) -> None:
    size = {"width": width, "height": 800}
    context = new_context(viewport=size, color_scheme=scheme, locale=language)
    assert visited(context.new_page()) == [[], []]
    context.close()


def visited(page: Page) -> list[list[str]]:
    """Return the faults of a running game, as everybody and as a spymaster sees it: broken axe
    rules and sideways scrolling."""
    start(page, "me", clues=False)
    game = page.url
    reveal(page, "#c-0-0")
    expect(page.locator("#c-0-0 .out")).to_be_visible()
    found = [faults(page)]
    page.goto(f"{game}?seat=red-spymaster")
    return [*found, faults(page)]


def faults(page: Page) -> list[str]:
    page.wait_for_timeout(250)  # the transitions of colours
    found = [violation["id"] for violation in Axe().run(page).response["violations"]]
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        found.append("scrolls sideways")
    return found


@pytest.mark.browser_context_args(viewport={"width": 1280, "height": 800})
def test_the_clue_is_asked_for_in_sight_and_by_the_next_press_of_tab(page: Page) -> None:
    start(page, "me", clues=False)
    page.get_by_role("button", name="Pass to: Red spymaster").press("Enter")
    page.get_by_role("link", name="It’s me – show the board").press("Enter")
    expect(page.locator("#prompt")).to_be_focused()
    for part in ("#prompt", "#clue-word", "#b-clue"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    page.keyboard.press("Tab")
    expect(page.locator("#clue-word")).to_be_focused()


BESIDE_A_KEYBOARD = """height => {
    const bar = document.querySelector('.answer-bar').getBoundingClientRect().top;
    return [...document.querySelectorAll('#board td.cell')].filter(cell => {
        const { top, bottom } = cell.getBoundingClientRect();
        return top >= innerHeight - height && bottom <= bar;
    }).length;
}"""


@pytest.mark.browser_context_args(
    viewport={"width": 390, "height": 664}, has_touch=True, is_mobile=True
)
def test_the_whole_key_is_in_view_while_the_keyboard_leaves_half_of_it(page: Page) -> None:
    key = "R" * 9 + "B" * 8 + "-" * 7 + "X"
    seating = dict.fromkeys(SEATS, "invite") | {SEATS[0]: "me"}
    set_up_game(page, "codenames", seating, {"own_key": key})
    page.locator("#clue-word").tap()
    expect(page.locator("#clue-word")).to_be_focused()
    assert page.evaluate(BESIDE_A_KEYBOARD, 360) == 25


def test_a_clue_without_a_number_is_refused_in_words_and_not_in_the_console(page: Page) -> None:
    sentences: list[str] = []
    page.on("console", lambda message: sentences.append(message.text))
    start(page, "invite")
    page.locator("#clue-word").fill("ocean")
    page.locator("#b-clue").click()
    expect(page.locator(".answer-bar .refused")).to_contain_text("how many cards")
    expect(page.locator("#clue-word")).to_have_value("ocean")
    assert [text for text in sentences if "focusable" in text] == []
