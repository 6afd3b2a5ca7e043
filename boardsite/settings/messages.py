"""E-mails, notices, metrics and logs."""

from __future__ import annotations

import os

from boardsite.environment import (
    check_push_key,
    env,
    env_bool,
    env_sender,
    metrics_folder,
    parse_smtp_url,
)
from boardsite.secret import stored_push_key
from boardsite.settings.base import ALLOWED_HOSTS, DATA_DIR, HTTPS, PORT

# Nothing about e-mail is offered without a mail server.
HAS_EMAIL = bool(env("BOARDSITE_SMTP"))
if HAS_EMAIL:
    _smtp = parse_smtp_url(env("BOARDSITE_SMTP"))
    EMAIL_HOST, EMAIL_PORT = _smtp["EMAIL_HOST"], _smtp["EMAIL_PORT"]
    EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _smtp["EMAIL_HOST_USER"], _smtp["EMAIL_HOST_PASSWORD"]
    EMAIL_USE_TLS, EMAIL_USE_SSL = _smtp["EMAIL_USE_TLS"], _smtp["EMAIL_USE_SSL"]
    DEFAULT_FROM_EMAIL = SERVER_EMAIL = env_sender("BOARDSITE_MAIL_FROM")
# Seconds to wait for each answer of the mail server; only a worker's threads wait.
EMAIL_TIMEOUT = 10
# Seconds for which the links in e-mails work.
PASSWORD_RESET_TIMEOUT = 3600

PUSH_KEY = check_push_key(env("BOARDSITE_PUSH_KEY") or stored_push_key(DATA_DIR))
PUSH_CONTACT = env("BOARDSITE_PUSH_CONTACT", f"https://{ALLOWED_HOSTS[0].lstrip('.')}")
OPEN_SEATS_HOOK = env("BOARDSITE_OPEN_SEATS_HOOK")
# For links in messages that no request has asked for.
_host = ALLOWED_HOSTS[0].lstrip(".")
_port = "" if PORT == 443 else f":{PORT}"
SITE_ADDRESS = f"https://{_host}{_port}" if HTTPS else f"http://{_host}"
PRIVATE_ORIGINS = env("BOARDSITE_PRIVATE_ORIGINS").split(",")


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
        # Security events, each a line that begins with "security:".
        "games.people.access": {"level": "INFO"},
        # The pool logs every attempt to connect, but the failing request is logged already.
        "psycopg.pool": {"level": "ERROR"},
    },
}
