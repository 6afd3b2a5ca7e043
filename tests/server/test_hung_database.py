"""A PostgreSQL that accepts connections and answers nothing."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from boardsite.postgres import BoundedConnection
from scripts.services import Service, find_postgres, postgres
from tests.support.servers.http_client import HTTPClient
from tests.support.servers.site_process import Site, children, share_static

pytestmark = pytest.mark.services

PATIENCE = 60.0


@pytest.fixture
def database() -> Iterator[tuple[str, Service]]:
    if find_postgres() is None:
        pytest.skip("PostgreSQL is not installed")
    with postgres() as running:
        yield running


@pytest.fixture
def hung(database: tuple[str, Service]) -> Iterator[Service]:
    """Return a server that a test may `hang`; it goes on at the end, or it could not be stopped."""
    _, server = database
    yield server
    go_on(server)


def hang(server: Service) -> None:
    """Stop the server and all its processes. The kernel still accepts connections for it."""
    assert server.process
    # First the one that starts others.
    os.kill(server.process.pid, signal.SIGSTOP)
    for pid in children(server.process.pid):
        os.kill(pid, signal.SIGSTOP)


def go_on(server: Service) -> None:
    assert server.process
    for pid in [*children(server.process.pid), server.process.pid]:
        os.kill(pid, signal.SIGCONT)


def test_visitors_of_a_hung_server_get_a_sentence_and_can_come_back(
    database: tuple[str, Service], hung: Service, tmp_path: Path, site: str, site_data: Path
) -> None:
    share_static(tmp_path, site_data)
    running = Site(tmp_path, "--computers", "0", DATABASE_URL=database[0])
    try:
        client = HTTPClient(running.start())
        assert client.get("/").status == 200
        hang(hung)
        responses = [client.get("/") for _ in range(3)]
        assert {response.status for response in responses} == {503}
        assert "Try again in a moment" in responses[-1].text
        assert client.get("/health/").status == 200
        assert client.get("/health/ready/").status == 503
        go_on(hung)
        deadline = time.monotonic() + PATIENCE
        while client.get("/").status != 200:
            assert time.monotonic() < deadline
        assert "The database does not answer" in running.log()
        assert "Traceback" not in running.log()
    finally:
        running.stop()


def test_a_statement_without_an_answer_closes_its_connection(
    database: tuple[str, Service], monkeypatch: pytest.MonkeyPatch
) -> None:
    connection = BoundedConnection.connect(database[0])
    assert connection.execute("SELECT 1").fetchone() == (1,)
    monkeypatch.setattr(BoundedConnection, "patience", 0.1)
    with pytest.raises(psycopg.OperationalError):
        connection.execute("SELECT pg_sleep(60)")
    assert connection.closed
    with pytest.raises(psycopg.OperationalError):
        connection.execute("SELECT 1")


def test_a_statement_that_fails_leaves_its_connection_open(database: tuple[str, Service]) -> None:
    with BoundedConnection.connect(database[0], autocommit=True) as connection:
        with pytest.raises(psycopg.errors.UndefinedTable):
            connection.execute("SELECT * FROM nothing")
        assert connection.execute("SELECT 1").fetchone() == (1,)


def test_a_check_of_a_hung_server_ends(database: tuple[str, Service], hung: Service) -> None:
    connection = BoundedConnection.connect(database[0], autocommit=True)
    connection.execute("SELECT 1")
    hang(hung)
    with pytest.raises(psycopg.OperationalError):
        connection.execute("")
    assert connection.closed
