"""A move takes no more work than docs/benchmarks.md says."""

from __future__ import annotations

import pytest
from django.db import connection

from games.contract import Rules
from games.core.registry import all_rules
from tests.support.documents import section, table_rows
from tests.support.move_counts import MoveCounts, count_moves

MARGIN = 1.1
"""Newer versions of Python and of packages call a little more or less."""
UPDATE = (
    "A move does more than docs/benchmarks.md says. If that is worth it, put the output of"
    " `python -m benchmarks.move_cost --counts` into its table."
)


def documented() -> dict[str, MoveCounts]:
    """Return the counts of the document by the name of the game."""
    rows = table_rows(section("docs/benchmarks.md", "Work of a move"))
    return {row[0]: MoveCounts(*(int(cell.replace(",", "")) for cell in row[1:])) for row in rows}


@pytest.mark.skipif(connection.vendor != "sqlite", reason="the counts are those with SQLite")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("rules", all_rules().values(), ids=lambda rules: rules.slug)
def test_a_move_costs_no_more_calls_queries_and_bytes_than_documented(rules: Rules) -> None:
    known = documented()
    # A game that is not in the table may take half more than the costliest one that is: if it is
    # short, some of its moves end a game.
    costliest = MoveCounts(*(max(column) * 3 // 2 for column in zip(*known.values(), strict=True)))
    limits = known.get(str(rules.name), costliest)
    counts = count_moves(rules)
    assert 0 < counts.queries <= limits.queries, UPDATE
    assert counts.calls <= limits.calls * MARGIN, UPDATE
    assert counts.calls_without_tree <= limits.calls_without_tree * MARGIN, UPDATE
    assert counts.html <= limits.html * MARGIN, UPDATE
    assert counts.gzip <= limits.gzip * MARGIN, UPDATE
