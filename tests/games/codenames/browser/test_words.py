"""Words on cards on a phone: large enough to read, and inside their cards."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.games.codenames.browser.test_play import SEATS
from tests.support.browser.play import choose_all_seats, set_up_game

LONG = (
    "helicopter hammock mushroom lighthouse hippopotamus thermometer laboratory playground "
    "locomotive dictionary university television microscope basketball photograph festival "
    "understanding window wigwam frog WORDD WORDM shoulder strawberry waterfall"
)
SIZES = """() => [...document.querySelectorAll('.card')]
    .map(card => Math.round(parseFloat(getComputedStyle(card).fontSize)) + 'px')"""
SMALL = """() => [...document.querySelectorAll('.card')]
    .filter(card => {
        const word = card.querySelector('b').getBoundingClientRect();
        const box = card.getBoundingClientRect();
        return parseFloat(getComputedStyle(card).fontSize) < 10 || word.left < box.left
            || word.right > box.right || word.top < box.top || word.bottom > box.bottom;
    }).map(card => card.textContent)"""


def test_words_are_filled_in_on_the_page_of_a_new_game(page: Page) -> None:
    page.goto("/new/codenames/")
    page.locator("label:has([name=cards][value=own])").click()
    page.locator("[name=own_words]").fill(LONG.replace(" ", ","))
    choose_all_seats(page, "me")
    page.locator(".setup-form button.big").click()
    expect(page.locator(".card").filter(has_text="hippopotamus")).to_have_count(1)


def sized(page: Page, address: str, *sizes: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Open an address in windows of these sizes, and yield each of them."""
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        page.goto(address)
        yield width, height


def test_long_words_are_large_enough_and_inside_their_cards(page: Page) -> None:
    set_up(page, LONG.split(), 5)
    for width, _ in sized(page, page.url, (320, 800), (390, 800), (1280, 800)):
        assert page.evaluate(SMALL) == [], width
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_words_are_as_large_as_other_text_on_a_phone(page: Page) -> None:
    set_up(page, [*LONG.split()[:24], "ice cream"], 5)
    for address in (page.url, page.url + "?seat=red-spymaster"):
        for size in sized(page, address, (390, 568), (390, 664), (390, 844), (360, 740)):
            one_line = ".card:not(.lines-2)"
            assert set(page.evaluate(SIZES.replace(".card", one_line))) == {"14px"}, size
            assert page.evaluate(SMALL) == [], size
            assert page.evaluate(CUT_OFF) == [], size
            assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


LARGE = "zakdoek kangoeroe boerderij struisvogel sinaasappel octopus schaduw toverstaf " + LONG
OUTSIDE = """() => [...document.querySelectorAll('.card.key')].filter(card => {
    const words = document.createRange(), box = card.getBoundingClientRect();
    words.selectNodeContents(card);
    const strip = parseFloat(getComputedStyle(card, '::after').height), border = 3;
    return [...words.getClientRects()].some(line => line.top < box.top + border
        || line.bottom > box.bottom - border - strip
        || line.left < box.left + border || line.right > box.right - border);
}).map(card => card.textContent)"""


def set_up(page: Page, words: list[str], size: int) -> None:
    """Set up a table with so many rows and columns, with every seat on this device."""
    others = [f"frog{chr(97 + n % 26)}{'x' * (n // 26)}" for n in range(size * size)]
    own = ",".join([*words, *others][: size * size])
    options = {"rows": str(size), "columns": str(size), "cards": "own", "own_words": own}
    set_up_game(page, "codenames", dict.fromkeys(SEATS, "me"), options)
    expect(page.locator(".card")).to_have_count(size * size)


def test_no_word_touches_the_strip_that_tells_a_spymaster_whose_card_it_is(page: Page) -> None:
    set_up(page, LARGE.split(), 8)
    address = page.url + "?seat=red-spymaster"
    for width, _ in sized(page, address, (600, 800), (1024, 800), (1280, 800)):
        expect(page.locator(".card.key")).to_have_count(64)
        assert page.evaluate(OUTSIDE) == [], width


def test_found_words_that_could_be_broken_are_as_large_as_others(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    set_up(page, ["octopus", "magneet", "computer", "piramide", "knoflook"], 5)
    sizes = page.evaluate("""() => [...document.querySelectorAll('.card')].map(card => {
        card.classList.add('out', 'N');
        return getComputedStyle(card).fontSize + getComputedStyle(card, '::before').bottom;
    })""")
    assert len(set(sizes)) == 1
    assert page.evaluate(SMALL) == []


# The box of a letter after a hyphen that the browser has inserted includes the hyphen.
BROKEN = r"""() => [...document.querySelectorAll('.card')].filter(card => {
    const word = card.querySelector('b'), text = word.textContent;
    const letter = document.createRange();
    const bottom = card.getBoundingClientRect().bottom + 1;
    let top;
    return [...text].some((_, at) => {
        letter.setStart(word.firstChild, at);
        letter.setEnd(word.firstChild, at + 1);
        const place = [...letter.getClientRects()].pop();
        if (!place?.width) return false;
        const next = top !== undefined && place.top > top + 3;
        top = place.top;
        return next && !/[\u00ad\s-]/.test(text[at - 1] + text[at]) || place.bottom > bottom;
    });
}).map(card => card.textContent)"""


def test_no_word_is_broken_but_at_a_hyphen_on_a_phone_in_landscape(page: Page) -> None:
    set_up(page, LARGE.split(), 5)
    for address in (page.url, page.url + "?seat=red-spymaster"):
        page.goto(address)
        for width, height in [(568, 320), (640, 360), (667, 375), (844, 390)]:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(BROKEN) == [], (address, width)


WIDE = ["Rotterdam Centraal", "Internationalisation", "Golden Gate Bridge", "Sint-Nicolaasavond"]
# The tops of letters are below the top of their line.
OVER = """() => [...document.querySelectorAll('.card')].filter(card => {
    card.classList.add('out', 'N');
    const words = document.createRange();
    words.selectNodeContents(card);
    const figure = parseFloat(getComputedStyle(card, '::before').bottom);
    const bottom = card.getBoundingClientRect().bottom - figure - 3;
    return [...words.getClientRects()].some(line => line.width && line.top < bottom);
}).map(card => card.textContent)"""


def test_a_wide_word_of_a_player_keeps_clear_of_the_strip_and_of_the_figure(page: Page) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    set_up(page, WIDE, 3)
    address = page.url
    page.goto(address + "?seat=red-spymaster")
    assert page.evaluate(OUTSIDE) == []
    for width in (1280, 390):
        page.goto(address)
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(OVER) == [], width


LONGEST = ["Ontvangkamerinrichting", "Arbeidsongeschiktheid", "Verzekeringsmaatschappij"]
CUT_OFF = """() => [...document.querySelectorAll('.card')]
    .filter(card => card.scrollHeight > card.clientHeight).map(card => card.textContent)"""
# The text spacing that WCAG 1.4.12 requires to work.
SPACED = """* { line-height: 1.5 !important; letter-spacing: .12em !important;
    word-spacing: .16em !important }"""


@pytest.mark.browser_context_args(viewport={"width": 360, "height": 740})
def test_the_longest_words_of_a_player_are_large_enough_on_a_small_phone(page: Page) -> None:
    set_up(page, LONGEST, 5)
    for address in (page.url, page.url + "?seat=red-spymaster"):
        page.goto(address)
        assert page.evaluate(SMALL.replace("< 10", "< 11")) == []
        assert page.evaluate(BROKEN) == []


@pytest.mark.browser_context_args(viewport={"width": 320, "height": 640}, bypass_csp=True)
def test_no_word_is_cut_off_where_letters_and_lines_are_spaced_out(page: Page) -> None:
    set_up(page, [*LONGEST, "mattress", "helicopter"], 5)
    for address in (page.url, page.url + "?seat=red-spymaster"):
        page.goto(address)
        page.add_style_tag(content=SPACED)
        assert page.evaluate(CUT_OFF) == []


def test_all_words_of_a_board_have_one_size(page: Page) -> None:
    set_up(page, [*LONG.split()[:20], "oak"], 5)
    for address in (page.url, page.url + "?seat=red-spymaster"):
        for width, _ in sized(page, address, (320, 800), (390, 800), (1280, 800)):
            assert len(set(page.evaluate(SIZES))) == 1, width


@pytest.mark.browser_context_args(viewport={"width": 390, "height": 664})
def test_the_largest_board_scrolls_in_its_window_on_a_phone(page: Page) -> None:
    set_up(page, [], 8)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    window = page.locator(".grid-window")
    assert window.evaluate("element => element.scrollWidth > element.clientWidth")
    assert page.evaluate(SMALL) == []


@pytest.mark.browser_context_args(viewport={"width": 1920, "height": 1080})
def test_the_cards_of_a_large_screen_fill_over_half_of_its_height(page: Page) -> None:
    set_up(page, [], 5)
    box = page.locator(".grid-window").bounding_box()
    assert box
    assert box["height"] > 0.55 * 1080
    assert page.evaluate("document.documentElement.scrollWidth") <= 1920
