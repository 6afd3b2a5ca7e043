"""The solved opening lines of the 6x6 game can be played, agree with each other, and are used."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from games.contract import cell_name, parse_cell
from games.othello.ai.openings import DATA, after, best_moves, canonical, start
from games.othello.ai.train.openings import BLACK, Lines
from games.othello.bitboard import bits, geometry, legal_mask
from games.othello.computer import LEVELS, choose
from games.othello.rules import RULES
from tests.games.othello.positions import at_random

N = 6
TOP = [*LEVELS][-1]
SOLVED_WHEN_MET = 23
"""Positions with so few empty squares are solved within the site's time limit."""
SHIPPED = (DATA / "openings-6.txt").read_text(encoding="utf-8")
LINES = [line for line in SHIPPED.splitlines() if not line.startswith("#")]


def mask(name: str) -> int:
    return 1 << N * (int(name[1:]) - 1) + ord(name[0]) - ord("a")


def split(line: str) -> tuple[list[str], str, int]:
    """Return the moves played, the best move, and its score."""
    played, _, best = line.partition(":")
    move, score = best.split()
    return played.split(), move, int(score)


def reach(played: list[str]) -> tuple[int, int]:
    """Return the masks after moves that must be legal."""
    own, opponent = start(N)
    for name in played:
        assert mask(name) & legal_mask(own, opponent, geometry(N))
        own, opponent = after(own, opponent, mask(name), N)
    return own, opponent


def test_black_loses_the_6x6_game_by_four_discs_with_best_play() -> None:
    # Feinstein 1993: white wins 20 to 16.
    assert split(LINES[0]) == ([], split(LINES[0])[1], -4)


def gives_its_best_move(line: str) -> bool:
    played, best, _ = split(line)
    own, opponent = reach(played)
    is_legal = mask(best) & legal_mask(own, opponent, geometry(N)) != 0
    return is_legal and mask(best) in best_moves(own, opponent, N)


def test_a_line_can_be_played_and_gives_its_best_move() -> None:
    assert [line for line in LINES if not gives_its_best_move(line)] == []


def test_no_answer_of_the_opponent_makes_a_line_worse_than_its_score() -> None:
    scores = {canonical(*reach(played), N)[0]: score for played, _, score in map(split, LINES)}
    compared = 0
    for played, best, score in map(split, LINES):
        own, opponent = reach([*played, best])
        for answer in bits(legal_mask(own, opponent, geometry(N))):
            key, _ = canonical(*after(own, opponent, answer, N), N)
            if key in scores:
                compared += 1
                assert scores[key] >= score
    assert compared > 20


def unknown(own: int, opponent: int) -> list[tuple[int, int]]:
    """Return the positions without a line that the side to move can meet with too many empty
    squares to solve them during a game."""
    if N * N - (own | opponent).bit_count() <= SOLVED_WHEN_MET:
        return []
    known = best_moves(own, opponent, N)
    if not known:
        return [(own, opponent)]
    then = after(own, opponent, known[0], N)
    answers = bits(legal_mask(*then, geometry(N)))
    return [gap for answer in answers for gap in unknown(*after(*then, answer, N))]


def test_the_lines_answer_everything_until_the_rest_is_solved() -> None:
    own, opponent = start(N)
    assert unknown(own, opponent) == []
    for first in bits(legal_mask(own, opponent, geometry(N))):
        assert unknown(*after(own, opponent, first, N)) == []


def begun(path: Path) -> Lines:
    """Return lines that are complete in their working file, but not published yet."""
    lines = Lines(SOLVED_WHEN_MET, path)
    lines.follow(*start(N), [], BLACK)
    lines.answer(*start(N), [], -BLACK)
    return lines


def test_making_the_lines_goes_on_from_those_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "openings-6.txt"
    path.write_text(SHIPPED, encoding="utf-8")
    begun(path).publish()
    assert path.read_text(encoding="utf-8") == SHIPPED
    assert list(tmp_path.iterdir()) == [path]


def test_making_the_lines_leaves_the_file_until_all_are_there(tmp_path: Path) -> None:
    path = tmp_path / "openings-6.txt"
    path.write_text(SHIPPED + "# as it was\n", encoding="utf-8")
    lines = begun(path)
    assert path.read_text(encoding="utf-8").endswith("# as it was\n")
    lines.publish()
    assert path.read_text(encoding="utf-8") == SHIPPED


def test_making_the_lines_goes_on_where_it_was_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "openings-6.txt"
    head, last = SHIPPED.rstrip().rsplit("\n", 1)
    path.write_text(head + "\n", encoding="utf-8")
    (tmp_path / "openings-6.txt.begun").write_text(last + "\n", encoding="utf-8")
    begun(path).publish()
    assert path.read_text(encoding="utf-8") == SHIPPED


def test_a_line_that_is_not_known_is_solved_and_noted_at_once(tmp_path: Path) -> None:
    path = tmp_path / "openings-6.txt"
    position = at_random(N, 14, seed=1, to_move=True)
    move, score = Lines(SOLVED_WHEN_MET, path).solve(*position, ["so", "far"], -N * N)
    noted = path.with_name("openings-6.txt.begun").read_text(encoding="utf-8")
    square = cell_name(*divmod(move.bit_length() - 1, N))
    assert noted == f"so far: {square} {score:+}\n"
    assert not path.exists()


# The symmetries that leave the first position as it is.
KEEPING = {
    "turned by nothing": lambda row, column: (row, column),
    "turned by half": lambda row, column: (N - 1 - row, N - 1 - column),
    "mirrored": lambda row, column: (column, row),
    "mirrored the other way": lambda row, column: (N - 1 - column, N - 1 - row),
}


def answer(line: str, image: str) -> tuple[str, str]:
    """Return the move of the top level after the image of a line, and that of the line."""
    played, best, _ = split(line)
    names = [cell_name(*KEEPING[image](*parse_cell(name))) for name in [*played, best]]
    position = RULES.start({"size": N})
    for name in names[:-1]:
        position.play(next(iter(position.to_move())), name)
    (seat,) = position.to_move()
    return choose(position, seat, TOP, Random(1)).move, names[-1]


@pytest.mark.parametrize("image", KEEPING)
def test_the_top_level_plays_the_image_of_a_line_as_the_line(image: str) -> None:
    lines = [line for line in LINES if split(line)[0]][:20]
    assert [line for line in lines if len(set(answer(line, image))) > 1] == []


@pytest.mark.parametrize(("top", "least"), [("black", -4), ("white", 4)])
def test_the_top_level_never_gets_less_on_6x6_than_best_play_by_both_gives(
    top: str, least: int
) -> None:
    position, rng = RULES.start({"size": N}), Random(2)
    while position.to_move():
        (seat,) = position.to_move()
        if seat == top:
            move = choose(position, seat, TOP, rng, seconds=600).move
        else:
            move = rng.choice(list(position.legal_moves(seat)))
        position.play(seat, move)
    counts = position.view(None)["score"]
    assert 2 * counts[top] - N * N >= least
