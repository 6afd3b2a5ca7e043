"""Files of a whole class in a browser: a table of verdicts, of which nothing leaves it."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, Page, Request, expect

from games.classes.recording import all_exercises
from tests.support.browser import accessibility
from tests.support.browser.classes import open_exercise
from tests.support.pupils import all_faults, planted, pupil
from tests.support.repeats import SOAK

EXERCISE, NAME = next((found.slug, found.name) for _rules, found in all_exercises() if found.name)
WRONG = planted(next(fault for fault in all_faults() if fault.exercise == EXERCISE)).encode()
RIGHT = pupil(EXERCISE).encode()
LATIN = b"# coding: latin-1\nassert '\xe9' == '\\xe9'\n" + RIGHT
ENDLESS = b"while True:\n    pass\n"
FILES = {"=right.py": RIGHT, "wrong.py": WRONG, "latin.py": LATIN, "bad.py": b"1 / 0\n"}


@pytest.fixture
def page(one_page: Page) -> Page:
    open_exercise(one_page, EXERCISE)
    return one_page


def choose(page: Page, files: dict[str, bytes]) -> None:
    chosen: list[FilePayload] = [
        {"name": name, "mimeType": "text/x-python", "buffer": data} for name, data in files.items()
    ]
    page.set_input_files("#file", chosen)


def rows(page: Page, count: int) -> list[list[str]]:
    """Return the cells of the table when the files have been judged."""
    expect(page.locator("#many tbody tr")).to_have_count(count, timeout=90_000)
    expect(page.locator("#csv")).to_be_visible()
    return [row.split("\t") for row in page.locator("#many tbody").inner_text().splitlines()]


def test_every_file_gets_its_verdict_and_first_difference(page: Page) -> None:
    requests: list[Request] = []
    page.on("request", lambda request: requests.append(request))  # noqa: PLW0108  # a bound method cannot be a handler
    choose(page, FILES)
    found = {row[0]: row[1:] for row in rows(page, len(FILES))}
    assert [row[0] for row in found.values()] == ["right", "different", "right", "cannot be run"]
    assert found["=right.py"][1:] == ["41 / 41", ""]
    assert "It should" in found["wrong.py"][2]
    assert "ZeroDivisionError" in found["bad.py"][2]
    assert {request.method for request in requests} <= {"GET"}
    assert accessibility.faults_in_all_looks(page) == []


def test_the_table_is_a_file_of_cells_that_are_no_formulas(page: Page) -> None:
    choose(page, {"=right.py": RIGHT, "bad.py": b"raise ValueError('\"')\n"})
    rows(page, 2)
    with page.expect_download() as download:
        page.click("#csv")
    assert download.value.suggested_filename == f"{EXERCISE}.csv"
    text = Path(download.value.path()).read_text(encoding="utf-8-sig")
    head, right, bad = csv.reader(io.StringIO(text))
    assert head[:2] == ["File", "Verdict"]
    assert right == ["'=right.py", "right", "41 / 41", ""]
    assert '"' in bad[3]


def test_dropped_files_are_judged_and_a_name_opens_its_report(page: Page) -> None:
    page.locator("#code").evaluate(DROP, [["a.py", "1 / 0"], ["b.py", WRONG.decode()]])
    rows(page, 2)
    page.get_by_role("button", name="b.py").press("Enter")
    expect(page.locator("#report")).to_be_visible(timeout=30_000)
    expect(page.locator("#code")).to_have_value(WRONG.decode())


DROP = """(field, files) => {
    const dropped = new DataTransfer();
    for (const [name, text] of files) dropped.items.add(new File([text], name));
    field.dispatchEvent(new DragEvent("drop", { dataTransfer: dropped, bubbles: true }));
}"""


def test_the_table_can_be_stopped_and_begun_anew(page: Page) -> None:
    choose(page, {"a.py": RIGHT, "b.py": ENDLESS, "c.py": RIGHT})
    expect(page.locator("#many tbody tr")).to_have_count(1, timeout=60_000)
    page.click("#stop")
    assert [row[0] for row in rows(page, 1)] == ["a.py"]
    expect(page.locator("#stop")).to_be_hidden()
    choose(page, {"c.py": RIGHT, "d.py": RIGHT})
    assert [row[:2] for row in rows(page, 2)] == [["c.py", "right"], ["d.py", "right"]]


@pytest.mark.skipif(not SOAK, reason="sixty megabytes")
def test_no_more_than_sixty_files_are_taken(page: Page) -> None:
    # Files that are too large are not run.
    large = "#" * 1_000_001
    page.locator("#code").evaluate(DROP, [[f"{number}.py", large] for number in range(61)])
    assert "million" in rows(page, 60)[0][3]
    expect(page.locator("#status")).to_contain_text("first 60")
