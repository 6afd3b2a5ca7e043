"""Caches of one process: values that take time to make and may be evicted at any moment.

Values of a game are cached by the version of its row. A committed version never changes, so no
cached value goes stale: the reader of a newer version uses another key. A value must be made from
its own version alone, even if newer rows have been stored meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from threading import Lock
from typing import Any, Generic, TypeVar
from weakref import WeakSet

import cachetools

Key = TypeVar("Key")
Value = TypeVar("Value")

_all: WeakSet[LRUCache[Any, Any]] = WeakSet()


class LRUCache(Generic[Key, Value]):
    """A thread-safe cache of at most ``max_entries`` and, by ``size_of``, ``max_size``, which
    evicts the least recently used but never the newest value. Values are shared and must not be
    changed."""

    def __init__(
        self, max_entries: int, *, size_of: Callable[[Value], int] | None = None, max_size: int = 0
    ) -> None:
        self._values: cachetools.LRUCache[Key, Value] = (
            _SizedCache(max_entries, size_of, max_size)
            if size_of
            else cachetools.LRUCache(max_entries)
        )
        self._lock = Lock()
        _all.add(self)

    @property
    def size(self) -> int:
        return int(self._values.currsize)

    def get(self, key: Key) -> Value | None:
        with self._lock:
            try:
                return self._values[key]
            except KeyError:
                return None

    def put(self, key: Key, value: Value) -> Value:
        with self._lock:
            self._values[key] = value
            return value

    def setdefault(self, key: Key, value: Value) -> Value:
        with self._lock:
            return self._values.setdefault(key, value)

    def clear(self) -> None:
        with self._lock:
            self._values.clear()


class _SizedCache(cachetools.LRUCache[Key, Value]):
    """A cache with two limits, of which cachetools' own is the total size. It refuses larger
    values, which would be made again for every reader: they count as just fitting."""

    def __init__(self, max_entries: int, size_of: Callable[[Value], int], max_size: int) -> None:
        super().__init__(max_size, lambda value: min(size_of(value), max_size))
        self._max_entries = max_entries

    def __setitem__(self, key: Key, value: Value) -> None:
        super().__setitem__(key, value)
        if len(self) > self._max_entries:
            self.popitem()


def clear_all() -> None:
    for cache in list(_all):
        cache.clear()
