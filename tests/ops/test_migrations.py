"""Databases of older versions are migrated with what they hold."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Model

pytestmark = pytest.mark.django_db(transaction=True)


def migrate_to(name: str) -> None:
    """Bring the tables of the app to one of its migrations."""
    executor = MigrationExecutor(connection)
    executor.migrate([("games", name)])


@pytest.fixture
def newest():
    """The name of the newest migration, to which the test's database returns."""
    leaves = MigrationExecutor(connection).loader.graph.leaf_nodes("games")
    yield leaves[0][1]
    migrate_to(leaves[0][1])


def old_model(migration: str, name: str) -> type[Model]:
    """Return a model as it was after a migration."""
    loader = MigrationExecutor(connection).loader
    return loader.project_state(("games", migration)).apps.get_model("games", name)


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        ("", None),
        ("p2", {"asker": "p2", "accepted": []}),
        ("p2 p1 p3", {"asker": "p2", "accepted": ["p1", "p3"]}),
    ],
)
def test_an_open_undo_request_of_an_old_database_stays_open(newest, stored, expected):
    migrate_to("0005_turns")
    game = old_model("0005_turns", "Game").objects.create(
        id="old", kind="any", rules_version=1, options={}, setup={}, undo_asked_by=stored
    )
    migrate_to(newest)
    assert apps.get_model("games", "Game").objects.get(pk=game.pk).undo_request == expected
