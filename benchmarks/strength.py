"""Repeat the matches of docs/benchmarks.md, or a share of their games.

Usage: python -m benchmarks.strength [--share 10] [--only SLUG ...]

`benchmarks.ladders` has the commands for each kind of game. A number in braces is that of the
document, and with ``--share 10`` a tenth of it is played, in 20 minutes of processor time. A
command is left out, with a sentence, where it needs a package that is not installed, or names
another program by an environment variable that is not set (docs/benchmarks.md, Other programs).
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib.util import find_spec

from benchmarks.levels import ladder
from games.core.registry import all_rules

_COUNT = re.compile(r"\{(\d+)\}")
_VARIABLE = re.compile(r"\$(\w+)")


def matches(slug: str) -> Mapping[str, str]:
    """Return the commands for a kind of game, each with the package that it needs, if any."""
    own: Mapping[str, str] = getattr(ladder(slug), "MATCHES", {})
    return {**own, f"levels --only {slug} --games {{40}}": ""}


def shared(command: str, share: int) -> str:
    """Return a command with a share of its games, at least one."""
    return _COUNT.sub(lambda count: str(-(-int(count[1]) // share)), command)


def lacks(command: str, package: str) -> str | None:
    """Return a sentence on the needs of a command that this machine lacks; None if it can run."""
    for name in _VARIABLE.findall(command):
        if name not in os.environ:
            return f"{name} is not set."
    if package and not find_spec(package):
        return f"The package {package} is not installed."
    return None


def run(command: str) -> tuple[bool, float]:
    """Run a command; return whether it ended well, and its processor time."""
    module, *options = shlex.split(os.path.expandvars(command))
    begun = os.times()
    done = subprocess.run([sys.executable, "-m", f"benchmarks.{module}", *options], check=False)
    ended = os.times()
    return done.returncode == 0, sum(ended[2:4]) - sum(begun[2:4])


def chosen(slugs: list[str], share: int) -> Iterator[tuple[str, str | None]]:
    """Yield the commands with their share of games, and for each the lacks of this machine."""
    for slug in slugs:
        for command, package in matches(slug).items():
            yield shared(command, share), lacks(command, package)


def main() -> None:
    """Read the command line, and run the commands one by one."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--share", type=int, default=1, metavar="N", help="an Nth of the games")
    parser.add_argument("--only", nargs="+", default=sorted(all_rules()), choices=all_rules())
    arguments = parser.parse_args()
    total, failed = 0.0, list[str]()
    for command, lacking in chosen(arguments.only, arguments.share):
        print(f"\nbenchmarks.{command}", flush=True)
        if lacking:
            print(f"Left out. {lacking}")
            continue
        is_done, spent = run(command)
        total += spent
        failed += [] if is_done else [command]
        print(f"({spent:.0f} s of processor time)", flush=True)
    print(f"\nAll in all {total / 60:.0f} minutes of processor time.")
    sys.exit("\n".join(["These failed:", *failed]) if failed else 0)


if __name__ == "__main__":
    main()
