"""The recorded runs of the class ask nothing that the document leaves open."""

from __future__ import annotations

import re

from games.classes.recording import find_exercise, read_record


def test_each_card_is_on_the_grid_and_selected_once() -> None:
    for run in read_record(*find_exercise("codenames"))["runs"]:
        rows, columns = map(int, re.findall(r"\d+", run["steps"][0][0])[:2])
        grid = {(r, c) for r in range(rows) for c in range(columns)}
        for line, answer, *_board in run["steps"]:
            if "GameBoard" in line:
                continue  # the board, or a second one with cards of its own
            for card in re.findall(r"select\((\d+), (\d+)\)", line):
                cell = tuple(map(int, card))
                assert cell in grid, line
                grid -= {cell} if answer[0] != "!" else set()
