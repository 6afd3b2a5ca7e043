"""Fixtures and marks of all tests: compiled translations, players, the site process, a browser.

Tests with the `page` or `browser` fixture are marked `browser` and run last. They need a Chromium
(`python -m scripts.chromium`); without one they are skipped, and fail if CI=true. Tests that wait
for processes run first, so that no worker of pytest-xdist is left alone with a long one at the end.

Tests of a database, the site process or a bus are marked `services`: `make test-services` runs
them again on PostgreSQL and Redis. Both marks follow from a test's fixtures and imports.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings as site_settings
from django.core.management import call_command
from django.test import Client
from django.utils import translation
from hypothesis import HealthCheck, settings
from playwright.sync_api import expect

from games.core.registry import all_rules, computer_module
from games.services import clocks
from scripts import chromium
from tests.support.browser.play import TIMEOUT_MS
from tests.support.moments import Now
from tests.support.players import Person, new_person
from tests.support.servers.site_process import serve, share_static
from tests.support.staff import log_in_staff

# A deadline would make the tests depend on the speed of the machine.
settings.register_profile("boardsite", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("boardsite")

DATABASE_FIXTURES = {"db", "transactional_db", "site", "site_data"}
SLOW_FOLDERS = {"live", "ops", "server"}
BROWSER_FIXTURES = {"page", "browser", "context", "new_context"}
LAUNCH = [
    "--no-sandbox",  # Chromium refuses to start as root with it
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def is_worker(config: pytest.Config) -> bool:
    """Return whether this process is one of pytest-xdist's workers."""
    return hasattr(config, "workerinput")


def has_computer(slug: str) -> bool:
    """Return whether a game's folder has a computer player."""
    return find_spec(f"games.{slug}.computer") is not None


def pytest_configure(config: pytest.Config) -> None:
    """Compile the computer players before the tests, in opposite orders on even and odd workers.

    Compiling all of them takes a new clone half a minute. Workers that compile the same player at
    the same time would both do the work, and then find the other's in numba's cache.
    """
    if is_worker(config):
        known = all_rules().items()
        # A missing computer player fails a test, with a message that explains it.
        slugs = [slug for slug, rules in known if rules.levels and has_computer(slug)]
        is_odd = config.workerinput["workerid"][-1] in "13579"
        for slug in reversed(slugs) if is_odd else slugs:
            computer_module(slug)


def is_browser_file(path: Path) -> bool:
    """Return whether a test file may open pages in a browser, by its folder or its name."""
    return "browser" in {*path.parts, *path.stem.split("_")}


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Skip files without browser tests under ``-m browser``, because importing them takes long."""
    browser_only = config.option.markexpr == "browser" and collection_path.suffix == ".py"
    return True if browser_only and not is_browser_file(collection_path) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Set the marks `browser` and `services`, and sort the tests: slow folders, others, browser."""
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        if BROWSER_FIXTURES & fixtures:
            if not is_browser_file(item.path):
                raise pytest.UsageError(f"{item.nodeid} belongs in tests/browser")
            item.add_marker("browser")
        if DATABASE_FIXTURES & fixtures or item.get_closest_marker("django_db") or _is_live(item):
            item.add_marker("services")
    items.sort(key=lambda item: (_is_browser_test(item), item.path.parent.name not in SLOW_FOLDERS))


def _is_live(item: pytest.Item) -> bool:
    """Return whether a test's file imports a process of the site, the streams or a bus."""
    names = vars(getattr(item, "module", None) or pytest).values()
    origins = {str(getattr(value, "__module__", "")) for value in names}
    processes = {"tests.support.servers.site_process", "tests.support.servers.worker_process"}
    return not origins.isdisjoint({*processes, "games.bus"}) or any(
        origin.startswith(("games.live.", "games.bus.")) for origin in origins
    )


def _is_browser_test(item: pytest.Item) -> bool:
    return item.get_closest_marker("browser") is not None


@cache
def _missing() -> str:
    return " and ".join(chromium.missing())


def pytest_runtest_setup(item: pytest.Item) -> None:
    if _is_browser_test(item) and _missing():
        stop = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        stop(f"there is no {_missing()}: run `python -m scripts.chromium` for help")


@pytest.fixture(scope="session", autouse=True)
def compiled_translations() -> None:
    call_command("compilemessages", verbosity=0)


@pytest.fixture(autouse=True)
def site_language() -> Iterator[None]:
    """Begin each test in the site's own language: a request leaves its own active behind it."""
    with translation.override(site_settings.LANGUAGE_CODE):
        yield


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> Now:
    """Return the moment at which the services' clocks stand still."""
    moment = Now()
    monkeypatch.setattr(clocks, "now_ms", lambda: moment.ms)
    return moment


@pytest.fixture
def owner(db: None) -> Person:
    """Return the creator of the game."""
    return new_person("Olive")


@pytest.fixture
def opponent(db: None) -> Person:
    """Return the holder of the second seat."""
    return new_person("Otto")


@pytest.fixture
def stranger(db: None) -> Person:
    """Return a player without a seat."""
    return new_person("Stan")


@pytest.fixture
def clerk(db: None) -> Client:
    """Return a client of staff with the permissions to view games, moves and players."""
    return log_in_staff("view_game", "view_move", "view_player")


@pytest.fixture(scope="session")
def site_data(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the data folder of `site`. Its static files are shared by all workers of a run."""
    data = tmp_path_factory.mktemp("site")
    if is_worker(request.config):
        shared = tmp_path_factory.getbasetemp().parent / "shared"
        for name in ("static", "bundles"):
            (shared / name).mkdir(parents=True, exist_ok=True)
        share_static(data, shared)
    return data


@pytest.fixture(scope="session")
def site(site_data: Path) -> Iterator[str]:
    """Run the site in a process with its own database, and yield its address."""
    shared = (site_data / "static").resolve().parent
    with ExitStack() as stack:
        with (shared / "lock").open("w") as lock:
            # One worker collects the static files, and the others wait and use them.
            fcntl.flock(lock, fcntl.LOCK_EX)
            address = stack.enter_context(serve(site_data))
        yield address


@pytest.fixture(scope="session")
def base_url(site: str) -> str:
    """Return the address that `page.goto("/")` opens."""
    return site


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, Any],
) -> dict[str, Any]:
    """Return how Chromium is started, and let all assertions about pages wait `TIMEOUT_MS`."""
    expect.set_options(timeout=TIMEOUT_MS)
    # Playwright leaves an event loop in this thread, and Django refuses database queries there.
    # They are safe: the loop runs only while Playwright is called.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    return {**browser_type_launch_args, "executable_path": chromium.find(), "args": LAUNCH}
