"""The compiler of the functions in this folder."""

from __future__ import annotations

from pathlib import Path

from games.contract.kernels import compiler

compiled = compiler(Path(__file__).parent)
