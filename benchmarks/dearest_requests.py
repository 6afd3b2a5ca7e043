"""Print the requests that take most processor time: ``python -m benchmarks.dearest_requests [N]``.

Each kind of game is played to its end at random, on its largest board. All addresses that can be
opened are opened by its player, twice: the first time nothing is cached but templates. Times are
thread CPU times (``time.thread_time``), which a busy machine changes little; work in the slot
(`boardsite/server/slot.py`) is counted as it would be in a page's thread.
"""

from __future__ import annotations

import logging
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import django

from tests.support.servers.site_process import environment

SHOWN = 25
"""Rows of the table, unless the command names another number."""
MS_OF_A_PAGE = 300
"""The most that a page's thread may spend on a request."""


def main() -> None:
    """Fill a site of its own, open its addresses, print the table."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(
            environment(Path(folder)), BOARDSITE_HOSTS="testserver", BOARDSITE_RATE_LIMITS="0"
        )
        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        call_command("collectstatic", verbosity=0, interactive=False)
        rows = sorted(_measured(), reverse=True)
    print("| request | ms | again | bytes |\n|---|---|---|---|")
    for first, again, path, size in rows[: int(sys.argv[1]) if sys.argv[1:] else SHOWN]:
        print(f"| `{path}` | {first:.0f} | {again:.0f} | {size:,} |")
    over = sum(row[0] > MS_OF_A_PAGE for row in rows)
    print(f"\n{len(rows)} requests, {over} of them above {MS_OF_A_PAGE} ms")


def _measured() -> Iterator[tuple[float, float, str, int]]:
    from boardsite.server.uvicorn_server import load
    from games.core.registry import all_rules
    from tests.support.game_factory import make_largest_game
    from tests.support.players import new_person

    logging.disable()
    load()
    person = new_person("owner")
    person.client.get("/me/")
    games = {rules.slug: make_largest_game(person, rules) for rules in all_rules().values()}
    for path, fields in _requests(games):
        first, again = (_open(person, path, fields) for _ in range(2))
        if first[2] == 200:
            yield first[0], again[0], ("POST " if fields else "") + path, first[1]


def _open(person: Any, path: str, fields: dict[str, str]) -> tuple[float, int, int]:
    began = time.thread_time()
    response = person.client.post(path, fields) if fields else person.client.get(path)
    size = len(response.getvalue())
    return 1000 * (time.thread_time() - began), size, response.status_code


def _requests(games: dict[str, Any]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield the paths that can be made of the addresses of the site, and the fields of a POST."""
    from django.urls import get_resolver

    from games.classes.recording import all_exercises
    from games.exchange.reading import LONGEST

    exercises = [exercise.slug for _rules, exercise in all_exercises()]
    for pattern in get_resolver("games.urls").url_patterns:
        names = [*getattr(pattern.pattern, "converters", ())]
        slugs = exercises if getattr(pattern, "name", "") == "exercise" else [*games]
        ways: dict[tuple[str, ...], list[dict[str, Any]]] = {
            (): [{}],
            ("slug",): [{"slug": slug} for slug in slugs],
            ("game_id",): [{"game_id": game.id} for game in games.values()],
            ("game_id", "ply"): [{"game_id": g.id, "ply": g.ply // 2} for g in games.values()],
            ("game_id", "slug"): [
                {"game_id": game.id, "slug": slug}
                for game in games.values()
                for slug in ("txt", "json", "transcript", "ggf", "sgf")
            ],
        }
        route = str(pattern.pattern)
        for values in ways.get(tuple(names), ()):
            path = "/" + route
            for name in names:
                kind = {"game_id": "str", "ply": "int"}.get(name, "slug")
                path = path.replace(f"<{kind}:{name}>", str(values[name]))
            yield path, {}
    yield from (("/api/1/openapi.json", {}), ("/api/1/", {}))
    for rules, text in _texts(LONGEST):
        yield f"/import/?{rules.slug}", {"text": text}


def _texts(longest: int) -> Iterator[tuple[Any, str]]:
    """Yield transcripts of full length for the page of imports."""
    from games.core.registry import all_rules

    for rules in all_rules().values():
        if rules.transcript:
            line = rules.transcript.example + "\n\n"
            yield rules, line * min(100, longest // len(line))


if __name__ == "__main__":
    main()
