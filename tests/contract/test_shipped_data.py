"""All data that the games are shipped with: every puzzle is played, with every move in it."""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter

import pytest

from games.contract import Rules
from games.core.registry import all_rules
from games.puzzles import catalogue
from games.puzzles.catalogue import Entry
from games.puzzles.challenge import Challenge, challenge_of, judge

PORTIONS = 5
"""Tests into which the puzzles of a kind are divided, for several processes."""

each_portion = pytest.mark.parametrize("portion", range(PORTIONS))
each_kind = pytest.mark.parametrize(
    "rules", filter(attrgetter("puzzles"), all_rules().values()), ids=attrgetter("slug")
)


def portion_of(rules: Rules, portion: int) -> Sequence[Entry]:
    """Return a part of the puzzles in all languages."""
    assert rules.puzzles
    found = [Entry(rules, rules.puzzles, puzzle) for puzzle in rules.puzzles.puzzles().values()]
    return found[portion::PORTIONS]


@each_kind
def test_every_puzzle_is_read(rules: Rules) -> None:
    assert rules.puzzles
    lines = rules.puzzles.path.read_text("utf-8").splitlines()
    entries = [entry for part in range(PORTIONS) for entry in portion_of(rules, part)]
    assert len(list(catalogue.readable(entries))) == len(lines)


@each_kind
@each_portion
def test_every_legal_move_in_every_puzzle_is_answered(rules: Rules, portion: int) -> None:
    for entry in portion_of(rules, portion):
        challenge, tried = challenge_of(entry), list[str]()
        while (before := judge(challenge, tried)).state == "open":
            for move in before.position.legal_moves(challenge.seat):
                check_try(challenge, [*tried, move])
            tried.append(challenge.turns[len(tried)].right[0])
        assert before.state == "solved"


def check_try(challenge: Challenge, tried: Sequence[str]) -> None:
    """Check that a move has an answer, with a whole sentence if it is wrong."""
    answer = judge(challenge, tried)
    assert answer.tried == tried
    assert (answer.reason is not None) == (answer.state == "wrong")
    assert "  " not in str(answer.reason), "a part of the sentence is missing"
