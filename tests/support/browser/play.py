"""Games set up and played on their pages, in one or several real browsers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from playwright.sync_api import BrowserContext, Locator, Page, expect

from games.core.registry import all_rules
from tests.support.browser.new_games import create_game, post_form
from tests.support.kinds import seat_keys, two_player_rules

TIMEOUT_MS = 15_000
DOUBLE_CLICK_MS = 450
"""A second click that comes sooner is a part of the first."""

MOVE_BUTTON = "#board button[name=move][data-cell]:not([aria-disabled=true])"
STEP_BUTTON = MOVE_BUTTON.replace("=move", "=chosen")

NewContext = Callable[..., BrowserContext]


def set_up_game(
    page: Page,
    slug: str,
    seating: Mapping[str, str],
    options: Mapping[str, str],
    *,
    hints: bool = False,
) -> None:
    """Create a game, and wait for its board."""
    page.set_default_timeout(TIMEOUT_MS)
    _open_board(page, create_game(page, slug, seating, options, hints=hints))


def choose_seat(page: Page, seat: str, holder: str) -> None:
    """Choose the holder of a seat on the page of a new game, such as ``me`` or ``computer-3``."""
    who, _, more = holder.partition("-")
    page.locator(f"[name='seat-{seat}'][value={who}]").check()
    if more == "bots":
        page.locator("[name=bots]").check()
    elif more:
        page.locator(f"[name=level][value='{more}']").check()


def choose_all_seats(page: Page, holder: str) -> None:
    """Choose the same holder for all seats on the page of a new game."""
    for button in page.locator(".seat-setup:visible [value=me]").all():
        name = button.get_attribute("name") or ""
        choose_seat(page, name.removeprefix("seat-"), holder)


def choose_option(page: Page, name: str, value: str) -> None:
    """Choose the value of an option on the page of a new game, a list or a row of buttons."""
    if not page.locator(f"[name={name}]").first.is_visible():
        page.locator(".further").evaluate("further => { further.open = true }")
    if page.locator(f"select[name={name}]").count():
        page.locator(f"select[name={name}]").select_option(value)
    else:
        page.locator(f"label:has([name={name}][value='{value}'])").click()


def start_solo_game(page: Page, slug: str, *, hints: bool = False) -> None:
    """Create a game with every seat on this device."""
    set_up_game(page, slug, dict.fromkeys(seat_keys(all_rules()[slug]), "me"), {}, hints=hints)


def click_solo_game(page: Page, slug: str) -> None:
    """Create a game with every seat on this device, on the page of a new game."""
    page.set_default_timeout(TIMEOUT_MS)
    page.goto(f"/new/{slug}/")
    choose_all_seats(page, "me")
    skip_lobby(page)
    page.locator(".setup-form button.big").click()
    wait_for_board(page)


def skip_lobby(page: Page) -> None:
    """Let the game on the page of a new game begin at once, though others are invited."""
    page.locator(".setup-form [name=lobby]").evaluate("field => { field.value = '' }")


def _open_board(page: Page, address: str) -> None:
    page.goto(address)
    wait_for_board(page)


def wait_for_board(page: Page) -> None:
    """Wait until the page of a game takes clicks and keys."""
    expect(page.locator("#board")).to_be_visible()
    # Until the scripts have loaded, a key or button follows the way without scripts.
    page.wait_for_load_state()


def open_page_per_seat(
    new_context: NewContext,
    slug: str,
    seats: Sequence[str],
    *,
    hints: bool = False,
    **options: str,
) -> dict[str, Page]:
    """Create a game and return a page per seat, each in a browser context of its own.

    The first seat's browser sets the game up, the others claim their seats by invitation link.
    """
    owner = new_context().new_page()
    seating = dict.fromkeys(seats, "invite") | {seats[0]: "me"}
    set_up_game(owner, slug, seating, options, hints=hints)
    pages = {seats[0]: owner}
    for seat in seats[1:]:
        link = owner.locator(f"#link-{seat}").input_value()
        pages[seat] = new_context().new_page()
        pages[seat].set_default_timeout(TIMEOUT_MS)
        _open_board(pages[seat], post_form(pages[seat], link, {}))
    return pages


def start_game(
    page: Page, site: str, slug: str = "", *, others: str = "me", moves: Sequence[str] = ()
) -> str:
    """Create a game whose first seat is this browser's, after ``moves``, and return its address."""
    rules = all_rules()[slug] if slug else two_player_rules()
    first, *further = seat_keys(rules)
    seating = dict.fromkeys(further, others) | {first: "me"}
    played = {"transcript": rules.transcript.write(moves)} if rules.transcript and moves else {}
    address = create_game(page, rules.slug, seating, played, site=site)
    _open_board(page, address)
    return address


def claim_seat(page: Page, host: Page) -> None:
    """Claim the seat of the first invitation link on the host's page."""
    page.goto(host.locator("#links input.link").first.input_value())
    page.locator("main form button.big").click()
    expect(page.locator("#board")).to_be_visible()


def type_move(page: Page, move: str) -> None:
    """Wait for this page's turn, type a move, and wait until the board has it."""
    expect(page.locator("#board.my-turn")).to_be_visible()
    before = page.locator("#board").get_attribute("data-ply") or "0"
    show_more(page)
    page.locator("#typed-move").fill(move)
    page.locator("#typed button").click()
    expect(page.locator("#board")).to_have_attribute("data-ply", str(int(before) + 1))


def type_moves(pages: Mapping[str, Page], moves: Sequence[tuple[str, str]]) -> None:
    """Type the moves, each on the page of its seat."""
    for seat, move in moves:
        type_move(pages[seat], move)


def open_game_menu(page: Page) -> None:
    """Open the menu of secondary actions beside the board."""
    page.locator("#b-menu").click()
    expect(page.locator("#game-menu")).to_be_visible()


def show_more(page: Page) -> None:
    """Unfold the doors below the board, among them the field for a typed move."""
    if not page.locator(".doors[open]").count():
        page.locator(".doors > summary").press("Enter")


def unfold(page: Page, field: str) -> None:
    """Open the part of the account page that holds a field."""
    page.locator("details.card", has=page.locator(field)).locator("> summary").press("Enter")


def offer_seat(page: Page, seat: str) -> None:
    """Make the link that offers a seat to another device."""
    page.locator("#device").evaluate(
        """(form, seat) => {
            form.append(Object.assign(document.createElement("input"), {
                type: "hidden", name: "seat", value: seat }));
            form.submit();
        }""",
        seat,
    )


def is_over(page: Page) -> bool:
    """Return whether the board shows a result."""
    return page.locator("#board .result").count() > 0


def shown_ply(page: Page) -> int:
    """Return the ply of the position that the board shows."""
    return int(page.locator("#board").get_attribute("data-ply") or 0)


def expect_ply(page: Page, ply: int) -> None:
    """Wait until the board shows the position after ``ply`` moves."""
    expect(page.locator("#board")).to_have_attribute("data-ply", str(ply))


def next_step_button(page: Page) -> Locator:
    """Return the first button that makes a move, marks one, or adds a step to the half-chosen
    one."""
    if page.locator("#b-reveal:visible").count():
        return page.locator("#b-reveal")
    chosen = page.locator("#board").get_attribute("data-chosen")
    more = f"[value^='{chosen} ']" if chosen else ":not(#b-back)"
    return page.locator(
        f"#board button:is([name=move]:visible, [name=mark], [name=chosen]{more})"
        ":not([aria-disabled=true])"
    ).first


def reveal_marked(page: Page) -> None:
    """Press the button of the move that is marked, once it takes no double click any more."""
    expect(page.locator("#b-reveal")).to_be_visible()
    page.wait_for_timeout(DOUBLE_CLICK_MS)
    page.locator("#b-reveal").click()


def reveal(page: Page, cell: str) -> None:
    """Mark the move of a cell, and play it."""
    page.locator(cell).click()
    reveal_marked(page)


def reveal_secrets(page: Page) -> None:
    """Hand the device to the player to move, where the board waits for that."""
    hand_over = page.locator(".hand-over > button:not(.quiet)").first
    if next_step_button(page).count() == 0 and hand_over.count():
        hand_over.click()
        page.locator(".secret-screen a:visible").click()
        expect(page.locator("#board .opened")).to_be_visible()


def click_next_step(page: Page) -> None:
    """Click `next_step_button`, and wait until the board shows the step or move.

    Without the wait, the next click would hit a button of the board before.
    """
    reveal_secrets(page)
    button, board = next_step_button(page), page.locator("#board")
    value = button.get_attribute("value") or ""
    name, after = button.get_attribute("name"), shown_ply(page) + 1
    button.click()
    if name == "mark":
        expect(page.locator("#b-reveal")).to_be_visible()
        page.wait_for_timeout(DOUBLE_CLICK_MS)
    elif name == "move":
        expect(board).to_have_attribute("data-ply", str(after))
    else:
        expect(board).to_have_attribute("data-chosen", value)


def choose_all_but_last_step(page: Page) -> None:
    """Click until the next step makes the move."""
    while next_step_button(page).get_attribute("name") != "move":
        click_next_step(page)


def make_move(page: Page) -> None:
    """Wait for a turn on this page, and click the steps of one move."""
    hand_over = page.locator(".hand-over > button:not(.quiet)").first
    expect(next_step_button(page).or_(hand_over).first).to_be_visible()
    before = shown_ply(page)
    while shown_ply(page) == before:
        click_next_step(page)


def make_moves(page: Page, count: int) -> None:
    """Click moves until the board has ``count`` of them."""
    while shown_ply(page) < count:
        click_next_step(page)


def load_htmx(page: Page) -> None:
    """Wait until the page of a game has htmx, which the first touch of it loads."""
    page.locator("#board").dispatch_event("pointerdown")
    page.wait_for_function("() => 'ajax' in htmx")
