"""The counting of pronouns in docstrings and comments."""

from __future__ import annotations

from pathlib import Path

from scripts.count_words import Count, by_folder, count

SOURCE = '''"""Say what is here.

Whoever asks, is told."""

what = "what is a string"  # what follows
LIMIT = 1
"""Documented."""


def who():
    """Return who."""
    # Who?
'''


def test_docstrings_and_comments_are_counted_and_code_is_not() -> None:
    assert count(SOURCE) == Count(words=14, what=2, who=3)


def test_names_that_begin_alike_are_not_counted() -> None:
    assert count("# Whatsoever the whole whose\n") == Count(words=4)


def test_rates_are_per_thousand_words() -> None:
    assert Count(words=500, what=1).rate(1) == 2.0
    assert Count().rate(0) == 0.0


def test_folders_sum_up_their_files() -> None:
    one = Count(10, 1, 2)
    deep = {Path("games/live/hub.py"): one, Path("games/live/more/hub.py"): one}
    assert by_folder({**deep, Path("manage.py"): one}) == {".": one, "games/live": Count(20, 2, 4)}
