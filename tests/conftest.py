"""What all tests share: compiled translations, a browser, and the real site to point it at.

Tests with the `page` or `browser` fixture run last and one after another. They need a Chromium
(`python -m scripts.chromium` says which); without one they are skipped, and fail where CI=true.

Tests marked `services` need a database, the site or the buses: `make test-services` runs these
once more on PostgreSQL and Redis. The mark is found from what a test uses, never written down.
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
from django.core.management import call_command
from hypothesis import HealthCheck, settings

from games.registry import all_rules, computer_module
from scripts import chromium
from tests.support.players import Person, new_person
from tests.support.site_process import serve, share_static

# No test depends on how fast the machine is.
settings.register_profile("boardsite", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("boardsite")

DATABASE_FIXTURES = {"db", "transactional_db", "site", "site_data"}
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
    """Whether this process is one of several that test at the same time."""
    return hasattr(config, "workerinput")


def has_computer(slug: str) -> bool:
    return find_spec(f"games.{slug}.computer") is not None


def pytest_configure(config: pytest.Config) -> None:
    """Load the computers, every other worker from the last to the first: compiling all of them
    takes a clean copy half a minute, and one does not wait for what another has compiled."""
    if is_worker(config):
        known = all_rules().items()
        # One that is missing is told of by a test, in a sentence.
        slugs = [slug for slug, rules in known if rules.levels and has_computer(slug)]
        is_odd = config.workerinput["workerid"][-1] in "13579"
        for slug in reversed(slugs) if is_odd else slugs:
            computer_module(slug)


def is_browser_file(path: Path) -> bool:
    """Return whether a test file may open pages in a browser, by its folder or its name."""
    return "browser" in {path.parent.name, *path.stem.split("_")}


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Where pages in a browser are all that is asked for, other files need not be read."""
    alone = config.option.markexpr == "browser" and collection_path.suffix == ".py"
    return True if alone and not is_browser_file(collection_path) else None


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        if BROWSER_FIXTURES & fixtures:
            if not is_browser_file(item.path):
                raise pytest.UsageError(f"{item.nodeid} belongs in tests/browser")
            item.add_marker("browser")
        if DATABASE_FIXTURES & fixtures or item.get_closest_marker("django_db") or _is_live(item):
            item.add_marker("services")
    items.sort(key=_is_browser_test)


def _is_live(item: pytest.Item) -> bool:
    """Whether its file imports the site's processes or the buses between them."""
    names = vars(getattr(item, "module", None) or pytest).values()
    homes = {str(getattr(value, "__module__", "")) for value in names}
    return not homes.isdisjoint({"tests.support.site_process", "games.bus"}) or any(
        home.startswith(("games.live.", "games.bus.")) for home in homes
    )


def _is_browser_test(item: pytest.Item) -> bool:
    return item.get_closest_marker("browser") is not None


@cache
def _missing() -> str:
    return " and ".join(chromium.missing())


def pytest_runtest_setup(item: pytest.Item) -> None:
    if _is_browser_test(item) and _missing():
        stop = pytest.fail if os.environ.get("CI") == "true" else pytest.skip
        stop(f"there is no {_missing()}: see what `python -m scripts.chromium` says")


@pytest.fixture(scope="session", autouse=True)
def compiled_translations() -> None:
    call_command("compilemessages", verbosity=0)


@pytest.fixture
def owner(db: None) -> Person:
    """Who sets up the game."""
    return new_person("Olive")


@pytest.fixture
def opponent(db: None) -> Person:
    """Who was invited."""
    return new_person("Otto")


@pytest.fixture
def stranger(db: None) -> Person:
    """Who holds no seat."""
    return new_person("Stan")


@pytest.fixture(scope="session")
def site_data(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of `site`, with its database and its collected static files: those are one
    folder for all workers of a run."""
    data = tmp_path_factory.mktemp("site")
    if is_worker(request.config):
        shared = tmp_path_factory.getbasetemp().parent / "shared"
        for name in ("static", "bundles"):
            (shared / name).mkdir(parents=True, exist_ok=True)
        share_static(data, shared)
    return data


@pytest.fixture(scope="session")
def site(site_data: Path) -> Iterator[str]:
    """Address of the real site: its own process, server, settings and SQLite file."""
    beside = (site_data / "static").resolve().parent
    with ExitStack() as running:
        with (beside / "lock").open("w") as lock:
            # Who comes second finds collected what the first has collected.
            fcntl.flock(lock, fcntl.LOCK_EX)
            address = running.enter_context(serve(site_data))
        yield address


@pytest.fixture(scope="session")
def base_url(site: str) -> str:
    """Where `page.goto("/")` goes."""
    return site


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict[str, Any],
) -> dict[str, Any]:
    # Playwright keeps an event loop in this thread, in which Django refuses the database unless
    # told that nothing else runs in it. True here: the loop only runs while Playwright is called.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    return {**browser_type_launch_args, "executable_path": chromium.find(), "args": LAUNCH}
