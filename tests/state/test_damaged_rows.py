"""Games whose rows were hurt by SQL open to the last good position, and are found."""

from __future__ import annotations

from collections.abc import Iterator
from io import StringIO
from typing import Any
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client, TestCase
from django.utils import timezone

from games.core.clocks import Clock, TimeControl
from games.core.registry import all_rules
from games.models import Bot, Game, Holder, KeptVariation, Move, Pack, Seat
from games.people.bots import make_bot
from games.state.snapshot import cached_snapshot, read_snapshot, read_uncached
from games.storage.cache import clear_all
from tests.support.game_factory import make_game_with_moves
from tests.support.game_requests import next_legal_move
from tests.support.packs import make_pack
from tests.support.players import new_person
from tests.support.staff import change_page

pytestmark = pytest.mark.django_db
PLIES = 5
GOES_NOT_ON = "This game can’t go on"

NOBODY = UUID(int=7)

ROWS: dict[str, dict[str, Any]] = {
    "marks that are a number": {"marks": 7},
    "marks without their keys": {"marks": [{"player": 1}]},
    "marks that are a text": {"marks": "f5"},
    "a clock without its keys": {"clock": {}},
    "a clock that is a text": {"clock": "5+3"},
    "a clock of an unknown side": {"clock": {"control": "5+3", "left": {"nobody": 1}}},
    "a clock of unknown running sides": {"running": ["nobody"]},
    "a clock of texts": {"left": "much"},
    "questions that are a number": {"questions": 7},
    "a question of an unknown kind": {"questions": [{"kind": "x", "asker": ""}]},
    "a question of an unknown seat": {"questions": [{"kind": "undo", "asker": "nobody"}]},
    "a question for a seat without its keys": {"questions": [{"kind": "seat", "asker": ""}]},
    "an undo request that is a list": {"undo_request": [1]},
    "an undo request of an unknown seat": {"undo_request": {"asker": "nobody", "accepted": []}},
    "a banner that is a number": {"banner": 5},
    "seats to move that are a text": {"to_move": "black"},
    "seats to move that are a number": {"to_move": 5},
    "an unknown seat to move": {"to_move": ["nobody"]},
    "an unknown status": {"status": "paused"},
    "too many moves": {"ply": 9},
    "too few moves": {"ply": 2},
    "a result that is a text": {"result_json": "all"},
    "options that are a list": {"options": []},
    "attendance that is a number": {"attendance": 5},
    "a computer to move that is none": {"computer_to_move": True},
    "a request to free a seat that is a number": {"freeing": 7},
    "a request to free a seat without its keys": {"freeing": {"seat": "nobody"}},
    "a result without its keys": {"result_json": {"a": 1}},
    "a lease of no process": {"leased_by": "nobody"},
}
MOVES: dict[str, dict[str, Any]] = {
    "an unknown seat": {"seat": "nobody"},
    "an empty move": {"text": ""},
    "a move of nonsense": {"text": "z99 z99"},
    "a ply that is missing": {"ply": 70},
}
SEATS: dict[str, dict[str, Any]] = {
    "an unknown key": {"key": "nobody"},
    "the level of no computer": {"computer": 99},
}


@pytest.fixture
def game() -> Iterator[Game]:
    clear_all()
    yield make_game_with_moves(new_person("Olive"), PLIES)
    clear_all()


def is_found(game: Game) -> bool:
    """Return whether `verify_games` names a game."""
    try:
        call_command("verify_games")
    except CommandError:
        return True
    return False


def faults() -> str:
    """Return the faults that `verify_games` reports."""
    errors = StringIO()
    with pytest.raises(CommandError):
        call_command("verify_games", stderr=errors)
    return errors.getvalue()


def opens(game: Game) -> None:
    """Assert that a stranger sees a position of the game, or in a sentence why there is none."""
    response = new_person("Stan").client.get(game.get_absolute_url(), follow=True)
    assert response.status_code in {200, 404, 409} and "<h1" in response.text


def hurt(game: Game, changes: dict[str, Any]) -> None:
    if {"running", "left"} & set(changes):
        clock = Clock.new(TimeControl(minutes=5, increment=3), game.specs).to_json()
        changes = {"clock": {**clock, "since": 1, **changes}}
    Game.objects.filter(pk=game.pk).update(**changes)


def test_a_sound_game_opens_and_is_not_found(game: Game) -> None:
    opens(game)
    assert not is_found(game)


@pytest.mark.services
@pytest.mark.parametrize("damage", [*ROWS, "setup"])
def test_a_game_with_a_hurt_row_opens_is_found_and_ends_no_export(damage: str) -> None:
    owner = new_person("Olive")
    game, sound = make_game_with_moves(owner, PLIES), make_game_with_moves(owner, PLIES)
    hurt(game, ROWS.get(damage, {"setup": 7}))
    assert sound.pk in exported()
    assert sound.pk in b"".join(owner.client.get("/me/games.jsonl").streaming_content).decode()
    clear_all()
    opens(game)
    for address in (game.get_absolute_url(), "/", "/me/", f"/g/{game.pk}/export/"):
        assert owner.client.get(address, follow=True).status_code in {200, 404, 409}
    assert is_found(game)


@pytest.mark.services
@pytest.mark.parametrize("damage", MOVES)
def test_a_game_with_a_hurt_move_opens_before_it_and_is_found(game: Game, damage: str) -> None:
    Move.objects.filter(game=game, ply=3).update(**MOVES[damage])
    clear_all()
    response = new_person("Stan").client.get(game.get_absolute_url())
    assert response.url == f"/g/{game.pk}/2/"
    opens(game)
    assert is_found(game)


@pytest.mark.services
@pytest.mark.parametrize("damage", SEATS)
def test_a_game_with_a_hurt_seat_opens_and_is_found(game: Game, damage: str) -> None:
    Seat.objects.filter(game=game, index=0).update(**SEATS[damage])
    clear_all()
    opens(game)
    assert is_found(game)


EVERYTHING = [*((Game, columns) for columns in ROWS), *((Move, columns) for columns in MOVES)] + [
    (Seat, columns) for columns in SEATS
]


def cache(game: Game) -> None:
    """Cache a game in this process, which happens at the end of a transaction: that of a test is
    rolled back."""
    with TestCase.captureOnCommitCallbacks(execute=True):
        snapshot = read_snapshot(game.pk)
    assert cached_snapshot(game.pk, snapshot.game.version) is snapshot


def hurt_any(game: Game, table: type[Game | Move | Seat], damage: str) -> None:
    """Hurt a row of a game that this process has cached, and leave the cache alone."""
    cache(game)
    if table is Game:
        hurt(game, ROWS[damage])
    elif table is Move:
        Move.objects.filter(game=game, ply=3).update(**MOVES[damage])
    else:
        Seat.objects.filter(game=game, index=0).update(**SEATS[damage])


@pytest.mark.parametrize(("table", "damage"), EVERYTHING)
def test_players_and_staff_see_the_same_position_of_a_game_hurt_while_it_is_cached(
    clerk: Client, table: type[Game | Move | Seat], damage: str
) -> None:
    owner = new_person("Olive")
    game = make_game_with_moves(owner, PLIES)
    owner.client.get(game.get_absolute_url())
    hurt_any(game, table, damage)
    answer = owner.client.get(game.get_absolute_url(), follow=True)
    fault = read_uncached(game.pk).fault
    # Without its options no board of the game can be drawn.
    assert answer.status_code == (409 if "options" in damage else 200)
    assert (GOES_NOT_ON in answer.text) is (fault is not None)
    assert answer.redirect_chain == ([(f"/g/{game.pk}/{fault.plies}/", 302)] if fault else [])
    assert clerk.get(change_page(game)).status_code == 200


@pytest.mark.parametrize(("table", "damage"), EVERYTHING)
def test_a_move_in_a_game_hurt_while_it_is_cached_is_refused_in_a_sentence_or_kept(
    table: type[Game | Move | Seat], damage: str
) -> None:
    owner = new_person("Olive")
    game = make_game_with_moves(owner, PLIES)
    seat, move = next_legal_move(game)
    hurt_any(game, table, damage)
    sent = {"seat": seat, "move": move, "ply": PLIES, "undone": 0}
    answer = owner.client.post(f"/g/{game.pk}/move/", sent, follow=True)
    clear_all()
    kept = read_snapshot(game.pk).last_ply == PLIES + 1
    assert kept or GOES_NOT_ON in answer.text or "You need a seat" in answer.text
    assert game.moves.filter(text=move, ply=PLIES + 1).exists() is kept


@pytest.mark.skipif(connection.vendor != "sqlite", reason="other databases refuse such values")
@pytest.mark.parametrize("column", ["ply", "undone"])
def test_a_count_that_is_a_text_loses_no_move(column: str) -> None:
    owner = new_person("Olive")
    game = make_game_with_moves(owner, PLIES)
    seat, move = next_legal_move(game)
    with connection.cursor() as cursor:
        cursor.execute(f"UPDATE games_game SET {column} = 'many' WHERE id = %s", [game.pk])
    assert owner.client.get(game.get_absolute_url()).status_code == 200
    assert is_found(game)
    sent = {"seat": seat, "move": move, "ply": PLIES, "undone": 0}
    assert owner.client.post(f"/g/{game.pk}/move/", sent).status_code == 302
    assert not is_found(game)


def test_a_row_that_was_mended_by_hand_opens_at_once(game: Game) -> None:
    sound = Move.objects.get(game=game, ply=3).text
    Move.objects.filter(game=game, ply=3).update(text="z99")
    clear_all()
    stranger = new_person("Stan").client
    assert stranger.get(game.get_absolute_url()).status_code == 302
    Move.objects.filter(game=game, ply=3).update(text=sound)
    assert stranger.get(game.get_absolute_url()).status_code == 200


@pytest.mark.services
def test_a_game_without_seats_is_found(game: Game) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "DELETE FROM games_holder WHERE seat_id IN "
            "(SELECT id FROM games_seat WHERE game_id = %s)",
            [game.pk],
        )
        cursor.execute("DELETE FROM games_seat WHERE game_id = %s", [game.pk])
    clear_all()
    opens(game)
    assert is_found(game)


WRONG_TYPES = {
    "begun": "'perhaps'",
    "version": "'many'",
    "created": "'yesterday'",
    "updated": "'2026-13-41 00:00:00'",
    "rules_version": "'the first'",
}


@pytest.mark.skipif(connection.vendor != "sqlite", reason="other databases refuse such values")
@pytest.mark.parametrize("column", WRONG_TYPES)
def test_a_value_of_another_type_spoils_no_page_and_is_found(column: str) -> None:
    owner = new_person("Olive")
    game = make_game_with_moves(owner, PLIES)
    sound = make_game_with_moves(owner, PLIES)
    with connection.cursor() as cursor:
        value = WRONG_TYPES[column]
        cursor.execute(f"UPDATE games_game SET {column} = {value} WHERE id = %s", [game.pk])
    clear_all()
    assert owner.client.get(game.get_absolute_url(), follow=True).status_code in {200, 404}
    for address in ("/", "/me/"):
        assert sound.pk in owner.client.get(address).text
    assert is_found(game)
    assert sound.pk in exported()


def exported() -> str:
    output = StringIO()
    call_command("export_games", output=output)
    return output.getvalue()


@pytest.mark.services
def test_a_player_of_a_seat_that_is_gone_is_found(game: Game) -> None:
    Holder.objects.filter(seat__game=game, seat__index=0).update(player=NOBODY)
    clear_all()
    opens(game)
    assert is_found(game)
    Holder.objects.filter(player=NOBODY).delete()


@pytest.mark.services
def test_a_host_that_is_gone_is_found(game: Game) -> None:
    host = game.created_by
    hurt(game, {"created_by": NOBODY})
    clear_all()
    opens(game)
    assert is_found(game)
    # At the end of the test the database would refuse the row.
    hurt(game, {"created_by": host})


def test_a_seat_that_ended_before_its_game_is_found(game: Game) -> None:
    Holder.objects.filter(seat__game=game).update(ended=timezone.now())
    assert is_found(game)


@pytest.mark.services
@pytest.mark.parametrize("column", ["texts", "used"])
@pytest.mark.parametrize("value", [7, "word", [1], {"a": 1}])
def test_a_hurt_pack_is_found_and_left_out(column: str, value: Any) -> None:
    owner = new_person("Olive")
    rules = next(rules for rules in all_rules().values() if rules.pack)
    pack, sound = make_pack(owner, rules, name="Hurt"), make_pack(owner, rules, name="Sound")
    Pack.objects.filter(pk=pack.pk).update(**{column: value})
    assert "Sound" in owner.client.get("/me/packs/").text
    assert owner.client.get(f"/new/{rules.slug}/").status_code == 200
    assert owner.client.get(f"/me/packs/{pack.pk}/").status_code == 404
    assert sound.pk != pack.pk and f"pack {pack.pk}" in faults()


@pytest.mark.parametrize("value", [7, "word", [1], {"a": 1}])
def test_a_hurt_bot_is_found(value: Any) -> None:
    owner = new_person("Olive")
    bot = make_bot(owner=owner.player, name="Robin", about="", kinds=all_rules())
    Bot.objects.filter(pk=bot.pk).update(kinds=value)
    assert owner.client.get("/bots/").status_code == 200
    assert owner.client.get("/me/access/").status_code == 200
    assert f"bot {bot.pk}" in faults()


@pytest.mark.services
def test_a_kept_variation_of_a_game_that_is_gone_is_found(game: Game) -> None:
    values = {"player": game.created_by, "ply": 0, "line": "", "name": "A line"}
    kept = KeptVariation.objects.create(game_id="bbbbbbbbbb", **values)
    assert f"keptvariation {kept.pk}" in faults()
