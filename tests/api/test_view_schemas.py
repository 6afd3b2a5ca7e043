"""The OpenAPI file has a schema of the views of each kind of game, which all views fit."""

from __future__ import annotations

import json

import pytest
from jsonschema import Draft202012Validator

from games.api.states import view_schemas
from games.core.registry import all_rules
from games.presentation.documents import plain
from tests.api.test_api import SLUGS, program_of
from tests.support.game_factory import make_game_with_moves
from tests.support.random_games import Variant, sample_positions, variants

each_variant = pytest.mark.parametrize(
    "variant", [variant for rules in all_rules().values() for variant in variants(rules)], ids=str
)


def schema_of(slug: str) -> dict[str, object]:
    return view_schemas()[f"{slug.title()}View"]


@each_variant
def test_each_view_of_each_seat_fits_the_schema_of_its_kind(variant: Variant) -> None:
    validator = Draft202012Validator(schema_of(variant.rules.slug))
    for position in sample_positions(variant):
        for seat in [None, *variant.seats()]:
            view = json.loads(json.dumps(plain(position.view(seat))))
            validator.validate(view)
            assert set(view) <= set(schema_of(variant.rules.slug)["properties"])


@pytest.mark.parametrize("slug", SLUGS)
def test_a_schema_tells_the_values_of_a_cell(slug: str) -> None:
    cell = schema_of(slug)["properties"]["rows"]["items"]["items"]
    assert {"name", "label"} < set(cell["properties"]) and len(cell["properties"]) > 3
    assert not Draft202012Validator(schema_of(slug)).is_valid({"rows": [[{"name": "a1"}]]})


def test_the_openapi_file_has_the_schemas(client, owner):
    schemas = client.get("/api/1/openapi.json").json()["components"]["schemas"]
    told = schemas["GameState"]["properties"]["view"]["anyOf"]
    assert {part["$ref"].split("/")[-1] for part in told if "$ref" in part} == set(view_schemas())
    game = make_game_with_moves(owner, 3)
    view = program_of(owner).get(f"games/{game.id}").json()["view"]
    Draft202012Validator(schema_of(game.kind)).validate(view)
