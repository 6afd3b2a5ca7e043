"""Classes of pupils, and the sentences about them."""

from __future__ import annotations

from tests.support.pupils import pupil, shown


def test_true_is_not_one() -> None:
    source = pupil("santorini").replace(
        "return self.heights[r][c]\n", "return bool(self.heights[r][c])\n"
    )
    assert shown("santorini", source).code == "type"


def test_another_dictionary_is_found() -> None:
    source = pupil("santorini").replace("= tuple(places[i])", "= list(places[i])")
    assert shown("santorini", source).code in {"value", "raised"}
