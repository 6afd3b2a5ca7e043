"""A restore drill: play while Litestream copies, lose the disk, restore, and compare.

    .venv/bin/python deploy/restore_drill.py [--litestream /usr/local/bin/litestream]
    .venv/bin/python deploy/restore_drill.py --postgres postgres://user:password@host/postgres

With --record the result is noted in the database of the site, whose age is in /health/ready/ and in
the metrics: run it with the site's settings (deploy/manage).

With --postgres it makes a database of its own on that server, backs it up with pg_dump, drops it
and restores it. The user needs the right to create databases, and pg_dump and pg_restore are needed
on this machine.

Every game is replayed, and a player returns to a seat. The drill works in a temporary folder on a
database of its own, with deploy/litestream.yml unchanged, and does not touch the site's data. The
whole data folder is lost; the secret key comes from the environment, as with deploy/boardsite.env.
It prints the numbers of moves: with Litestream those of the last second may be lost, but none after
a clean shutdown.
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
from urllib.parse import urlsplit

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
    parser.add_argument("--postgres", metavar="URL", default="")
    parser.add_argument("--record", action="store_true", help="note the result at the site")
    parser.add_argument("--come-back", nargs=2, metavar=("GAME", "COOKIE"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    if arguments.come_back:
        return come_back(*arguments.come_back)
    if arguments.record:
        return record([argument for argument in sys.argv[1:] if argument != "--record"])
    if arguments.postgres:
        with tempfile.TemporaryDirectory() as folder:
            return drill_postgres(arguments.postgres, Path(folder))
    if not shutil.which(arguments.litestream):
        sys.exit(
            f"There is no {arguments.litestream} here: install Litestream, or pass --litestream."
        )
    with tempfile.TemporaryDirectory() as folder:
        return drill(arguments.litestream, Path(folder))


def record(arguments: list[str]) -> int:
    """Run the drill in a process of its own, and note its result in the site's own database."""
    failed = subprocess.run([sys.executable, __file__, *arguments], check=False).returncode
    note = (
        "import django; django.setup();"
        "from games.services.verification import note_restore_drill;"
        f"note_restore_drill(succeeded={not failed})"
    )
    settings = {**os.environ, "DJANGO_SETTINGS_MODULE": "boardsite.settings"}
    subprocess.run([sys.executable, "-c", note], check=True, cwd=ROOT, env=settings)
    return failed


def environment_of(data: Path, **more: str) -> dict[str, str]:
    """Set the environment variables of a site with its own data, and return the environment."""
    data.mkdir()
    own = {
        "BOARDSITE_DATA": str(data),
        # Unset, so that the drill leaves the site's own database alone.
        "DATABASE_URL": "",
        "REDIS_URL": "",
        "BOARDSITE_SECRET": secrets.token_hex(32),
        "DJANGO_SETTINGS_MODULE": "boardsite.settings",
        **more,
    }
    os.environ.update(own)
    return dict(os.environ)


def drill(litestream: str, folder: Path) -> int:
    data, replica = folder / "data", folder / "replica"
    environment = environment_of(data, BOARDSITE_REPLICA=f"file://{replica}")
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
    seated = is_seated(played, environment)
    return report(database, played.moves, seated)


def is_seated(played: Played, environment: dict[str, str]) -> bool:
    """Return whether a new process, which has cached nothing, still knows the player."""
    returns = [sys.executable, __file__, "--come-back", played.game_id, played.cookie]
    return subprocess.run(returns, check=False, cwd=ROOT, env=environment).returncode == 0


def drill_postgres(server: str, folder: Path) -> int:
    """Back up a new database on the server with pg_dump, drop it, restore and compare it."""
    import psycopg

    name, dump = f"boardsite_drill_{secrets.token_hex(4)}", str(folder / "site.dump")
    url = urlsplit(server)._replace(path=f"/{name}").geturl()
    environment = environment_of(folder / "data", DATABASE_URL=url)
    restore = ["pg_restore", "--no-owner", "--exit-on-error", "--dbname", url, dump]
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
        try:
            run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], environment)
            played = play()
            run(["pg_dump", "--format", "custom", "--file", dump, url], environment)
            connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
            connection.execute(f"CREATE DATABASE {name}")
            run(restore, environment)
            run([sys.executable, "manage.py", "verify_games"], environment)
            seated = is_seated(played, environment)
            with psycopg.connect(url) as restored:
                [found] = restored.execute("SELECT count(*) FROM games_move").fetchone() or [0]
        finally:
            connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
    return tell(played.moves, found, "restored", seated)


def play() -> Played:
    """Play random games through the services and return their numbers."""
    import django

    django.setup()
    from django.conf import settings
    from django.db import connections
    from django.http import HttpResponse

    from games.core.registry import all_rules
    from games.services import players, setup
    from games.services.play import play_move
    from games.state.snapshot import read_snapshot
    from games.web.player_cookie import set_player_cookie

    rng, moves = Random(1), 0
    player = players.new_player(name="Drill")
    kinds = list(all_rules().values())
    for number in range(GAMES):
        rules = kinds[number % len(kinds)]
        seats = {spec.key: "me" for spec in rules.seats(rules.clean({}))}
        game = setup.create_game(
            player=player, new=setup.NewGame(rules=rules, options={}, seating=seats), rng=rng
        )
        for _ in range(PLIES):
            game.refresh_from_db()
            if game.over:
                break
            position = read_snapshot(game.id).position
            seat = rng.choice(sorted(position.to_move()))
            move = rng.choice(sorted(position.legal_moves(seat)))
            play_move(game_id=game.id, seat=seat, text=move, ply=game.ply, player=player)
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

    from games.state.snapshot import read_snapshot
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
    status = tell(acknowledged, found, f"restored, integrity: {sound}", seated)
    return status if sound == "ok" else 1


def tell(acknowledged: int, found: int, state: str, seated: bool) -> int:
    """Print the result of the restore, and return the exit status."""
    print(f"{acknowledged} moves acknowledged, {found} {state}")
    print("A player still has the seat." if seated else "A player is not known any more.")
    return 0 if found == acknowledged and seated else 1


if __name__ == "__main__":
    sys.exit(main())
