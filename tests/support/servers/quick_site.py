"""The settings of a site whose evaluations take little time: no test needs the best values."""

from __future__ import annotations

from django.apps import AppConfig

from boardsite.settings import *  # noqa: F403
from boardsite.settings import INSTALLED_APPS

SECONDS = {"SECONDS_A_HINT": 0.3, "SECONDS_A_PLY": 0.3, "SECONDS_A_REPLY": 0.1}
"""Less would often be over before the first value, on a machine with other tests."""
INSTALLED_APPS = [*INSTALLED_APPS, f"{__name__}.QuickSite"]


class QuickSite(AppConfig):
    """Shortens the evaluations of each process of the site."""

    name = __name__

    def ready(self) -> None:
        from games.worker import jobs

        for name, seconds in SECONDS.items():
            setattr(jobs, name, seconds)
