"""A computer operative says between which close cards it chooses, before it selects one."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.codenames.rules import RULES
from games.contract import parse_cell
from games.models import Game
from games.services.setup import NewGame, create_game
from games.worker.jobs import run_one_job
from tests.support.players import Person, new_person

pytestmark = pytest.mark.django_db

WORDS = "daisy,tulip,hammer,banana,king,snow,candle,tractor,pencil,bee,wallet,piano"
KEY = "RRRRRBBBB--X"


@pytest.fixture
def olive() -> Person:
    return new_person("Olive")


def begin(olive: Person, key: str = KEY) -> Game:
    """Return a game whose computer operatives have just got a clue that fits two cards alike."""
    seats = ("red-spymaster", "red-operatives", "blue-spymaster", "blue-operatives")
    seating = {seat: "me" if seat == seats[0] else "computer-4" for seat in seats}
    options: dict[str, Any] = {"rows": 3, "columns": 4, "cards": "own", "own_words": WORDS}
    options["own_key"] = key
    new = NewGame(rules=RULES, options=options, seating=seating)
    game = create_game(player=olive.player, new=new)
    sent = {"seat": seats[0], "move": "clue flower 1", "ply": 0}
    assert olive.client.post(f"/g/{game.id}/move/", sent).status_code == 302
    return game


def _word(game: Game, name: str) -> str:
    row, column = parse_cell(name)
    return str(game.setup["cards"][4 * row + column])


def ready(game: Game) -> None:
    game.refresh_from_db()
    Game.objects.filter(pk=game.pk, leased_until__isnull=False).update(
        leased_until=timezone.now() - timedelta(seconds=1)
    )
    Game.objects.filter(pk=game.pk).update(updated=timezone.now() - timedelta(seconds=9))


def test_close_cards_are_told_to_everybody_and_then_one_is_selected(
    olive: Person, settings: Any
) -> None:
    game = begin(olive)
    settings.PACE_COMPUTERS = True
    assert run_one_job()
    game.refresh_from_db()
    assert game.ply == 1
    assert game.leased_until is not None
    for person in (olive, new_person("Stranger")):
        page = person.client.get(game.get_absolute_url()).text
        assert "daisy or tulip?" in page or "tulip or daisy?" in page
    ready(game)
    assert run_one_job()
    game.refresh_from_db()
    assert (game.ply, game.marks) == (2, [])


def test_what_is_weighed_does_not_depend_on_hidden_squares(olive: Person, settings: Any) -> None:
    settings.PACE_COMPUTERS = True
    told = []
    for key in (KEY, "XRRRRRBBBB--", "--XBRRRRRBBB"):
        game = begin(olive, key)
        run_one_job()
        game.refresh_from_db()
        told.append([_word(game, mark["move"]) for mark in game.marks])
        game.delete()
    assert told[0]
    assert told == [told[0]] * 3


def test_nothing_is_told_without_people_to_see_it(olive: Person, settings: Any) -> None:
    settings.PACE_COMPUTERS = False
    game = begin(olive)
    assert run_one_job()
    game.refresh_from_db()
    assert game.ply == 2
