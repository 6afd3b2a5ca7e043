"""Games are brought in on a page that shows them before anything is stored."""

from __future__ import annotations

import pickle
import re
from random import Random
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import RequestFactory

from games.core.registry import all_rules
from games.exchange import bring_in as bring_in_module
from games.exchange.bring_in import understand
from games.models import Game, Player
from games.state.snapshot import read_snapshot
from games.web.slot import TICKET, Ticket, WaitsForSlot
from tests.support.game_factory import make_game, make_game_with_moves
from tests.support.game_requests import post_resign
from tests.support.kinds import importable_rules
from tests.support.players import Person

SLUGS = sorted(all_rules())


def bring_in(person: Person, written: str, **more: Any) -> Any:
    return person.client.post("/import/", {"text": written, **more})


def choose(person: Person, written: str, choice: str) -> Any:
    """Post the text again with a button of the page that showed its games."""
    page = bring_in(person, written)
    assert page.status_code == 200
    assert f'name="create" value="{choice}"' in " ".join(page.text.split())
    return bring_in(person, written, create=choice, seen=page.context["seen"])


def export(person: Person, game: Game, form: str) -> str:
    response = person.client.get(f"/g/{game.id}/export.{form}")
    assert response.status_code == 200
    return str(response.text)


def same(written: str) -> str:
    """Return a game as text without its address."""
    return re.sub(r"Address: .*\n", "", written)


def admits_setups(slug: str) -> bool:
    """Return whether games of a kind come back: their setups are checked, or have no chance."""
    rules = all_rules()[slug]
    options = rules.clean({})
    return bool(rules.admit_setup) or len({str(rules.deal(options, Random(n))) for n in (1, 2)}) < 2


@pytest.mark.parametrize("form", ["txt", "json"])
@pytest.mark.parametrize("slug", [*filter(admits_setups, SLUGS)])
def test_a_finished_game_that_was_downloaded_is_brought_in_the_same(slug, form, owner, stranger):
    game = make_game(owner, rules=all_rules()[slug])
    post_resign(owner, game)
    if not game.over:
        pytest.skip("others play on")
    response = choose(stranger, export(owner, game, form), "0-device")
    created = Game.objects.get(pk=response.url.split("/")[2])
    assert created.over
    theirs, ours = (same(export(person, stored, "txt")) for person, stored in
                    [(stranger, created), (owner, game)])  # fmt: skip
    assert theirs == ours
    assert read_snapshot(created.id).fault is None


def test_a_running_game_goes_on_from_its_last_position(owner, stranger):
    game = make_game_with_moves(owner, 3, rules=importable_rules())
    response = choose(stranger, export(owner, game, "txt"), "0-device")
    created = Game.objects.get(pk=response.url.split("/")[2])
    assert (created.ply, created.over) == (3, False)
    assert read_snapshot(created.id).seats_of(stranger.player.pk) == {
        spec.key for spec in created.specs
    }


def test_the_player_gets_the_seat_to_move_against_the_computer(owner, stranger):
    rules = next(rules for rules in all_rules().values() if rules.transcript and rules.levels)
    game = make_game_with_moves(owner, 3, rules=rules)
    response = choose(stranger, export(owner, game, "txt"), "0-computer")
    created = read_snapshot(response.url.split("/")[2])
    assert created.seats_of(stranger.player.pk) == created.standing.to_move
    assert created.seating.level


def test_the_names_of_a_file_are_on_the_seats(owner, opponent, stranger):
    game = make_game(owner, opponent, rules=importable_rules())
    response = choose(stranger, export(owner, game, "json"), "0-device")
    places = read_snapshot(response.url.split("/")[2]).seating.places
    assert [[*place.players.values()] for place in places.values()] == [["Olive"], ["Otto"]]


def test_a_file_is_read_like_text(owner):
    rules = importable_rules()
    assert rules.transcript
    content = b"\xef\xbb\xbf" + rules.transcript.example.encode()
    page = owner.client.post("/import/", {"file": SimpleUploadedFile("game.txt", content)})
    assert page.context["count"] == 1
    assert page.context["previews"][0].game.rules is rules
    assert page.context["written"] == rules.transcript.example


def test_showing_a_game_stores_nothing(stranger):
    rules = importable_rules()
    assert rules.transcript
    before = Player.objects.count()
    assert bring_in(stranger, rules.transcript.example).status_code == 200
    assert (Game.objects.count(), Player.objects.count()) == (0, before)


def test_a_game_that_the_page_has_not_shown_is_not_created(owner):
    rules = importable_rules()
    assert rules.transcript
    shown = bring_in(owner, rules.transcript.example)
    other = rules.transcript.example.split(", ")[0]
    response = bring_in(owner, other, create="0-device", seen=shown.context["seen"] + "x")
    assert response.status_code == 409
    assert Game.objects.count() == 0


def test_one_faulty_game_of_several_keeps_all_of_them_out(owner):
    game = make_game_with_moves(owner, 2, rules=importable_rules())
    written = export(owner, game, "txt")
    page = bring_in(owner, written + written.replace("2. ", "2. x "))
    assert page.status_code == 422
    assert page.context["unread"].line == 2 * len(written.splitlines())
    assert 'role="alert"' in page.text
    assert Game.objects.count() == 1


@pytest.mark.parametrize("choice", ["1-device", "0-nobody", "0", "99-friend", "-1-device"])
def test_a_choice_that_the_page_does_not_offer_creates_nothing(choice, owner):
    rules = importable_rules()
    assert rules.transcript
    seen = bring_in(owner, rules.transcript.example).context["seen"]
    response = bring_in(owner, rules.transcript.example, create=choice, seen=seen)
    assert response.status_code in {200, 409}
    assert Game.objects.count() == 0


def test_a_long_text_is_read_by_the_slot_and_comes_back_from_its_process(monkeypatch):
    monkeypatch.setattr(bring_in_module, "SHORT", 10)
    example = importable_rules().transcript.example
    long = f"{example}\n\n{example}"
    request = RequestFactory().post("/import/", {"text": long})
    request.device_id, request.META[TICKET] = None, (ticket := Ticket())
    with pytest.raises(WaitsForSlot):
        bring_in_module.bring_in(request)
    made = pickle.loads(pickle.dumps(understand(long)))
    assert (ticket.job.make, ticket.job.values) == (understand, (long,))
    assert [game.record for game in made.games] == [game.record for game in understand(long).games]
    faulty = pickle.loads(pickle.dumps(understand("no game")))
    assert str(faulty) == str(understand("no game"))
