"""Measure the page of a game by its number of moves: ``python -m benchmarks.opening``.

For every kind of game it takes the longest of some random games over all of its options, and the
same game after 6 moves. Cold means that nothing is cached, as after a start of the site, so that
all moves are replayed; warm is the same request again. Times are medians, through all of Django but
without the network, on a SQLite file of its own.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from pathlib import Path
from random import Random

import django

SHORT = 6
TIMES = 9


def main() -> None:
    """Measure all kinds of games."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(BOARDSITE_DATA=folder, DJANGO_SETTINGS_MODULE="boardsite.settings")
        os.environ["DATABASE_URL"] = f"sqlite:///{Path(folder) / 'boardsite.sqlite3'}"
        django.setup()
        from django.core.management import call_command

        from games.core.registry import all_rules

        call_command("migrate", verbosity=0)
        call_command("collectstatic", verbosity=0, interactive=False)
        for kind in all_rules():
            for plies in (SHORT, 5000):
                _measure(kind, plies)


def _measure(kind: str, most: int) -> None:
    from django.test import Client

    from games.storage.cache import clear_all

    path, plies = _stored(kind, most)
    browser = Client(HTTP_HOST="localhost")
    times: dict[str, list[float]] = {"cold": [], "warm": []}
    browser.get(path)
    for _ in range(TIMES):
        clear_all()
        for state in times.values():
            began = time.perf_counter()
            answer = browser.get(path)
            state.append(time.perf_counter() - began)
            if answer.status_code != 200:
                raise RuntimeError(f"{path}: {answer.status_code}")
    cold, warm = (statistics.median(state) * 1e3 for state in times.values())
    print(f"{kind:<12} {plies:>4} plies: cold {cold:>6.1f} ms, warm {warm:>5.1f} ms", flush=True)


def _stored(kind: str, most: int) -> tuple[str, int]:
    """Store a game and return its address and its number of moves."""
    from games.core.registry import all_rules
    from games.core.seating import Seating
    from games.models import Move
    from games.services import players, setup
    from games.services.play import save_position
    from games.state.snapshot import Standing, read_snapshot
    from games.storage.write_lock import write_transaction
    from tests.support.random_games import play_randomly, variants

    rules = all_rules()[kind]
    tries = [
        (variant, seed, len(play_randomly(variant.start(seed), Random(seed))))
        for variant in variants(rules)
        for seed in (1, 2)
    ]
    variant, seed, _ = max(tries, key=lambda tried: tried[2])
    seating = dict.fromkeys(variant.seats(), "me")
    game = setup.create_game(
        player=players.new_player(),
        new=setup.NewGame(rules=rules, options=variant.options, seating=seating),
        rng=Random(seed),
    )
    position = read_snapshot(game.id).at(0).copy()
    played = play_randomly(position, Random(seed), most)
    with write_transaction():
        Move.objects.bulk_create(
            Move(game=game, ply=ply, seat=seat, text=move)
            for ply, (seat, move) in enumerate(played, 1)
        )
        save_position(game, Standing.of(position), len(played), Seating({}))
    return game.get_absolute_url(), len(played)


if __name__ == "__main__":
    main()
