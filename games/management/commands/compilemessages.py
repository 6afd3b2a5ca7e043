"""``manage.py compilemessages`` without the gettext package: the catalogues, compiled in Python.

Compiled catalogues are not kept in the repository. `make play` and the tests compile them,
which takes a fraction of a second, so that a translation cannot be older than its source.
"""

from __future__ import annotations

from os import getpid
from pathlib import Path
from typing import Any

import polib
from django.conf import settings
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    """Compile every catalogue in LOCALE_PATHS whose source is newer."""

    help = "Compiles the translations (needs no gettext)."

    def handle(self, **options: Any) -> None:
        for source in (path for folder in settings.LOCALE_PATHS for path in find(Path(folder))):
            if compile_catalogue(source) and options["verbosity"]:
                self.stdout.write(f"Compiled {source}")


def find(folder: Path) -> list[Path]:
    """The sources of the catalogues in a ``locale`` folder."""
    return sorted(folder.glob("*/LC_MESSAGES/*.po"))


def compile_catalogue(source: Path) -> bool:
    """Compile a ``.po`` file beside itself; False when that was done already."""
    target = source.with_suffix(".mo")
    if target.exists() and target.stat().st_mtime_ns >= source.stat().st_mtime_ns:
        return False
    # Written aside and then renamed: a server that starts now reads the old one or the new one.
    # Several processes may be at it at once.
    partial = source.with_suffix(f".mo.{getpid()}")
    polib.pofile(str(source)).save_as_mofile(str(partial))
    partial.replace(target)
    return True
