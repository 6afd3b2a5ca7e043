"""Games whose stored rows do not replay: their visitors see an explanation, and no other page is
affected."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from boardsite.settings import STORAGES as SERVED_STORAGES
from games.contract import OlderRules
from games.core.registry import all_rules
from games.models import Game, Move
from games.state import replay
from games.state.snapshot import read_snapshot
from games.storage.cache import clear_all
from games.worker import jobs
from tests.support.game_factory import make_game, make_game_with_moves
from tests.support.game_requests import post_move
from tests.support.kinds import default_specs, seat_keys
from tests.support.players import Person
from tests.support.staff import GAME_LIST, change_page

pytestmark = [pytest.mark.django_db, pytest.mark.services]

DAMAGED_ROWS = [{"options": []}, {"options": {"size": "many"}}, {"setup": {}}]


@pytest.fixture
def game(owner: Person) -> Game:
    return make_game_with_moves(owner, 5)


@pytest.fixture
def broken(game: Game) -> Game:
    """Return a game whose fourth move the rules refuse."""
    Move.objects.filter(game=game, ply=4).update(text="z99")
    clear_all()
    return game


def damage(game: Game, **columns: Any) -> None:
    Game.objects.filter(pk=game.pk).update(**columns)
    clear_all()


def test_a_game_that_stops_replaying_shows_the_position_before_the_fault(owner, broken):
    response = owner.client.get(broken.get_absolute_url(), follow=True)
    assert response.redirect_chain == [(f"/g/{broken.pk}/3/", 302)]
    assert "This game can’t go on here" in response.text
    assert "Move 4 can’t be replayed: z99" in response.text


def test_the_moves_before_the_fault_keep_their_pages(owner, broken):
    for ply in range(4):
        assert owner.client.get(f"/g/{broken.pk}/{ply}/").status_code == 200
    assert owner.client.get(f"/g/{broken.pk}/0/picture.png").status_code == 200


def test_a_ply_after_the_fault_leads_to_the_last_position(stranger, broken):
    response = stranger.client.get(f"/g/{broken.pk}/5/")
    assert response.headers["Location"] == f"/g/{broken.pk}/3/"


def test_no_address_of_a_broken_game_fails(owner, broken):
    for path in ("", "board/", "seats/", "analysis/", "hint/", "5/picture.png"):
        assert owner.client.get(f"/g/{broken.pk}/{path}").status_code in {
            200,
            302,
            404,
            405,
            409,
            422,
        }
    for path in ("resign/", "undo/", "undo/answer/", "rematch/", "hint/"):
        response = owner.client.post(f"/g/{broken.pk}/{path}", {"seat": "", "ply": 5})
        assert response.status_code < 500


def test_a_move_in_a_broken_game_is_refused_with_the_reason(owner, broken):
    seat = min(broken.to_move or seat_keys(broken.rules))
    sent = {"seat": seat, "move": "a1", "ply": 5, "undone": 0}
    response = owner.client.post(f"/g/{broken.pk}/move/", sent)
    assert response.status_code == 409
    assert "Move 4 can’t be replayed" in response.text
    assert f'href="{broken.get_absolute_url()}"' in response.text


def test_an_open_page_of_a_broken_game_shows_the_fault_above_its_board(owner, broken):
    response = owner.client.get(f"/g/{broken.pk}/board/", headers={"HX-Request": "true"})
    assert response.status_code == 403
    assert response.headers["HX-Retarget"] == "#trouble"


@pytest.mark.parametrize("columns", DAMAGED_ROWS, ids=str)
def test_a_damaged_game_breaks_no_list(owner, stranger, game, columns):
    sound = make_game(owner)
    game.seats.update(listed=True)
    damage(game, **columns)
    assert sound.get_absolute_url() in owner.client.get("/").text
    assert stranger.client.get("/").status_code == 200


def test_a_game_without_a_first_position_is_explained_in_a_sentence(stranger, game):
    damage(game, setup={})
    response = stranger.client.get(game.get_absolute_url())
    assert response.status_code == 404
    assert "The setup of this game is unreadable." in response.text


def test_the_admin_shows_the_board_before_the_fault(clerk, broken):
    page = clerk.get(change_page(broken)).text
    assert "Move 4 can’t be replayed" in page
    assert "Position after move 3 of 5" in page


def test_the_admin_shows_a_game_whose_kind_is_gone_with_hashed_files(
    clerk, game, settings, tmp_path
):
    settings.STATIC_ROOT, settings.STORAGES = tmp_path, SERVED_STORAGES
    call_command("collectstatic", verbosity=0, interactive=False)
    damage(game, kind="ludo")
    assert "This site has no game" in clerk.get(change_page(game)).text
    assert game.pk in clerk.get(GAME_LIST).text


def test_a_broken_game_is_verified_with_its_ply_move_and_reason(broken, capsys):
    with pytest.raises(CommandError):
        call_command("verify_games")
    errors = capsys.readouterr().err
    assert f"game {broken.pk}: Move 4 can’t be replayed: z99 (" in errors
    broken.refresh_from_db()
    assert broken.fault is None


def test_marking_stores_the_fault_and_removes_it_again(broken):
    with pytest.raises(CommandError):
        call_command("verify_games", "--mark")
    broken.refresh_from_db()
    assert broken.fault["plies"] == 3
    Move.objects.filter(game=broken, ply__gt=3).delete()
    damage(broken, ply=3, to_move=sorted(read_snapshot(broken.pk).at(3).to_move()))
    call_command("verify_games", "--mark")
    broken.refresh_from_db()
    assert broken.fault is None


def test_a_computer_leaves_a_broken_game_alone(owner):
    rules = next(r for r in all_rules().values() if r.levels and len(default_specs(r)) == 2)
    mine, computer = seat_keys(rules)
    game = make_game(owner, rules=rules, seating={mine: "me", computer: "computer-1"})
    assert post_move(owner, game).status_code == 302
    Move.objects.filter(game=game).update(text="z99")
    clear_all()
    jobs.run_one_job()
    game.refresh_from_db()
    assert game.fault["plies"] == 0
    assert not game.computer_to_move


def test_a_game_of_a_version_that_is_gone_is_explained(stranger, game):
    damage(game, rules_version=99)
    response = stranger.client.get(game.get_absolute_url())
    assert "This site no longer has version 99 of the rules." in response.text


def test_a_game_of_an_older_version_is_replayed_in_its_own_notation(owner, monkeypatch, game):
    older = {game.rules_version: OlderRules(move=lambda move: move.removeprefix("old-"))}
    newer = replace(game.rules, version=game.rules_version + 1, older=older)
    monkeypatch.setattr(replay, "rules_of", lambda _: newer)
    for move in game.moves.all():
        Move.objects.filter(pk=move.pk).update(text=f"old-{move.text}")
    clear_all()
    assert owner.client.get(game.get_absolute_url()).status_code == 200
    assert replay.verify(game).fault is None
