"""Puzzles are proved anew: the result with best play, by plain alpha-beta on the discs. None gives
another one away, and few fall to a rule of thumb."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from games.contract import Position, Puzzle, Theme
from games.othello.position import OthelloPosition
from games.othello.rules import RULES
from games.othello.sight import for_good, moves_of, region
from games.puzzles import catalogue
from tests.games.othello.positions import Discs
from tests.support.puzzles import PROVED, after, legal, shuffled_puzzles, wrong_lines
from tests.support.random_games import replay_moves


def results_of(puzzle: Puzzle) -> dict[str, int]:
    """Return the result of every move: 1 a win, 0 a draw, -1 a loss."""
    position = puzzle.position(RULES.start)
    side = 1 if min(position.to_move()) == "black" else -1
    board = Discs(position)
    return {
        name: board.after(square, board.flips(square, side), side, -1, 1)
        for square, name in enumerate(board.names)
        if not board.squares[square] and board.flips(square, side)
    }


def test_one_move_alone_keeps_the_result_of_a_puzzle() -> None:
    near_the_end = [puzzle for puzzle in shuffled_puzzles(RULES) if 60 - len(puzzle.moves) <= 10]
    for puzzle in near_the_end[:PROVED]:
        results = results_of(puzzle)
        best = 1 if puzzle.task == "win" else 0
        assert max(results.values()) == best
        assert [move for move in results if results[move] == best] == list(puzzle.turns[0].right)


def test_the_line_after_a_wrong_move_ends_with_the_score_that_it_costs() -> None:
    for puzzle in shuffled_puzzles(RULES)[:PROVED]:
        side = 1 if min(puzzle.position(RULES.start).to_move()) == "black" else -1
        turns = {
            turn.refutation(move).verdict for turn in puzzle.turns for move in turn.refutations
        }
        for _, line, positions in wrong_lines(RULES, puzzle):
            assert positions[-1].result()
            discs = Discs(positions[-1])
            assert str(score(discs) * side) in turns
            for played, position in zip(line[:-1], positions, strict=False):
                assert held(position, positions[-1], played.cells) or set(played.cells) <= {
                    *legal(position)
                }


def example_of(key: str) -> tuple[Position, Position, Theme]:
    """Return the positions before and after the last move of a theme's example."""
    assert RULES.puzzles
    theme = RULES.puzzles.themes[key]
    before = replay_moves(RULES.start(theme.setup), theme.moves[:-1])
    return before, after(before, theme.moves[-1][1]), theme


def test_the_examples_of_themes_show_their_sentences() -> None:
    before, position, theme = example_of("corner")
    assert {*theme.cells} == {*for_good(cast(OthelloPosition, position), "h8")}
    before, position, theme = example_of("defence")
    assert "a8" in moves_of(cast(OthelloPosition, before), "black")
    assert "a8" not in legal(position)
    _, position, theme = example_of("parity")
    assert region(cast(OthelloPosition, position), "f1") == {*theme.cells}
    _, position, _ = example_of("pass")
    assert position.to_move() == {"black"}


def test_every_move_but_the_one_that_gives_the_corner_loses() -> None:
    before, position, theme = example_of("sacrifice")
    board = Discs(before)
    results = {
        move: board.after(square, board.flips(square, -1), -1, -1, 1)
        for square, move in enumerate(board.names)
        if move in legal(before)
    }
    assert {move for move, result in results.items() if result > 0} == {"h2"}
    assert max(result for move, result in results.items() if move != "h2") < 0
    assert {*theme.cells} <= {*legal(position)}


def score(board: Discs) -> int:
    """Return the final score of black: empty squares count for the winner."""
    total = sum(board.squares)
    empty = board.squares.count(0)
    return total + empty * ((total > 0) - (total < 0))


def held(position: Position, last: Position, cells: Iterable[str]) -> bool:
    """Return whether there are discs on some cells, which keep their colour to the end."""
    now, then = Discs(position), Discs(last)
    places = [now.names.index(cell) for cell in cells]
    return all(now.squares[place] == then.squares[place] != 0 for place in places)


def forms(position: Position) -> Iterator[str]:
    """Yield a board in its eight symmetries, with the discs of the player to move as N."""
    assert isinstance(position, OthelloPosition)
    rows = str(position.board).split()
    if "white" in position.to_move():
        rows = [row.translate(str.maketrans("NB", "BN")) for row in rows]
    for _ in range(4):
        rows = ["".join(column) for column in zip(*rows[::-1], strict=True)]
        yield "/".join(rows)
        yield "/".join(rows[::-1])


def lines_of(puzzle: Puzzle) -> Iterator[list[str]]:
    """Yield the solution, and the refutation of each wrong move from the first move of all on."""
    yield list(puzzle.solution)
    before: list[str] = []
    for turn in puzzle.turns:
        for move, wrong in turn.refutations.items():
            yield [*before, move, *filter(None, (wrong.reply, *wrong.after))]
        before += [turn.right[0], *turn.replies]


def test_no_line_of_a_puzzle_shows_the_position_of_another() -> None:
    entries = catalogue.entries(RULES)
    known = {form for entry in entries for form in forms(entry.start)}
    fewest = min(60 - len(entry.puzzle.moves) for entry in entries)
    for entry in entries:
        most = 60 - len(entry.puzzle.moves) - fewest
        positions: dict[tuple[str, ...], Position] = {(): entry.start}
        for line in lines_of(entry.puzzle):
            for ply in range(1, min(len(line), most) + 1):
                played = tuple(line[:ply])
                if played not in positions:
                    positions[played] = after(positions[played[:-1]], played[-1])
                    assert next(forms(positions[played])) not in known, entry.id


def by_thumb(position: Position) -> set[str]:
    """Return the moves of a rule of thumb: a corner, or else the fewest moves for the opponent."""
    side = 1 if min(position.to_move()) == "black" else -1
    moves = legal(position)
    if corners := {"a1", "a8", "h1", "h8"} & set(moves):
        return corners
    mobility = {move: mobility_of(Discs(after(position, move)), -side) for move in moves}
    return {move for move in moves if mobility[move] == min(mobility.values())}


def mobility_of(board: Discs, side: int) -> int:
    return sum(
        not disc and bool(board.flips(square, side)) for square, disc in enumerate(board.squares)
    )


def test_a_rule_of_thumb_finds_a_quarter_of_the_puzzles_at_most() -> None:
    entries = catalogue.entries(RULES)
    met = [entry for entry in entries if entry.puzzle.turns[0].right[0] in by_thumb(entry.start)]
    assert 0 < len(met) <= len(entries) / 4
