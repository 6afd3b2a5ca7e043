"""Fixtures and marks of all tests: compiled translations, players, the site process, a browser.

Three marks sort the tests, set by `FOLDER_MARKS` or in a file by `pytestmark`:

- `browser`: opens pages in Chromium, in folders named `browser`. Without a Chromium
  (`python -m scripts.chromium`) these tests are skipped, and fail if CI=true. Those in the folder
  `firefox` need a Firefox likewise (`python -m scripts.firefox`).
- `processes`: starts processes of the site or of its commands (`make test-processes`).
- `services`: `make test-services` runs these again on PostgreSQL and Redis: tests of rows, locks,
  transactions, buses and the worker. What a page or a rule shows does not depend on the database.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from random import Random, random
from typing import Any
from urllib.request import urlopen

import pytest
from django.conf import settings as site_settings
from django.core.management import call_command
from django.test import Client
from django.utils import translation
from hypothesis import HealthCheck, settings
from playwright.sync_api import expect

from games.core import rate_limits
from games.services import clocks, lobby, seeking, setup
from games.storage.cache import clear_all
from games.worker import jobs
from scripts import chromium
from tests.support.browser.play import TIMEOUT_MS
from tests.support.moments import Now
from tests.support.players import Person, new_person
from tests.support.repeats import EXAMPLES
from tests.support.servers import quick_site
from tests.support.servers.site_process import (
    START_TIMEOUT,
    keep_fresh_database,
    serve,
    share_static,
    use_fresh_database,
)
from tests.support.staff import log_in_staff

# A deadline would make the tests depend on the speed of the machine. CI tries the same examples
# each time, so that a failure is the change's; `make test` and `make soak` try others.
settings.register_profile(
    "boardsite",
    deadline=None,
    derandomize=os.environ.get("CI") == "true",
    max_examples=EXAMPLES,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("boardsite")

TESTS = Path(__file__).parent
FOLDER_MARKS = {
    "ops": "processes",
    "server": "processes",
    "storage": "services",
    "worker": "services",
}
"""The mark of all tests in a room. Folders named `browser` have theirs at any depth."""
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


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by their folders, and let those in a browser run last: Playwright leaves an event
    loop in its thread."""
    for item in items:
        folders = item.path.parent.parts[len(TESTS.parts) :]
        if folders and folders[0] in FOLDER_MARKS:
            item.add_marker(FOLDER_MARKS[folders[0]])
        if "browser" in folders:
            item.add_marker("browser")
    items.sort(key=_is_browser_test)


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


@pytest.fixture(autouse=True)
def short_evaluations(monkeypatch: pytest.MonkeyPatch) -> None:
    """Give evaluations in this process little time: no test of them needs the best values."""
    for name in quick_site.SECONDS:
        monkeypatch.setattr(jobs, name, jobs.SECONDS_A_GLANCE)


@pytest.fixture(autouse=True)
def repeatable_deals(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal and seat people by the seed that pytest-randomly prints: with ``--randomly-seed`` a test
    that failed gets the same cards again."""
    rng = Random(f"{random()} {request.node.nodeid}")
    for module in (lobby, seeking, setup):
        monkeypatch.setattr(module, "SystemRandom", lambda: rng)


@pytest.fixture(autouse=True)
def empty_caches() -> None:
    """Let each test begin with empty caches, as with an empty database: some lists are cached for a
    second, whichever database they are from."""
    clear_all()


@pytest.fixture(autouse=True)
def unused_limits() -> None:
    """Let each test begin with limits that nothing has been counted against: they are counted in
    the memory of the process, and all tests come from one address and use the same names."""
    for limit in (rate_limits.PAGES_PER_ADDRESS, rate_limits.GUESSES_PER_NAME):
        limit.limit = 1_000_000
    for value in vars(rate_limits).values():
        if isinstance(value, rate_limits.RateLimit):
            value._hits.clear()


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
    return log_in_staff("view_game", "view_player")


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
            # One worker migrates and collects the static files, and the others wait and use both.
            fcntl.flock(lock, fcntl.LOCK_EX)
            use_fresh_database(site_data)
            quick = {"DJANGO_SETTINGS_MODULE": quick_site.__name__}
            address = stack.enter_context(serve(site_data, **quick))
            keep_fresh_database(site_data)
        # The first answer takes seconds on a busy machine, longer than a test waits for a page.
        urlopen(address, timeout=START_TIMEOUT).close()
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
