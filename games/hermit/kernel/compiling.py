"""How the functions of this folder are compiled."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import njit

F = TypeVar("F", bound=Callable[..., Any])


def compiled(signature: Any) -> Callable[[F], F]:
    """Compile for one signature, when the module is loaded, and keep the result on disk.

    Explicit signatures are needed: a function that calls itself and is cached without one
    crashes when it is loaded again."""
    return cast("Callable[[F], F]", njit(signature, cache=True))


def _forget_outdated() -> None:
    """Remove kept results older than any source here.

    numba looks at the file of a function alone, and not at those of the functions in it."""
    folder = Path(__file__).parent
    newest = max(source.stat().st_mtime for source in folder.glob("*.py"))
    for index in folder.glob("__pycache__/*.nbi"):
        with suppress(OSError):  # another process may do the same at the same time
            if index.stat().st_mtime < newest:
                index.unlink()


_forget_outdated()
