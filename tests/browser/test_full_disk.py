"""What somebody at the board sees of a disk that is full."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from playwright.sync_api import Page, expect

from tests.support.browser_play import set_up_game
from tests.support.kinds import two_player_rules
from tests.support.site_process import Site, share_static

pytestmark = pytest.mark.skipif(connection.vendor != "sqlite", reason="fills the disk of SQLite")


@pytest.fixture(scope="session")
def own_site(
    tmp_path_factory: pytest.TempPathFactory, site: str, site_data: Path
) -> Iterator[tuple[Site, str]]:
    data = tmp_path_factory.mktemp("faults")
    share_static(data, site_data)
    one = Site(data, "--computers", "0")
    yield one, one.start()
    one.stop()


# Not `base_url`: `browser_context_args` is made once, with the address that the first browser test
# of the run had.
@pytest.fixture(scope="session")
def browser_context_args(
    browser_context_args: dict[str, Any], own_site: tuple[Site, str]
) -> dict[str, Any]:
    return browser_context_args | {"base_url": own_site[1]}


def test_a_move_that_could_not_be_saved_is_reported_and_can_be_made_again(
    page: Page, own_site: tuple[Site, str]
):
    rules = two_player_rules()
    set_up_game(page, rules.slug, {spec.key: "me" for spec in rules.seats(rules.clean({}))}, {})
    position = rules.start(rules.deal(rules.clean({}), None))  # type: ignore[arg-type]
    move = next(iter(position.legal_moves(min(position.to_move()))))
    server = own_site[0].process.pid  # type: ignore[union-attr]
    limits = resource.prlimit(server, resource.RLIMIT_FSIZE)
    resource.prlimit(server, resource.RLIMIT_FSIZE, (0, limits[1]))
    page.locator("#typed-move").fill(move)
    page.locator("#typed button").click()
    expect(page.locator("#trouble")).to_contain_text("please try again")
    expect(page.locator("#board")).to_have_attribute("data-ply", "0")
    expect(page.locator("#typed-move")).to_have_value(move)
    resource.prlimit(server, resource.RLIMIT_FSIZE, limits)
    page.locator("#typed button").click()
    expect(page.locator("#board")).to_have_attribute("data-ply", "1")
    expect(page.locator("#trouble")).to_be_empty()
