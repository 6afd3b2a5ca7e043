"""What this process keeps because making it again takes time; it may be thrown away at any moment.

What is kept of a game is kept by the version of its row. A version is the same for ever once it is
committed, so nothing can make a kept thing stale: whoever reads a newer version asks for another.
What is made of a version must be made of what belongs to it, though more may be stored by then.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from typing import Any, Generic, TypeVar
from weakref import WeakSet

Key = TypeVar("Key")
Value = TypeVar("Value")

_all: WeakSet[LRUCache[Any, Any]] = WeakSet()


class LRUCache(Generic[Key, Value]):
    """At most ``most`` values by their keys; those that nobody asked for longest go first. With
    ``weigh``, of values that differ much in size, at most ``heaviest`` of that together too: a
    value is weighed when it is put there, and the newest always has room."""

    def __init__(
        self, most: int, *, weigh: Callable[[Value], int] | None = None, heaviest: int = 0
    ) -> None:
        self._most = most
        self._weigh = weigh
        self._heaviest = heaviest
        self._weights: dict[Key, int] = {}
        self._weight = 0
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._lock = Lock()
        _all.add(self)

    def find(self, key: Key) -> Value | None:
        """The value of a key, if it is still there."""
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def keep(self, key: Key, value: Value) -> Value:
        """Remember a value, and give it back. Nobody may change it afterwards."""
        with self._lock:
            self._values[key] = value
            self._weigh_again(key, value)
            self._shorten(key)
            return value

    def setdefault(self, key: Key, value: Value) -> Value:
        """The value of a key; ``value``, kept from now on, if there is none."""
        with self._lock:
            kept = self._values.setdefault(key, value)
            if kept is value:
                self._weigh_again(key, value)
            self._shorten(key)
            return kept

    def _weigh_again(self, key: Key, value: Value) -> None:
        if self._weigh is not None:
            before, now = self._weights.get(key, 0), self._weigh(value)
            self._weights[key] = now
            self._weight += now - before

    def _shorten(self, newest: Key) -> None:
        self._values.move_to_end(newest)
        while len(self._values) > self._most or self._too_heavy():
            oldest, _ = self._values.popitem(last=False)
            self._weight -= self._weights.pop(oldest, 0)

    def _too_heavy(self) -> bool:
        return self._weight > self._heaviest and len(self._values) > 1

    def clear(self) -> None:
        """Forget everything; nothing but time is lost."""
        with self._lock:
            self._values.clear()
            self._weights.clear()
            self._weight = 0


def clear_all() -> None:
    """Clear everything that is kept in this process."""
    for kept in list(_all):
        kept.clear()
