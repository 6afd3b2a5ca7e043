"""``manage.py makemessages``, which also collects the messages of the games' folders.

Pure modules do not use gettext: they wrap messages in ``text`` or ``ntext`` of games.contract. This
command adds these two keywords, and gives each game's folder a catalogue of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.commands import makemessages


class Command(makemessages.Command):
    """Django's command with more keywords, by default for every language of the site."""

    xgettext_options = [
        *makemessages.Command.xgettext_options,
        "--keyword=text:1",
        "--keyword=ntext:1,2",
    ]
    msgmerge_options = [*makemessages.Command.msgmerge_options, "--no-fuzzy-matching"]

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["locale"]:
            options["locale"] = [code for code, _ in settings.LANGUAGES if code != "en"]
        options["extensions"] = ["html", "jinja", "py", "txt"]
        # Without line numbers and wrapping a catalogue changes only when a message does.
        options.update(no_wrap=True, no_obsolete=True, add_location="file")
        options["ignore_patterns"] += ["tests", "scripts", "benchmarks", "var"]
        for folder in (Path(settings.BASE_DIR) / "games").glob("*/rules.py"):
            (folder.parent / "locale").mkdir(exist_ok=True)
        (Path(settings.BASE_DIR) / "locale").mkdir(exist_ok=True)
        super().handle(*args, **options)
