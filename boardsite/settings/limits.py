"""Limits of use, and the days after which rows are removed."""

from __future__ import annotations

from datetime import timedelta

from boardsite.environment import env_bool, env_int

# The time after which the others need not wait for a player any longer.
ABSENT_AFTER = timedelta(days=env_int("BOARDSITE_ABSENT_DAYS", default=7))
# Processor time per hour that an address may use for animations, large files and the like.
SLOT_SECONDS = env_int("BOARDSITE_SLOT_SECONDS", default=120)
# Computer players pause so that people see each of their moves; off for tests of many moves.
PACE_COMPUTERS = True
# Off for benchmarks. The figures are in `games.core.rate_limits`.
RATE_LIMITS = env_bool("BOARDSITE_RATE_LIMITS", default=True)
DATA_UPLOAD_MAX_MEMORY_SIZE = 64 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200

# Days since the last change after which `tidy` removes rows; 0: never.
KEEP_DAYS = {
    "games without a move": env_int("BOARDSITE_KEEP_EMPTY_GAMES", default=30, least=0),
    "running games": env_int("BOARDSITE_KEEP_RUNNING_GAMES", default=365, least=0),
    "finished games": env_int("BOARDSITE_KEEP_FINISHED_GAMES", default=0, least=0),
    "evaluations": env_int("BOARDSITE_KEEP_EVALUATIONS", default=90, least=0),
    "analyses": env_int("BOARDSITE_KEEP_EVALUATIONS", default=90, least=0),
    "players without games": env_int("BOARDSITE_KEEP_PLAYERS", default=365, least=0),
    "expired sessions": 1,
    "sent notices": 30,
    "sightings": 1,
}
