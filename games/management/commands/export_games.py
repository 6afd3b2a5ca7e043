"""``manage.py export_games``: writes games as JSON lines."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, FileType
from typing import Any

import click
from django.core.management.base import BaseCommand, CommandError

from games.core.registry import all_rules
from games.management.checks import require_current_tables
from games.models import Game
from games.people.own_games import documents
from games.storage.compiled_queries import in_portions


class Command(BaseCommand):
    """Writes games as everybody may see them, in the published form that the site imports.

    The memory is the same for any number of games."""

    help = "Write all games, or those with the given ids, as JSON lines."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("ids", nargs="*", metavar="id", help="by default all games")
        parser.add_argument("--kind", choices=sorted(all_rules()), help="only games of this kind")
        parser.add_argument("--finished", action="store_true", help="only finished games")
        parser.add_argument("--output", type=FileType("w", encoding="utf-8"), default=sys.stdout)
        parser.add_argument("--site", default="", help="the site in addresses: https://…")

    def handle(self, *args: Any, **options: Any) -> None:
        require_current_tables()
        games = Game.objects.filter(begun=True)
        games = games.filter(pk__in=options["ids"]) if options["ids"] else games
        games = games.filter(kind=options["kind"]) if options["kind"] else games
        games = games.filter(status=Game.Status.OVER) if options["finished"] else games
        total, site, output = games.count(), options["site"].rstrip("/"), options["output"]
        if total < len({*options["ids"]}):
            raise CommandError("There are not all of these games.")
        with click.progressbar(length=total, label="Games", file=sys.stderr) as bar:
            for portion in in_portions(games):
                for game in documents(portion, lambda game: site + game.get_absolute_url()):
                    output.write(game.model_dump_json() + "\n")
                bar.update(len(portion))
