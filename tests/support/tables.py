"""Several real browsers at one table: the first sets the game up, the others take its links."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from playwright.sync_api import BrowserContext, Page, expect

PATIENCE = 15_000

NewContext = Callable[..., BrowserContext]


def set_up(
    page: Page,
    slug: str,
    seating: Mapping[str, str],
    options: Mapping[str, str],
    *,
    hints: bool = False,
) -> None:
    """Fill in the set-up page and start the game."""
    page.set_default_timeout(PATIENCE)
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


def at_one_table(
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
    set_up(owner, slug, seating, options, hints=hints)
    pages = {seats[0]: owner}
    for seat in seats[1:]:
        link = owner.locator(f"#link-{seat}").input_value()
        pages[seat] = new_context().new_page()
        pages[seat].set_default_timeout(PATIENCE)
        pages[seat].goto(link)
        pages[seat].locator("form.field button").click()
        expect(pages[seat].locator("#board")).to_be_visible()
    return pages


def type_move(page: Page, move: str) -> None:
    """Type a move when it is this page's turn, and wait until the board has it."""
    expect(page.locator("#board.my-turn")).to_be_visible(timeout=PATIENCE)
    before = page.locator("#board").get_attribute("data-ply") or "0"
    page.locator("#typed-move").fill(move)
    page.locator("#typed button").click()
    expect(page.locator("#board")).to_have_attribute("data-ply", str(int(before) + 1))


def play(pages: Mapping[str, Page], moves: Sequence[tuple[str, str]]) -> None:
    """Type the moves, each in the browser of its seat."""
    for seat, move in moves:
        type_move(pages[seat], move)
