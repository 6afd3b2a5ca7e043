"""Run Lighthouse for phones: ``python -m benchmarks.lighthouse [KIND …]``.

It visits the front page, and the set-up page and a game of each kind, on a site of its own. Rows
have the scores and the measured times, followed by failed audits. Needs Node and npm's registry,
from which ``npx`` fetches Lighthouse. On a busy machine performance is too low.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from games.core.registry import all_rules
from scripts import chromium
from tests.support.browser.play import reveal_secrets, start_solo_game
from tests.support.servers.site_process import serve

PACKAGE = "lighthouse@13"
LAUNCH = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
TIMES = {
    "largest-contentful-paint": "LCP",
    "total-blocking-time": "TBT",
    "cumulative-layout-shift": "CLS",
}


def pages(address: str, kinds: Sequence[str]) -> tuple[list[str], str]:
    """Return the addresses to measure, among them new games, and the cookies of the player."""
    addresses = [f"{address}/"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find(), args=LAUNCH)
        context = browser.new_context(base_url=address)
        page = context.new_page()
        for slug in kinds:
            start_solo_game(page, slug)
            reveal_secrets(page)
            addresses += [f"{address}/new/{slug}/", page.url.split("?")[0]]
        cookies = [f"{cookie.get('name')}={cookie.get('value')}" for cookie in context.cookies()]
        browser.close()
    return addresses, "; ".join(cookies)


def report(address: str, cookies: str) -> dict[str, Any]:
    """Return Lighthouse's report of a page as its JSON."""
    command = ["npx", "--yes", PACKAGE, address, "--quiet", "--output=json"]
    command += [f"--chrome-flags=--headless {' '.join(LAUNCH)}"]
    command += [f"--only-categories={','.join(CATEGORIES)}"]
    command += [f"--extra-headers={json.dumps({'Cookie': cookies})}"]
    environment = os.environ | {"CHROME_PATH": chromium.find() or ""}
    answer = subprocess.run(command, check=True, capture_output=True, env=environment)
    read: dict[str, Any] = json.loads(answer.stdout)
    return read


def scores(found: Mapping[str, Any]) -> str:
    """Return the scores and times of a report as cells of a table."""
    cells = [f"{found['categories'][name]['score']:.2f}" for name in CATEGORIES]
    cells += [found["audits"][name]["displayValue"] for name in TIMES]
    return " | ".join(cells)


def faults(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield the audits of a report that lower a score, with the first elements they name."""
    for category in found["categories"].values():
        for ref in category["auditRefs"]:
            audit = found["audits"][ref["id"]]
            if ref["weight"] and audit["score"] is not None and audit["score"] < 0.9:
                named = (audit.get("details") or {}).get("items", [])[:3]
                yield f"{category['id']}: {audit['title']} {json.dumps(named)[:600]}"


def main(kinds: Sequence[str]) -> None:
    """Print a row for each page."""
    print("| page |", " | ".join((*CATEGORIES, *TIMES.values())), "|")
    with tempfile.TemporaryDirectory() as data, serve(Path(data)) as address:
        addresses, cookies = pages(address, kinds)
        for page in addresses:
            found = report(page, cookies)
            print(f"| {page.removeprefix(address)} | {scores(found)} |", flush=True)
            for fault in dict.fromkeys(faults(found)):
                print(f"  {fault}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or list(all_rules()))
