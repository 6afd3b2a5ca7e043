"""The database, and the threads that use it."""

from __future__ import annotations

from typing import Any

from boardsite.environment import env_int, env_redis_url
from boardsite.settings.base import DATABASE

# Python runs one thread at a time. Under an overload of moves the event loop, which sends boards,
# got a tenth of the time beside eight threads, and boards were seconds late; beside two threads
# they were 42 ms late (p99).
_database = dict(DATABASE)
_IS_POSTGRES = _database["ENGINE"].endswith("postgresql")
THREADS = env_int("BOARDSITE_THREADS", default=4 if _IS_POSTGRES else 2)
# SQLite has one writer at a time, so one thread is enough for moves. A thread of their own keeps
# moves that wait for the write lock from delaying pages.
GAME_THREADS = 4 if _IS_POSTGRES else 1
ADMIN_THREADS = 1

# SQLite ignores select_for_update(), so a writer takes its lock at the beginning (IMMEDIATE). With
# WAL readers never wait. NORMAL with games/storage/group_commit.py is as durable as FULL: an
# answered move survives a power cut.
_SQLITE: dict[str, Any] = {
    "transaction_mode": "IMMEDIATE",
    # Seconds until a writer gives up on another program's lock; see games/storage/write_lock.py.
    "timeout": 5,
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;",
}
# PostgreSQL: a connection for every thread (those of requests, two of the hub, two to spare). Each
# is checked before it is used, since a restarted server has cut them all. A thread that gets none
# in time raises instead of waiting for ever. During an outage the pool doubles its pauses between
# attempts, gives up after `reconnect_timeout`, and begins anew with the next request. The check
# also finds a server that hangs, so a request waits for at most two seconds.
_POSTGRES: dict[str, Any] = {
    "CONN_MAX_AGE": 0,
    "CONN_HEALTH_CHECKS": True,
    "OPTIONS": {
        "pool": {
            "min_size": 1,
            "max_size": THREADS + GAME_THREADS + ADMIN_THREADS + 4,
            "timeout": 1.5,
            "reconnect_timeout": 2,
        },
        "connect_timeout": 2,
        # Milliseconds until a server that no longer acknowledges data counts as gone.
        "tcp_user_timeout": 2_000,
        # Seconds of silence after which a waiting connection probes the server.
        "keepalives_idle": 5,
        "keepalives_interval": 2,
    },
}
if _IS_POSTGRES:
    from boardsite.postgres import BoundedConnection

    _POSTGRES["OPTIONS"]["pool"]["connection_class"] = BoundedConnection
    _database |= {**_POSTGRES, "OPTIONS": _POSTGRES["OPTIONS"] | _database.get("OPTIONS", {})}
else:
    _database["OPTIONS"] = _SQLITE
DATABASES: dict[str, Any] = {"default": _database}
REDIS_URL = env_redis_url("REDIS_URL")
