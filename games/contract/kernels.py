"""A numba compiler whose machine code is cached between runs.

Only computer players may import this module, because numba takes a second to load. numba's own
cache checks the time stamp of a function's file, but not those of the functions that it calls, so
after a change in one file it would run stale code from another. The cache is therefore a folder
named by the hash of all kernels together. It lies in NUMBA_CACHE_DIR, beside them, or in the site's
data folder if that place is not writable."""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import numba

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def compiler(folder: Path) -> Callable[..., Callable[[Kernel], Kernel]]:
    """Return the decorator that compiles functions of the modules in ``folder``."""
    cache_folder = _cache_folder(folder)

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


def _cache_folder(folder: Path) -> str:
    """Return the folder for the machine code of ``folder``, '' if none is writable."""
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.py")):
        digest.update(path.read_bytes())
    name = f"kernels-{digest.hexdigest()[:12]}"
    return next((str(home / name) for home in _homes(folder) if _can_write(home / name)), "")


def _homes(folder: Path) -> Iterator[Path]:
    """Yield the possible folders for machine code, the best first. None is writable by other users,
    as a folder for temporary files is, because machine code is executed unchecked."""
    if "NUMBA_CACHE_DIR" in os.environ:
        yield Path(os.environ["NUMBA_CACHE_DIR"])
    yield folder / "__pycache__"
    if "BOARDSITE_DATA" in os.environ:
        yield Path(os.environ["BOARDSITE_DATA"]) / "numba"
    with suppress(RuntimeError):
        yield Path.home() / ".cache" / "boardsite"


def _can_write(folder: Path) -> bool:
    """Return whether a folder is writable, after making it if it is missing."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)
