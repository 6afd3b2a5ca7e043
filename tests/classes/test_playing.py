"""The board on which a pupil's class plays, as the server answers it."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.classes.recording import all_exercises
from games.contract import Exercise, Play, Rules
from games.core.registry import all_rules
from games.models import Game, Player, Thought
from games.worker.jobs import run_one_job

pytestmark = pytest.mark.django_db

PLAYED = [(rules, exercise) for rules, exercise in all_exercises() if exercise.play]
each_play = pytest.mark.parametrize(
    ("rules", "exercise"), PLAYED, ids=lambda value: getattr(value, "slug", None)
)
TOKEN = re.compile(r'<input type="hidden" name="csrfmiddlewaretoken"[^>]*>')
SEATS = re.compile(r'name="(seat-[^"]+)"')


def ask(exercise: Exercise, **sent: Any) -> tuple[str, dict[str, Any]]:
    """Return the part of the page, and the values for its script."""
    answer = Client().post(reverse("class_board", args=[exercise.slug]), sent)
    assert answer.status_code == 200
    found = re.search(r'id="played" type="application/json">(.*?)</script>', answer.text)
    assert found
    return TOKEN.sub("", answer.text), json.loads(found[1])


def seats(exercise: Exercise) -> list[str]:
    return list(dict.fromkeys(SEATS.findall(ask(exercise)[0])))


def lines_of(played: dict[str, Any]) -> list[str]:
    run = played["run"]
    return run.get("lines") or [step[0] for step in run["steps"]]


def random_game(rules: Rules, play: Play, exercise: Exercise) -> list[str]:
    """Return the moves of a game between the seats of an exercise, with the seed 7."""
    rng, position = Random(5), rules.start(play.deal(play.sizes[0], Random(7)))
    playing, moves = {name.removeprefix("seat-") for name in seats(exercise)}, list[str]()
    while movers := position.to_move() & playing:
        moves.append(rng.choice(position.legal_moves(min(movers))))
        position.play(min(movers), moves[-1])
    return moves


@each_play
def test_a_whole_game_has_the_lines_of_all_its_moves(rules: Rules, exercise: Exercise) -> None:
    play = exercise.play
    assert play
    moves = random_game(rules, play, exercise)
    _page, before = ask(exercise, seed=7, tried=",".join(moves[:-1]), move=moves[-1])
    page, played = ask(exercise, seed=7, tried=",".join(moves))
    assert before["run"] == played["run"]
    assert played["over"]
    assert 'name="move"' not in page
    assert len(lines_of(played)) > len(moves) - 2
    if exercise.reference:
        # The game's own class plays these lines to their end without a refusal.
        names: dict[str, Any] = {exercise.name: exercise.reference}
        exec(lines_of(played)[0], names)
        for line, answer, *_board in played["run"]["steps"][1:]:
            if answer[0] == ":":
                eval(line, names)


@each_play
@pytest.mark.parametrize("wrong", ["resign", "timeout", "draw", "clue water 2", "z99", "<script>x"])
def test_moves_are_read_up_to_the_first_illegal_one(
    rules: Rules, exercise: Exercise, wrong: str
) -> None:
    assert exercise.play
    (first, second, *_others) = random_game(rules, exercise.play, exercise)
    _page, played = ask(exercise, seed=7, tried=f"{first},{wrong},{second}")
    assert played["run"] == ask(exercise, seed=7, tried=first)[1]["run"]
    page, refused = ask(exercise, seed=7, tried=first, move=wrong)
    assert refused["refused"] == wrong
    assert "<script>x" not in page


@each_play
def test_a_game_has_a_seed_and_the_same_one_the_same_board(
    rules: Rules, exercise: Exercise
) -> None:
    page = ask(exercise)[0]
    assert re.search(r'name="seed" value="\d+"', page)
    assert ask(exercise, seed=3) == ask(exercise, seed=3, size="99", **{"seat-x": "choose"})


@pytest.mark.parametrize(
    ("rules", "exercise"), [pair for pair in PLAYED if pair[1].play and pair[1].play.example]
)
def test_a_function_names_a_move_by_its_arguments(rules: Rules, exercise: Exercise) -> None:
    assert exercise.play
    chosen = dict.fromkeys(seats(exercise), "choose")
    page, played = ask(exercise, seed=7, **chosen)
    tried = re.search(r'name="tried" value="([^"]*)"', page)
    assert tried
    # A class without a board yet begins at random.
    assert lines_of(played)
    assert played["player"] == "choose"
    assert played["asks"].startswith("choose(")
    made = [move for move in tried[1].split(",") if move]
    position = rules.start(exercise.play.deal(exercise.play.sizes[0], Random(7)))
    for move in made:
        position.play(min(position.to_move()), move)
    playing = {name.removeprefix("seat-") for name in chosen}
    move = position.legal_moves(min(position.to_move() & playing))[0]
    call = repr(exercise.play.arguments(move))
    _page, after = ask(exercise, seed=7, tried=tried[1], call=call, **chosen)
    assert after["run"] == ask(exercise, seed=7, tried=",".join([*made, move]), **chosen)[1]["run"]
    _page, refused = ask(exercise, seed=7, tried=tried[1], call="'nonsense'", **chosen)
    assert refused["refused"] == "'nonsense'"


def with_secrets(rules: Rules, exercise: Exercise) -> bool:
    assert exercise.play
    start = rules.start(exercise.play.deal(exercise.play.sizes[0], Random(0)))
    return any(spec.information_set for spec in start.seats)


@each_play
def test_a_level_answers_by_the_worker_and_nothing_stays(rules: Rules, exercise: Exercise) -> None:
    client, players = Client(), dict.fromkeys(seats(exercise), "1")
    address, sent = reverse("class_move", args=[exercise.slug]), {"seed": 7, **players}
    answer = client.post(address, sent)
    if with_secrets(rules, exercise):
        assert answer.status_code == 404
        assert "(computer)" not in client.get(reverse("exercise", args=[exercise.slug])).text
        return
    assert (answer.status_code, answer.json()) == (202, {"move": ""})
    assert client.post(address, sent).status_code == 202
    assert run_one_job()
    move = client.post(address, sent).json()["move"]
    assert not ask(exercise, move=move, **sent)[1]["refused"]
    assert not any(model.objects.exists() for model in (Thought, Game, Player))


@each_play
def test_a_move_is_asked_of_levels_alone(rules: Rules, exercise: Exercise) -> None:
    address = reverse("class_move", args=[exercise.slug])
    for player in ("", "choose", str([*rules.ladder][-1]), "99"):
        sent = dict.fromkeys(seats(exercise), player)
        assert Client().post(address, sent).status_code == 404
    assert not Thought.objects.exists()


def test_exercises_that_are_not_there_have_no_board() -> None:
    assert all_rules()
    assert Client().post(reverse("class_board", args=["ludo"])).status_code == 404
    assert Client().post(reverse("class_move", args=["ludo"])).status_code == 404
