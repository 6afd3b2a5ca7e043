"""`export_games` writes games as JSON lines, in the same memory for any number of them."""

from __future__ import annotations

import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.core.registry import all_rules
from games.exchange.reading import read_games
from games.models import Game, Move, Seat
from games.storage.compiled_queries import AT_ONCE
from tests.support.game_factory import make_finished_game, make_game, make_lobby
from tests.support.kinds import kinds_with_secrets
from tests.support.players import Person

pytestmark = pytest.mark.django_db


def export(folder: Path, *ids: str, **options: Any) -> list[Any]:
    file = folder / "games.jsonl"
    with file.open("w", encoding="utf-8") as output:
        call_command("export_games", *ids, output=output, **options)
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_all_games_are_exported_but_lobbies(tmp_path: Path, owner: Person) -> None:
    games = [make_game(owner, rules=rules) for rules in all_rules().values()]
    make_lobby(owner)
    lines = export(tmp_path, site="https://boards.example/")
    assert {line["address"] for line in lines} == {
        f"https://boards.example/g/{game.id}/" for game in games
    }


def test_a_selection_of_games_is_exported(tmp_path: Path, owner: Person, opponent: Person) -> None:
    one, two = make_game(owner), make_finished_game(owner, opponent)
    assert [line["address"] for line in export(tmp_path, one.id)] == [f"/g/{one.id}/"]
    assert [line["address"] for line in export(tmp_path, finished=True)] == [f"/g/{two.id}/"]
    assert len(export(tmp_path, kind=one.kind)) == 1 + (two.kind == one.kind)
    with pytest.raises(CommandError):
        export(tmp_path, one.id, "bbbbbbbbbb")


def test_an_export_is_imported_again(tmp_path: Path, owner: Person, opponent: Person) -> None:
    game = make_finished_game(owner, opponent)
    export(tmp_path)
    (read,) = read_games((tmp_path / "games.jsonl").read_text())
    assert [*read.record.moves] == [*game.moves.values_list("seat", "text")]


@pytest.mark.parametrize("kind", kinds_with_secrets())
def test_what_is_still_secret_is_not_exported(kind: str, tmp_path: Path, owner: Person) -> None:
    make_game(owner, rules=all_rules()[kind])
    assert [line["setup"] for line in export(tmp_path)] == [None]


def make_many(game: Game, count: int) -> None:
    """Store copies of a game with its seats and moves."""
    seats, moves = [*game.seats.all()], [*game.moves.all()]
    copies = [
        Game(kind=game.kind, rules_version=game.rules_version, options=game.options,
             setup=game.setup, ply=game.ply, result_json=game.result_json, status=game.status)
        for _ in range(count)
    ]  # fmt: skip
    Game.objects.bulk_create(copies)
    Seat.objects.bulk_create(
        [Seat(game=game, index=s.index, key=s.key) for game in copies for s in seats]
    )
    Move.objects.bulk_create(
        [Move(game=game, ply=m.ply, seat=m.seat, text=m.text) for game in copies for m in moves]
    )


def test_many_more_games_take_no_more_memory(
    tmp_path: Path, owner: Person, opponent: Person
) -> None:
    game, peaks = make_finished_game(owner, opponent), []
    for count in (2 * AT_ONCE, 3 * AT_ONCE):
        make_many(game, count)
        with (tmp_path / "games.jsonl").open("w") as output:
            tracemalloc.start()
            call_command("export_games", output=output)
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
        assert len((tmp_path / "games.jsonl").read_text().splitlines()) > count
    assert peaks[1] < 1.5 * peaks[0]
