"""What this process keeps because making it again takes time; it may be thrown away at any moment.

What is kept of a game is kept by the version of its row. A version is the same for ever once it is
committed, so nothing can make a kept thing stale: whoever reads a newer version asks for another.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Any, Generic, TypeVar
from weakref import WeakSet

Key = TypeVar("Key")
Value = TypeVar("Value")

_all: WeakSet[Kept[Any, Any]] = WeakSet()


class Kept(Generic[Key, Value]):
    """At most ``most`` values by their keys; those that nobody asked for longest go first."""

    def __init__(self, most: int) -> None:
        self._most = most
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
            self._shorten(key)
            return value

    def setdefault(self, key: Key, value: Value) -> Value:
        """The value of a key; ``value``, kept from now on, if there is none."""
        with self._lock:
            kept = self._values.setdefault(key, value)
            self._shorten(key)
            return kept

    def _shorten(self, newest: Key) -> None:
        self._values.move_to_end(newest)
        while len(self._values) > self._most:
            self._values.popitem(last=False)

    def clear(self) -> None:
        """Forget everything; nothing but time is lost."""
        with self._lock:
            self._values.clear()


def forget_all() -> None:
    """Clear everything that is kept in this process."""
    for kept in list(_all):
        kept.clear()
