"""The site as others are to run it: behind a proxy, from units, in containers."""

from __future__ import annotations

import asyncio
import os
import re
import resource
import shutil
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest
from django.conf import settings
from django.core.management.base import CommandError

from boardsite.management.commands import serve as serve_command
from boardsite.server.http_protocol import MAX_UNPARSED
from boardsite.server.uvicorn_server import SHUTDOWN_SECONDS, config, raise_file_limit
from boardsite.server.wsgi_bridge import BODY_SECONDS
from games.web.headers import MAX_HEADERS
from games.worker import SECONDS_A_MOVE
from tests.support.http_client import HTTPClient
from tests.support.kinds import two_player_rules
from tests.support.proxied_client import HOST, VISITOR, request_through_proxy
from tests.support.site_process import ROOT, Site, serve, share_static

PROXIED = [(b"x-forwarded-for", VISITOR.encode()), (b"x-forwarded-proto", b"https")]


def read(name: str) -> str:
    """A file of deploy/."""
    return (ROOT / "deploy" / name).read_text()


def hosting() -> str:
    """The page that tells operators how to install the site."""
    return (ROOT / "docs" / "hosting.md").read_text()


def seen(peer: str, *headers: tuple[bytes, bytes]) -> tuple[str, str]:
    """Whose a request counts as, and by which scheme, that comes from an address."""
    scopes: list[Any] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        scopes.append(scope)

    async def nothing(message: Any = None) -> Any: ...

    served = config(application)
    served.load()
    scope: Any = {"type": "http", "client": (peer, 5), "scheme": "http", "headers": headers}
    asyncio.run(served.loaded_app(scope, nothing, nothing))
    return scopes[0]["client"][0], scopes[0]["scheme"]


@pytest.fixture(autouse=True)
def no_proxy_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FORWARDED_ALLOW_IPS", raising=False)


def test_behind_a_proxy_on_this_machine_a_request_is_its_visitors() -> None:
    assert seen("127.0.0.1", *PROXIED) == (VISITOR, "https")


def test_a_visitor_who_comes_directly_cannot_say_that_he_is_another() -> None:
    assert seen("203.0.113.9", *PROXIED) == ("203.0.113.9", "http")


def test_what_a_visitor_told_the_proxy_of_himself_does_not_count() -> None:
    told = (b"x-forwarded-for", b"192.0.2.1, " + VISITOR.encode())
    assert seen("127.0.0.1", told)[0] == VISITOR


def test_a_proxy_of_another_machine_counts_when_it_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = re.search(r'FORWARDED_ALLOW_IPS: "(.*)"', read("compose.yaml"))
    assert found
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", found[1])
    assert seen("172.18.0.6", *PROXIED) == (VISITOR, "https")


def test_by_https_at_a_proxy_a_game_is_started(tmp_path: Path, site: str, site_data: Path) -> None:
    share_static(tmp_path, site_data)
    rules = two_player_rules()
    path = f"/new/{rules.slug}/"
    form = {f"seat-{spec.key}": "me" for spec in rules.seats(rules.clean({}))}
    form |= {option.name: str(option.default) for option in rules.options}
    with serve(tmp_path, BOARDSITE_HTTPS="1", BOARDSITE_HOSTS=HOST) as address:
        plain = request_through_proxy(address, "GET", path, proto="http")
        assert (plain.status, plain.headers["Location"]) == (301, f"https://{HOST}{path}")
        page = request_through_proxy(address, "GET", path)
        token = re.search(r'csrfmiddlewaretoken" value="([^"]+)', page.text)
        assert token
        form["csrfmiddlewaretoken"] = token[1]
        cookie = page.headers["Set-Cookie"].split(";")[0]
        started = request_through_proxy(address, "POST", path, urlencode(form), Cookie=cookie)
    assert started.status == 302
    assert started.headers["Location"].startswith("/g/")


def write_program(path: Path, source: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source)
    path.chmod(0o755)


@pytest.fixture
def closed(tmp_path: Path, settings: Any) -> Path:
    """A catalogue beside which nothing can be written."""
    source = tmp_path / "nl" / "LC_MESSAGES" / "django.po"
    source.with_suffix(f".mo.{os.getpid()}").mkdir(parents=True)
    shutil.copy(ROOT / "locale" / "nl" / "LC_MESSAGES" / "django.po", source)
    settings.LOCALE_PATHS = [tmp_path]
    return source


def test_a_site_that_may_not_write_takes_the_translations_that_were_compiled(closed: Path) -> None:
    compiled = closed.with_suffix(".mo")
    compiled.write_bytes(b"compiled")
    os.utime(compiled, (1, 1))
    serve_command._compile_translations()
    assert compiled.read_bytes() == b"compiled"


def test_without_compiled_translations_it_says_how_to_get_them(closed: Path) -> None:
    with pytest.raises(CommandError, match="scripts/venv"):
        serve_command._compile_translations()


def test_installing_compiles_the_translations(tmp_path: Path) -> None:
    # On a .venv that holds what the lock names.
    for path in ("scripts", "games/management"):
        shutil.copytree(ROOT / path, tmp_path / path)
    shutil.copy(ROOT / "games" / "__init__.py", tmp_path / "games")
    shutil.copy(ROOT / "requirements.lock", tmp_path)
    write_program(tmp_path / ".venv/bin/python", f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    shutil.copy(ROOT / "requirements.lock", tmp_path / ".venv" / "installed-requirements.lock")
    source = tmp_path / "games" / "one" / "locale" / "nl" / "LC_MESSAGES" / "django.po"
    source.parent.mkdir(parents=True)
    shutil.copy(ROOT / "locale" / "nl" / "LC_MESSAGES" / "django.po", source)
    subprocess.run(["scripts/venv", "requirements.lock"], cwd=tmp_path, check=True)
    assert source.with_suffix(".mo").exists()


@pytest.mark.parametrize(
    ("now", "most", "granted"),
    [(256, 10_240, [10_240]), (256, 100, []), (70_000, 80_000, [70_000])],
)
def test_where_files_without_limit_are_refused_it_takes_what_it_gets(
    monkeypatch: pytest.MonkeyPatch, now: int, most: int, granted: list[int]
) -> None:
    got: list[int] = []

    def setrlimit(which: int, limits: tuple[int, int]) -> None:
        if not 0 <= limits[0] <= most:
            raise ValueError("current limit exceeds maximum limit")
        got.append(limits[0])

    monkeypatch.setattr(resource, "getrlimit", lambda which: (now, resource.RLIM_INFINITY))
    monkeypatch.setattr(resource, "setrlimit", setrlimit)
    raise_file_limit()
    assert got == granted


SITE_UNITS = ("boardsite.service", "boardsite-think.service")
UNITS = (*SITE_UNITS, "litestream.service")


def variables(unit: str) -> dict[str, str]:
    """What a unit sets."""
    lines = re.findall(r"^Environment=(.*)", read(unit), re.MULTILINE)
    return dict(each.split("=", 1) for line in lines for each in line.split())


@pytest.mark.parametrize("unit", UNITS)
def test_all_units_work_on_the_same_data(unit: str) -> None:
    assert variables(unit)["BOARDSITE_DATA"] == variables(UNITS[0])["BOARDSITE_DATA"]


def example() -> dict[str, str]:
    """The settings of /etc/boardsite.env, as they are given."""
    return dict(re.findall(r"^(\w+)=(.*)", read("boardsite.env"), re.MULTILINE))


@pytest.mark.parametrize("unit", UNITS)
def test_commands_by_hand_work_on_the_data_of_the_units(unit: str) -> None:
    assert "EnvironmentFile=-/etc/boardsite.env" in read(unit)
    assert variables(unit).items() <= example().items()


@pytest.mark.parametrize("unit", UNITS)
def test_nobody_else_on_the_machine_reads_what_a_unit_writes(unit: str) -> None:
    assert re.search(r"^UMask=0077$", read(unit), re.MULTILINE)
    folders, modes = (read(unit).count(f"\nStateDirectory{part}=") for part in ("", "Mode"))
    assert folders == modes


@pytest.mark.parametrize("unit", SITE_UNITS)
def test_a_unit_of_the_site_can_do_no_more_than_it_must(unit: str) -> None:
    lines = read(unit).splitlines()
    assert "CapabilityBoundingSet=" in lines
    assert "SystemCallFilter=@system-service" in lines
    # Searches are compiled while the site runs.
    assert "MemoryDenyWriteExecute=yes" not in lines


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_is_started_again_however_often_it_fails(unit: str) -> None:
    above = read(unit).partition("[Service]")[0]
    assert re.search(r"^StartLimitIntervalSec=0$", above, re.MULTILINE)
    assert re.search(r"^RestartSec=[1-9]$", read(unit), re.MULTILINE)


@pytest.mark.parametrize("unit", UNITS)
def test_whom_a_unit_runs_as_is_made_at_its_installation(unit: str) -> None:
    user = re.findall(r"^User=(.*)", read(unit), re.MULTILINE)
    assert user == re.findall(r"useradd --system (\w+)", hosting())


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_that_stops_has_time_for_its_last_answer_and_its_last_thought(unit: str) -> None:
    [seconds] = re.findall(r"^TimeoutStopSec=(\d+)$", read(unit), re.MULTILINE)
    assert 2 * (SHUTDOWN_SECONDS + SECONDS_A_MOVE) <= int(seconds) < 60


def test_a_container_that_stops_has_as_much_time_as_a_unit() -> None:
    # Left alone, ten seconds.
    site = read("compose.yaml").partition("\nservices:")[0]
    [seconds] = re.findall(r"^  stop_grace_period: (\d+)s$", site, re.MULTILINE)
    assert f"TimeoutStopSec={seconds}" in read("boardsite-think.service").splitlines()


def test_visitors_who_come_by_ipv6_keep_their_addresses() -> None:
    network = read("compose.yaml").partition("\nnetworks:")[2]
    assert "\n    enable_ipv6: true\n" in network
    # Docker before 27 chooses none itself, and would not start.
    assert re.search(r'subnet: "fd[0-9a-f:]+::/64"', network)


def test_a_database_that_is_still_made_does_not_count_as_ready() -> None:
    # Until then it answers on its socket, and nobody else's connection is taken.
    assert re.search(r"pg_isready .*-h localhost\b", read("compose.yaml"))


def test_a_request_that_never_arrives_does_not_keep_a_site_from_stopping(
    tmp_path: Path, site: str, site_data: Path
) -> None:
    share_static(tmp_path, site_data)
    stopping = Site(tmp_path, "--computers", "0")
    parts = urlsplit(stopping.start())
    with socket.create_connection((parts.hostname or "", parts.port or 0)) as sender:
        sender.sendall(b"POST /settings/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\na")
        # Whoever is answered after it has been read after it.
        assert HTTPClient(parts.geturl()).get("/settings/").status == 200
        assert stopping.process is not None
        stopping.process.terminate()
        try:
            assert stopping.process.wait(timeout=BODY_SECONDS / 2) is not None
        finally:
            stopping.process.kill()


def test_a_command_by_hand_is_run_as_a_unit_would(tmp_path: Path) -> None:
    (tmp_path / "deploy").mkdir()
    given = tmp_path / "boardsite.env"
    given.write_text(read("boardsite.env") + "DATABASE_URL='postgres://b:x$y&z@db/b'\n")
    manage = tmp_path / "deploy" / "manage"
    write_program(manage, read("manage").replace("/etc/boardsite.env", str(given)))
    write_program(tmp_path / "bin" / "runuser", '#!/bin/sh\necho "$1 $2"; shift 3; exec "$@"\n')
    python = '#!/bin/sh\necho "$HOME $BOARDSITE_DATA $DATABASE_URL"; echo "$@"\n'
    write_program(tmp_path / ".venv" / "bin" / "python", python)
    path = f"{tmp_path / 'bin'}:{os.environ['PATH']}"
    done = subprocess.run(
        [manage, "verify_games", "--x"],
        env={"PATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    data = example()["BOARDSITE_DATA"]
    assert done.stdout.splitlines() == [
        "-u boardsite",
        f"{data} {data} postgres://b:x$y&z@db/b",
        "manage.py verify_games --x",
    ]


def test_where_a_copy_goes_is_an_address_to_litestream() -> None:
    # Without a scheme it says "replica url scheme required".
    said = " ".join(read("litestream.yml").replace("\n#", " ").split())
    assert re.search(r"BOARDSITE_REPLICA is file:///\S+ on another disk,.* or s3://", said)


def test_both_lines_of_litestream_find_the_replica() -> None:
    # 0.3 passes over `replica:` in silence, and copies nothing; 0.5 reads a list of one as well.
    settings = read("litestream.yml")
    assert re.search(r"^    replicas:\n      - url: ", settings, re.MULTILINE)
    assert not re.search(r"^ *replica:", settings, re.MULTILINE)


def test_caddy_starts_where_nothing_is_set() -> None:
    # Braces with nothing in them in the place of an address would open its global options.
    names = set(re.findall(r"{\$(\w+)(:?)", read("Caddyfile")))
    assert names == {("BOARDSITE_HOST", ":"), ("BOARDSITE_UPSTREAM", ":")}


def test_what_is_too_long_the_site_itself_refuses_with_a_sentence() -> None:
    # Caddy would break off such a request, and answer with an empty page that the site is broken.
    assert "max_size" not in read("Caddyfile")


def test_caddy_hands_on_no_headers_without_end() -> None:
    # Left to itself it takes a megabyte. What is a little too long the site refuses, and says so.
    [size] = re.findall(r"^\t\tmax_header_size (\d+)KB$", read("Caddyfile"), re.MULTILINE)
    assert MAX_HEADERS < int(size) * 1000 < MAX_UNPARSED


def test_streams_do_not_keep_caddy_from_stopping() -> None:
    # Left to itself it waits for ever for answers that have no end.
    assert re.search(r"^\tgrace_period [1-5]s$", read("Caddyfile"), re.MULTILINE)


def test_a_move_waits_for_a_site_that_is_started_again() -> None:
    rest = re.search(r"^\treverse_proxy \{(.*?)^\t\}", read("Caddyfile"), re.MULTILINE | re.DOTALL)
    assert rest
    assert "lb_try_duration" in rest[1]


def test_a_board_is_told_at_once_that_the_site_is_gone() -> None:
    # A page shows its banner when it is refused, not while it waits.
    caddy = read("Caddyfile")
    assert "\t@boards path /g/*/board/ /g/*/events/\n" in caddy
    boards = re.search(r"^\treverse_proxy @boards (.*?)^\t\}", caddy, re.MULTILINE | re.DOTALL)
    assert boards
    assert "lb_try_duration" not in boards[1]


def test_whoever_comes_while_there_is_no_site_reads_a_sentence_in_every_language() -> None:
    pages = read("Caddyfile").partition("handle_errors")[2]
    assert re.findall(r"<p lang=(\w+)>", pages) == [code for code, _ in settings.LANGUAGES]


def test_making_the_image_leaves_no_secret_in_it() -> None:
    # Whatever reads the settings makes a key where none is given.
    runs = re.findall(r"^(?:RUN|    &&) (.*manage\.py.*)", read("Dockerfile"), re.MULTILINE)
    assert runs
    assert all("BOARDSITE_SECRET=" in run for run in runs)


def test_of_this_folder_the_image_is_sent_what_it_is_made_of_and_nothing_else() -> None:
    copied = re.findall(r"^COPY (.*) \S+$", read("Dockerfile"), re.MULTILINE)
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    assert "*" in lines
    assert [line[1:] for line in lines if line.startswith("!")] == " ".join(copied).split()


def test_the_image_has_the_font_of_the_pictures() -> None:
    drawn = (ROOT / "games" / "presentation" / "pictures.py").read_text()
    assert 'font_family="DejaVu Sans"' in drawn
    assert re.search(r"apt-get install .*\bfonts-dejavu-core\b", read("Dockerfile"))
    assert re.search(r"apt install .*\bfonts-dejavu-core\b", hosting())
