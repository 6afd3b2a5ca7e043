"""A client that a tool has made from the OpenAPI file plays at a running site."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterator
from random import Random
from types import ModuleType
from typing import Any

import pytest

from games.core.registry import all_rules
from tests.support.kinds import default_specs
from tests.support.servers.programs import Newcomer

pytestmark = pytest.mark.processes

PACKAGE = "generated_client"


@pytest.fixture(scope="module")
def package(site: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Generate a client from the file that the site serves, and make it importable."""
    folder = tmp_path_factory.mktemp("client")
    plain = folder / "plain.yml"
    plain.write_text("post_hooks: []\n")
    command = [sys.executable, "-m", "openapi_python_client", "generate", "--fail-on-warning"]
    file = ["--url", f"{site}/api/1/openapi.json", "--config", str(plain)]
    output = ["--output-path", str(folder / PACKAGE), "--meta", "none"]
    subprocess.run([*command, *file, *output], check=True)
    sys.path.insert(0, str(folder))
    yield PACKAGE
    sys.path.remove(str(folder))
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]


def operation(package: str, name: str) -> ModuleType:
    return importlib.import_module(f"{package}.api.default.{name}")


def whole_game(client: Any, package: str, slug: str) -> Any:
    """Return the state of a game at its end, whose seats the client has all played."""
    models = importlib.import_module(f"{package}.models")
    create, game, move = (operation(package, name) for name in ("create", "game", "move"))
    seats = {spec.key: "me" for spec in default_specs(all_rules()[slug])}
    seating = models.NewGameDocumentSeating.from_dict(seats)
    state, rng = (
        create.sync(client=client, body=models.NewGameDocument(slug, seating=seating)),
        Random(1),
    )
    while not state.over:
        seat = state.to_move[0]
        state = game.sync(state.id, client=client, seat=seat)
        chosen = rng.choice(state.legal_moves[seat])
        sent = models.PlayedMoveDocument(seat, chosen, state.ply, undone=state.undone)
        state = move.sync(state.id, client=client, body=sent)
    assert isinstance(state.result, models.ResultDocument)
    return state


def test_a_generated_client_plays_a_whole_game_of_every_kind(site, package):
    connect = importlib.import_module(package).AuthenticatedClient
    token = Newcomer(site).token
    with connect(base_url=site, token=token, raise_on_unexpected_status=True) as client:
        for slug in all_rules():
            state = whole_game(client, package, slug)
            assert len(state.moves) == state.ply


def test_a_generated_client_gets_refusals_by_name(site, package):
    connect = importlib.import_module(package).AuthenticatedClient
    with connect(base_url=site, token=Newcomer(site).token) as client:
        refused = operation(package, "game").sync("nowhere", client=client)
        assert refused.error == "not_found"
        assert len(operation(package, "kinds").sync(client=client)) == len(all_rules())
