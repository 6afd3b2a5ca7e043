"""Compiling searches to machine code with numba, and keeping the machine code between runs.

For the games' computer players alone: nothing else may import this, for numba takes a second to
load. numba's own cache looks at the time stamp of the file a function is in, and not at the files
of the functions it calls: after a change in one file the search would go on with the old code of
another. So the machine code is kept in a folder named after the text of all kernels together:
beside them, or where the site keeps its data if it may not write there.
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
    """What compiles the functions of the modules in ``folder``: see `kernel` in it."""
    cache_folder = _cache_folder(folder)

    def kernel(signature: Any, **options: Any) -> Callable[[Kernel], Kernel]:
        """Compile a function when its module is imported, or load what was compiled before.

        The signature must be written out: numba 0.68 crashes on the second run of a cached
        recursive function without one. Kernels release the global interpreter lock."""

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
    """Where the machine code of the modules in ``folder`` is kept; '' where nothing can be kept."""
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.py")):
        digest.update(path.read_bytes())
    name = f"kernels-{digest.hexdigest()[:12]}"
    return next((str(home / name) for home in _homes(folder) if _can_write(home / name)), "")


def _homes(folder: Path) -> Iterator[Path]:
    """Where machine code may be kept, the best first. None is a folder that others can write to,
    like that of temporary files: machine code is run as it is found."""
    yield folder / "__pycache__"
    if "NUMBA_CACHE_DIR" in os.environ:
        yield Path(os.environ["NUMBA_CACHE_DIR"])
    if "BOARDSITE_DATA" in os.environ:
        yield Path(os.environ["BOARDSITE_DATA"]) / "numba"
    with suppress(RuntimeError):
        yield Path.home() / ".cache" / "boardsite"


def _can_write(folder: Path) -> bool:
    """Whether something can be kept in a folder, which is made if it is not there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)
