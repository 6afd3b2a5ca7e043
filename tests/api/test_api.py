"""Programs read and play games over JSON, with the rights and the refusals of their player."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from django.test import Client
from openapi_spec_validator import validate

from games.api.endpoints import api
from games.core import rate_limits
from games.core.rate_limits import RateLimit
from games.core.registry import all_rules
from games.models import ApiToken, Game, Move
from games.people.bots import make_token, tokens_of, withdraw_token
from games.people.forgetting import forget_player
from games.people.personal_data import player_data
from games.services import players, seats, staff
from games.services.lobby import close_to_watchers
from games.services.tokens import hash_token
from games.storage.cache import clear_all
from games.views.people import access
from tests.support.game_factory import (
    make_game,
    make_game_with_moves,
    make_game_with_open_seat,
    make_lobby,
    open_seat,
)
from tests.support.hidden_setups import seats_that_see_a_difference, with_other_secrets
from tests.support.kinds import default_specs, kinds_with_secrets, seat_keys, two_player_rules
from tests.support.players import Person, new_person

SLUGS = sorted(all_rules())


@dataclass
class Program:
    """A program with a token of its player, and no cookies."""

    token: str

    def get(self, path: str, **query: str) -> Any:
        return Client().get(f"/api/1/{path}", query, headers=self._headers)

    def post(self, path: str, **body: Any) -> Any:
        return Client().post(
            f"/api/1/{path}", body, content_type="application/json", headers=self._headers
        )

    @property
    def _headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.token}"}


def program_of(person: Person, **more: str) -> Program:
    return Program(make_token(player=person.player, name="bot", **more))


def problem(response: Any, status: int) -> str:
    """Return the name of a refusal, which comes with a sentence."""
    assert response.status_code == status, response.content
    assert response["Content-Type"] == "application/problem+json"
    assert response.json()["message"] and response.json()["status"] == status
    return str(response.json()["error"])


def test_a_message_of_a_player_is_no_news_for_programs(owner, opponent):
    game = make_game(owner, opponent, rules=two_player_rules())
    seat = game.seats.get(players=owner.player).key
    assert (
        owner.client.post(f"/g/{game.pk}/say/", {"seat": seat, "word": "hello"}).status_code < 400
    )
    game.refresh_from_db()
    assert game.banner and program_of(owner).get(f"games/{game.pk}").json()["news"] is None


def test_the_openapi_file_is_valid_and_says_how_to_authenticate(db):
    described = Client().get("/api/1/openapi.json").json()
    validate(described)
    assert described["openapi"].startswith("3.1")
    assert described["components"]["securitySchemes"]["Bearer"]["scheme"] == "bearer"


def test_the_openapi_file_is_made_once_and_not_sent_again(db):
    first = Client().get("/api/1/openapi.json")
    assert api.get_openapi_schema() is api.get_openapi_schema()
    again = Client().get("/api/1/openapi.json", HTTP_IF_NONE_MATCH=first["ETag"])
    assert (again.status_code, again.content) == (304, b"")


def test_the_documentation_names_every_path_of_the_openapi_file(db):
    page = Client().get("/api/").text
    assert all(path in page for path in api.get_openapi_schema()["paths"])


def test_the_kinds_need_no_token(db):
    listed = Client().get("/api/1/kinds").json()
    assert [kind["kind"] for kind in listed] == SLUGS
    assert all(kind["seats"] and kind["options"] for kind in listed)


@pytest.mark.parametrize("slug", SLUGS)
def test_a_program_plays_a_whole_game_with_itself(slug, owner):
    program, rng = program_of(owner), Random(1)
    kind = next(listed for listed in program.get("kinds").json() if listed["kind"] == slug)
    seating = {seat["key"]: "me" for seat in kind["seats"]}
    response = program.post("games", kind=slug, seating=seating)
    assert response.status_code == 201
    state = response.json()
    for _ in range(400):
        if state["over"]:
            break
        seat = state["to_move"][0]
        state = program.get(f"games/{state['id']}", seat=seat).json()
        move = rng.choice(state["legal_moves"][seat])
        played = {"seat": seat, "move": move, "ply": state["ply"], "undone": state["undone"]}
        response = program.post(f"games/{state['id']}/moves", **played)
        assert response.status_code == 200, response.content
        state = response.json()
    assert state["over"]
    assert state["result"]["reason"]
    assert len(state["moves"]) == state["ply"]


def test_two_programs_meet_by_an_invitation(owner, opponent):
    host, guest, rules = program_of(owner), program_of(opponent), two_player_rules()
    first, second = (spec.key for spec in default_specs(rules))
    state = host.post("games", kind=rules.slug, seating={first: "me", second: "invite"}).json()
    (invitation,) = host.get(f"games/{state['id']}/invitations").json()
    assert invitation["seat"] == second
    joined = guest.post("join", token=invitation["token"]).json()
    assert joined["your_seats"] == [second]
    assert [game["id"] for game in guest.get("games").json()] == [state["id"]]


def test_a_program_takes_a_seat_that_is_open_to_everybody(owner, opponent):
    rules = two_player_rules()
    first, second = (spec.key for spec in default_specs(rules))
    game = make_game(owner, rules=rules, seating={first: "me", second: "listed"})
    joined = program_of(opponent).post(f"games/{game.id}/seats/{second}").json()
    assert joined["your_seats"] == [second]


def test_a_move_that_is_sent_twice_is_played_once(owner):
    program, game = program_of(owner), make_game(owner)
    state = program.get(f"games/{game.id}").json()
    seat = state["to_move"][0]
    sent = {"seat": seat, "move": state["legal_moves"][seat][0], "ply": 0}
    assert program.post(f"games/{game.id}/moves", **sent).json()["ply"] == 1
    assert program.post(f"games/{game.id}/moves", **sent).json()["ply"] == 1
    assert Game.objects.get(pk=game.id).ply == 1


def test_a_move_is_taken_back_and_a_seat_resigned(owner):
    program, game = program_of(owner), make_game(owner)
    state = program.get(f"games/{game.id}").json()
    seat = state["to_move"][0]
    sent = {"seat": seat, "move": state["legal_moves"][seat][0], "ply": 0}
    program.post(f"games/{game.id}/moves", **sent)
    state = program.post(f"games/{game.id}/undo", ply=1).json()
    assert (state["ply"], state["undone"]) == (0, 1)
    state = program.post(f"games/{game.id}/resign", seat=seat, ply=0, undone=1).json()
    assert state["over"]


def test_refusals_have_the_names_and_sentences_of_the_site(owner, opponent, stranger):
    game, host = make_game(owner, opponent), program_of(owner)
    path, state = f"games/{game.id}", host.get(f"games/{game.id}").json()
    seat = state["to_move"][0]
    move = {"seat": seat, "move": state["legal_moves"][seat][0], "ply": 0}
    assert problem(host.post(f"{path}/moves", **{**move, "move": "z99"}), 422) in {
        "bad_notation", "illegal_move",
    }  # fmt: skip
    assert problem(host.post(f"{path}/moves", **{**move, "ply": 7}), 409) == "stale_ply"
    other = program_of(stranger)
    assert problem(other.post(f"{path}/moves", **move), 403) == "not_your_seat"
    assert problem(host.post(f"{path}/undo", ply=0), 422) == "no_undo"
    assert problem(host.post(f"{path}/moves", seat=seat), 422) == "bad_request"
    assert problem(host.post("games", kind="chess"), 404) == "not_found"
    assert problem(host.get("games/nowhere"), 404) == "not_found"
    assert problem(host.post("join", token="x"), 409) == "seat_taken"
    assert problem(other.post(f"{path}/seats/nobody"), 404) == "not_found"
    options = {option.name: "nonsense" for option in game.rules.options}
    refused = host.post("games", kind=game.kind, options=options)
    assert problem(refused, 422) == "bad_setup"
    assert refused.json()["field"] in options


def test_a_game_that_does_not_replay_is_a_conflict(owner):
    game = make_game_with_moves(owner, 3)
    Move.objects.filter(game=game, ply=2).update(text="z99")
    assert problem(program_of(owner).get(f"games/{game.id}"), 409) == "unreadable"


def test_a_lobby_shows_no_board_and_takes_no_move(owner):
    game = make_lobby(owner)
    program = program_of(owner)
    state = program.get(f"games/{game.id}").json()
    assert (state["begun"], state["view"], state["legal_moves"]) == (False, {}, {})
    seat = state["your_seats"][0]
    refused = program.post(f"games/{game.id}/moves", seat=seat, move="a1", ply=0)
    assert problem(refused, 409) == "not_begun"
    assert seats.lobby_token(game) not in program.get(f"games/{game.id}").text


def test_a_sentence_is_in_the_language_of_the_request(owner):
    token = make_token(player=owner.player, name="bot")
    headers = {"Authorization": f"Bearer {token}", "Accept-Language": "nl"}
    refused = Client().get("/api/1/games/nowhere", headers=headers)
    assert refused.json()["message"] == "Die partij of dat spel is er niet."


# --- tokens ----------------------------------------------------------------------------------


@pytest.mark.parametrize("token", ["", "x", "\u00e9", "Bearer"])
def test_nothing_but_a_token_opens_the_api(token, owner):
    game = make_game(owner)
    headers = {"Authorization": f"Bearer {token}"}
    assert problem(owner.client.get(f"/api/1/games/{game.id}", headers=headers), 401) == "no_token"
    assert problem(owner.client.get(f"/api/1/games/{game.id}"), 401) == "no_token"


def test_a_withdrawn_token_opens_nothing(owner):
    program = program_of(owner)
    assert program.get("games").status_code == 200
    withdraw_token(player=owner.player, token_id=tokens_of(owner.player)[0].pk)
    assert problem(program.get("games"), 401) == "no_token"


def test_a_token_is_made_on_its_page_shown_once_and_withdrawn(owner, stranger):
    page = owner.client.post("/me/access/", {"name": "My bot"})
    token = page.context["made"]
    assert page["Cache-Control"] == "no-store"
    assert Program(token).get("games").status_code == 200
    row = ApiToken.objects.get()
    assert token not in row.token_hash
    assert token not in owner.client.get("/me/access/").text
    stranger.client.post("/me/access/", {"withdraw": row.pk})
    assert ApiToken.objects.exists()
    owner.client.post("/me/access/", {"withdraw": row.pk})
    assert not ApiToken.objects.exists()


def test_a_visitor_who_has_not_played_yet_becomes_a_player_by_making_a_token(client, db):
    token = client.post("/me/access/", {"name": "My bot"}).context["made"]
    assert Program(token).get("games").json() == []
    assert "My bot" in client.get("/me/access/").text


def test_new_tokens_are_limited_for_an_address_too(client, db, monkeypatch):
    limits = (RateLimit(10, 3600.0), RateLimit(1, 3600.0))
    monkeypatch.setattr(access, "LIMITS", limits)
    assert client.post("/me/access/", {"name": "My bot"}).status_code == 200
    assert Client().post("/me/access/", {"name": "My bot"}).status_code == 429
    assert ApiToken.objects.count() == 1


def test_an_export_names_the_tokens_without_their_secret(owner):
    token = make_token(player=owner.player, name="My bot")
    (exported,) = player_data(owner.player)["tokens"]
    assert exported["name"] == "My bot"
    assert token not in str(exported) and hash_token(token) not in str(exported)


def test_a_deleted_player_has_no_token(owner):
    program = program_of(owner)
    forget_player(player=owner.player)
    assert problem(program.get("games"), 401) == "no_token"


@pytest.mark.parametrize("limit", ["GAMES_PER_PLAYER", "GAMES_PER_ADDRESS"])
def test_programs_begin_no_more_games_than_people(owner, limit, monkeypatch):
    monkeypatch.setattr(getattr(rate_limits, limit), "limit", 1)
    program, slug = program_of(owner), two_player_rules().slug
    assert program.post("games", kind=slug).status_code == 201
    assert problem(program.post("games", kind=slug), 429) == "rate_limited"


def test_games_of_programs_wait_in_the_queue_of_their_address(owner):
    rules = two_player_rules()
    first, second = seat_keys(rules)
    seating = {first: "me", second: "computer-1"}
    begun = program_of(owner).post("games", kind=rules.slug, seating=seating).json()["id"]
    assert Game.objects.get(pk=begun).origin


@pytest.mark.parametrize("name", ["", " ", "x" * 40])
def test_a_token_needs_a_name_that_can_be_shown(name, owner):
    assert owner.client.post("/me/access/", {"name": name}).status_code == 422


def test_a_token_that_the_version_before_has_made_for_one_seat_opens_nothing(owner):
    game, program = make_game(owner), program_of(owner)
    ApiToken.objects.update(game=game, seat=game.specs[0].key, name="Zelda")
    refused = program.get("games")
    assert problem(refused, 401) == "no_token"
    assert "hand the seat to a bot of yours" in refused.json()["message"]
    assert "Zelda" not in owner.client.get("/me/access/").text


def test_a_suspended_player_may_watch_but_not_play_by_program(owner):
    game, program = make_game(owner), program_of(owner)
    owner.player.suspended = True
    owner.player.save()
    clear_all()
    assert program.get(f"games/{game.id}").status_code == 200
    sent = {"seat": game.specs[0].key, "ply": 0}
    assert problem(program.post(f"games/{game.id}/resign", **sent), 403) == "suspended"


def test_too_many_requests_of_a_token_are_told_when_to_come_again(owner, monkeypatch, settings):
    settings.RATE_LIMITS = True
    monkeypatch.setattr(rate_limits.API_PER_TOKEN, "limit", 2)
    program = program_of(owner)
    assert [program.get("games").status_code for _ in range(2)] == [200, 200]
    refused = program.get("games")
    assert problem(refused, 429) == "rate_limited"
    assert 1 <= int(refused["Retry-After"]) <= 60


# --- secrecy ---------------------------------------------------------------------------------


def test_a_closed_game_is_closed_to_programs(owner, opponent, stranger):
    game = make_game(owner, opponent)
    close_to_watchers(game_id=game.id, player=owner.player, closed=True)
    assert program_of(opponent).get(f"games/{game.id}").status_code == 200
    refused = program_of(stranger).get(f"games/{game.id}")
    assert problem(refused, 403) == "closed_to_watchers"


def test_only_the_host_gets_the_invitations(owner, stranger):
    game = make_game_with_open_seat(owner)
    token = seats.invitation_token(open_seat(game))
    assert token in program_of(owner).get(f"games/{game.id}/invitations").text
    refused = program_of(stranger).get(f"games/{game.id}/invitations")
    assert problem(refused, 403) == "not_your_seat"


@pytest.mark.parametrize("slug", kinds_with_secrets())
def test_no_byte_depends_on_what_a_program_may_not_see(slug, stranger):
    rules = all_rules()[slug]
    specs = default_specs(rules)
    people = {spec.key: new_person(spec.key) for spec in specs}
    game = make_game(*people.values(), rules=rules)
    other = with_other_secrets(rules, game.setup)
    secret = seats_that_see_a_difference(rules, game.setup, other)
    programs = {key: program_of(person) for key, person in people.items()}
    programs["stranger"] = program_of(stranger)

    def seen() -> dict[tuple[str, str], bytes]:
        asked = [{}, *({"seat": seat} for seat in people)]
        return {
            (name, path + str(query)): program.get(f"games/{game.id}{path}", **query).content
            for name, program in programs.items()
            for query in asked
            for path in ("", "/export")
        }

    before = seen()
    Game.objects.filter(pk=game.pk).update(setup=other)
    clear_all()
    after = seen()
    changed = {name for name, seat in before if before[name, seat] != after[name, seat]}
    assert changed == secret


@pytest.mark.parametrize("slug", kinds_with_secrets())
def test_who_holds_all_seats_sees_a_secret_only_by_naming_its_seat(slug, owner):
    rules = all_rules()[slug]
    game, program = make_game(owner, rules=rules), program_of(owner)
    secret = next(spec.key for spec in default_specs(rules) if spec.secret)
    public = program.get(f"games/{game.id}").json()
    named = program.get(f"games/{game.id}", seat=secret).json()
    assert (public["seat"] != secret, named["seat"]) == (True, secret)
    assert public["view"] != named["view"]


def test_a_program_of_a_suspended_player_is_told_by_whom_and_why(owner, opponent):
    game = make_game(owner, opponent)
    program = program_of(owner)
    assert program.get(f"games/{game.pk}").json()["suspended"] is None
    players.suspend(player=owner.player, suspended=True, reason="Rude words.")
    told = program.get(f"games/{game.pk}").json()["suspended"]
    assert "suspended by the staff of this site" in told and "Rude words." in told
    refused = program.post(f"games/{game.pk}/moves", seat="x", move="x", ply=0)
    assert refused.status_code == 403 and refused.json()["message"] == told


def test_a_program_is_told_that_staff_ended_the_game(owner, opponent):
    game = make_game(owner, opponent)
    staff.end_game(game_id=game.pk, reason="Nobody came back.")
    news = program_of(owner).get(f"games/{game.pk}").json()["news"]
    assert news == "The staff of this site ended this game: Nobody came back."
