"""Games take no more of the database than docs/benchmarks.md says."""

from __future__ import annotations

import pytest
from django.db import connection

from games.contract import Rules
from games.core.registry import all_rules
from tests.support.documents import section, table_rows
from tests.support.stored_bytes import StoredBytes, measure_bytes

pytestmark = pytest.mark.services

MARGIN = 1.2
"""The tolerance for a page of the database more or less."""
UPDATE = (
    "A game takes more bytes than docs/benchmarks.md says. If that is worth it, put the output of"
    " `python -m benchmarks.sizes` into its table."
)


def documented() -> dict[str, StoredBytes]:
    """Return the bytes in the document by the name of the game."""
    rows = table_rows(section("docs/benchmarks.md", "Stored bytes"))
    return {row[0]: StoredBytes(*(int(cell.replace(",", "")) for cell in row[1:])) for row in rows}


@pytest.mark.skipif(connection.vendor != "sqlite", reason="the bytes are those with SQLite")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("rules", all_rules().values(), ids=lambda rules: rules.slug)
def test_a_game_takes_no_more_bytes_than_documented(rules: Rules) -> None:
    known = documented()
    # A game that is not in the table may take as much as the largest one that is.
    limits = known.get(str(rules.name)) or StoredBytes(*map(max, zip(*known.values(), strict=True)))
    found = measure_bytes(rules, {}, seconds=0.02)
    assert 0 < found.move <= limits.move * MARGIN, UPDATE
    assert 0 < found.game <= limits.game * MARGIN, UPDATE
    assert found.position <= limits.position * MARGIN, UPDATE
