"""What a process keeps is bounded, shared and disposable."""

from __future__ import annotations

from games.kept import Kept, forget_all


def test_what_nobody_asked_for_longest_goes_first():
    kept: Kept[str, int] = Kept(2)
    kept.keep("one", 1)
    kept.keep("two", 2)
    kept.find("one")
    kept.keep("three", 3)
    assert [kept.find(key) for key in ("one", "two", "three")] == [1, None, 3]


def test_whoever_comes_first_says_what_is_kept():
    kept: Kept[str, list[int]] = Kept(2)
    first = kept.setdefault("one", [1])
    assert kept.setdefault("one", [2]) is first


def test_what_is_set_by_default_is_bounded_too():
    kept: Kept[str, int] = Kept(2)
    for number in range(5):
        kept.setdefault(str(number), number)
    assert [kept.find(str(number)) for number in range(5)] == [None, None, None, 3, 4]


def test_everything_can_be_forgotten_at_once():
    one: Kept[str, int] = Kept(2)
    other: Kept[str, int] = Kept(2)
    one.keep("a", 1)
    other.keep("b", 2)
    forget_all()
    assert (one.find("a"), other.find("b")) == (None, None)
