"""Compile the searches of the computer players when the site is installed.

The first game would wait for it otherwise. The worker compiles what this could not.
"""

from __future__ import annotations

from games.core.registry import all_rules, computer_module


def main() -> None:
    """Import every computer player, which compiles its search or finds it compiled."""
    for slug, rules in all_rules().items():
        if rules.levels:
            computer_module(slug)


if __name__ == "__main__":
    main()
