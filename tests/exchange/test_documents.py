"""Files that an earlier version has written are still games, and a newer one is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from games.core.registry import all_rules
from games.exchange.reading import Unread, read_games
from games.presentation.documents import NEWEST, GameDocument
from tests.support.game_factory import make_game
from tests.support.kinds import kinds_with_secrets
from tests.support.players import Person

FOLDER = Path(__file__).parent / "data" / "version_1"
FILES = ["games.txt", "games.json", "own-games.jsonl", "staff.jsonl"]
"""The same games, as the commit 340ae3ab wrote them: one of each kind that has ended, a running
one, and one from a position."""


def told(file: str) -> list[Any]:
    """Return the games of a file in the order of their days."""
    games = read_games((FOLDER / file).read_text())
    return sorted(
        ((game.record.day, game.rules.slug, game.record) for game in games), key=lambda row: row[0]
    )


@pytest.mark.parametrize("file", FILES)
def test_games_that_an_earlier_version_has_written_come_back_whole(file: str) -> None:
    documents = [*map(json.loads, (FOLDER / "own-games.jsonl").read_text().splitlines())]
    games = told(file)
    assert [day for day, _slug, _record in games] == [game["day"] for game in documents]
    for (_day, slug, record), game in zip(games, documents, strict=True):
        assert (slug, record.setup) == (game["kind"], game["setup"])
        assert record.options.items() >= game["options"].items()
        moves = [(move["seat"], move["move"]) for move in game["moves"]]
        assert [*record.moves] == moves
        names = {key: ", ".join(seat["names"]) for key, seat in game["seats"].items()}
        assert record.names == names


@pytest.mark.parametrize("file", ["secret.json", "staff-open.jsonl"])
def test_a_game_that_was_written_without_its_setup_says_so(file: str) -> None:
    with pytest.raises(Unread, match="setup of this game is missing or still secret"):
        read_games((FOLDER / file).read_text())


def test_a_document_of_a_newer_version_is_named_at_its_place() -> None:
    document = json.loads((FOLDER / "own-games.jsonl").read_text().splitlines()[0])
    newer = json.dumps({"format": "boardsite game", "colour": 1, **document, "version": NEWEST + 1})
    with pytest.raises(Unread, match=f"reads versions up to {NEWEST}") as refusal:
        read_games(newer)
    assert refusal.value.column == newer.index(f'{NEWEST + 1}, "kind"') + 1


def test_a_document_refuses_fields_that_it_does_not_have() -> None:
    schema = GameDocument.model_json_schema()
    open_parts = [
        name
        for name, part in {"game": schema, **schema["$defs"]}.items()
        if part.get("additionalProperties", True)
    ]
    assert open_parts == []


@pytest.mark.parametrize("kind", kinds_with_secrets())
def test_the_data_of_a_running_game_hold_no_secret(owner: Person, kind: str) -> None:
    make_game(owner, rules=all_rules()[kind])
    (game,) = owner.download()["games"]
    assert (game["setup"], game["view"]) == (None, None)
