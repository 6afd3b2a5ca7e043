"""Names that look alike have the same skeleton."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.core.look_alikes import skeleton


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Olive", "OLIVE"),
        ("Olive", "\u041elive"),
        ("Olive", "\uff2flive"),
        ("Olive", "Olive\u0301"),
        ("Olive", "Ol\u0457ve"),
        ("Olive", "O1ive"),
        ("Paul", "\u0420\u0430ul"),
        ("Ill", "lll"),
        ("Emma", "Ernma"),
        ("Zoe", "Zo\u00eb"),
        ("\u043e\u043b\u0435\u0433", "o\u043be\u0433"),
    ],
)
def test_names_that_look_alike_have_one_skeleton(one, other):
    assert skeleton(one) == skeleton(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Olive", "Oliver"),
        ("Ann", "Anna"),
        ("\u0915\u0940", "\u0915\u093f"),
        ("\u05d0", "\u05d1"),
        ("\U0001f98a", "\U0001f43b"),
    ],
)
def test_other_names_have_other_skeletons(one, other):
    assert skeleton(one) != skeleton(other)


@given(st.text(max_size=30))
def test_the_skeleton_depends_on_the_characters_alone(name):
    composed, decomposed = (unicodedata.normalize(form, name) for form in ("NFC", "NFD"))
    assert skeleton(composed) == skeleton(decomposed)
