"""How the functions of this folder are compiled."""

from __future__ import annotations

from pathlib import Path

from games.kernels import compiler

compiled = compiler(Path(__file__).parent)
