"""The Firefox of the tests in `tests/browser/firefox`.

``python -m scripts.firefox`` installs Debian's if there is none.
"""

from __future__ import annotations

import os
import shutil
import sys

from scripts.chromium import install

PACKAGE = "firefox-esr"
MISSING = """\
The tests in Firefox need {package}, which could not be installed here (Debian, as root:
apt install {package}). FIREFOX=/its/path names a Firefox that is elsewhere."""


def find() -> str | None:
    """Return the path of a Firefox: $FIREFOX, else one on the PATH."""
    if "FIREFOX" in os.environ:
        return shutil.which(os.environ["FIREFOX"])
    return shutil.which(PACKAGE) or shutil.which("firefox")


def main() -> None:
    """Install Firefox if it is missing, and print its path. Without one its tests are skipped; the
    exit status is then 1 with CI=true."""
    if find() is None and "FIREFOX" not in os.environ:
        print(f"Installing {PACKAGE} for the tests in Firefox", file=sys.stderr)
        install([PACKAGE])
    if find() is None:
        print(MISSING.format(package=PACKAGE), file=sys.stderr)
        sys.exit(os.environ.get("CI") == "true")
    print(f"The tests in Firefox use {find()}")


if __name__ == "__main__":
    main()
