"""A board in a frame that has no origin of its own, as many sites make for pages that they do not
know."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import Page, expect

from games.core.registry import all_rules
from tests.support.browser.play import make_move, start_solo_game


@pytest.fixture
def blog(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """Serve a folder at an address that is not the site's, and yield both."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield tmp_path, f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


@pytest.mark.parametrize("slug", sorted(all_rules()))
def test_a_sandboxed_frame_loads_all_that_it_needs_steps_and_follows(slug, page: Page, blog):
    start_solo_game(page, slug)
    make_move(page)
    folder, address = blog
    source = f"{page.url.partition('?')[0]}embed/"
    frame = f'<iframe sandbox="allow-scripts" width="480" height="640" src="{source}"></iframe>'
    (folder / "index.html").write_text(f"<!doctype html>{frame}")
    other = page.context.new_page()
    failed: list[str] = []
    other.on("requestfailed", lambda request: failed.append(request.url))
    other.on("pageerror", lambda error: failed.append(error.message))
    other.goto(address)
    shown = other.frame_locator("iframe")
    at_ply = shown.locator(".at-ply")
    expect(at_ply).to_contain_text("1 / 1")
    shown.locator(".plies a").first.click()
    expect(at_ply).to_contain_text("0 / 1")
    shown.locator(".plies a").last.click()
    expect(at_ply).to_contain_text("1 / 1")
    make_move(page)
    expect(at_ply).to_contain_text("2 / 2")
    assert failed == []
