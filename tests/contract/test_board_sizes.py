"""Boards of any number of columns have square cells: a sheet says how many columns there are."""

from __future__ import annotations

import pytest

from games.presentation.board import LARGEST_UNSCROLLED
from tests.support.site_process import ROOT


@pytest.mark.parametrize("sheet", ["site.css", "admin.css"])
@pytest.mark.parametrize("columns", range(1, LARGEST_UNSCROLLED + 1))
def test_a_board_of_any_size_knows_its_columns(columns: int, sheet: str) -> None:
    rules = (ROOT / "static/site" / sheet).read_text(encoding="utf-8")
    assert f".size-{columns} {{ --columns: {columns}; }}" in rules
