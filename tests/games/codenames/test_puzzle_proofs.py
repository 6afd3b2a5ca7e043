"""The shipped puzzles of Codenames are proved anew from the files of the word spaces alone: nothing
of the search, of its lexicon or of its decoding is used."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import games.codenames
from games.codenames.puzzle_search import refutations
from games.codenames.rules import RULES
from games.contract import Puzzle, cell_name
from tests.support.puzzles import PROVED, shuffled_puzzles

DATA = Path(games.codenames.__file__).parent / "ai" / "data"
AGREEING, GAP = 3, 0.5
"""The first spaces, which share no text: the cards of the clue are the likest in each of them, by
so many deviations."""
ROUNDING = 1e-3

Meanings = Mapping[str, NDArray[Any]]


@cache
def english() -> Meanings:
    with np.load(DATA / "words.npz") as file:
        words = bytes(file["words"]).decode().splitlines()
        halves = np.stack([file["codes"] % 16, file["codes"] // 16], axis=-1).astype(float)
        rows = (halves.reshape(len(words), -1) - 8) * file["scale"]
    return dict(zip(words, rows, strict=True))


@cache
def ends() -> list[int]:
    with np.load(DATA / "words.npz") as file:
        return [0, *map(int, file["ends"])]


def rows_of(name: str) -> Iterator[str]:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return (line.strip() for line in lines if line.strip() and not line.startswith("#"))


@cache
def dutch() -> Meanings:
    """Return each word as the mean of its English words, as long as an English word usually is."""
    usual = np.median([np.linalg.norm(row) for row in english().values()])
    found = {}
    for line in rows_of("glossary-nl.tsv"):
        word, translations = line.split("\t")
        rows = [english()[word] for word in translations.split() if word in english()]
        if rows:
            mean = np.mean(rows, axis=0)
            single = len(rows) == 1
            found[word.lstrip("-")] = mean if single else mean * usual / np.linalg.norm(mean)
    return found


def vocabulary(language: str) -> Iterable[NDArray[Any]]:
    if language == "en":
        return [english()[word] for word in rows_of("clues-en.txt") if word in english()]
    words = (line.split("\t")[0] for line in rows_of("glossary-nl.tsv"))
    return [dutch()[word] for word in words if word in dutch()]


@cache
def deviations(language: str) -> list[float]:
    """Return the deviation of the likeness of two words that may be clues, in each space."""
    rows = np.array(list(vocabulary(language)))
    parts = [rows[:, start:end] for start, end in zip(ends(), ends()[1:], strict=False)]
    return [float(np.sqrt(np.mean((part @ part.T) ** 2))) for part in parts]


def gaps(puzzle: Puzzle, meanings: Meanings) -> list[float]:
    """Return by how many deviations the last card meant is before the first one that is not, in
    each space."""
    clue = meanings[puzzle.moves[-1].split()[1]]
    cards = [str(card) for card in puzzle.setup["cards"]]
    meant = [cell(turn.right[0]) for turn in puzzle.turns]
    found = []
    spaces = zip(ends(), ends()[1:], deviations(puzzle.language), strict=False)
    for start, end, deviation in spaces:
        likeness = [float(clue[start:end] @ meanings[card][start:end]) for card in cards]
        others = [value for place, value in enumerate(likeness) if place not in meant]
        found.append((min(likeness[place] for place in meant) - max(others)) / deviation)
    return found


def cell(name: str) -> int:
    """Return the place of a cell on a board of five columns."""
    return "abcde".index(name[0]) + 5 * (int(name[1:]) - 1)


def is_plain(puzzle: Puzzle, meanings: Meanings) -> bool:
    """Return whether all words are in the files as they are written."""
    return all(word in meanings for word in [puzzle.moves[-1].split()[1], *puzzle.setup["cards"]])


@pytest.mark.parametrize(("language", "meanings"), [("en", english), ("nl", dutch)])
def test_the_word_spaces_without_shared_text_agree_on_the_cards_of_random_puzzles(
    language: str, meanings: Callable[[], Meanings]
) -> None:
    known = meanings()
    plain = [puzzle for puzzle in shuffled_puzzles(RULES, language) if is_plain(puzzle, known)]
    assert len(plain) >= PROVED
    agreeing = {
        puzzle.key: sum(gap >= GAP - ROUNDING for gap in gaps(puzzle, known)[:AGREEING])
        for puzzle in plain[:PROVED]
    }
    faults = [key for key, spaces in agreeing.items() if spaces < AGREEING]
    assert faults == []


def test_the_cards_of_a_puzzle_belong_to_the_team_of_the_clue() -> None:
    for puzzle in shuffled_puzzles(RULES, "en") + shuffled_puzzles(RULES, "nl"):
        key = puzzle.setup["key"]
        beginning = max("RB", key=key.count)
        assert {key[cell(turn.right[0])] for turn in puzzle.turns} == {beginning}


def test_a_wrong_card_that_is_near_is_admitted_with_what_the_cards_meant_share() -> None:
    assert RULES.puzzles
    stored = RULES.puzzles.puzzles().values()
    puzzle = next(one for one in stored if one.moves == ("clue armband 2",))
    position = puzzle.position(RULES.start)

    def told(card: str) -> str:
        move = cell_name(*divmod(puzzle.setup["cards"].index(card), 5))
        assert RULES.puzzles
        return str(RULES.puzzles.line(puzzle, position, move, puzzle.turns)[0].said)

    assert told("goud").endswith(
        "is close to “armband” too, but other cards are nearer. Think of “sieraad”."
    )
    assert "goud" in told("goud").lower()
    assert told("kanarie").endswith(
        "isn’t meant: other cards are nearer to “armband”. Think of “sieraad”."
    )


def test_no_reason_names_a_card_that_is_meant() -> None:
    for puzzle in shuffled_puzzles(RULES, "en") + shuffled_puzzles(RULES, "nl"):
        meant = {str(puzzle.setup["cards"][cell(turn.right[0])]) for turn in puzzle.turns}
        said = {found.verdict for turn in puzzle.turns for found in turn.refutations.values()}
        assert not meant.intersection(" ".join(said).split())


def test_each_puzzle_admits_the_cards_that_the_search_finds_near() -> None:
    for puzzle in shuffled_puzzles(RULES, "en") + shuffled_puzzles(RULES, "nl"):
        places = [cell(turn.right[0]) for turn in puzzle.turns]
        found = refutations(puzzle.setup, puzzle.moves[-1].split()[1], places)
        assert [turn.refutations for turn in puzzle.turns] == [found] * len(places)


@pytest.mark.parametrize(
    ("move", "praise"),
    [
        ("clue butter 2", "Right. “jelly” is close to “butter” too, but less so."),
        ("clue peach 2", "Right: “fruit” is what they share with “peach”."),
        ("clue sorcerer 2", "Right: these fit “sorcerer” far better than the others."),
        ("clue nylon 2", "Right: these fit “nylon” best, if not by far."),
    ],
)
def test_a_solved_puzzle_is_praised_by_what_is_near_and_shared(move: str, praise: str) -> None:
    assert RULES.puzzles
    stored = RULES.puzzles.puzzles().values()
    puzzle = next(one for one in stored if one.moves == (move,))
    assert str(RULES.puzzles.praise(puzzle, puzzle.position(RULES.start))) == praise
