"""The accessibility rules of axe-core, on a page as it is shown."""

from __future__ import annotations

from itertools import product
from typing import Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.support.repeats import SOAK

LOOKS: list[tuple[str, Literal["light", "dark"], int]] = [
    ("en", "light", 320),
    ("nl", "dark", 1280),
]
"""Language, theme and width: each of them once, and with SOAK=1 all combinations."""
if SOAK:
    LOOKS = list(product(("en", "nl"), ("light", "dark"), (320, 1280)))

# A visible text that is no part of the accessible name (WCAG 2.5.3), a rule that is off by default.
OPTIONS = {
    "resultTypes": ["violations"],
    "rules": {"label-content-name-mismatch": {"enabled": True}},
}

RUN = """async (options) => {
    const { violations } = await axe.run(options);
    return violations.map(({ id, nodes }) => [id, nodes[0].html.slice(0, 200)]);
}"""


def faults(page: Page) -> list[tuple[str, str]]:
    """Return the broken rules, each with the HTML of its first element, and whether the page
    scrolls sideways."""
    # The script has half a million characters, and stays until the next page.
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found = [(str(rule), str(html)) for rule, html in page.evaluate(RUN, OPTIONS)]
    if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
        found.append(("scrolls sideways", ""))
    return found


def faults_in_all_looks(page: Page) -> list[tuple[str, str, str]]:
    """Return the faults of a page as it is shown, in the widths and themes of `LOOKS`."""
    before, found = page.viewport_size, []
    for theme, width in sorted({(theme, width) for _language, theme, width in LOOKS}):
        page.set_viewport_size({"width": width, "height": 664})
        # Colours that fade would be caught half-way.
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        found += [(f"{page.url} {theme} {width}", *fault) for fault in faults(page)]
    if before:
        page.set_viewport_size(before)
    return found


def faults_of_a_board_in_all_looks(page: Page) -> list[tuple[str, str, str]]:
    """Return the faults of a page with a board, whose cells may show more than their names say: the
    figure of a level beside a worker is no part of a name."""
    return [
        fault for fault in faults_in_all_looks(page) if fault[1] != "label-content-name-mismatch"
    ]
