"""Games set up and played on their pages, in one or several real browsers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from playwright.sync_api import BrowserContext, Locator, Page, expect

TIMEOUT_MS = 15_000

NewContext = Callable[..., BrowserContext]


def set_up_game(
    page: Page,
    slug: str,
    seating: Mapping[str, str],
    options: Mapping[str, str],
    *,
    hints: bool = False,
) -> None:
    """Fill in the set-up page and start the game."""
    page.set_default_timeout(TIMEOUT_MS)
    page.goto(f"/new/{slug}/")
    for name, value in options.items():
        page.locator(f"input[name={name}][value='{value}']").check()
    if hints:
        page.locator("[name=hints]").evaluate("box => { box.checked = true }")
    for seat, who in seating.items():
        page.locator(f"select[name=seat-{seat}]").select_option(who)
    page.locator(".setup-form button.big").click()
    expect(page.locator("#board")).to_be_visible()
    # A key that is pressed before the scripts are there loads the page without them.
    page.wait_for_load_state()


def open_page_per_seat(
    new_context: NewContext,
    slug: str,
    seats: Sequence[str],
    *,
    hints: bool = False,
    **options: str,
) -> dict[str, Page]:
    """A page for each seat, each in a browser of its own that came by the secret link."""
    owner = new_context().new_page()
    seating = dict.fromkeys(seats, "invite") | {seats[0]: "me"}
    set_up_game(owner, slug, seating, options, hints=hints)
    pages = {seats[0]: owner}
    for seat in seats[1:]:
        link = owner.locator(f"#link-{seat}").input_value()
        pages[seat] = new_context().new_page()
        pages[seat].set_default_timeout(TIMEOUT_MS)
        pages[seat].goto(link)
        pages[seat].locator("form.field button").click()
        expect(pages[seat].locator("#board")).to_be_visible()
    return pages


def type_move(page: Page, move: str) -> None:
    """Type a move when it is this page's turn, and wait until the board has it."""
    expect(page.locator("#board.my-turn")).to_be_visible(timeout=TIMEOUT_MS)
    before = page.locator("#board").get_attribute("data-ply") or "0"
    page.locator("#typed-move").fill(move)
    page.locator("#typed button").click()
    expect(page.locator("#board")).to_have_attribute("data-ply", str(int(before) + 1))


def type_moves(pages: Mapping[str, Page], moves: Sequence[tuple[str, str]]) -> None:
    """Type the moves, each in the browser of its seat."""
    for seat, move in moves:
        type_move(pages[seat], move)


def start_solo_game(page: Page, slug: str) -> None:
    """Set up a game with every seat on this device."""
    page.set_default_timeout(10_000)
    page.goto(f"/new/{slug}/")
    for seat in page.locator(".seat-setup select:visible").all():
        seat.select_option("me")
    page.locator(".setup-form button.big").click()
    expect(page.locator("#board")).to_be_visible()
    # What is pressed before the scripts are there loads the page without them.
    page.wait_for_load_state()


def is_over(page: Page) -> bool:
    """The first card of a game may be the last."""
    return page.locator("#board .result").count() > 0


def shown_ply(page: Page) -> int:
    return int(page.locator("#board").get_attribute("data-ply") or 0)


def next_step_button(page: Page) -> Locator:
    """The first button that leads on: makes a move, or adds a step to those that are chosen."""
    chosen = page.locator("#board").get_attribute("data-chosen")
    more = f"[value^='{chosen} ']" if chosen else ":not(#b-back)"
    return page.locator(
        f"#board button:is([name=move], [name=chosen]{more}):not([aria-disabled=true])"
    ).first


def reveal_secrets(page: Page) -> None:
    """Where nothing can be clicked as long as nobody sees their own secrets: look as who moves."""
    hand_over = page.locator(".hand-over > button:not(.quiet)").first
    if next_step_button(page).count() == 0 and hand_over.count():
        hand_over.click()
        page.locator(".secret-screen a:visible").click()
        expect(page.locator("#board .opened")).to_be_visible()


def click_next_step(page: Page) -> None:
    """Click, and wait for the answer to stand on the board: a next click would meet the old one."""
    reveal_secrets(page)
    button, board = next_step_button(page), page.locator("#board")
    value = button.get_attribute("value") or ""
    is_move, after = button.get_attribute("name") == "move", shown_ply(page) + 1
    button.click()
    if is_move:
        expect(board).to_have_attribute("data-ply", str(after))
    else:
        expect(board).to_have_attribute("data-chosen", value)
