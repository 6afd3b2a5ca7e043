"""Pupils' classes in a browser: they run in the page's own interpreter, and nowhere else."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Request, expect

from games.classes.recording import all_exercises
from tests.support.browser import accessibility
from tests.support.pupils import EXERCISES, Fault, all_faults, planted, pupil, pupil_path
from tests.support.repeats import SOAK
from tests.support.stripped import stripped

FAULTS = all_faults()
SHOWN = FAULTS if SOAK else FAULTS[::4]
"""All of them are found and shown without a browser too."""
MOST_LINES = 12
ENDLESS = (
    "class {name}:\n    def __init__(self, *arguments):\n        while True:\n            pass\n"
)
CLASSES = {exercise.slug: exercise.name for _rules, exercise in all_exercises() if exercise.name}
FIRST, NAME = next(iter(CLASSES.items()))


def run(page: Page, exercise: str, source: str) -> None:
    page.goto(f"/classes/{exercise}/")
    run_again(page, source)
    expect(page.locator("#report")).to_be_visible(timeout=30_000)


def run_again(page: Page, source: str) -> None:
    page.fill("#code", source)
    page.click("#run")


@pytest.mark.parametrize("exercise", EXERCISES)
def test_a_right_class_is_green(page: Page, exercise: str) -> None:
    run(page, exercise, pupil(exercise))
    expect(page.locator("#report")).to_have_class(re.compile("all-right"))
    page.locator("#runs summary").click()
    expect(page.locator("#run-list li.right")).to_have_count(41)


@pytest.mark.parametrize("exercise", EXERCISES)
def test_the_games_own_class_is_green(page: Page, exercise: str) -> None:
    run(page, exercise, stripped(exercise))
    expect(page.locator("#report")).to_have_class(re.compile("all-right"))


@pytest.mark.parametrize("fault", SHOWN, ids=lambda fault: fault.name)
def test_a_fault_is_shown_with_few_lines(page: Page, fault: Fault) -> None:
    run(page, fault.exercise, planted(fault))
    expect(page.locator("#problem")).not_to_be_empty()
    lines = page.locator("#lines").inner_text().splitlines()
    assert 0 < len(lines) <= MOST_LINES
    assert page.evaluate("document.activeElement.id") == "report-title"


def test_nothing_is_requested_after_the_files_are_there(page: Page) -> None:
    run(page, FIRST, pupil(FIRST))
    requests: list[Request] = []
    page.on("request", lambda request: requests.append(request))  # noqa: PLW0108  # a bound method cannot be a handler
    run_again(page, pupil(FIRST) + "\n# another text\n")
    expect(page.locator("#report")).to_be_visible(timeout=30_000)
    # A worker asks for its own script and its interpreter, which the browser keeps.
    assert [request.method for request in requests if request.method != "GET"] == []
    assert [request for request in requests if request.post_data] == []
    assert {request.url.rpartition("/")[2].split(".")[0] for request in requests} <= {
        "worker",
        "micropython",
    }


def test_the_interpreter_is_loaded_with_the_first_run_only(page: Page) -> None:
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(f"/classes/{FIRST}/")
    assert not any("micropython" in url for url in requests)


def test_a_class_that_reaches_for_the_network_gets_none(page: Page) -> None:
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    run(page, FIRST, 'import js\njs.fetch("/leak/")\njs.Function\n' + pupil(FIRST))
    assert not any("leak" in url for url in requests)


def test_the_code_survives_a_reload_of_the_tab(page: Page) -> None:
    page.goto(f"/classes/{FIRST}/")
    page.fill("#code", "# mine")
    page.reload()
    expect(page.locator("#code")).to_have_value("# mine")


def test_an_endless_loop_can_be_stopped(page: Page) -> None:
    page.goto(f"/classes/{FIRST}/")
    run_again(page, ENDLESS.format(name=NAME))
    page.click("#stop")
    expect(page.locator("#report")).to_be_visible()
    expect(page.locator("#stop")).to_be_hidden()
    run_again(page, pupil(FIRST))
    expect(page.locator("#report")).to_have_class(re.compile("all-right"), timeout=30_000)


def test_an_endless_loop_is_stopped_by_itself(page: Page) -> None:
    run(page, FIRST, ENDLESS.format(name=NAME))
    expect(page.locator("#problem")).to_contain_text("10")
    expect(page.locator("#lines")).to_contain_text(NAME)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("class Other:\n    pass\n", "Other"),
        ("def f(:\n    pass\n", "line 1"),
        ("from dataclasses import dataclass\n", "dataclasses"),
        ("1 / 0\n", "ZeroDivisionError"),
    ],
)
def test_code_that_cannot_be_run_is_explained(page: Page, source: str, words: str) -> None:
    run(page, FIRST, source)
    expect(page.locator("#problem")).to_contain_text(words)
    expect(page.locator("#runs")).to_be_hidden()


PRINTS = 'print("I am loaded")\n'
RECURSES = "def again(): again()\nagain()\n"
HOARDS = "hoard = []\nwhile True:\n    hoard.append(bytearray(1_000_000))\n"


def test_a_class_that_prints_is_told_so(page: Page) -> None:
    run(page, FIRST, PRINTS + pupil(FIRST))
    expect(page.locator("#printed")).to_be_visible()
    expect(page.locator("#report")).to_have_class(re.compile("all-right"))


@pytest.mark.parametrize(("source", "words"), [(RECURSES, "recursion"), (HOARDS, "memory|longer")])
def test_the_page_outlives_code_that_exhausts_it(page: Page, source: str, words: str) -> None:
    run(page, FIRST, source)
    expect(page.locator("#problem")).to_contain_text(re.compile(words, re.IGNORECASE))
    run_again(page, pupil(FIRST))
    expect(page.locator("#report")).to_have_class(re.compile("all-right"), timeout=30_000)


def test_a_chosen_file_is_read(page: Page) -> None:
    page.goto(f"/classes/{FIRST}/")
    page.set_input_files("#file", pupil_path(FIRST))
    expect(page.locator("#code")).to_have_value(pupil(FIRST))


def test_a_dropped_file_is_read(page: Page) -> None:
    page.goto(f"/classes/{FIRST}/")
    page.locator("#code").evaluate(DROP, pupil(FIRST))
    expect(page.locator("#code")).to_have_value(pupil(FIRST))


DROP = """(field, text) => {
    const dropped = new DataTransfer();
    dropped.items.add(new File([text], "mine.py", { type: "text/x-python" }));
    field.dispatchEvent(new DragEvent("drop", { dataTransfer: dropped, bubbles: true }));
}"""


def test_the_calls_can_be_copied(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    run(page, FAULTS[0].exercise, planted(FAULTS[0]))
    page.click("#copy")
    expect(page.locator("#status")).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.locator("#lines").inner_text()


def test_a_feature_that_the_interpreter_lacks_is_named(page: Page) -> None:
    run(page, FIRST, "def f(x):\n    match x:\n        case 1:\n            pass\n")
    expect(page.locator("#lacks")).to_contain_text("match")


def test_a_million_characters_are_refused_and_the_page_lives_on(page: Page) -> None:
    page.goto(f"/classes/{FIRST}/")
    page.locator("#code").evaluate("(field) => { field.value = '#'.repeat(1000001) }")
    page.click("#run")
    expect(page.locator("#status")).to_contain_text("million")
    run_again(page, pupil(FIRST))
    expect(page.locator("#report")).to_be_visible(timeout=30_000)


def test_a_run_opens_as_a_game_on_this_device(page: Page) -> None:
    run(page, FIRST_IMPORTED, pupil(FIRST_IMPORTED))
    page.click("#open button")
    page.wait_for_url("**/g/**")
    expect(page.locator("#board")).to_be_visible()


FIRST_IMPORTED = next(
    exercise.slug for rules, exercise in all_exercises() if rules.transcript and exercise.name
)


@pytest.mark.parametrize("fault", FAULTS[::5] if SOAK else FAULTS[:1], ids=lambda fault: fault.name)
def test_a_report_is_accessible_in_every_look(page: Page, fault: Fault) -> None:
    run(page, fault.exercise, planted(fault))
    page.locator("#runs summary").click()
    assert accessibility.faults_in_all_looks(page) == []
