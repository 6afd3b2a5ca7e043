"""A form or request that is sent again, because its answer was lost, makes one thing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest
from django.test import Client

from games.core.registry import all_rules
from games.models import ApiToken, Bot, Game, KeptVariation, Player, PuzzleAttempt
from games.people.bots import tokens_of, withdraw_token
from games.puzzles import catalogue
from games.services.seats import invitation_token, lobby_token
from tests.api.test_api import Program, program_of
from tests.support.game_factory import make_finished_game, open_seat
from tests.support.kinds import seat_keys, two_player_rules

RULES = two_player_rules()
FIRST, SECOND = seat_keys(RULES)


class Browser:
    """A browser that checks CSRF tokens and can send a form of a page again."""

    def __init__(self, client: Client) -> None:
        self.client = Client(enforce_csrf_checks=True)
        self.client.cookies = client.cookies

    def form(self, page: str, **fields: Any) -> Mapping[str, Any]:
        """Return the fields of a form on a page, with the page's token."""
        html = self.client.get(page).text
        found = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', html)
        assert found, page
        return {"csrfmiddlewaretoken": found[1], **fields}


@pytest.fixture
def visitor(owner: Any) -> Browser:
    return Browser(owner.client)


def forms() -> Mapping[str, tuple[str, str, dict[str, Any], type[Any]]]:
    new, quick = f"/new/{RULES.slug}/", f"/new/{RULES.slug}/start/"
    kinds, bots = [*all_rules()], "/me/bots/new/"
    return {
        "a new game": (new, new, {f"seat-{FIRST}": "me", f"seat-{SECOND}": "invite"}, Game),
        "a game with one click": ("/", quick, {"with": "computer"}, Game),
        "a token": ("/me/tokens/", "/me/tokens/", {"name": "Tok"}, ApiToken),
        "a bot": (bots, bots, {"name": "Bo", "kinds": kinds}, Bot),
        "the token of a bot": (
            "/me/bots/new/",
            "/me/bots/new/",
            {"name": "Bo", "kinds": kinds},
            ApiToken,
        ),
    }


@pytest.mark.parametrize("name", forms())
def test_a_form_that_is_sent_twice_makes_one(visitor, name):
    page, address, fields, made = forms()[name]
    form = visitor.form(page, **fields)
    first, again = (visitor.client.post(address, form) for _ in range(2))
    assert (first.status_code, made.objects.count()) == (again.status_code, 1)
    assert first.headers.get("Location") == again.headers.get("Location")


@pytest.mark.parametrize("name", ["a new game", "a token", "a bot"])
def test_the_first_form_of_a_browser_is_repeated_too(db, name):
    page, address, fields, made = forms()[name]
    visitor = Browser(Client())
    form = visitor.form(page, **fields)
    before = visitor.client.cookies.copy()
    for _ in range(2):
        visitor.client.cookies = before.copy()
        visitor.client.post(address, form)
    bots = Bot.objects.count()
    assert (made.objects.count(), Player.objects.count() - bots) == (1, 1)


def test_a_page_of_its_own_makes_a_game_of_its_own(visitor):
    page, address, fields, _made = forms()["a new game"]
    for _ in range(2):
        visitor.client.post(address, visitor.form(page, **fields))
    assert Game.objects.count() == 2


def test_another_choice_on_the_same_page_makes_another_game(visitor):
    page, address, fields, _made = forms()["a new game"]
    form = visitor.form(page, **fields)
    visitor.client.post(address, form)
    visitor.client.post(address, {**form, f"seat-{SECOND}": "me"})
    assert Game.objects.count() == 2


@pytest.mark.parametrize("other", ["invite", "me"])
def test_who_has_seen_the_game_gets_a_new_one(visitor, other):
    page, address, fields, _made = forms()["a new game"]
    form = visitor.form(page, **{**fields, f"seat-{SECOND}": other, "lobby": "1"})
    game = Game.objects.get(pk=visitor.client.post(address, form)["Location"].split("/")[2])
    if other == "invite":
        visitor.client.get(f"/g/{game.id}/", follow=True)
    else:
        token = visitor.form(f"/g/{game.id}/")
        position = game.rules.start(game.setup)
        seat = min(position.to_move())
        move = {"seat": seat, "move": next(iter(position.legal_moves(seat))), "ply": 0}
        assert visitor.client.post(f"/g/{game.id}/move/", {**token, **move}).status_code < 400
    visitor.client.post(address, form)
    assert Game.objects.count() == 2


def test_a_repeated_token_is_the_same_and_a_new_one_is_not(visitor):
    form = visitor.form("/me/tokens/", name="Tok")
    shown = [visitor.client.post("/me/tokens/", form).context["made"] for _ in range(2)]
    assert shown[0] == shown[1]
    assert Program(shown[0]).get("games").status_code == 200
    other = visitor.client.post("/me/tokens/", visitor.form("/me/tokens/", name="Tok"))
    assert other.context["made"] != shown[0]


def test_no_other_player_gets_a_token_by_the_same_form(visitor, owner, stranger):
    form = visitor.form("/me/tokens/", name="Tok")
    made = visitor.client.post("/me/tokens/", form).context["made"]
    # Without the check of the CSRF token, which would refuse it.
    assert stranger.client.post("/me/tokens/", form).context["made"] != made
    withdraw_token(player=owner.player, token_id=tokens_of(owner.player)[0].pk)
    assert Program(made).get("games").status_code == 401


def test_a_kept_variation_is_kept_once(visitor, owner, opponent):
    game = make_finished_game(owner, opponent)
    position = game.rules.start(game.setup)
    line = next(iter(position.legal_moves(min(position.to_move()))))
    address = f"/g/{game.id}/variations/?ply=0&line={line}"
    form = visitor.form(address, ply=0, line=line, name="Idea")
    answers = [visitor.client.post(address.partition("?")[0], form) for _ in range(2)]
    assert answers[0]["Location"] == answers[1]["Location"]
    assert KeptVariation.objects.count() == 1


def test_an_imported_game_is_imported_once(visitor):
    written = RULES.transcript.example
    form = visitor.form("/import/", text=written)
    page = visitor.client.post("/import/", form)
    chosen = {**form, "create": "0-device", "seen": page.context["seen"]}
    answers = [visitor.client.post("/import/", chosen) for _ in range(2)]
    assert answers[0]["Location"] == answers[1]["Location"]
    assert Game.objects.count() == 1


def test_a_wrong_try_of_a_puzzle_counts_once(visitor, owner):
    rules = next(iter(catalogue.kinds_with_puzzles()))
    entry = catalogue.entries(rules)[0]
    seat = min(entry.start.to_move())
    wrong = next(m for m in entry.start.legal_moves(seat) if m != entry.puzzle.solution[0])
    address = entry.get_absolute_url()
    form = visitor.form(address, move=wrong, mistakes=0)
    assert 'name="mistakes" value="0"' in visitor.client.get(address).text
    for _ in range(2):
        visitor.client.post(address, form)
    assert PuzzleAttempt.objects.get().mistakes == 1
    assert 'name="mistakes" value="1"' in visitor.client.get(address).text
    visitor.client.post(address, {**form, "mistakes": 1})
    assert PuzzleAttempt.objects.get().mistakes == 2


def test_a_program_repeats_a_request_with_its_key(owner, stranger):
    program, body = program_of(owner), {"kind": RULES.slug, "seating": {FIRST: "me"}}
    headers = {**program._headers, "Idempotency-Key": "one"}

    def begin(sent: dict[str, Any], **headers: str) -> str:
        response = Client().post("/api/1/games", sent, "application/json", headers=headers)
        assert response.status_code == 201
        assert response["Location"].endswith(response.json()["id"])
        return str(response.json()["id"])

    assert begin(body, **headers) == begin(body, **headers)
    assert begin({**body, "hints": True}, **headers) != begin(body, **headers)
    assert begin(body, **{**headers, "Idempotency-Key": "two"}) != begin(body, **headers)
    other = {**program_of(stranger)._headers, "Idempotency-Key": "one"}
    assert begin(body, **other) != begin(body, **headers)


@pytest.mark.django_db
def test_the_lobby_of_a_form_that_can_be_sent_again_opens_by_its_link(visitor: Browser) -> None:
    address = f"/new/{RULES.slug}/"
    seats = {f"seat-{FIRST}": "me", f"seat-{SECOND}": "invite", "lobby": "1"}
    visitor.client.post(address, visitor.form(address, **seats))
    game = Game.objects.get()
    assert Client().get(f"/invite/{lobby_token(game)}/").status_code == 200
    assert Client().get(f"/join/{invitation_token(open_seat(game))}/").status_code == 200
