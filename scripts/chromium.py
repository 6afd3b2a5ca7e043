"""The Chromium of the browser tests.

``python -m scripts.chromium`` installs one if it is missing.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

PACKAGE = "chromium-headless-shell"
NAMES = (PACKAGE, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""The first draws no windows around pages, and so needs half as much processor."""

MISSING = """\
The browser tests need {packages}, which could not be installed here (Debian, as root:
apt install {packages}). CHROMIUM=/its/path names a Chromium that is elsewhere."""


def find() -> str | None:
    """Return the path of a Chromium: $CHROMIUM, else one on the PATH, else Playwright's own."""
    if "CHROMIUM" in os.environ:
        return shutil.which(os.environ["CHROMIUM"])
    on_path = (shutil.which(name) for name in NAMES)
    return next((path for path in on_path if path), None) or _playwrights_own()


def _playwrights_own() -> str | None:
    # In a process of its own: Playwright's loop must not start twice in one process.
    program = (
        "from playwright.sync_api import sync_playwright as start\n"
        "with start() as playwright: print(playwright.chromium.executable_path)"
    )
    command = [sys.executable, "-c", program]
    answer = subprocess.run(command, check=False, capture_output=True, text=True)
    path = answer.stdout.strip()
    return path if path and _runs([path, "--version"], quietly=True) else None


def _runs(command: list[str], *, quietly: bool = False) -> bool:
    errors = subprocess.DEVNULL if quietly else None
    try:
        run = subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=errors)
    except OSError:
        return False
    return run.returncode == 0


def missing() -> list[str]:
    """Return the Debian packages of the programs that are missing."""
    # Playwright's driver is a separate program, linked to a library that few others need.
    driver_runs = _runs([sys.executable, "-m", "playwright", "--version"], quietly=True)
    needed = {"libatomic1": driver_runs, PACKAGE: find() is not None}
    return [package for package, there in needed.items() if not there]


def install(packages: list[str]) -> None:
    """Try Debian packages, which bring their libraries, then Playwright's download."""
    apt = ["env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
    if os.geteuid() != 0:
        apt = ["sudo", "--non-interactive", *apt]
    if shutil.which("apt-get") and shutil.which(apt[0]):
        install = [*apt, "install", "--yes", "--no-install-recommends", *packages]
        if _runs(install) or (_runs([*apt, "update"]) and _runs(install)):
            return
    if PACKAGE in packages:
        _runs([sys.executable, "-m", "playwright", "install", "chromium"])


def main() -> None:
    """Install the missing packages and print the path of the browser, or name the packages.

    Without a browser its tests are skipped. The exit status is then 1 with CI=true; it is always 1
    when CHROMIUM does not name a program.
    """
    if "CHROMIUM" in os.environ and not find():
        sys.exit(f"CHROMIUM is set to {os.environ['CHROMIUM']}, which is not a program.")
    if packages := missing():
        print(f"Installing {' '.join(packages)} for the browser tests", file=sys.stderr)
        install(packages)
    if packages := missing():
        print(MISSING.format(packages=" ".join(packages)), file=sys.stderr)
        sys.exit(os.environ.get("CI") == "true")
    print(f"The browser tests use {find()}")


if __name__ == "__main__":
    main()
