"""Compiling searches to machine code with numba, and keeping the machine code between runs.

For the games' computer players alone: nothing else may import this, for numba takes a second to
load. numba's own cache looks at the time stamp of the file a function is in, and not at the files
of the functions it calls: after a change in one file the search would go on with the old code of
another. So the machine code is kept in a folder named after the text of all kernels together.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
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
            numba.config.CACHE_DIR = cache_folder or before
            try:
                compiled: Kernel = numba.njit(
                    signature, cache=True, nogil=True, error_model="numpy", **options
                )(function)
            finally:
                numba.config.CACHE_DIR = before
            return compiled

        return compile_kernel

    return kernel


def _cache_folder(folder: Path) -> str:
    """Where the machine code is kept; '' lets numba choose, where ours cannot be written."""
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.py")):
        digest.update(path.read_bytes())
    cache = folder / "__pycache__" / f"kernels-{digest.hexdigest()[:12]}"
    try:
        cache.mkdir(parents=True, exist_ok=True)
    except OSError:
        return ""
    return str(cache) if os.access(cache, os.W_OK) else ""
