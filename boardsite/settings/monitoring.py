"""Metrics and logs."""

from __future__ import annotations

import os

from boardsite.environment import env, env_bool, metrics_folder
from boardsite.settings.base import DATA_DIR

# All processes of this machine count metrics in one folder. Without a token nothing is counted.
METRICS_TOKEN = env("BOARDSITE_METRICS_TOKEN")
if METRICS_TOKEN:
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(metrics_folder(DATA_DIR / "metrics"))

# One log line per request, without the tokens of invitations; a proxy may log requests instead.
ACCESS_LOG = env_bool("BOARDSITE_ACCESS_LOG", default=False)
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"redacting": {"()": "boardsite.logs.RedactingFormatter"}},
    "filters": {"outages": {"()": "boardsite.logs.OutageFilter"}},
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "redacting",
            "filters": ["outages"],
        }
    },
    # For all loggers, those of uvicorn too, which is told not to configure its own.
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "django": {"level": "WARNING"},
        "django.server": {"handlers": [], "propagate": True},
        "uvicorn": {"level": "WARNING"},
        "uvicorn.access": {"level": "INFO"},
        # The pool logs every attempt to connect, but the failing request is logged already.
        "psycopg.pool": {"level": "ERROR"},
    },
}
