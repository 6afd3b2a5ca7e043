"""The games app. Starting it loads every game, so that a broken game fails at the start."""

from django.apps import AppConfig
from django.core.checks import Tags, register
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("Games")

    def ready(self) -> None:
        """Load the registry, so that a broken game fails now, and register the checks."""
        from games.core.registry import all_rules
        from games.management.checks import check_files, check_history

        all_rules()
        register(check_files, "games")
        register(check_history, Tags.database)
