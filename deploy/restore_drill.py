"""A restore drill: play while Litestream copies, lose the disk, restore, and compare.

    .venv/bin/python deploy/restore_drill.py [--litestream /usr/local/bin/litestream]

Every game is replayed and a player returns to a seat. The drill works in a temporary folder on a
database of its own, with deploy/litestream.yml unchanged; the site's data are not touched. The
whole data folder is lost; the secret key comes from the environment, as from deploy/boardsite.env.
Prints the numbers of moves: those of the last second may be lost, none after a clean shutdown.
"""

from __future__ import annotations

import argparse
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
GAMES, PLIES = 25, 20


class Played(NamedTuple):
    """The number of acknowledged moves, one of the games, and the cookie of its player."""

    moves: int
    game_id: str
    cookie: str


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--litestream", default="litestream")
    parser.add_argument("--come-back", nargs=2, metavar=("GAME", "COOKIE"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    if asked.come_back:
        return come_back(*asked.come_back)
    if not shutil.which(asked.litestream):
        sys.exit(f"There is no {asked.litestream} here: install Litestream, or pass --litestream.")
    with tempfile.TemporaryDirectory() as folder:
        return drill(asked.litestream, Path(folder))


def drill(litestream: str, folder: Path) -> int:
    data, replica = folder / "data", folder / "replica"
    data.mkdir()
    environment = {
        **os.environ,
        "BOARDSITE_DATA": str(data),
        # Unset, so that the drill leaves the site's own database alone.
        "DATABASE_URL": "",
        "REDIS_URL": "",
        "BOARDSITE_SECRET": secrets.token_hex(32),
        "BOARDSITE_REPLICA": f"file://{replica}",
        "DJANGO_SETTINGS_MODULE": "boardsite.settings",
    }
    os.environ.update(environment)
    run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], environment)
    config = ["-config", str(ROOT / "deploy" / "litestream.yml")]
    copier = subprocess.Popen([litestream, "replicate", *config], env=environment)
    time.sleep(2)
    played = play()
    time.sleep(2)
    copier.kill()
    copier.wait()
    shutil.move(data, folder / "lost")
    data.mkdir()
    database = str(data / "boardsite.sqlite3")
    run([litestream, "restore", *config, database], environment)
    run([sys.executable, "manage.py", "verify_games"], environment)
    # In a new process, which has cached nothing of the lost data.
    returns = [sys.executable, __file__, "--come-back", played.game_id, played.cookie]
    seated = subprocess.run(returns, check=False, cwd=ROOT, env=environment).returncode == 0
    return report(database, played.moves, seated)


def play() -> Played:
    """Play random games through the services and return their numbers."""
    import django

    django.setup()
    from django.conf import settings
    from django.db import connections
    from django.http import HttpResponse

    from games import services
    from games.registry import all_rules
    from games.snapshot import read_snapshot
    from games.web.player_cookie import set_player_cookie

    rng, moves = Random(1), 0
    player = services.new_player(name="Drill")
    kinds = list(all_rules().values())
    for number in range(GAMES):
        rules = kinds[number % len(kinds)]
        seats = {spec.key: "me" for spec in rules.seats(rules.clean({}))}
        game = services.create_game(player=player, rules=rules, options={}, seating=seats, rng=rng)
        for _ in range(PLIES):
            game.refresh_from_db()
            if game.over:
                break
            position = read_snapshot(game.id).position
            seat = rng.choice(sorted(position.to_move()))
            move = rng.choice(sorted(position.legal_moves(seat)))
            services.play_move(game_id=game.id, seat=seat, text=move, ply=game.ply, player=player)
            moves += 1
    connections.close_all()
    cookie = set_player_cookie(HttpResponse(), player).cookies[settings.PLAYER_COOKIE].value
    return Played(moves, game.id, cookie)


def come_back(game_id: str, cookie: str) -> int:
    """Return 0 if the browser with this cookie still has a seat in the game, else 1."""
    import django

    django.setup()

    from django.conf import settings
    from django.http import HttpRequest

    from games.snapshot import read_snapshot
    from games.web.player_cookie import read_player_id

    request = HttpRequest()
    request.COOKIES[settings.PLAYER_COOKIE] = cookie
    player_id = read_player_id(request)
    return 0 if player_id and read_snapshot(game_id).seats_of(player_id) else 1


def run(command: list[str], environment: dict[str, str]) -> None:
    subprocess.run(command, cwd=ROOT, env=environment, check=True)


def report(database: str, acknowledged: int, seated: bool) -> int:
    import sqlite3

    with sqlite3.connect(database) as connection:
        (found,) = connection.execute("SELECT count(*) FROM games_move").fetchone()
        (sound,) = connection.execute("PRAGMA integrity_check").fetchone()
    print(f"{acknowledged} moves acknowledged, {found} restored, integrity: {sound}")
    print("A player still has the seat." if seated else "A player is not known any more.")
    return 0 if found == acknowledged and sound == "ok" and seated else 1


if __name__ == "__main__":
    sys.exit(main())
