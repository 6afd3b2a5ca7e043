"""The files of deploy/ and the page that explains them."""

from __future__ import annotations

import re
from pathlib import Path

from tests.support.servers.site_process import ROOT


def read_deploy(name: str) -> str:
    """Return the text of a file in deploy/."""
    return (ROOT / "deploy" / name).read_text()


def read_hosting() -> str:
    """Return the page that tells operators how to install the site."""
    return (ROOT / "docs" / "hosting.md").read_text()


def read_example_settings() -> dict[str, str]:
    """Return the settings in the example of /etc/boardsite.env."""
    return dict(re.findall(r"^(\w+)=(.*)", read_deploy("boardsite.env"), re.MULTILINE))


def write_program(path: Path, source: str) -> None:
    """Write an executable file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source)
    path.chmod(0o755)
