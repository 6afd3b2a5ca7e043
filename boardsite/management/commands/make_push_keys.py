"""``manage.py make_push_keys``: makes the key with which the site signs its notices (Web Push)."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from boardsite.secret import PUSH_NAME, create
from games.notices.web_push import new_key


class Command(BaseCommand):
    """Makes the key pair of Web Push; the public key is derived from the stored private key."""

    help = "Make the key with which devices are told of turns, and store it in the data folder."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--print", action="store_true", help="print BOARDSITE_PUSH_KEY=… and store nothing"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Make a key unless there is one, with which devices have subscribed."""
        try:
            key = new_key()
        except ImportError as error:
            raise CommandError(
                "The packages for Web Push are not installed: scripts/venv "
                "requirements-services.lock installs them."
            ) from error
        if options["print"]:
            self.stdout.write(f"BOARDSITE_PUSH_KEY={key}")
            return
        path = settings.DATA_DIR / PUSH_NAME
        if settings.PUSH_KEY or path.exists():
            raise CommandError(
                "There is a key already. With another one, devices would have to be asked again."
            )
        create(path, key)
        self.stdout.write(f"{path} has the key. Restart the site to use it.")
