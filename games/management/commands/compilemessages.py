"""``manage.py compilemessages`` without gettext: polib compiles the catalogues, at each start."""

from __future__ import annotations

from os import getpid
from pathlib import Path
from typing import Any

import polib
from django.conf import settings
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    """Compiles every catalogue in LOCALE_PATHS whose source is newer."""

    help = "Compile the translations (needs no gettext)."

    def handle(self, **options: Any) -> None:
        for source in (
            path for folder in settings.LOCALE_PATHS for path in find_sources(Path(folder))
        ):
            if compile_catalogue(source) and options["verbosity"]:
                self.stdout.write(f"Compiled {source}")


def find_sources(folder: Path) -> list[Path]:
    return sorted(folder.glob("*/LC_MESSAGES/*.po"))


def compile_catalogue(source: Path) -> bool:
    """Compile a ``.po`` file to a ``.mo`` file beside it; return False if that is up to date."""
    target = source.with_suffix(".mo")
    if target.exists() and target.stat().st_mtime_ns >= source.stat().st_mtime_ns:
        return False
    # Renamed into place, so that a starting server reads the old catalogue or the new one, and
    # named by the process, since several may compile at once.
    partial = source.with_suffix(f".mo.{getpid()}")
    polib.pofile(str(source)).save_as_mofile(str(partial))
    partial.replace(target)
    return True
