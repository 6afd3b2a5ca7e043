"""The games app. Starting it loads every game, so that a broken one is seen at once."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    """The one app of the site."""

    name = "games"
    verbose_name = _("Games")

    def ready(self) -> None:
        """Load the registry: a broken game stops the start and not a visitor's request."""
        from games.registry import all_rules

        all_rules()
