"""Compile the translations when the site is installed.

`manage.py compilemessages` would load the settings, which create a data folder and a secret key.
"""

from __future__ import annotations

from pathlib import Path

from games.management.commands.compilemessages import compile_catalogue, find_sources

ROOT = Path(__file__).resolve().parent.parent


def main(root: Path = ROOT) -> None:
    """Compile every catalogue whose source is newer than its output."""
    for folder in (root / "locale", *root.glob("games/*/locale")):
        for source in find_sources(folder):
            compile_catalogue(source)


if __name__ == "__main__":
    main()
