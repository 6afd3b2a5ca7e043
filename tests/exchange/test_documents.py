"""Files that an earlier version has written are still games, and a newer one is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from games.core.registry import all_rules
from games.exchange.admission import create_imported
from games.exchange.reading import Unread, read_games
from games.models import Game
from games.presentation.documents import NEWEST, GameDocument, SeatDocument
from games.services.plans import DEVICE
from games.services.players import name_seats
from tests.support.game_factory import make_game
from tests.support.kinds import importable_rules, kinds_with_secrets
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


LONG = "Anna Katharina van der Meer-Jansen"
"""A name with more characters than one has here."""


@pytest.fixture
def imported(owner: Person) -> Game:
    """Return a running game that was imported as a document."""
    game = make_game(owner, rules=importable_rules())
    first, second = (spec.key for spec in game.specs)
    document = GameDocument(
        kind=game.kind,
        day="2007-11-03",
        event="World Championship",
        place="Athens",
        options=game.options,
        setup=game.setup,
        seats={first: SeatDocument(names=[LONG]), second: SeatDocument(names=["Ben"])},
        written_result="1-0",
    )
    (read,) = read_games(document.model_dump_json())
    return create_imported(player=owner.player, game=read, opponent=DEVICE)


@pytest.mark.parametrize("form", ["txt", "json"])
def test_one_record_in_is_the_same_record_out(owner: Person, imported: Game, form: str) -> None:
    written = owner.client.get(f"/g/{imported.id}/export.{form}").text
    (read,) = read_games(written)
    record = read.record
    about = (record.day, record.event, record.place, record.result)
    assert about == ("2007-11-03", "World Championship", "Athens", "1-0")
    assert [*record.names.values()] == [LONG, "Ben"]


def test_a_long_name_is_shown_by_its_beginning_and_no_name_goes(
    owner: Person, imported: Game
) -> None:
    names = [*imported.seats.order_by("index").values_list("holders__name", flat=True)]
    assert names == [LONG[:30], "Ben"]


def test_a_name_that_was_changed_here_is_the_one_that_is_written(
    owner: Person, imported: Game
) -> None:
    key = imported.specs[0].key
    name_seats(game_id=imported.id, player=owner.player, names={key: "Zoë"})
    document = owner.client.get(f"/g/{imported.id}/export.json").json()
    assert document["seats"][key]["names"] == ["Zoë"]
