"""Measure the bytes that games take in the database: ``python -m benchmarks.sizes``.

It stores random games of each kind, with the default options and on the largest board, in a SQLite
file of its own, or with DATABASE_URL in that database, which must be empty. Indexes are counted
with their tables.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

import django

SECONDS = 0.2
"""Seconds for each position of an analysis. With more time, more moves get a value."""


def main() -> None:
    """Print two tables with a row for each kind and board."""
    with tempfile.TemporaryDirectory() as folder:
        own = f"sqlite:///{Path(folder) / 'boardsite.sqlite3'}"
        os.environ["DATABASE_URL"] = os.environ.get("DATABASE_URL") or own
        os.environ |= {"BOARDSITE_DATA": folder, "DJANGO_SETTINGS_MODULE": "boardsite.settings"}
        django.setup()
        from django.core.management import call_command

        from benchmarks.moves import largest_options
        from games.core.registry import all_rules
        from tests.support.stored_bytes import measure_bytes, measure_whole_game

        call_command("migrate", verbosity=0)
        boards = [
            (rules, f"{rules.name}{board}", options)
            for slug, rules in all_rules().items()
            for board, options in {"": {}, ", largest": largest_options(slug)}.items()
        ]
        print("| stored bytes | a game | a move | an analysed position |")
        for rules, name, options in boards:
            print_row(name, measure_bytes(rules, options, seconds=SECONDS))
        print("| a whole game | moves | bytes | bytes of its analysis |")
        for rules, name, options in boards:
            if rules.analysis:
                print_row(name, measure_whole_game(rules, options, seconds=SECONDS))


def print_row(name: str, figures: Iterable[int]) -> None:
    """Print a row of a table."""
    print(f"| {name} | {' | '.join(f'{figure:,}' for figure in figures)} |", flush=True)


if __name__ == "__main__":
    main()
