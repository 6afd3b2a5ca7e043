"""Othello in real browsers: two at once, by keyboard, by touch, on small screens."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.support.browser.play import set_up_game, show_more

# On 4 x 4: after d2 black has no move and white goes on.
UNTIL_THE_PASS = ["c4", "d4", "b1", "b4", "d3", "d2"]
TO_THE_END = ["a1", "a2", "c1", "d1", "a3", "a4"]
ARROWS = {(1, 0): "ArrowDown", (-1, 0): "ArrowUp", (0, 1): "ArrowRight", (0, -1): "ArrowLeft"}

Players = tuple[Page, Page]


def start(page: Page, size: int, *seats: str) -> None:
    """Set up a game; ``seats`` are the choices of seats, by default on this device."""
    seating = dict(zip(("black", "white"), seats or ("me", "me"), strict=True))
    set_up_game(page, "othello", seating, {"size": str(size)})


def square(page: Page, name: str) -> str:
    return f'#board [data-cell="{name}"]'


def see(page: Page, name: str) -> None:
    """Wait for the disc and for the response. The stream may bring the disc first, and until the
    response arrives another move would be dropped."""
    expect(page.locator(f"{square(page, name)} .placed")).to_be_visible()
    expect(page.locator(".htmx-request")).to_have_count(0)


def click(page: Page, name: str) -> None:
    """Play on a square and wait for the disc."""
    page.click(square(page, name))
    see(page, name)


@pytest.fixture
def players(new_context: Callable[..., BrowserContext]) -> Players:
    """Return the pages of black and white, each in its own browser, at a board of 4 x 4."""
    black, white = new_context().new_page(), new_context().new_page()
    start(black, 4, "me", "invite")
    white.set_default_timeout(10_000)
    white.goto(black.input_value("input.link"))
    with white.expect_navigation():
        white.click("main form button")
    return black, white


def play(players: Players, moves: list[str], turns: Iterator[Page]) -> None:
    """Let the player to move click each move, and check that both see it."""
    for move in moves:
        click(next(turns), move)
        for page in players:
            see(page, move)


def test_a_whole_game_with_a_pass_is_played_on_two_browsers(players: Players) -> None:
    black, white = players
    play(players, UNTIL_THE_PASS, iter([black, white] * 3))
    for page in players:
        expect(page.locator("#board .news").nth(1)).to_have_text(
            "Black has no legal move and passes."
        )
    expect(white.locator("#board .whose")).to_have_text("Your turn.")
    expect(black.locator("#board td.legal")).to_have_count(0)
    play(players, TO_THE_END, iter([white, black] * 3))
    for page in players:
        expect(page.locator("#board .result")).to_contain_text("White wins 12–4.")
        expect(page.locator("#board .side-white .won-mark")).to_be_visible()


def test_a_disc_that_turns_over_stays_the_same_element(page: Page) -> None:
    start(page, 8)
    page.evaluate("document.querySelector('[data-cell=d4] .disc').same = true")
    click(page, "c4")
    disc = page.locator(f"{square(page, 'd4')} .disc")
    expect(disc).to_have_class("disc black")
    assert disc.evaluate("disc => disc.same") is True


def test_pointing_at_a_square_shows_what_would_turn_over(page: Page) -> None:
    start(page, 8)
    page.hover(square(page, "d3"))
    expect(page.locator("#board td[data-preview=flip] [data-cell]")).to_have_attribute(
        "data-cell", "d4"
    )
    page.hover("h1")
    expect(page.locator("#board td[data-preview]")).to_have_count(0)


def test_one_tap_plays(new_context: Callable[..., BrowserContext]) -> None:
    page = new_context(has_touch=True, viewport={"width": 390, "height": 844}).new_page()
    start(page, 8)
    page.tap(square(page, "d3"))
    expect(page.locator("#board")).to_have_attribute("data-ply", "1")


def walk(page: Page, name: str) -> None:
    """Go from the focused square to ``name`` with the arrow keys."""
    goal = (int(name[1:]) - 1, ord(name[0]) - ord("a"))
    row, column = map(int, page.evaluate("document.activeElement.id").split("-")[1:])
    steps = [(1 if goal[0] > row else -1, 0)] * abs(goal[0] - row)
    steps += [(0, 1 if goal[1] > column else -1)] * abs(goal[1] - column)
    for step in steps:
        page.keyboard.press(ARROWS[step])


def test_a_whole_game_is_played_with_the_keyboard(page: Page) -> None:
    start(page, 4)
    while not page.evaluate("Boolean(document.activeElement.dataset.cell)"):
        page.keyboard.press("Tab")
    for move in UNTIL_THE_PASS + TO_THE_END:
        walk(page, move)
        page.keyboard.press("Enter")
        see(page, move)
    expect(page.get_by_role("status")).to_contain_text("White wins 12–4.")


def test_moves_are_typed_in_either_case(page: Page) -> None:
    start(page, 4)
    for move in ("C4", "d4"):
        show_more(page)
        page.fill("#typed-move", move)
        page.press("#typed-move", "Enter")
        see(page, move.lower())


@pytest.mark.browser_context_args(viewport={"width": 320, "height": 568})
@pytest.mark.parametrize("size", [4, 12, 14, 20, 26])
def test_the_smallest_phone_needs_no_sideways_scroll_of_the_page(page: Page, size: int) -> None:
    start(page, size)
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    cell = page.locator("#board td.cell").first.bounding_box()
    assert cell is not None
    assert cell["width"] == pytest.approx(cell["height"], abs=0.5)
    fits = "document.querySelector('.grid-window').scrollWidth <= 288"
    assert page.evaluate(fits) is (size <= 20)


@pytest.mark.browser_context_args(viewport={"width": 390, "height": 844})
def test_a_large_board_opens_where_the_discs_are(page: Page) -> None:
    start(page, 26)
    expect(page.locator(square(page, "m13"))).to_be_in_viewport(ratio=1)


@pytest.mark.browser_context_args(viewport={"width": 390, "height": 844})
def test_a_look_back_at_a_large_board_opens_where_the_last_disc_is(page: Page) -> None:
    start(page, 26)
    click(page, "l13")
    page.goto(page.url.split("?")[0] + "1/")
    expect(page.locator("td.last").first).to_be_in_viewport(ratio=1)
    corner = page.locator(".grid thead td")
    on_top = "td => { const at = td.getBoundingClientRect();"
    on_top += (
        " return document.elementFromPoint(at.x + at.width / 2, at.y + at.height / 2) === td }"
    )
    assert corner.evaluate(on_top)


@pytest.mark.parametrize(
    ("width", "scheme", "language"), [(320, "dark", "nl"), (1280, "light", "en")]
)
def test_axe_finds_nothing(
    browser: Browser, base_url: str, width: int, scheme: str, language: str
) -> None:
    context = browser.new_context(
        base_url=base_url,
        viewport={"width": width, "height": 800},
        color_scheme=scheme,  # type: ignore[arg-type]
        locale=language,
    )
    page = context.new_page()
    start(page, 8)
    click(page, "c4")
    page.reload()
    violations = Axe().run(page).response["violations"]
    assert [(violation["id"], violation["nodes"][0]["html"]) for violation in violations] == []
    context.close()


@pytest.mark.parametrize(("motion", "count"), [("no-preference", 2), ("reduce", 0)])
def test_the_discs_are_counted_up_at_the_end_unless_motion_is_reduced(page, motion, count):
    page.emulate_media(reduced_motion=motion)
    start(page, 4)
    for move in UNTIL_THE_PASS + TO_THE_END[:-1]:
        click(page, move)
    page.evaluate("window.counted = 0")
    page.evaluate(
        "document.addEventListener('animationstart', ({ animationName }) => {"
        " counted += animationName === 'counted-up' })"
    )
    click(page, TO_THE_END[-1])
    expect(page.locator("#board.over .result")).to_be_visible()
    page.wait_for_timeout(300)
    assert page.evaluate("counted") == count
    assert page.locator(".bar-score b").all_inner_texts() == ["12", "4"]


NARROWEST = """disc => {
  const { width } = disc.getBoundingClientRect();
  disc.classList.replace("black", "white");
  const turn = disc.getAnimations().find(
    ({ transitionProperty }) => transitionProperty === "transform");
  turn.pause();
  const { duration } = turn.effect.getTiming();
  const widths = Array.from({ length: 101 }, (_, percent) => {
    turn.currentTime = (percent * duration) / 100;
    return disc.getBoundingClientRect().width;
  });
  return Math.min(...widths) / width;
}"""


def test_a_disc_can_be_seen_in_each_frame_while_it_turns(page: Page) -> None:
    page.emulate_media(reduced_motion="no-preference")
    start(page, 4)
    disc = page.locator("#board td .disc.black:not(.may)").first
    assert disc.evaluate(NARROWEST) > 0.1
