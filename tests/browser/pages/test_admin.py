"""The admin's lists on a small laptop."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.support.browser.play import start_solo_game
from tests.support.kinds import two_player_rules
from tests.support.servers.site_process import ROOT, environment

LISTS = ["game/", "player/", "holder/", "game/statistics/"]
PASSWORD = {"DJANGO_SUPERUSER_PASSWORD": "a-long-password"}


@pytest.fixture(scope="module")
def staff(site_data: Path, site: str) -> str:
    """Make a superuser on the site, and return the name."""
    command = [sys.executable, "manage.py", "createsuperuser", "--noinput"]
    command += ["--username", "chief", "--email", "chief@example.com"]
    variables = environment(site_data) | PASSWORD
    subprocess.run(command, cwd=ROOT, env=variables, check=True, capture_output=True)
    return "chief"


def test_all_columns_of_the_admin_are_visible_at_1280_pixels(page: Page, staff: str):
    page.set_viewport_size({"width": 1280, "height": 800})
    start_solo_game(page, two_player_rules().slug)
    page.goto("/admin/")
    page.fill("#id_username", staff)
    page.fill("#id_password", PASSWORD["DJANGO_SUPERUSER_PASSWORD"])
    page.click("input[type=submit]")
    for address in LISTS:
        page.goto(f"/admin/games/{address}")
        table = page.locator("#result_list, .statistics")
        expect(table.locator("tbody tr").first).to_be_visible()
        box = table.bounding_box()
        assert box and box["x"] >= 0 and box["x"] + box["width"] <= 1280
        assert page.evaluate("document.documentElement.scrollWidth") == 1280
        frame = page.locator("#changelist .results")
        if frame.count():
            assert frame.evaluate("element => element.scrollWidth <= element.clientWidth")
