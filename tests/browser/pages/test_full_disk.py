"""A game page of a site whose disk is full."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from playwright.sync_api import Page, expect

from tests.support.browser.play import expect_ply, show_more, start_solo_game
from tests.support.kinds import first_legal_moves, two_player_rules
from tests.support.servers.site_process import Site, share_static

pytestmark = pytest.mark.skipif(
    connection.vendor != "sqlite", reason="limits the size of SQLite's files"
)


@pytest.fixture(scope="session")
def own_site(
    tmp_path_factory: pytest.TempPathFactory, site: str, site_data: Path
) -> Iterator[tuple[Site, str]]:
    data = tmp_path_factory.mktemp("faults")
    share_static(data, site_data)
    own = Site(data, "--computers", "0")
    yield own, own.start()
    own.stop()


# `base_url` cannot be overridden: the session's `browser_context_args` has read it already.
@pytest.fixture(scope="session")
def browser_context_args(
    browser_context_args: dict[str, Any], own_site: tuple[Site, str]
) -> dict[str, Any]:
    return browser_context_args | {"base_url": own_site[1]}


def test_a_move_that_could_not_be_saved_is_reported_and_can_be_made_again(
    page: Page, own_site: tuple[Site, str]
):
    rules = two_player_rules()
    start_solo_game(page, rules.slug)
    move = first_legal_moves(rules)[0]
    server = own_site[0].process.pid  # type: ignore[union-attr]
    limits = resource.prlimit(server, resource.RLIMIT_FSIZE)
    resource.prlimit(server, resource.RLIMIT_FSIZE, (0, limits[1]))
    show_more(page)
    page.locator("#typed-move").fill(move)
    page.locator("#typed button").click()
    expect(page.locator("#trouble")).to_contain_text("couldn’t save")
    expect_ply(page, 0)
    expect(page.locator("#typed-move")).to_have_value(move)
    resource.prlimit(server, resource.RLIMIT_FSIZE, limits)
    page.locator("#typed button").click()
    expect_ply(page, 1)
    expect(page.locator("#trouble")).to_be_empty()
