"""A numba compiler whose machine code is cached between runs.

Only computer players may import this module, because numba takes a second to load. numba's own
cache checks the time stamp of a function's file, but not those of the functions that it calls, so
after a change in one file it would run stale code from another. The cache is therefore a folder
named by the hash of all kernels together."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import numba

from games.contract.compiled import folder_of

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def compiler(folder: Path) -> Callable[..., Callable[[Kernel], Kernel]]:
    """Return the decorator that compiles functions of the modules in ``folder``."""
    sources = (path.read_bytes() for path in sorted(folder.glob("*.py")))
    cache_folder = folder_of("kernels", sources, folder)

    def kernel(signature: Any, **options: Any) -> Callable[[Kernel], Kernel]:
        """Compile a function when its module is imported, or load its cached machine code.

        The signature must be written out: numba 0.68 crashes on the second run of a cached
        recursive function without one. Kernels release the global interpreter lock."""

        def compile_kernel(function: Kernel) -> Kernel:
            kept = bool(cache_folder)
            if kept:
                _move_source(function, Path(cache_folder))
            with _caching_in(cache_folder):
                compiled: Kernel = numba.njit(
                    signature, cache=kept, nogil=True, error_model="numpy", **options
                )(function)
            return compiled

        return compile_kernel

    return kernel


@contextmanager
def _caching_in(folder: str) -> Iterator[None]:
    """Let numba cache in ``folder``. One process at a time compiles there: others that start with
    it load its machine code instead of compiling the same function."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = folder
    try:
        with open(Path(folder) / "lock" if folder else os.devnull, "a") as lock:
            if folder:
                fcntl.flock(lock, fcntl.LOCK_EX)
            yield
    finally:
        numba.config.CACHE_DIR = before


def _move_source(function: Callable[..., Any], folder: Path) -> None:
    """Let the code of ``function`` name a copy of its file in ``folder``.

    numba finds cached code by the path of the source. The copy, which has the same path for all
    clones of the repository, lets them share the machine code."""
    source = Path(function.__code__.co_filename)
    copy = folder / source.name
    if not copy.exists():
        part = folder / f"{source.name}.{os.getpid()}"
        part.write_bytes(source.read_bytes())
        part.replace(copy)
    function.__code__ = function.__code__.replace(co_filename=str(copy))
