"""Databases of older versions are migrated with all their rows."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from itertools import count, product
from pathlib import Path
from typing import Any

import psycopg
import pytest

from scripts.services import find_postgres, postgres
from tests.support.repeats import SOAK
from tests.support.servers.site_process import ROOT, environment

DUMP = ".sqlite.sql.gz"
VERSIONS = sorted(file.name.removesuffix(DUMP) for file in Path(__file__).parent.glob(f"*/*{DUMP}"))
FILLED = [version for version in VERSIONS if version != "0.1"]
"""The versions whose databases `tests.support.filled_site` has made."""
VENDORS = ("sqlite", "postgresql")
OPENED = list(product(VENDORS, FILLED)) if SOAK else list(zip(VENDORS, FILLED, strict=False))
"""Each kind of database and each version once, with SOAK=1 all pairs: half a minute each."""
SECRET = "fifty random letters of the filled site, not a real one"
GOES: dict[str, tuple[str, str]] = {
    "games_apitoken": ("game_id IS NOT NULL", "tokens for one seat have ended"),
}
"""The rows that a migration may take away or change, and why: by table the condition of those that
go, or by table and column (``games_game.clock``) that of the rows in which it changes. ``TRUE``
stands for all rows. Everything else has to be found again."""
BOOKKEEPING = {"django_migrations", "django_content_type", "auth_permission", "sqlite_sequence"}
"""Tables that Django and SQLite fill themselves."""
LEFTOVERS = {("games_evaluation", "values"), ("games_evaluation", "summary")}
"""Empty columns of version 0.1: dropping them would have copied the largest table."""

COLUMNS = {
    "sqlite": """SELECT t.name, c.name, c.type, c."notnull", c.pk
        FROM sqlite_master t JOIN pragma_table_info(t.name) c WHERE t.type = 'table'""",
    "postgresql": """SELECT table_name, column_name, data_type, character_maximum_length,
        is_nullable, column_default FROM information_schema.columns
        WHERE table_schema = 'public'""",
}
INDEXES = {
    "sqlite": """SELECT t.name, i."unique", i.partial, i.origin,
        (SELECT group_concat(coalesce(name, '')) FROM pragma_index_info(i.name))
        FROM sqlite_master t JOIN pragma_index_list(t.name) i WHERE t.type = 'table'""",
    "postgresql": """SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'""",
}
FOREIGN_KEYS = {
    "sqlite": """SELECT t.name, k."from", k."table", k."to"
        FROM sqlite_master t JOIN pragma_foreign_key_list(t.name) k WHERE t.type = 'table'""",
    "postgresql": """SELECT conrelid::regclass::text, pg_get_constraintdef(oid)
        FROM pg_constraint WHERE connamespace = 'public'::regnamespace""",
}

NewDatabase = Callable[..., "Database"]


class Database:
    """An empty database of one kind, in which programs run and which a test may read."""

    def __init__(self, vendor: str, url: str, data: Path) -> None:
        self.vendor, self.url, self._data = vendor, url, data
        data.mkdir(exist_ok=True)

    def start(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        own = {"DATABASE_URL": self.url, "BOARDSITE_SECRET": SECRET}
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=environment(self._data, **own, **variables),
            capture_output=True,
            text=True,
            check=False,
        )

    def run(self, *arguments: str, **variables: str) -> str:
        done = self.start(*arguments, **variables)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def verified_games(self) -> int:
        """Return the number of games. No other faults are found than those that are marked."""
        ((marked,),) = self.query("SELECT count(*) FROM games_game WHERE fault IS NOT NULL")
        verified = self.start("manage.py", "verify_games").stdout
        assert f", {marked} faults, " in verified
        return int(verified.split()[0])

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        path = self.url.removeprefix("sqlite:///")
        raw: Any = sqlite3 if self.vendor == "sqlite" else psycopg
        connection = raw.connect(path if self.vendor == "sqlite" else self.url)
        try:
            rows = connection.execute(sql).fetchall()
            connection.commit()
            return rows
        finally:
            connection.close()

    def columns(self) -> dict[str, list[str]]:
        """Return the columns by table, without the tables that are no version's own."""
        columns: dict[str, list[str]] = {}
        for table, name, *_ in sorted(self.query(COLUMNS[self.vendor])):
            if table not in BOOKKEEPING:
                columns.setdefault(table, []).append(f'"{name}"')
        return columns

    def rows(self, columns: dict[str, list[str]]) -> dict[str, list[str]]:
        """Return the values that have to stay in all rows that have to stay, as text."""
        rows: dict[str, list[str]] = {}
        for table, names in columns.items():
            goes, _why = GOES.get(table, ("FALSE", ""))
            kept = ", ".join(self._kept(table, name) for name in names)
            found = self.query(f'SELECT {kept} FROM "{table}" WHERE NOT ({goes})')
            rows[table] = sorted(map(str, found))
        return rows

    def _kept(self, table: str, name: str) -> str:
        changes, _why = GOES.get(f"{table}.{name}".replace('"', ""), ("FALSE", ""))
        return f"CASE WHEN {changes} THEN NULL ELSE {name} END"

    def schema(self) -> set[tuple[Any, ...]]:
        parts = (COLUMNS, INDEXES, FOREIGN_KEYS)
        rows = {row for sql in parts for row in self.query(sql[self.vendor])}
        return {row for row in rows if row[:2] not in LEFTOVERS}


@pytest.fixture(scope="module", params=VENDORS)
def new_database(request, tmp_path_factory) -> Iterator[NewDatabase]:
    """Return a function that makes a database, empty or a copy of another one."""
    vendor, folder, names = request.param, tmp_path_factory.mktemp("databases"), map(str, count())
    if vendor == "sqlite":

        def create_file(like: Database | None = None) -> Database:
            path = folder / next(names)
            if like:
                shutil.copy(like.url.removeprefix("sqlite:///"), path)
            return Database(vendor, f"sqlite:///{path}", folder / "data")

        yield create_file
        return
    if find_postgres() is None:
        pytest.skip("PostgreSQL is not installed")
    with postgres() as (url, _), psycopg.connect(url, autocommit=True) as admin:

        def create(like: Database | None = None) -> Database:
            name, template = next(names), like.url.rpartition("/")[2] if like else "template1"
            admin.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
            return Database(vendor, f"{url.rpartition('/')[0]}/{name}", folder / "data")

        yield create


@pytest.fixture(scope="module")
def schema_of_today(new_database) -> set[tuple[Any, ...]]:
    database = new_database()
    database.run("manage.py", "migrate", "--verbosity", "0")
    return database.schema()


WAITING, CLAIMED = (
    f"""SELECT kind, game_id, ply, name, replace(CAST(player_id AS text), '-', '')
    FROM games_pendingnotice WHERE game_id IS NOT NULL AND claimed IS {null}"""
    for null in ("NULL", "NOT NULL")
)
TOLD = "SELECT game_id, replace(CAST(player_id AS text), '-', '') FROM games_toldturn"
REQUESTED = "SELECT typed FROM games_emailrequest"
NO_MOVES_SINCE = "UPDATE games_move SET played = '2026-01-01 00:00:00' RETURNING id"


class Older:
    """A migrated database of an older version, and its rows before."""

    def __init__(self, database: Database, version: str) -> None:
        self.database = database
        self.games = database.run("-m", "tests.support.old_database", version).split()
        if version in FILLED:
            assert database.query(NO_MOVES_SINCE)
            self.letters = [*map(database.query, (WAITING, CLAIMED, TOLD, REQUESTED))]
            assert all(self.letters)
        self.columns = database.columns()
        self.rows = database.rows(self.columns)
        database.run("manage.py", "migrate", "--verbosity", "0")


@pytest.fixture(scope="module")
def older(new_database) -> Callable[[str], Older]:
    """Return a function that migrates the database of a version, once for all tests."""
    return cache(lambda version: Older(new_database(), version))


@pytest.mark.parametrize("version", VERSIONS)
def test_a_database_of_an_older_version_keeps_its_rows_and_gets_the_tables_of_today(
    older, schema_of_today, version
):
    old = older(version)
    assert all(rows for table, rows in old.rows.items() if table.startswith("games_"))
    assert old.database.rows(old.columns) == old.rows
    assert old.database.schema() ^ schema_of_today == set()
    assert old.database.verified_games() == len(old.games)


@pytest.mark.parametrize(("new_database", "version"), OPENED, indirect=["new_database"])
def test_everything_in_a_database_of_an_older_version_opens(new_database, older, version):
    database = new_database(older(version).database)
    settings = {"DJANGO_SETTINGS_MODULE": "tests.settings"}
    assert database.run("-m", "tests.support.old_database", version, "--open", **settings) == ""


@pytest.mark.parametrize("version", FILLED)
def test_the_letters_of_an_older_version_are_sent_once_unless_they_were_claimed(
    new_database, older, version
):
    database = new_database(older(version).database)
    waiting, claimed, told, requested = older(version).letters
    settings = {"DJANGO_SETTINGS_MODULE": "tests.settings"}
    send = ("-m", "tests.support.old_database", version, "--send")
    lines = database.run(*send, **settings).splitlines()
    letters = [line.split("|") for line in lines]
    events = [letter[1:] for letter in letters if letter[0] == "hook" and letter[1] != "turn"]
    by_mail = [letter[1:] for letter in letters if letter[0] == "email"]
    turns = [(game, player) for _, kind, game, *_, player in letters if kind == "turn"]
    tests, expected = ["test", "None", "0", ""], sorted([*map(str, row)] for row in waiting)
    assert sorted(event for event in events if event[:-1] != tests) == expected
    assert not {*map(tuple, events + by_mail)} & {tuple(map(str, row)) for row in claimed}
    assert turns and not {*turns} & {*told}
    asked = [letter[3] for letter in by_mail if letter[0] in {"confirm", "password", "test"}]
    assert sorted(asked) == sorted(typed for (typed,) in requested)
    assert database.run(*send, **settings) == ""
    # Games and players go, although the tables before still point to them.
    program = "from games.models import Game, Player\nfor model in (Game, Player): "
    database.run("manage.py", "shell", "-c", f"{program}model.objects.all().delete()")


@pytest.mark.parametrize(
    ("migration", "first", "command"),
    [
        ("0001_initial", "version 0.1", "migrate"),
        ("0041_freeing", "commit 340ae3ab", "migrate"),
        ("0041_freeing", "commit 340ae3ab", "serve --port 0"),
        ("0041_freeing", "commit 340ae3ab", "verify_games"),
    ],
)
def test_a_database_between_two_versions_is_refused_with_the_one_to_start_first(
    tmp_path, migration, first, command
):
    database = Database("sqlite", f"sqlite:///{tmp_path / 'between'}", tmp_path / "data")
    with closing(sqlite3.connect(tmp_path / "between")) as raw:
        raw.execute("CREATE TABLE django_migrations (id integer PRIMARY KEY, app, name, applied)")
        row = "INSERT INTO django_migrations (app, name, applied) VALUES ('games', ?, ?)"
        raw.execute(row, [migration, "2026-11-01 12:00:00"])
        raw.commit()
    done = database.start("manage.py", *command.split())
    assert done.returncode == 1
    assert f"start {first} of the site with it once" in done.stderr
    assert "Traceback" not in done.stderr
