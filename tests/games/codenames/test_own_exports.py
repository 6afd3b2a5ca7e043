"""A game whose clues are refused today comes back from its own export, and from no other file."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.codenames.rules import RULES
from games.models import Game
from games.services.play import resign
from games.services.setup import NewGame, Plan, start_game
from games.state.replay import verify
from games.state.snapshot import Standing
from tests.games.codenames.test_rules import RED_SPY, setup
from tests.support.kinds import seat_keys
from tests.support.players import Person

pytestmark = pytest.mark.django_db
REFUSED = {1: ("ring", "clue spring 2", "en"), 2: ("kool", "clue kolen 2", "nl")}
"""By the version of the rules, a card and a clue that a game had beside it in earlier days."""


@pytest.fixture(params=REFUSED)
def game(owner: Person, request: pytest.FixtureRequest) -> Game:
    """Return a finished game with a clue that the rules of its version refuse today."""
    card, clue, language = REFUSED[request.param]
    dealt = setup(cards=[card, *setup()["cards"][1:]], language=language)
    start = RULES.older[1].start if request.param == 1 else RULES.start
    assert start
    position = start(dealt).replay(RED_SPY, clue)
    seating, chosen = (
        dict.fromkeys(seat_keys(RULES), "me"),
        {"rows": 4, "columns": 5, "language": language},
    )
    new = NewGame(rules=RULES, options=RULES.clean(chosen), seating=seating)
    plan = Plan(
        new=new,
        setup=dealt,
        levels=dict.fromkeys(seating),
        moves=[(RED_SPY, clue)],
        standing=Standing.of(position),
        version=request.param,
    )
    begun = start_game(player=owner.player, plan=plan)
    resign(game_id=begun.pk, seat=RED_SPY, player=owner.player, ply=1)
    return Game.objects.get(pk=begun.pk)


def exported(person: Person, game: Game, slug: str) -> str:
    response = person.client.get(f"/g/{game.pk}/export.{slug}")
    assert response.status_code == 200
    return str(response.text)


def bring_in(person: Person, written: str) -> Any:
    page = person.client.post("/import/", {"text": written})
    if page.status_code != 200:
        return page
    chosen = {"text": written, "create": "0-device", "seen": page.context["seen"]}
    return person.client.post("/import/", chosen)


@pytest.mark.parametrize("slug", ["json", "txt"])
def test_a_game_of_earlier_days_comes_back_from_its_own_export(owner, stranger, game, slug):
    written = exported(owner, game, slug)
    assert bring_in(stranger, written).status_code == 302
    again = Game.objects.exclude(pk=game.pk).get()
    assert (again.rules_version, again.setup) == (game.rules_version, game.setup)
    moves = [[*played.moves.values_list("seat", "text")] for played in (game, again)]
    assert moves[0] == moves[1]
    assert verify(again).fault is None
    assert stranger.client.get(again.get_absolute_url()).status_code == 200


def test_all_own_games_come_back_as_one_does(owner, game):
    lines = b"".join(owner.client.get("/me/games.jsonl").streaming_content).decode()
    assert bring_in(owner, lines).status_code == 302


@pytest.mark.parametrize("change", ["no seal", "a seal of another game", "another move"])
def test_a_file_that_this_site_has_not_written_is_judged(owner, game, change):
    document = json.loads(exported(owner, game, "json"))
    if change == "another move":
        document["moves"].insert(1, {"seat": "red-operatives", "move": "stop"})
    else:
        document["seal"] = "" if change == "no seal" else "0" * len(document["seal"])
    refused = bring_in(owner, json.dumps(document))
    assert refused.status_code == 422
    assert Game.objects.count() == 1


def test_a_game_by_rules_that_never_were_is_refused(owner, game):
    document = json.loads(exported(owner, game, "json")) | {"rules_version": 99}
    refused = bring_in(owner, json.dumps(document))
    assert refused.status_code == 422
    assert "rules of this game have changed" in refused.text
