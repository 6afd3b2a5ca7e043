"""Refusals to programs are problems, and all answers can be read by programs in browsers."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from games.models import Game
from tests.api.test_api import problem, program_of
from tests.support.game_factory import make_game, make_game_with_moves
from tests.support.kinds import seat_keys, two_player_rules
from tests.support.servers.site_process import ROOT


def test_every_error_of_an_address_of_the_api_is_a_problem(owner, settings):
    program, game = program_of(owner), make_game(owner)
    assert problem(program.get("nothing/there"), 404) == "not_found"
    wrong = Client().delete("/api/1/games", headers=program._headers)
    assert problem(wrong, 405) == "method_not_allowed"
    assert wrong["Allow"]
    address, sent = f"/api/1/games/{game.id}/moves", {"content_type": "application/json"}
    assert problem(Client().post(address, "{", headers=program._headers, **sent), 400)
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 10
    assert problem(Client().post(address, "[" * 11, headers=program._headers, **sent), 413)


def test_the_openapi_file_says_that_refusals_are_problems(db):
    paths = Client().get("/api/1/openapi.json").json()["paths"]
    kinds = {
        (kind, int(status) >= 400)
        for methods in paths.values()
        for operation in methods.values()
        for status, answer in operation["responses"].items()
        for kind in answer["content"]
        if kind != "text/event-stream"
    }
    assert kinds == {("application/json", False), ("application/problem+json", True)}


def test_programs_in_browsers_of_other_sites_may_read_every_answer(owner):
    program = program_of(owner)
    for response in (program.get("games"), program.get("games/nowhere"), program.get("x")):
        assert response["Access-Control-Allow-Origin"] == "*"
        assert response["Cache-Control"] == "no-store"
        assert not response.cookies
    asked = Client().options("/api/1/games", headers={"Origin": "https://bots.example"})
    assert asked.status_code == 204
    assert "Authorization" in asked["Access-Control-Allow-Headers"]


def test_a_token_by_http_is_refused_on_a_site_with_https(owner, settings):
    settings.SECURE_SSL_REDIRECT = True
    program = program_of(owner)
    assert problem(program.get("games"), 403) == "only_https"
    assert Client().get("/api/1/games", headers=program._headers, secure=True).status_code == 200


def test_the_address_of_a_new_game_is_in_a_header(owner):
    program = program_of(owner)
    created = program.post("games", kind=two_player_rules().slug)
    found = Client().get(created["Location"], headers=program._headers).json()
    assert found["id"] == created.json()["id"]


def test_every_address_of_a_game_is_whole(owner, stranger):
    rules = two_player_rules()
    first, second = seat_keys(rules)
    game = make_game(owner, rules=rules, seating={first: "me", second: "listed"})
    program, whole = program_of(owner), f"http://testserver/g/{game.id}/"
    assert program.get(f"games/{game.id}").json()["address"] == whole
    assert program.get("games").json()[0]["address"] == whole
    assert program_of(stranger).get("open-seats").json()[0]["address"] == whole


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"seating": {"Black": "me"}}, "seating.Black"),
        ({"options": {"colour": 1}}, "options.colour"),
        ({"seats": {}}, "seats"),
    ],
)
def test_a_field_option_or_seat_that_there_is_not_is_refused_by_its_name(owner, sent, field):
    refused = program_of(owner).post("games", kind=two_player_rules().slug, **sent)
    assert problem(refused, 422) in {"bad_setup", "bad_request"}
    assert refused.json()["field"] == field
    assert not Game.objects.exists()


def test_a_stale_move_gets_the_latest_position(owner):
    program, game = program_of(owner), make_game_with_moves(owner, 2)
    sent = {"seat": seat_keys(game.rules)[0], "move": "a1", "ply": 1}
    refused = program.post(f"games/{game.id}/moves", **sent)
    assert problem(refused, 409) == "stale_ply"
    assert refused.json()["state"] == program.get(f"games/{game.id}").json()


def test_the_list_of_versions_names_every_request(db):
    described = Client().get("/api/1/openapi.json").json()
    written = (ROOT / "docs/api.md").read_text()
    named = re.findall(r"`(GET|POST) (/[^`]*)`", written)
    requests = {
        (method.upper(), path.removeprefix("/api/1"))
        for path, methods in described["paths"].items()
        for method in methods
    }
    assert len(named) == len(set(named))
    assert set(named) == requests
    assert re.findall(r"^## (.*)$", written, re.MULTILINE)[0] == described["info"]["version"]
