"""What a process keeps is bounded, shared and disposable."""

from __future__ import annotations

from games.storage.cache import LRUCache, clear_all


def test_what_nobody_asked_for_longest_goes_first():
    kept: LRUCache[str, int] = LRUCache(2)
    kept.keep("one", 1)
    kept.keep("two", 2)
    kept.find("one")
    kept.keep("three", 3)
    assert [kept.find(key) for key in ("one", "two", "three")] == [1, None, 3]


def test_whoever_comes_first_says_what_is_kept():
    kept: LRUCache[str, list[int]] = LRUCache(2)
    first = kept.setdefault("one", [1])
    assert kept.setdefault("one", [2]) is first


def test_what_is_set_by_default_is_bounded_too():
    kept: LRUCache[str, int] = LRUCache(2)
    for number in range(5):
        kept.setdefault(str(number), number)
    assert [kept.find(str(number)) for number in range(5)] == [None, None, None, 3, 4]


def test_everything_can_be_forgotten_at_once():
    one: LRUCache[str, int] = LRUCache(2)
    other: LRUCache[str, int] = LRUCache(2)
    one.keep("a", 1)
    other.keep("b", 2)
    clear_all()
    assert (one.find("a"), other.find("b")) == (None, None)


def weighed() -> LRUCache[str, list[int]]:
    """At most ten numbers, in at most five lists."""
    return LRUCache(5, weigh=len, heaviest=10)


def test_what_is_weighed_is_bounded_by_its_weight_too():
    kept = weighed()
    for key in "abc":
        kept.keep(key, [0] * 4)
    assert [bool(kept.find(key)) for key in "abc"] == [False, True, True]


def test_what_is_light_is_bounded_by_its_number():
    kept = weighed()
    for key in "abcdef":
        kept.keep(key, [0])
    assert [bool(kept.find(key)) for key in "abcdef"] == [False, True, True, True, True, True]


def test_what_has_grown_is_weighed_when_it_is_kept_again():
    kept = weighed()
    grows = kept.setdefault("a", [])
    kept.keep("b", [0] * 4)
    grows += [0] * 7
    kept.keep("a", grows)
    assert (kept.find("a"), kept.find("b")) == (grows, None)


def test_what_is_replaced_or_forgotten_weighs_nothing():
    kept = weighed()
    kept.keep("a", [0] * 9)
    kept.keep("a", [0] * 2)
    kept.keep("b", [0] * 8)
    assert kept.find("a")
    kept.clear()
    kept.keep("a", [0] * 2)
    kept.keep("b", [0] * 8)
    assert kept.find("a")


def test_the_newest_has_room_however_heavy_it_is():
    kept = weighed()
    kept.keep("a", [0])
    kept.keep("b", [0] * 99)
    assert (kept.find("a"), kept.find("b")) == (None, [0] * 99)
