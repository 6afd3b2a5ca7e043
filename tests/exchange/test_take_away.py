"""Games are taken away as files, without the secrets of others."""

from __future__ import annotations

import json
import re
from io import BytesIO
from random import Random
from typing import Any

import jsonschema
import pytest
from django.test import Client
from PIL import Image

from games.core.registry import all_rules
from games.models import Game
from games.services import lobby
from games.storage.cache import clear_all
from games.web.slot import TICKET, Ticket
from tests.support.game_factory import make_finished_game, make_game, make_lobby
from tests.support.game_requests import post_move, post_resign
from tests.support.hidden_setups import seats_that_see_a_difference, with_other_secrets
from tests.support.kinds import default_specs, importable_rules, kinds_with_secrets
from tests.support.players import Person, new_person
from tests.support.random_games import random_legal_move
from tests.support.snapshots import position_at

SLUGS = sorted(all_rules())
TOKEN = re.compile(rb'(?<=name="csrfmiddlewaretoken" value=")\w+')


def export(person: Person | None, game: Game, form: str, **query: str) -> Any:
    client = person.client if person else Client()
    return client.get(f"/g/{game.id}/export.{form}", query)


def started_game(owner: Person, slug: str, plies: int = 3) -> Game:
    """Return a game of a kind with some random moves, the owner on all seats. The last one of
    them may have ended it."""
    game = make_game(owner, rules=all_rules()[slug])
    rng = Random(1)
    while game.ply < plies and not game.over:
        seat, move = random_legal_move(position_at(game, game.ply), rng)
        post_move(owner, game, seat=seat, move=move)
        game.refresh_from_db()
    return game


@pytest.mark.parametrize("slug", SLUGS)
def test_every_file_on_the_page_of_downloads_can_be_downloaded(slug, owner):
    game = started_game(owner, slug)
    post_resign(owner, game)
    page = owner.client.get(f"/g/{game.id}/export/")
    files = page.context["files"]
    assert {"txt", "json"} <= {file.slug for file in files}
    for file in files:
        response = export(owner, game, file.slug)
        assert response.status_code == 200
        assert response.text == file.content
        name = f"{slug}-{game.id}.{file.ending}"
        assert response["Content-Disposition"] == f'attachment; filename="{name}"'


@pytest.mark.parametrize("slug", SLUGS)
def test_a_game_as_json_follows_the_published_schema(slug, owner):
    game = started_game(owner, slug)
    schema = owner.client.get("/game.schema.json").json()
    document = export(owner, game, "json").json()
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(document, schema)
    assert len(document["moves"]) == game.ply
    assert document["address"] == f"http://testserver/g/{game.id}/"


def test_options_that_a_player_has_typed_or_collected_are_in_no_file(owner):
    faults = []
    for slug, rules in all_rules().items():
        options = export(owner, started_game(owner, slug), "json").json()["options"]
        own = {option.name for option in rules.options if option.kind in {"text", "pack"}}
        faults += [(slug, name) for name in own.intersection(options)]
    assert faults == []


def test_a_game_as_text_has_a_line_for_each_move_with_its_seat(owner):
    game = started_game(owner, importable_rules().slug)
    moves = game.moves.values_list("ply", "seat", "text")
    assert export(owner, game, "txt").text.endswith(
        "".join(f"\n{ply}. {seat} {move}" for ply, seat, move in moves) + "\n"
    )


def test_names_and_the_result_of_a_finished_game_are_in_its_json(owner, opponent):
    game = make_finished_game(owner, opponent)
    document = export(None, game, "json").json()
    first, second = document["seats"].values()
    assert (first["names"], second["names"]) == (["Olive"], ["Otto"])
    assert document["result"]["winners"] == [[*document["seats"]][1]]
    assert document["moves"][-1]["move"] == "resign"


def test_there_is_no_file_in_a_format_that_the_game_does_not_have(owner):
    game = make_game(owner)
    assert export(owner, game, "pgn").status_code == 404


def test_a_game_in_its_lobby_is_not_taken_away(owner):
    game = make_lobby(owner)
    assert export(owner, game, "json").status_code == 404
    assert owner.client.get(f"/g/{game.id}/export/").url == game.get_absolute_url()


def test_strangers_take_nothing_of_a_closed_game_away(owner, opponent, stranger):
    game = make_game(owner, opponent)
    lobby.close_to_watchers(game_id=game.id, player=owner.player, closed=True)
    assert export(opponent, game, "txt").status_code == 200
    for address in ("export/", "export.txt", "export.json", "0/picture.svg", "animation.webp"):
        assert stranger.client.get(f"/g/{game.id}/{address}").status_code == 403


def test_a_game_from_a_position_has_no_transcript(owner):
    rules = importable_rules()
    game = started_game(owner, rules.slug)
    assert export(owner, game, "transcript").status_code == 200
    Game.objects.filter(pk=game.pk).update(setup={**game.setup, "other": 1})
    clear_all()
    assert export(owner, game, "transcript").status_code == 404
    assert 'id="written"' not in owner.client.get(f"/g/{game.id}/3/").text


def test_any_position_is_an_svg_picture(owner):
    game = started_game(owner, importable_rules().slug)
    first, last = (owner.client.get(f"/g/{game.id}/{ply}/picture.svg") for ply in (0, 3))
    assert first["Content-Type"] == "image/svg+xml"
    assert first.text.startswith("<svg xmlns=")
    assert first.text != last.text
    assert owner.client.get(f"/g/{game.id}/4/picture.svg").status_code == 404


def test_a_finished_game_is_an_animation_of_its_positions(owner):
    game = started_game(owner, importable_rules().slug)
    assert owner.client.get(f"/g/{game.id}/animation.webp").status_code == 404
    post_resign(owner, game)
    response = owner.client.get(f"/g/{game.id}/animation.webp")
    assert response["Content-Type"] == "image/webp"
    with Image.open(BytesIO(response.content)) as animation:
        assert animation.n_frames == 4


@pytest.fixture(params=kinds_with_secrets())
def secret_game(request: pytest.FixtureRequest, owner: Person) -> tuple[Game, dict[str, Person]]:
    """Return a running game with secrets, and a person for each seat."""
    rules = all_rules()[request.param]
    people = {spec.key: new_person(spec.key) for spec in default_specs(rules)}
    game = make_game(*people.values(), rules=rules)
    return game, people


def exported_bytes(game: Game, people: dict[str, Person | None]) -> dict[tuple[str, str], bytes]:
    forms = ("txt", "json", "transcript")
    return {
        (name, form): TOKEN.sub(b"", export(person, game, form).content)
        for name, person in people.items()
        for form in forms
    }


def test_no_byte_of_a_running_game_depends_on_what_a_viewer_may_not_see(secret_game, stranger):
    game, people = secret_game
    other = with_other_secrets(game.rules, game.setup)
    secret = seats_that_see_a_difference(game.rules, game.setup, other)
    assert secret
    without = {key: person for key, person in people.items() if key not in secret}
    without |= {"stranger": stranger, "anonymous": None}
    holders = {key: people[key] for key in secret}
    before, known = exported_bytes(game, without), exported_bytes(game, holders)
    Game.objects.filter(pk=game.pk).update(setup=other)
    clear_all()
    assert exported_bytes(game, without) == before
    after = exported_bytes(game, holders)
    assert all(after[key, "json"] != known[key, "json"] for key in secret)


def test_the_setup_of_a_game_with_secrets_is_in_its_files_after_the_end(secret_game):
    game, people = secret_game
    first = next(iter(people.values()))
    running = export(None, game, "json").json()
    assert running["setup"] is None
    assert running["view"]["rows"]
    post_resign(first, game)
    assert export(None, game, "json").json()["setup"] == game.setup


def test_own_games_are_lines_of_json(owner, opponent, stranger):
    games = [make_game(owner, opponent), make_finished_game(owner), make_game(stranger)]
    response = owner.client.get("/me/games.jsonl")
    lines = b"".join(response.streaming_content).decode().splitlines()
    addresses = [json.loads(line)["address"] for line in lines]
    assert addresses == [f"http://testserver/g/{game.id}/" for game in games[:2]]


def test_own_games_are_made_in_the_slot_and_anew_after_a_move(owner, opponent):
    game, ticket = make_game(owner, opponent), Ticket()
    owner.client.get("/me/games.jsonl", **{TICKET: ticket})
    assert ticket.job is not None and not ticket.job.free
    before = b"".join(owner.client.get("/me/games.jsonl").streaming_content)
    assert owner.client.get("/me/games.jsonl", **{TICKET: Ticket()}).status_code == 200
    post_resign(owner, game)
    assert b"".join(owner.client.get("/me/games.jsonl").streaming_content) != before


def test_own_games_are_read_with_few_queries(owner, django_assert_max_num_queries):
    for _ in range(12):
        make_game(owner)
    with django_assert_max_num_queries(8):
        assert len([*owner.client.get("/me/games.jsonl").streaming_content]) == 12


def test_a_lobby_is_not_among_the_own_games_to_download(owner):
    lobby, begun = make_lobby(owner), make_game(owner)
    written = b"".join(owner.client.get("/me/games.jsonl").streaming_content).decode()
    assert begun.pk in written and lobby.pk not in written
