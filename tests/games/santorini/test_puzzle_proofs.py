"""Puzzles are proved anew: a forced win, or the only move that does not lose, by trying every move
and every reply."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import pytest

from games.contract import LineMove, Position, parse_cell
from games.puzzles import catalogue
from games.santorini.rules import RULES
from tests.support.puzzles import PROVED, after, legal, shuffled_puzzles, wrong_lines
from tests.support.random_games import replay_moves


def wins(position: Position, seat: str, turns: int) -> bool:
    """Return whether ``seat``, which is to move or has won, can force a win in so many turns."""
    if result := position.result():
        return seat in result.winners
    moves = legal(position)
    if any(len(move.split()) == 2 for move in moves):
        return True
    return turns > 1 and any(forces(after(position, move), seat, turns - 1) for move in moves)


def forces(position: Position, seat: str, turns: int) -> bool:
    """Return whether ``seat`` wins in so many turns after every reply of the other player."""
    if result := position.result():
        return seat in result.winners
    replies = legal(position)
    if any(len(reply.split()) == 2 for reply in replies):
        return False
    return all(wins(after(position, reply), seat, turns) for reply in replies)


@pytest.mark.parametrize("turns", [2])
def test_one_move_alone_forces_the_win_of_a_puzzle(turns: int) -> None:
    puzzles = [puzzle for puzzle in shuffled_puzzles(RULES) if puzzle.task == f"win{turns}"]
    for puzzle in puzzles[:PROVED]:
        position = puzzle.position(RULES.start)
        seat = min(position.to_move())
        assert not wins(position, seat, turns - 1)
        winning = [m for m in legal(position) if forces(after(position, m), seat, turns - 1)]
        assert winning == list(puzzle.turns[0].right)


def test_one_move_alone_does_not_lose_within_two_turns() -> None:
    puzzles = [puzzle for puzzle in shuffled_puzzles(RULES) if puzzle.task == "save"]
    assert len(puzzles) >= 40
    for puzzle in puzzles[: PROVED // 4]:
        position = puzzle.position(RULES.start)
        for turn in puzzle.turns:
            assert not any(len(move.split()) == 2 for move in legal(position))
            (other,) = {"p1", "p2"} - set(position.to_move())
            saving = [m for m in legal(position) if not wins(after(position, m), other, 2)]
            assert saving == list(turn.right)
            for move in (turn.right[0], *turn.replies):
                position = after(position, move)


def test_no_solution_shows_the_position_of_another_puzzle() -> None:
    entries = catalogue.entries(RULES)
    starts = {form for entry in entries for form in forms(entry.start)}
    for entry in entries:
        position = entry.start
        for move in entry.puzzle.solution:
            position = after(position, move)
            assert next(forms(position)) not in starts, entry.id


def forms(position: Position) -> Iterator[str]:
    """Yield a board in its eight symmetries; a worker is + of the player to move, or -."""
    seats = position.to_move()
    rows = [
        [f"{cell['level']}{sign(cell, seats)}" for cell in row]
        for row in position.view(None)["rows"]
    ]
    for _ in range(4):
        rows = [list(column) for column in zip(*rows[::-1], strict=True)]
        yield str(rows)
        yield str(rows[::-1])


def sign(cell: Mapping[str, Any], seats: Collection[str]) -> str:
    if cell["worker"] is None:
        return ""
    return "+" if f"p{cell['player'] + 1}" in seats else "-"


def climbs(position: Position, player: int) -> set[tuple[str, str]]:
    """Return the spaces of a player's workers with the third levels that they could climb to."""
    cells = [cell for row in position.view(None)["rows"] for cell in row]
    return {
        (cell["name"], other["name"])
        for cell in cells
        for other in cells
        if cell["player"] == player and cell["level"] >= 2
        if other["level"] == 3 and other["worker"] is None
        if max(map(abs, distance(cell["name"], other["name"]))) == 1
    }


def distance(one: str, other: str) -> list[int]:
    return [a - b for a, b in zip(parse_cell(one), parse_cell(other), strict=True)]


def holds(played: LineMove, before: Position, after: Position, own: int) -> bool:
    """Return whether a sentence is true on the board after its move."""
    assert played.said
    found, cells = climbs(after, own), [c for row in after.view(None)["rows"] for c in row]
    match played.said.message.split("%")[0]:
        case "You threaten no climb now.":
            return not found
        case "You threaten to climb to ":
            return set(played.arrows) == found
        case "A dome closes ":
            levels = {cell["name"]: cell["level"] for cell in cells}
            return not found and {levels[cell] for cell in played.cells} == {4}
        case "Beside ":
            return not found
        case "None of your workers stands on level 2, so none can climb next.":
            return all(cell["level"] < 2 for cell in cells if cell["player"] == own)
        case "This opens a way up to " | "This does not stop worker ":
            return set(played.arrows) <= climbs(after, 1 - own)
        case "Your opponent threatens to climb to ":
            return set(played.arrows) == climbs(after, 1 - own) != set()
        case "After every answer of yours one of your opponent’s workers climbs.":
            return not climbs(after, 1 - own)
        case "":
            return bool(climbs(before, own))
    return after.result() is not None


def winners(position: Position) -> set[str]:
    result = position.result()
    return set(result.winners) if result else set()


def test_arrows_of_a_theme_are_the_climbs_that_it_speaks_of() -> None:
    assert RULES.puzzles
    for key in ("climb", "step-down", "double-threat", "force"):
        theme = RULES.puzzles.themes[key]
        position = replay_moves(RULES.start(theme.setup), theme.moves)
        own = int(theme.moves[-1][0][1]) - 1
        assert climbs(position, own) == set(theme.arrows), key


@pytest.mark.parametrize("key", ["block", "save"])
def test_the_climb_that_a_theme_stops_was_there(key: str) -> None:
    assert RULES.puzzles
    theme = RULES.puzzles.themes[key]
    (seat, move) = theme.moves[-1]
    before = replay_moves(RULES.start(theme.setup), theme.moves[:-1])
    other = 2 - int(seat[1])
    assert climbs(before, other) == set(theme.arrows)
    assert not climbs(after(before, move), other)


def test_the_line_after_a_wrong_move_says_what_stands_on_the_board() -> None:
    said = set()
    for puzzle in shuffled_puzzles(RULES)[: 2 * PROVED]:
        own = int(min(puzzle.position(RULES.start).to_move())[1]) - 1
        for before, line, positions in wrong_lines(RULES, puzzle):
            assert all(
                holds(played, before, position, own)
                for played, position in zip(line, positions, strict=True)
            )
            said |= {str(played.said) for played in line}
            if puzzle.task == "save":
                assert winners(positions[-1]) == {f"p{2 - own}"}
            elif len(line) > 1 and not positions[-1].result():
                assert not climbs(positions[-1], own), "the solver wins in time after all"
    assert len(said) > 5
