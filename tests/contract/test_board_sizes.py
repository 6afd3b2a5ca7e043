"""Boards of any number of columns have square cells, since a style sheet sets the number."""

from __future__ import annotations

import pytest

from games.presentation.board import LARGEST_UNSCROLLED
from tests.support.servers.site_process import ROOT
from tests.support.style_sheets import read_sheet


@pytest.mark.parametrize("sheet", ["site.css", "admin.css"])
def test_a_board_of_any_size_knows_its_columns(sheet: str) -> None:
    rules = read_sheet(ROOT / "static/site" / sheet)
    wanted = [
        f".size-{columns} {{\n  --columns: {columns};\n}}"
        for columns in range(1, LARGEST_UNSCROLLED + 1)
    ]
    assert [rule for rule in wanted if rule not in rules] == []
