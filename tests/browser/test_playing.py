"""Games on the site's board in which a pupil's class is called with each move."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games.classes.playing import find_play, levels_of
from games.classes.recording import all_exercises, find_exercise
from tests.support.browser import accessibility
from tests.support.browser.classes import open_exercise
from tests.support.pupils import pupil
from tests.support.repeats import SOAK

PLAYED = [exercise.slug for _rules, exercise in all_exercises() if exercise.play]
CLASSES = [slug for slug in PLAYED if find_exercise(slug)[1].name]
PROGRAM = next(slug for slug in PLAYED if slug not in CLASSES)
TRIED = CLASSES if SOAK else CLASSES[:1]
AGAINST_LEVELS = [slug for slug in CLASSES if levels_of(*find_play(slug)[::2])]
MOST_CLICKS = 400


@pytest.fixture
def page(one_page: Page) -> Page:
    return one_page


def begin(page: Page, exercise: str, source: str, **players: str) -> None:
    open_exercise(page, exercise)
    page.locator("#new-match").evaluate("form => form.reset()")
    page.fill("#code", source)
    for seat, player in players.items():
        page.select_option(f"#new-match [name=seat-{seat}]", player)
    page.click("#new-match button")
    settle(page)


def settle(page: Page) -> None:
    """Wait until the class has answered."""
    expect(page.locator("#playing")).to_have_attribute("aria-busy", "false", timeout=60_000)


def played(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(page.locator("#played").text_content() or "")
    return found


def play_to_the_end(page: Page) -> None:
    """Play the first legal move again and again, by taps."""
    for _click in range(MOST_CLICKS):
        if played(page)["over"]:
            return
        cells = page.locator("#match td.legal > button")
        (cells if cells.count() else page.locator("#match .step")).first.tap()
        settle(page)
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("exercise", PLAYED if SOAK else [CLASSES[0], PROGRAM])
def test_a_whole_game_is_played_by_taps(page: Page, exercise: str) -> None:
    begin(page, exercise, pupil(exercise))
    play_to_the_end(page)
    expect(page.locator("#match-report")).to_be_hidden()
    run = played(page)["run"]
    shown = page.locator("#match-str").inner_text()
    if "steps" in run:
        assert shown.rstrip() == next(step[2] for step in reversed(run["steps"]) if len(step) > 2)
    else:
        assert shown.rstrip() == run["output"].rstrip().split("\n\n")[-1]


def wrong(exercise: str, method: str, body: str) -> str:
    """Return a right class with another method, as a file."""
    name = find_exercise(exercise)[1].name
    head = f"class {name}({name}):\n    def {method}(self, *arguments):\n"
    return f"{pupil(exercise)}\n\n{head}        {body}\n"


def first_method(page: Page) -> str:
    """Return the name of the method that plays the first move."""
    line = next(line for line, answer, *_board in played(page)["run"]["steps"] if answer == ":")
    return str(line).partition(".")[2].partition("(")[0]


def play_some(page: Page) -> None:
    """Play until the class has been called with a move."""
    while sum(step[1] == ":" for step in played(page)["run"]["steps"]) == 0:
        cells = page.locator("#match td.legal > button")
        (cells if cells.count() else page.locator("#match .step")).first.tap()
        settle(page)


@pytest.mark.parametrize("exercise", TRIED)
def test_the_first_difference_stands_beside_the_move(page: Page, exercise: str) -> None:
    begin(page, exercise, wrong(exercise, "__str__", "return super().__str__()[::-1]"))
    play_some(page)
    expect(page.locator("#match-report")).to_be_visible()
    expect(page.locator("#match-problem")).to_contain_text("should be")
    expect(page.locator("#match-call")).to_contain_text(">>> ")
    assert accessibility.faults_in_all_looks(page) == []


@pytest.mark.parametrize("exercise", TRIED)
def test_an_exception_is_shown_with_its_line_and_call(page: Page, exercise: str) -> None:
    begin(page, exercise, pupil(exercise))
    play_some(page)
    method, call = first_method(page), page.locator("#match-lines").inner_text()
    broken = wrong(exercise, method, "return 1 / 0")
    page.fill("#code", broken)
    page.locator("#match-back").tap()
    settle(page)
    play_some(page)
    expect(page.locator("#match-problem")).to_contain_text("ZeroDivisionError")
    expect(page.locator("#match-line")).to_contain_text(str(len(broken.splitlines())))
    expect(page.locator("#match-call")).to_contain_text(f".{method}(")
    assert page.locator("#match-call").inner_text().split("(")[0] in call


def test_a_wrong_class_plays_on_to_the_end(page: Page) -> None:
    begin(page, CLASSES[0], wrong(CLASSES[0], "__str__", "return 'board'"))
    play_to_the_end(page)
    expect(page.locator("#match-problem")).not_to_be_empty()
    expect(page.locator("#match-str")).to_have_text("board")


def test_the_board_is_played_by_keys(page: Page) -> None:
    begin(page, CLASSES[0], pupil(CLASSES[0]))
    page.locator("#match td.legal > button").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    focused = page.evaluate("document.activeElement.dataset.cell")
    page.keyboard.press("Enter")
    settle(page)
    assert focused
    assert page.input_value("#steps [name=tried]") == focused


def test_boards_that_a_program_has_printed_are_played_back(page: Page) -> None:
    begin(page, PROGRAM, pupil(PROGRAM))
    for _move in range(3):
        page.locator("#match td.legal > button").first.tap()
        settle(page)
    expect(page.locator("#printed-board table")).to_be_visible()
    page.locator("#printed-boards").fill("1")
    expected = played(page)["run"]["output"].split("\n\n")[1]
    expect(page.locator("#match-str")).to_have_text(expected)


def with_function(exercise: str) -> str:
    return f"{pupil(exercise)}\n\n{find_play(exercise)[2].example}"


@pytest.mark.parametrize("exercise", AGAINST_LEVELS if SOAK else AGAINST_LEVELS[:1])
def test_a_function_plays_a_game_against_a_level(page: Page, exercise: str) -> None:
    open_exercise(page, exercise)
    first, second = seats_on(page)
    begin(page, exercise, with_function(exercise), **{first: "choose", second: "2"})
    assert played(page)["over"]
    expect(page.locator("#match-report")).to_be_hidden()


def seats_on(page: Page) -> list[str]:
    names = page.locator("#new-match [name^=seat-]")
    return [str(seat.get_attribute("name")).removeprefix("seat-") for seat in names.all()]


def test_twenty_games_are_counted(page: Page) -> None:
    exercise = next(slug for slug in AGAINST_LEVELS if find_play(slug)[2].sizes[1:])
    page.goto(f"/classes/{exercise}/")
    first, second = seats_on(page)
    expect(page.locator("#play-series")).to_be_hidden()
    page.fill("#code", with_function(exercise))
    page.select_option(f"#new-match [name=seat-{first}]", "choose")
    page.select_option(f"#new-match [name=seat-{second}]", "1")
    page.select_option("[name=size]", "2")
    page.click("#play-series")
    settle(page)
    won = page.locator("#series td").all_inner_texts()
    assert sum(map(int, won)) == 20
    assert won[2] == "0"
    page.click("#play-series")
    page.click("#halt")
    settle(page)
    assert sum(map(int, page.locator("#series td").all_inner_texts())) < 20


@pytest.mark.parametrize(
    ("function", "sentence"),
    [
        ("", "no function choose"),
        ("def choose(*arguments):\n    return 1 / 0\n", "ZeroDivisionError"),
        ("def choose(*arguments):\n    return 'nothing'\n", "'nothing', which is no legal move"),
    ],
)
def test_a_function_that_chooses_no_move_is_told_so(
    page: Page, function: str, sentence: str
) -> None:
    open_exercise(page, CLASSES[0])
    players = dict.fromkeys(seats_on(page), "choose")
    begin(page, CLASSES[0], f"{pupil(CLASSES[0])}\n\n{function}", **players)
    expect(page.locator("#match-status")).to_contain_text(sentence)
