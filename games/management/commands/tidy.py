"""``manage.py tidy``: removes rows that are older than the settings keep them."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

import click
from django.core.management.base import BaseCommand

from games.management.checks import require_current_tables
from games.services.tidying import RULES, Rule


class Command(BaseCommand):
    """Removes the rows that BOARDSITE_KEEP_… lets expire, as workers do once a day."""

    help = "Remove old games, evaluations, players and sessions, as the settings say."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--dry-run", action="store_true", help="count the rows only")

    def handle(self, *args: Any, dry_run: bool, **options: Any) -> None:
        require_current_tables()
        for rule in RULES:
            if not rule.days:
                self.stdout.write(f"{rule.name}: kept for ever")
                continue
            total = rule.find().count()
            done = 0 if dry_run else _remove(rule, total)
            verb, count = ("to remove", total) if dry_run else ("removed", done)
            self.stdout.write(f"{rule.name}, older than {rule.days} days: {count} {verb}")


def _remove(rule: Rule, total: int) -> int:
    done = 0
    with click.progressbar(length=total, label=rule.name) as bar:
        for count in rule.remove():
            done += count
            bar.update(count)
    return done
