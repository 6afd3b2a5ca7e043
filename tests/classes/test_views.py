"""The pages of pupils' classes, as the server answers them."""

from __future__ import annotations

from html import escape
from random import Random

import pytest
from django.test import Client
from django.urls import reverse

from games.classes.recording import all_exercises, read_record
from games.contract import Exercise, Rules

pytestmark = pytest.mark.django_db

WIDER = "'wasm-unsafe-eval'"
each_exercise = pytest.mark.parametrize(
    ("rules", "exercise"), list(all_exercises()), ids=lambda value: getattr(value, "slug", None)
)


def policy(address: str) -> dict[str, list[str]]:
    header = Client().get(address)["Content-Security-Policy"]
    return {name: values for name, *values in (part.split() for part in header.split(";"))}


@each_exercise
def test_a_page_without_scripts_shows_the_example_and_the_command(
    rules: Rules, exercise: Exercise
) -> None:
    page = Client().get(reverse("exercise", args=[exercise.slug])).text
    assert escape(exercise.example.splitlines()[0]) in page
    assert f"python -m games.classes {exercise.slug} my_{exercise.slug}.py" in page


@each_exercise
def test_the_rules_of_a_game_link_to_its_exercises(rules: Rules, exercise: Exercise) -> None:
    page = Client().get(reverse("rules", args=[rules.slug])).text
    assert f'href="{reverse("exercise", args=[exercise.slug])}"' in page


@each_exercise
def test_the_list_links_to_every_exercise(rules: Rules, exercise: Exercise) -> None:
    page = Client().get(reverse("classes")).text
    assert f'href="{reverse("exercise", args=[exercise.slug])}"' in page


def test_every_page_links_to_the_list_at_its_foot() -> None:
    assert f'href="{reverse("classes")}"' in Client().get(reverse("home")).text


def test_an_unknown_exercise_is_not_found() -> None:
    assert Client().get(reverse("exercise", args=["ludo"])).status_code == 404


@each_exercise
def test_only_the_page_of_an_exercise_may_run_webassembly(rules: Rules, exercise: Exercise) -> None:
    wider = policy(reverse("exercise", args=[exercise.slug]))
    assert wider["script-src"] == ["'self'", WIDER]
    assert wider["worker-src"] == ["'self'"]
    others = [reverse("rules", args=[rules.slug]), reverse("new", args=[rules.slug])]
    for address in [*others, reverse("home"), reverse("classes"), reverse("settings")]:
        assert WIDER not in policy(address)["script-src"]
        assert "worker-src" not in policy(address)


def test_the_policies_differ_in_nothing_else() -> None:
    (exercise, *_others) = (exercise for _rules, exercise in all_exercises())
    wider = policy(reverse("exercise", args=[exercise.slug]))
    usual = policy(reverse("home"))
    assert {name: wider[name] for name in usual if name != "script-src"} == {
        name: values for name, values in usual.items() if name != "script-src"
    }


def test_the_page_gets_the_comparison_and_no_class_of_a_game() -> None:
    sources = Client().get(reverse("classes_sources")).json()
    assert all(path.startswith("games/classes/") for path in sources if sources[path])
    engines = [exercise.reference for _rules, exercise in all_exercises() if exercise.reference]
    for engine in engines:
        assert not any(f"class {engine.__name__}" in text for text in sources.values())


@each_exercise
def test_the_moves_of_every_run_can_be_imported(rules: Rules, exercise: Exercise) -> None:
    for run in read_record(rules, exercise)["runs"]:
        if rules.transcript is None or "moves" not in run:
            continue
        moves = [move for _number, move in run["moves"]]
        position = rules.start(rules.deal(rules.clean(run["options"]), Random(1)))
        assert rules.transcript.read(position, ", ".join(moves)) == moves


@each_exercise
def test_a_run_opens_on_a_board(rules: Rules, exercise: Exercise) -> None:
    if rules.transcript is None:
        return
    runs = read_record(rules, exercise)["runs"]
    run = next(run for run in runs if len(run.get("moves", ())) > 2)
    seats = {f"seat-{seat.key}": "me" for seat in rules.seats(rules.clean({}))}
    moves = [move for _number, move in run["moves"]][:2]
    client = Client()
    response = client.post(
        reverse("new", args=[rules.slug]),
        {**run["options"], **seats, "transcript": ", ".join(moves)},
    )
    assert response.status_code == 302
    assert client.get(f"{response['Location']}2/").status_code == 200


def test_every_game_says_what_is_drawn_for_its_characters() -> None:
    for _rules, exercise in all_exercises():
        page = Client().get(reverse("exercise", args=[exercise.slug])).text
        assert "data-key=" in page, exercise.slug
