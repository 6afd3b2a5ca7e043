"""Compiling kernels to machine code with numba, and keeping the machine code between runs.

numba's own cache looks at the time stamp of the file a function is in, and not at the files of
the functions it calls: after a change in ``bits.py`` the search would go on with the old
moves. So the machine code is kept in a folder named after the text of all kernels together.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba

FOLDER = Path(__file__).parent
Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def _cache_folder() -> str:
    """Where the machine code is kept; '' lets numba choose, where ours cannot be written."""
    digest = hashlib.sha256()
    for path in sorted(FOLDER.glob("*.py")):
        digest.update(path.read_bytes())
    folder = FOLDER / "__pycache__" / f"kernels-{digest.hexdigest()[:12]}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return ""
    return str(folder) if os.access(folder, os.W_OK) else ""


_CACHE = _cache_folder()


def kernel(signature: str, **options: Any) -> Callable[[Kernel], Kernel]:
    """Compile a function when its module is imported, or load what was compiled before.

    The signature must be written out: numba 0.68 crashes on the second run of a cached recursive
    function without one. Kernels release the global interpreter lock.
    """

    def compile_kernel(function: Kernel) -> Kernel:
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = _CACHE or before
        try:
            compiled: Kernel = numba.njit(
                signature, cache=True, nogil=True, error_model="numpy", **options
            )(function)
        finally:
            numba.config.CACHE_DIR = before
        return compiled

    return compile_kernel
