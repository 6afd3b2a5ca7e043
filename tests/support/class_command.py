"""The command that compares a file on the pupil's own machine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from scripts.sources import ROOT

WITHOUT_DJANGO = "import sys; sys.modules['django'] = None; sys.argv[0] = 'classes'; " + (
    "import runpy; runpy.run_module('games.classes', run_name='__main__')"
)


def command(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the command where Django cannot be imported."""
    return subprocess.run(
        [sys.executable, "-c", WITHOUT_DJANGO, *map(str, arguments)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
