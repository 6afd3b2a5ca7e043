"""All data that the games are shipped with is read, built and played: puzzles with every move in
them, games saved under earlier versions, and the openings and cards of
``tests/games/*/shipped.py``.

`python -m scripts.save_games` adds the games of a new kind, version, size or option.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence, Set
from functools import cache
from importlib import import_module
from itertools import chain
from operator import attrgetter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.contract import OlderRules, Position, Rules
from games.core.registry import all_rules
from games.presentation.board import build_board, example_board
from games.puzzles import catalogue
from games.puzzles.catalogue import Entry
from games.puzzles.challenge import Challenge, challenge_of, judge
from games.state.snapshot import Standing
from scripts.save_games import missing_choices, path_of

PORTIONS = 5
"""Tests into which the puzzles of a kind are divided, for several processes."""
TESTS = Path(__file__).parents[1] / "games"
SAVED = sorted(TESTS.glob("*/saved-games-*.json"))
SHIPPED = sorted(path.parent.name for path in TESTS.glob("*/shipped.py"))

each_kind = pytest.mark.parametrize("rules", all_rules().values(), ids=attrgetter("slug"))
each_with_puzzles = pytest.mark.parametrize(
    "rules", [*filter(attrgetter("puzzles"), all_rules().values())], ids=attrgetter("slug")
)
each_file = pytest.mark.parametrize(
    "path", SAVED, ids=lambda path: f"{path.parent.name}-{path.stem}"
)

# --- puzzles ----------------------------------------------------------------------------


def entries_of(rules: Rules) -> list[Entry]:
    """Return the puzzles in all languages, and the steps of the course."""
    if not (book := rules.puzzles):
        return []
    listed = [Entry(rules, book, puzzle) for puzzle in book.puzzles().values()]
    return [*listed, *catalogue.course(rules.slug)]


@each_with_puzzles
def test_every_puzzle_is_read(rules: Rules) -> None:
    entries = entries_of(rules)
    assert rules.puzzles
    lines = rules.puzzles.path.read_text("utf-8").splitlines()
    assert len(entries) == len(lines) + len(rules.puzzles.course)
    assert list(catalogue.readable(entries)) == entries


@each_with_puzzles
def test_each_theme_shows_its_idea_on_a_board_of_its_own(rules: Rules) -> None:
    assert rules.puzzles
    puzzles = rules.puzzles.puzzles().values()
    assert {theme for puzzle in puzzles for theme in puzzle.themes} <= rules.puzzles.themes.keys()
    for key, theme in rules.puzzles.themes.items():
        names = {square.name for row in example_board(rules, theme).rows for square in row}
        assert {*theme.cells, *chain(*theme.arrows)} <= names, key
        assert str(theme.name)
        assert str(theme.caption)
        played = tuple(move for _, move in theme.moves)
        for puzzle in puzzles:
            line = (*puzzle.moves, *puzzle.solution)
            assert puzzle.setup != theme.setup or played != line[: len(played)], key


@each_with_puzzles
@pytest.mark.parametrize("portion", range(PORTIONS))
def test_every_legal_move_in_every_puzzle_is_answered(rules: Rules, portion: int) -> None:
    for entry in entries_of(rules)[portion::PORTIONS]:
        challenge, tried = challenge_of(entry), list[str]()
        names = {cell["name"] for row in entry.start.view(None)["rows"] for cell in row}
        while (before := judge(challenge, tried)).state == "open":
            legal = set(before.position.legal_moves(challenge.seat))
            for move in legal - challenge.unoffered:
                check_try(challenge, tried, move, names)
            tried.append(challenge.turns[len(tried)].right[0])
        assert before.state == "solved"


def check_try(challenge: Challenge, tried: Sequence[str], move: str, names: Set[str]) -> None:
    """Check the answer to a move after right ones; a wrong one is refuted by a line that can be
    played and says why, whole sentences of cells of the board."""
    answer = judge(challenge, [*tried, move])
    assert answer.tried == [*tried, move]
    assert answer.state == expected(challenge, tried, move)
    assert (answer.refuting is not None) == (answer.state == "wrong")
    if answer.refuting:
        assert answer.refuting.said
        for played in answer.line[answer.at :]:
            answer.position.play(min(answer.position.to_move()), played.move)
        for played in answer.line:
            assert "  " not in str(played.said), "a part of the sentence is missing"
            assert {*played.cells, *chain(*played.arrows)} <= names


def expected(challenge: Challenge, tried: Sequence[str], move: str) -> str:
    """Return the state after a move: of several right ones all but the first end the puzzle, since
    the stored replies answer that one alone."""
    turn, *later = challenge.turns[len(tried) :]
    if challenge.any_order:
        is_right = any(move == other.right[0] for other in (turn, *later))
    else:
        is_right = move in turn.right
    if not is_right:
        return "wrong"
    return "open" if later and (challenge.any_order or move == turn.right[0]) else "solved"


def test_some_puzzle_has_a_second_right_move_before_its_last() -> None:
    puzzles = [entry.puzzle for rules in all_rules().values() for entry in entries_of(rules)]
    assert any(len(turn.right) > 1 for puzzle in puzzles for turn in puzzle.turns[:-1])


# --- openings, words, pictures ----------------------------------------------------------


@pytest.mark.parametrize("slug", SHIPPED)
def test_every_shipped_opening_and_card_is_played_to_the_end(slug: str) -> None:
    rules, rng = all_rules()[slug], Random(1)
    games: Callable[[], Iterable[Any]] = import_module(f"tests.games.{slug}.shipped").shipped_games
    for setup, moves in games():
        position = rules.start(setup)
        for move in moves:
            assert move in position.legal_moves(min(position.to_move()))
            position.play(min(position.to_move()), move)
        for viewer in (None, *(spec.key for spec in position.seats)):
            assert build_board(rules, Standing.of(position), viewpoint=viewer).rows
        while seats := position.to_move():
            seat = min(seats)
            position.play(seat, rng.choice(position.legal_moves(seat)))
        assert position.result()


# --- saved games ------------------------------------------------------------------------


@cache
def saved_games(path: Path) -> list[dict[str, Any]]:
    games: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))
    return games


def version_of(path: Path) -> int:
    return int(path.stem.rpartition("-")[2])


def rules_of(path: Path) -> tuple[Rules, OlderRules]:
    """Return the rules of a file's kind, and how games of its version replay."""
    rules, version = all_rules()[path.parent.name], version_of(path)
    return rules, OlderRules() if version == rules.version else rules.older[version]


def replay(path: Path, game: dict[str, Any]) -> Position:
    rules, older = rules_of(path)
    position = (older.start or rules.start)(game["setup"])
    for line in game["moves"]:
        seat, _, move = line.partition(" ")
        position.play(seat, older.move(move))
    return position


@each_kind
def test_every_version_that_the_rules_replay_has_saved_games(rules: Rules) -> None:
    saved = {version_of(path) for path in SAVED if path.parent.name == rules.slug}
    assert saved == {rules.version, *rules.older}, "run: python -m scripts.save_games"


@each_kind
def test_every_size_and_option_of_the_present_rules_has_a_saved_game(rules: Rules) -> None:
    path = path_of(rules)
    saved = saved_games(path) if path.exists() else []
    assert not list(missing_choices(rules, saved)), "run: python -m scripts.save_games"


@each_kind
def test_games_are_missing_of_the_options_that_none_is_saved_with(rules: Rules) -> None:
    first, *others = missing_choices(rules, [])
    assert list(missing_choices(rules, [{"options": first}])) == others


@each_file
def test_saved_games_end_with_their_result(path: Path) -> None:
    for game in saved_games(path):
        position = replay(path, game)
        result = position.result()
        assert result is not None
        assert sorted(result.winners) == game["winners"]
        assert build_board(rules_of(path)[0], Standing.of(position), viewpoint=None).rows


@each_file
def test_the_options_of_saved_games_still_give_their_seats(path: Path) -> None:
    rules, _ = rules_of(path)
    for game in saved_games(path):
        keys = {spec.key for spec in rules.seats(game["options"])}
        assert {line.partition(" ")[0] for line in game["moves"]} <= keys
