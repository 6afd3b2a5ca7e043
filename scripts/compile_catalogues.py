"""Compile the translations where they lie, when the site is installed: as `manage.py
compilemessages` does, but without settings, which would make a data folder and a secret key."""

from __future__ import annotations

from pathlib import Path

from games.management.commands.compilemessages import compile_catalogue, find

ROOT = Path(__file__).resolve().parent.parent


def main(root: Path = ROOT) -> None:
    """Compile all that are new."""
    for folder in (root / "locale", *root.glob("games/*/locale")):
        for source in find(folder):
            compile_catalogue(source)


if __name__ == "__main__":
    main()
