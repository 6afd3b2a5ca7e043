"""Open pages of a server that is killed, falls silent or returns with an older backup."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import expect

from tests.support.browser.page_spies import open_streams, wait_for_heartbeat, wait_until
from tests.support.browser.play import expect_ply, make_move, show_more, shown_ply, start_game
from tests.support.servers.site_process import START_TIMEOUT, Site, query_database, share_static


@pytest.fixture
def own_site(tmp_path: Path, site: str, site_data: Path) -> Iterator[Site]:
    """Yield a site that a test may stop and start."""
    share_static(tmp_path, site_data)
    own = Site(tmp_path, "--computers", "0")
    yield own
    own.stop(signal.SIGKILL)


def start_again(site: Site) -> None:
    """Start the site and wait for its first answer, which takes seconds on a busy machine."""
    urlopen(site.start(), timeout=START_TIMEOUT).close()


def ply_and_version(data: Path) -> tuple[int, int]:
    """Return the ply and version of the only game."""
    (found,) = query_database(data, "SELECT ply, version FROM games_game")
    return found[0], found[1]


def restore(data: Path, backup: tuple[int, int]) -> None:
    """Set the only game back to a ply and version, as a restored backup does."""
    query_database(data, "DELETE FROM games_move WHERE ply > ?", backup[0])
    query_database(data, "UPDATE games_game SET ply = ?, version = ?", *backup)


def test_open_pages_reconnect_to_a_server_that_was_killed_and_restarted(visit, own_site):
    mine = visit()
    address = own_site.start()
    watcher = visit(start_game(mine, address))
    wait_until(watcher, lambda: open_streams(watcher) == 1)
    own_site.stop(signal.SIGKILL)
    for page in (mine, watcher):
        expect(page.locator("#offline")).to_be_visible()
    start_again(own_site)
    for page in (mine, watcher):
        expect(page.locator("#offline")).to_be_hidden()
    make_move(mine)
    expect_ply(watcher, shown_ply(mine))


def test_open_pages_show_the_older_board_of_a_restored_backup(visit, own_site, tmp_path):
    mine = visit()
    watcher = visit(start_game(mine, own_site.start()))
    make_move(mine)
    backup = ply_and_version(tmp_path)
    for _ in range(2):
        make_move(mine)
        expect_ply(watcher, shown_ply(mine))
    own_site.stop()
    restore(tmp_path, backup)
    start_again(own_site)
    for page in (mine, watcher):
        expect_ply(page, 1)
    make_move(mine)
    expect_ply(watcher, shown_ply(mine))


def test_a_move_on_a_board_newer_than_the_restored_backup_is_refused(visit, own_site, tmp_path):
    mine = visit()
    mine.route("**/events/**", lambda route: route.abort())
    start_game(mine, own_site.start())
    make_move(mine)
    backup = ply_and_version(tmp_path)
    for _ in range(2):
        make_move(mine)
    own_site.stop()
    restore(tmp_path, backup)
    start_again(own_site)
    show_more(mine)
    mine.fill("#typed-move", "whatever")
    mine.press("#typed-move", "Enter")
    expect_ply(mine, 1)
    expect(mine.locator("#typed .refused")).to_be_visible()


def test_missing_heartbeats_show_that_a_server_is_silent(visit, own_site):
    watcher = visit(start_game(visit(), own_site.start()))
    wait_for_heartbeat(watcher)
    own_site.process.send_signal(signal.SIGSTOP)
    expect(watcher.locator("#offline")).to_be_visible()
    own_site.process.send_signal(signal.SIGCONT)
    expect(watcher.locator("#offline")).to_be_hidden()
