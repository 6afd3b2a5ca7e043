"""Make the database of an older version: ``python -m tests.support.old_database MIGRATION``.

The newest tables get a game of each kind, some moves long; then the migrations after MIGRATION are
undone. Prints the ids of the games.
"""

from __future__ import annotations

import sys

import django


def main(migration: str) -> None:
    """Fill the database of the environment."""
    django.setup()
    from django.core.management import call_command

    from games.core.registry import all_rules
    from games.services import players
    from tests.support.stored_bytes import store_random_game

    call_command("migrate", verbosity=0)
    player = players.new_player(name="Olive")
    for rules in all_rules().values():
        game = store_random_game(player, rules, rules.clean({}), seed=1)
        sys.stdout.write(f"{game.pk}\n")
    call_command("migrate", "games", migration, verbosity=0)


if __name__ == "__main__":
    main(sys.argv[1])
