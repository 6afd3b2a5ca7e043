"""Pupils' classes in a browser: they run in the page's own Python, and nowhere else.

Python may be loaded already in `page`. `own_page` is for tests that would end it, or need none."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Request, Route, expect

from games.classes.recording import all_exercises
from tests.support.browser import accessibility
from tests.support.browser.classes import open_exercise
from tests.support.browser.play import NewContext
from tests.support.pupils import EXERCISES, Fault, all_faults, planted, pupil, pupil_path, styled
from tests.support.repeats import SOAK

FAULTS = all_faults()
ENDLESS = (
    "class {name}:\n    def __init__(self, *arguments):\n        while True:\n            pass\n"
)
CLASSES = {exercise.slug: exercise.name for _rules, exercise in all_exercises() if exercise.name}
FIRST, NAME = next(iter(CLASSES.items()))
PROGRAM = next(exercise for exercise in EXERCISES if exercise not in CLASSES)
TRIED = EXERCISES if SOAK else [FIRST, PROGRAM]
"""All exercises, right and with their faults, are judged without a browser too."""
SHOWN = [fault for fault in FAULTS if SOAK or fault.exercise == FIRST]


MODERN = """\
import operator
import typing
from collections import OrderedDict, defaultdict
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache, reduce
from itertools import product

class Colour(Enum):
    RED = "red"

@dataclass(frozen=True, order=True)
class Square:
    row: int
    column: int = 0

@lru_cache
def kind(value: object) -> str:
    match value:
        case Square(row=1):
            return f"{value.row=}"
        case {"a": int(), **rest}:
            return "mapping"
        case _:
            return "other"

assert kind(Square(1)) == "value.row=1" and Square(1) < Square(2)
assert list({**{"b": 1}, "a": 2}) == ["b", "a"] == list(OrderedDict(b=1, a=2))
assert "a".ljust(2, ".") + "7".zfill(2) + "STRASSE".casefold() == "a.07strasse"
assert reduce(operator.add, (a * b for a, b in product((1, 2), repeat=2))) == 9
assert typing.get_type_hints(Square)["row"] is int and defaultdict(int)[0] == 0
"""
"""Parts of Python that pupils use and small interpreters lack."""


@pytest.fixture
def page(one_page: Page) -> Page:
    return one_page


@pytest.fixture
def own_page(new_context: NewContext) -> Page:
    return new_context().new_page()


def run(page: Page, exercise: str, source: str) -> None:
    open_exercise(page, exercise)
    run_again(page, source)


def run_again(page: Page, source: str) -> None:
    page.fill("#code", source)
    page.click("#run")
    expect(page.locator("#report")).to_be_visible(timeout=60_000)


@pytest.mark.parametrize("exercise", TRIED)
def test_right_classes_are_green_in_whatever_python_they_are_written(
    page: Page, exercise: str
) -> None:
    run(page, exercise, "\ufeff" + MODERN + pupil(exercise))
    expect(page.locator("#report")).to_have_class(re.compile("all-right"))
    page.locator("#runs summary").click()
    expect(page.locator("#run-list li.right")).to_have_count(41)


@pytest.mark.parametrize("exercise", EXERCISES if SOAK else [FIRST])
def test_no_right_class_of_another_hand_is_accused(page: Page, exercise: str) -> None:
    open_exercise(page, exercise)
    for source in styled(exercise) if SOAK else styled(exercise)[:2]:
        run_again(page, source)
        expect(page.locator("#report")).to_have_class(re.compile("all-right"))


@pytest.mark.parametrize("exercise", sorted({fault.exercise for fault in SHOWN}))
def test_a_fault_is_shown_with_few_lines(page: Page, exercise: str) -> None:
    open_exercise(page, exercise)
    for fault in (fault for fault in SHOWN if fault.exercise == exercise):
        run_again(page, planted(fault))
        expect(page.locator("#problem")).not_to_be_empty()
        lines = page.locator("#lines").inner_text().splitlines()
        assert 0 < len(lines) <= fault.lines, fault.name
        assert page.evaluate("document.activeElement.id") == "report-title"


def test_nothing_is_requested_after_the_files_are_there(page: Page) -> None:
    run(page, FIRST, pupil(FIRST))
    requests: list[Request] = []
    page.on("request", lambda request: requests.append(request))  # noqa: PLW0108  # a bound method cannot be a handler
    run_again(page, pupil(FIRST) + "\n# another text\n")
    expect(page.locator("#report")).to_be_visible(timeout=30_000)
    # A worker asks for its own script, which the browser keeps.
    assert [request.method for request in requests if request.method != "GET"] == []
    assert [request for request in requests if request.post_data] == []
    assert {request.url.rpartition("/")[2].split(".")[0] for request in requests} <= {"worker"}


def test_the_interpreter_is_loaded_with_the_first_run_only(own_page: Page) -> None:
    requests: list[str] = []
    own_page.on("request", lambda request: requests.append(request.url))
    own_page.goto(f"/classes/{FIRST}/")
    assert not any("pyodide" in url or "worker" in url for url in requests)


PROBES = {
    "import js\nreached(js.fetch)": "AttributeError",
    "import js\nreached(js.postMessage)": "AttributeError",
    "import js\nreached(js.indexedDB)": "AttributeError",
    "from pyodide.code import run_js\nreached(run_js('self'))": "ImportError",
    "import pyodide_js as js\nreached(js.FS.constructor.constructor('self')())": "EvalError",
    "import urllib.request\nreached(urllib.request.urlopen('http://127.0.0.1/'))": "URLError",
    "reached(open('/etc/passwd'))": "FileNotFoundError",
}


def test_a_class_reaches_neither_the_page_nor_the_network(page: Page) -> None:
    run(page, FIRST, pupil(FIRST))
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    for probe, error in PROBES.items():
        run_again(page, f"def reached(what):\n    raise ValueError('reached')\n{probe}\n")
        expect(page.locator("#problem")).to_contain_text(error)
    assert {url.rpartition("/")[2].split(".")[0] for url in requests} <= {"worker"}


def test_the_script_of_the_worker_may_load_nothing(page: Page) -> None:
    open_exercise(page, FIRST)
    values = page.evaluate("JSON.parse(document.getElementById('exercise').textContent)")
    policy = page.request.get(values["worker"]).headers["content-security-policy"]
    assert policy == "default-src 'none'; script-src 'wasm-unsafe-eval'"


def test_a_run_can_be_stopped_and_another_begun(page: Page) -> None:
    page.goto(f"/classes/{FIRST}/")
    page.fill("#code", ENDLESS.format(name=NAME))
    # Stopped while Python is loaded, and while the code runs.
    for waits in (False, True):
        page.click("#run")
        if waits:
            expect(page.locator("#loading")).to_be_hidden()
        page.locator("#run").click(force=True)
        page.click("#stop")
        expect(page.locator("#stop")).to_be_hidden()
    run_again(page, pupil(FIRST))
    expect(page.locator("#report")).to_have_class(re.compile("all-right"))


def test_a_network_that_is_lost_midway_is_told_and_tried_again(page: Page) -> None:
    page.goto(f"/classes/{FIRST}/")
    held: list[Route] = []
    page.route("**/*.wasm", lambda route: held.append(route))  # noqa: PLW0108  # a bound method cannot be a handler
    page.fill("#code", pupil(FIRST))
    page.click("#run")
    # The library has come, the interpreter has not.
    expect(page.locator("#loading")).to_have_attribute("value", re.compile(r"^\d{6}"))
    held[0].abort()
    expect(page.locator("#status")).to_contain_text("could not be loaded")
    page.unroute("**/*.wasm")
    run_again(page, pupil(FIRST))
    expect(page.locator("#report")).to_have_class(re.compile("all-right"))


def test_the_code_survives_a_reload_of_the_tab(own_page: Page) -> None:
    own_page.goto(f"/classes/{FIRST}/")
    own_page.fill("#code", "# mine")
    own_page.reload()
    expect(own_page.locator("#code")).to_have_value("# mine")


def test_an_endless_loop_is_stopped_by_itself(page: Page) -> None:
    run(page, FIRST, ENDLESS.format(name=NAME))
    expect(page.locator("#problem")).to_contain_text("10")
    expect(page.locator("#lines")).to_contain_text(NAME)


UNREADABLE = [
    ("class Other:\n    pass\n", "Other"),
    ("def f(:\n    pass\n", "line 1"),
    ("import numpy\n", "numpy"),
    (f"text = 'class {NAME}:'\n", "no other class"),
    ("import os\nos.abort()\n", "broke down"),
    ("import sys\nsys.modules.clear()\nprint = None\n1 / 0\n", "ZeroDivisionError"),
    ("1 / 0\n", "ZeroDivisionError"),
]


@pytest.mark.parametrize(("source", "words"), UNREADABLE if SOAK else UNREADABLE[::3])
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
    expect(page.locator("#report")).to_have_class(re.compile("all-right"))


def test_a_chosen_file_is_read(page: Page) -> None:
    open_exercise(page, FIRST)
    page.set_input_files("#file", pupil_path(FIRST))
    expect(page.locator("#code")).to_have_value(pupil(FIRST))


def test_a_dropped_file_is_read(page: Page) -> None:
    open_exercise(page, FIRST)
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


def test_a_million_characters_are_refused_and_the_page_lives_on(page: Page) -> None:
    open_exercise(page, FIRST)
    page.locator("#code").evaluate("(field) => { field.value = '#'.repeat(1000001) }")
    page.click("#run")
    expect(page.locator("#status")).to_contain_text("million")
    run_again(page, pupil(FIRST))
    expect(page.locator("#report")).to_be_visible(timeout=30_000)


def test_a_run_opens_as_a_game_on_this_device(page: Page) -> None:
    run(page, FIRST_IMPORTED, pupil(FIRST_IMPORTED))
    # In another tab, since Python ends with the page.
    page.locator("#open").evaluate("form => { form.target = '_blank' }")
    with page.context.expect_page() as opened:
        page.click("#open button")
    opened.value.wait_for_url("**/g/**")
    expect(opened.value.locator("#board")).to_be_visible()
    opened.value.close()


FIRST_IMPORTED = next(
    exercise.slug for rules, exercise in all_exercises() if rules.transcript and exercise.name
)


@pytest.mark.parametrize("fault", FAULTS[::5] if SOAK else FAULTS[:1], ids=lambda fault: fault.name)
def test_a_report_is_accessible_in_every_look(page: Page, fault: Fault) -> None:
    run(page, fault.exercise, planted(fault))
    page.locator("#runs summary").click()
    assert accessibility.faults_in_all_looks(page) == []


FORGES = """\
import gc, json, sys
for name, module in list(sys.modules.items()):
    if name.startswith("games.classes"):
        for key, value in list(vars(module).items()):
            if callable(value) and not isinstance(value, type):
                setattr(module, key, lambda *arguments, **options: None)
frame = sys._getframe()
while frame:
    for value in list(frame.f_locals.values()):
        if callable(value) and "post" in str(getattr(value, "__name__", value)).lower():
            for message in ({"done": None, "runs": [True] * 41}, {"ready": True}, {"run": 0}):
                try:
                    value(json.dumps(message))
                except Exception:
                    try:
                        value(**message)
                    except Exception:
                        pass
    frame = frame.f_back
json.dumps = lambda *arguments, **options: '{"done": null, "runs": [true]}'
print = len
sys.modules.clear()
"""


def test_a_class_cannot_give_the_verdict_itself(page: Page) -> None:
    open_exercise(page, FIRST)
    for source in (FORGES, FORGES + pupil(FIRST), FORGES + f"class {NAME}:\n    pass\n"):
        run_again(page, source)
        expect(page.locator("#report")).not_to_have_class(re.compile("all-right"))
        expect(page.locator("#run-list li.right")).to_have_count(0)
    run_again(page, pupil(FIRST))
    expect(page.locator("#report")).to_have_class(re.compile("all-right"))
