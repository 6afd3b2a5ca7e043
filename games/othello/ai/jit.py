"""The compiler of the functions in this folder."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from games.contract.kernels import compiler

kernel = partial(compiler(Path(__file__).parent), _nrt=False)
"""Kernels allocate nothing. Without numba's count of references, which is atomic, recursive ones
take a quarter less time."""
