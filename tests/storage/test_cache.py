"""LRUCache evicts by count and by size, and can be cleared."""

from __future__ import annotations

from games.storage.cache import LRUCache, clear_all


def test_the_least_recently_used_entry_is_evicted_first():
    cache: LRUCache[str, int] = LRUCache(2)
    cache.put("one", 1)
    cache.put("two", 2)
    cache.get("one")
    cache.put("three", 3)
    assert [cache.get(key) for key in ("one", "two", "three")] == [1, None, 3]


def test_setdefault_returns_the_first_value_of_a_key():
    cache: LRUCache[str, list[int]] = LRUCache(2)
    first = cache.setdefault("one", [1])
    assert cache.setdefault("one", [2]) is first


def test_setdefault_evicts_too():
    cache: LRUCache[str, int] = LRUCache(2)
    for number in range(5):
        cache.setdefault(str(number), number)
    assert [cache.get(str(number)) for number in range(5)] == [None, None, None, 3, 4]


def test_clear_all_clears_every_cache():
    one: LRUCache[str, int] = LRUCache(2)
    other: LRUCache[str, int] = LRUCache(2)
    one.put("a", 1)
    other.put("b", 2)
    clear_all()
    assert (one.get("a"), other.get("b")) == (None, None)


def sized_cache() -> LRUCache[str, list[int]]:
    """Return a cache of at most ten numbers in at most five lists."""
    return LRUCache(5, size_of=len, max_size=10)


def test_entries_are_evicted_by_their_total_size():
    cache = sized_cache()
    for key in "abc":
        cache.put(key, [0] * 4)
    assert [bool(cache.get(key)) for key in "abc"] == [False, True, True]


def test_small_entries_are_evicted_by_their_number():
    cache = sized_cache()
    for key in "abcdef":
        cache.put(key, [0])
    assert [bool(cache.get(key)) for key in "abcdef"] == [False, True, True, True, True, True]


def test_a_grown_value_is_measured_again_when_it_is_put_again():
    cache = sized_cache()
    grows = cache.setdefault("a", [])
    cache.put("b", [0] * 4)
    grows += [0] * 7
    cache.put("a", grows)
    assert (cache.get("a"), cache.get("b")) == (grows, None)


def test_replaced_and_cleared_values_have_no_size():
    cache = sized_cache()
    cache.put("a", [0] * 9)
    cache.put("a", [0] * 2)
    cache.put("b", [0] * 8)
    assert cache.get("a")
    cache.clear()
    cache.put("a", [0] * 2)
    cache.put("b", [0] * 8)
    assert cache.get("a")


def test_the_newest_entry_stays_however_large_it_is():
    cache = sized_cache()
    cache.put("a", [0])
    cache.put("b", [0] * 99)
    assert (cache.get("a"), cache.get("b")) == (None, [0] * 99)
