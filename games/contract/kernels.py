"""A numba compiler whose machine code is cached between runs.

Only computer players may import this module, because numba takes a second to load. numba's own
cache checks the time stamp of a function's file, but not those of the functions that it calls, so
after a change in one file it would run stale code from another. The cache is therefore a folder
named by the hash of all kernels together. It lies beside them, or in the site's data folder if that
place is not writable.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
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
        recursive function without one. Kernels release the global interpreter lock.
        """

        def compile_kernel(function: Kernel) -> Kernel:
            before = numba.config.CACHE_DIR
            numba.config.CACHE_DIR = cache_folder
            kept = bool(cache_folder)
            try:
                compiled: Kernel = numba.njit(
                    signature, cache=kept, nogil=True, error_model="numpy", **options
                )(function)
            finally:
                numba.config.CACHE_DIR = before
            return compiled

        return compile_kernel

    return kernel


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
    yield folder / "__pycache__"
    if "NUMBA_CACHE_DIR" in os.environ:
        yield Path(os.environ["NUMBA_CACHE_DIR"])
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
