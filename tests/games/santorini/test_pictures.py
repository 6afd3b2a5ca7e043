"""The drawing of a cell, as files, prints and previews show it."""

from __future__ import annotations

import re

import pytest

from games.presentation.jinja import render_part

HEAD = 26 + 8 + 3.5
"""From the centre of a worker to the top of its outline."""


@pytest.mark.parametrize("level", range(4))
def test_a_worker_is_whole_within_its_cell_on_every_level(level: int) -> None:
    drawn = render_part("santorini", "preview", cell={"level": level, "worker": "A", "player": 0})
    found = re.search(r"translate\(50 ([\d.]+)\) scale\(([\d.]+)\)", drawn)
    assert found
    assert float(found[1]) - HEAD * float(found[2]) >= 0
