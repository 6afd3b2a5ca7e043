"""The files of the repository: those that git tracks, or would track."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MADE = {"__pycache__", "var", "node_modules", "test-results"}


def sources() -> list[Path]:
    """Return the paths relative to ROOT. Without git, as in an unpacked archive, return all files
    but those that tools make."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        run = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError):
        return sorted(_all_files())
    names = (Path(name) for name in run.stdout.split("\0") if name)
    return sorted(path for path in names if (ROOT / path).is_file())


def _all_files() -> list[Path]:
    paths = [path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file()]
    return [
        path
        for path in paths
        if not any(part in MADE or part.startswith(".") for part in path.parts)
        and path.suffix not in {".mo", ".pyc"}
    ]
