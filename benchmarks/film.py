"""Film the click that makes a move, on a slow server: ``python -m benchmarks.film [FOLDER]``.

For every kind of game, a move is clicked and its request held for a second. A row shows how long
after the click the screen first showed the move on every changed cell, and how many requests the
turn took. A strip with a picture of the screen every 50 ms is saved in FOLDER (var/film).
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import (
    Browser,
    FloatRect,
    Page,
    Request,
    Route,
    ViewportSize,
    sync_playwright,
)

from games.core.registry import all_rules
from scripts import chromium
from tests.support.browser.pixels import changed_in_every_box
from tests.support.browser.play import (
    choose_all_but_last_step,
    expect_ply,
    next_step_button,
    reveal_secrets,
    start_solo_game,
)
from tests.support.servers.site_process import serve

FOLDER = Path("var/film")
LAUNCH = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
HELD = 1.0
"""Seconds for which the request of a move is held."""
INTERVAL = 0.05
LENGTH = 1.5
"""Seconds between two pictures of a strip, and the length of a whole strip."""
PHONE: ViewportSize = {"width": 390, "height": 664}
REST = 500
"""Milliseconds for transitions to end before the click and after the answer."""
NOTE_CLICK = """
addEventListener("click", ({ timeStamp }) => {
  globalThis.clickedAt = (performance.timeOrigin + timeStamp) / 1000;
}, true)
"""


@dataclass
class Film:
    """The pictures of a page: each new one as PNG in Base64, with its time in seconds."""

    frames: list[tuple[float, str]] = field(default_factory=list)

    def at(self, moment: float) -> str:
        """Return the picture that the screen showed at a moment."""
        # The browser may send a picture after a later one.
        return max(frame for frame in self.frames if frame[0] <= moment)[1]

    def since(self, moment: float) -> Iterator[tuple[float, str]]:
        """Yield the pictures that came after a moment."""
        return (frame for frame in sorted(self.frames) if frame[0] > moment)


def record(page: Page) -> Film:
    """Return the film of the page from now on."""
    film, session = Film(), page.context.new_cdp_session(page)

    def add(event: dict[str, Any]) -> None:
        film.frames.append((event["metadata"]["timestamp"], event["data"]))
        session.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]})

    session.on("Page.screencastFrame", add)
    session.send("Page.startScreencast", {"format": "png"})
    return film


def count_requests(page: Page) -> list[str]:
    """Return a list to which the requests of the page are added, without its stream."""
    sent: list[str] = []

    def note(request: Request) -> None:
        if request.resource_type in {"document", "xhr", "fetch"}:
            sent.append(f"{request.method} {request.url}")

    page.on("request", note)
    return sent


def film_move(page: Page) -> tuple[Film, float, list[FloatRect]]:
    """Click the last step of a move and return the film, the time of the click and the cells that
    the move changes.
    """
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/move/", hold)
    next_step_button(page).hover()
    page.evaluate(NOTE_CLICK)
    film = record(page)
    page.wait_for_timeout(REST)
    next_step_button(page).click()
    clicked_at: float = page.evaluate("clickedAt")
    cells = page.locator("#board td.sending").all()
    boxes = [box for cell in cells if (box := cell.bounding_box())]
    page.wait_for_timeout((clicked_at + HELD - time.time()) * 1000)
    held[0].continue_()
    expect_ply(page, 1)
    page.wait_for_timeout(REST)
    return film, clicked_at, boxes


def first_shown(page: Page, film: Film, clicked_at: float, boxes: Sequence[FloatRect]) -> str:
    """Return as text when every cell of the move had changed on the screen."""
    before = film.at(clicked_at)
    for number, (shown_at, png) in enumerate(film.since(clicked_at), start=1):
        if boxes and changed_in_every_box(page, before, png, boxes):
            return f"new picture {number} of the screen, {(shown_at - clicked_at) * 1e3:.0f} ms"
    return "never"


def save_strip(page: Page, film: Film, clicked_at: float, path: Path) -> None:
    """Save the pictures of the screen every 50 ms after the click as one image."""
    figures = []
    for number in range(round(LENGTH / INTERVAL)):
        png = film.at(clicked_at + number * INTERVAL)
        caption = f"{number * INTERVAL * 1e3:.0f} ms"
        source = f"data:image/png;base64,{png}"
        figures.append(f'<figure><img width="195" src="{source}"><br>{caption}</figure>')
    page.set_viewport_size({"width": 2150, "height": 1000})
    page.set_content("<style>figure{display:inline-block;margin:8px}</style>" + "".join(figures))
    page.screenshot(path=str(path), full_page=True)


def film_game(browser: Browser, address: str, slug: str, folder: Path) -> None:
    """Film the first move of a new game, print its row and save its strip."""
    context = browser.new_context(base_url=address, viewport=PHONE)
    page = context.new_page()
    start_solo_game(page, slug)
    reveal_secrets(page)
    requests = count_requests(page)
    choose_all_but_last_step(page)
    film, clicked_at, boxes = film_move(page)
    sent = len(requests)
    editor = context.new_page()
    shown = first_shown(editor, film, clicked_at, boxes)
    print(f"| {slug} | {shown} | {len(boxes)} | {sent} |", flush=True)
    save_strip(editor, film, clicked_at, folder / f"{slug}.png")
    context.close()


def main(folder: Path) -> None:
    """Film a move of every kind of game."""
    folder.mkdir(parents=True, exist_ok=True)
    print("| game | the move is shown in | cells | requests |")
    with tempfile.TemporaryDirectory() as data, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=LAUNCH)
        with serve(Path(data)) as address:
            for slug in all_rules():
                film_game(browser, address, slug, folder)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
