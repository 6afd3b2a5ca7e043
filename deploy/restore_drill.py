"""A restore drill: play while Litestream copies, lose the disk, restore, replay every game.

    .venv/bin/python deploy/restore_drill.py [--litestream /usr/local/bin/litestream]

Works in a temporary folder on its own database, with deploy/litestream.yml as it is; the site's own
data are not touched. Prints what was lost: the moves of the last second at most, none when the
machine was stopped in order.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

ROOT = Path(__file__).resolve().parent.parent
GAMES, PLIES = 25, 20


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--litestream", default="litestream")
    litestream = parser.parse_args().litestream
    with tempfile.TemporaryDirectory() as folder:
        return drill(litestream, Path(folder))


def drill(litestream: str, folder: Path) -> int:
    data, replica = folder / "data", folder / "replica"
    data.mkdir()
    environment = {
        **os.environ,
        "BOARDSITE_DATA": str(data),
        "BOARDSITE_REPLICA": f"file://{replica}",
        "DJANGO_SETTINGS_MODULE": "boardsite.settings",
    }
    os.environ.update(environment)
    sys.path.insert(0, str(ROOT))
    run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], environment)
    config = ["-config", str(ROOT / "deploy" / "litestream.yml")]
    copier = subprocess.Popen([litestream, "replicate", *config], env=environment)
    time.sleep(2)
    acknowledged = play()
    time.sleep(2)
    copier.kill()
    copier.wait()
    lost = folder / "lost"
    lost.mkdir()
    for path in data.glob("boardsite.sqlite3*"):
        shutil.move(path, lost / path.name)
    database = str(data / "boardsite.sqlite3")
    run([litestream, "restore", *config, database], environment)
    run([sys.executable, "manage.py", "verify"], environment)
    return report(database, acknowledged)


def play() -> int:
    """Play random games through the services; returns the moves that were acknowledged."""
    import django

    django.setup()
    from games import services
    from games.positions import position_at
    from games.registry import all_rules

    rng, moves = Random(1), 0
    player = services.new_player(name="Drill")
    kinds = list(all_rules().values())
    for number in range(GAMES):
        rules = kinds[number % len(kinds)]
        seats = {spec.key: "me" for spec in rules.seats(rules.clean({}))}
        game = services.create_game(player=player, rules=rules, options={}, seating=seats)
        for _ in range(PLIES):
            game.refresh_from_db()
            if game.over:
                break
            position = position_at(game, game.ply)
            seat = rng.choice(sorted(position.to_move()))
            move = rng.choice(list(position.legal_moves(seat)))
            services.play_move(game_id=game.id, seat=seat, text=move, ply=game.ply, player=player)
            moves += 1
    from django.db import connections

    connections.close_all()
    return moves


def run(command: list[str], environment: dict[str, str]) -> None:
    subprocess.run(command, cwd=ROOT, env=environment, check=True)


def report(database: str, acknowledged: int) -> int:
    import sqlite3

    with sqlite3.connect(database) as connection:
        (found,) = connection.execute("SELECT count(*) FROM games_move").fetchone()
        (sound,) = connection.execute("PRAGMA integrity_check").fetchone()
    print(f"{acknowledged} moves acknowledged, {found} restored, integrity: {sound}")
    return 0 if found == acknowledged and sound == "ok" else 1


if __name__ == "__main__":
    sys.exit(main())
