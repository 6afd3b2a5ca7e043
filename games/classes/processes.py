"""Files judged in processes: this one judges, and the code of a pupil plays in another, as in the
page. That one has limits, an empty environment and an empty folder."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from games.classes.comparison.in_page import start

MEMORY = 512 * 2**20
"""Bytes of a process; the page allows as much."""
WRITTEN = 16 * 2**20
"""Bytes of a file that a process writes."""
LONGEST_LINE = 2**24
TURNS = 6
"""The time of a file, in times of a run."""
ROOT = str(Path(__file__).resolve().parents[2])
PLAY = f"import sys; sys.path.insert(0, {ROOT!r}); from games.classes.processes import play; play()"

Found = tuple[dict[str, Any] | None, list[bool]]
Process = asyncio.subprocess.Process


async def judge(source: str, record: dict[str, Any], seconds: float) -> Found:
    """Return the difference to show, None without one, and of each run whether it is right."""
    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        player = await asyncio.create_subprocess_exec(
            *(sys.executable, "-P", "-X", "utf8", "-c", PLAY),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            # Windows starts no program without this one.
            env={name: os.environ[name] for name in ("SYSTEMROOT",) if name in os.environ},
            start_new_session=True,
            limit=LONGEST_LINE,
        )
        try:
            _write(player, {"source": source, "name": record["name"], "board": record["board"]})
            return await _judge(player, record, seconds)
        finally:
            # With all that it has started.
            with suppress(ProcessLookupError):
                os.killpg(player.pid, signal.SIGKILL) if os.name == "posix" else player.kill()
            await player.wait()


async def _judge(player: Process, record: dict[str, Any], seconds: float) -> Found:
    take = start(json.dumps({"record": record}))
    news: dict[str, Any] = {}
    reply: dict[str, Any] = {}
    ends = time.monotonic() + TURNS * seconds
    while True:
        take(json.dumps(reply), lambda text: news.update(json.loads(text)))
        if "done" in news:
            return news["done"], news["runs"]
        answers: list[Any] = []
        reply, left = {"answers": answers}, ends - time.monotonic()
        try:
            async with asyncio.timeout(min(left, seconds)):
                wanted = len(news["play"]) if record["board"] else 1
                if end := await _play(player, news["play"], wanted, answers):
                    reply["end"] = end
        except TimeoutError:
            taken = seconds if left > seconds else TURNS * seconds
            reply["end"] = {"code": "endless", "seconds": f"{taken:g}"}
        except (AttributeError, LookupError, TypeError, ValueError):
            # The code has written something else than answers.
            reply["end"] = {"code": "crashed", "error": ""}


async def _play(
    player: Process, lines: list[str], wanted: int, answers: list[Any]
) -> dict[str, Any] | None:
    """Add the answers to lines. Return the problem of code that has ended."""
    _write(player, {"lines": lines})
    while player.stdout and len(answers) < wanted:
        line = await player.stdout.readline()
        if not line:
            return {"code": "crashed", "error": f"exit status {await player.wait()}"}
        posted = json.loads(line)
        if "problem" in posted:
            return dict(posted["problem"])
        answers.append(posted["answer"])
    return None


def _write(player: Process, message: dict[str, Any]) -> None:
    if player.stdin:
        player.stdin.write(json.dumps(message).encode() + b"\n")


def play() -> None:
    """Play lines from standard input with the file in the first of them, which gets no streams."""
    # Classes of the site would answer for a class.
    sys.path.remove(ROOT)
    sys.modules["games"].__path__ = []
    lines = os.fdopen(os.dup(0), encoding="utf-8")
    post = partial(print, file=os.fdopen(os.dup(1), "w"), flush=True)
    null = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(null, stream)
    with suppress(ImportError):  # Windows has no limits
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_FSIZE, (WRITTEN, WRITTEN))
    sys.addaudithook(_refuse_forks)
    take = start(lines.readline())
    for line in lines:
        take(line, post)


def _refuse_forks(event: str, _arguments: object) -> None:
    if event in ("os.fork", "os.forkpty"):
        raise PermissionError("this may start no copies of itself")
