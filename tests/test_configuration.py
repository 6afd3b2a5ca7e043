"""What the settings make of the variables that an operator gives."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

from tests.serving import ROOT

NAME = "boards.example"


def settings_with(**given: str) -> dict[str, Any]:
    """What settings come of variables."""
    source = (
        "import json\nfrom boardsite import settings\nnames = 'ALLOWED_HOSTS SECURE_HSTS_SECONDS "
        "SECURE_HSTS_INCLUDE_SUBDOMAINS SECURE_HSTS_PRELOAD CSRF_TRUSTED_ORIGINS'.split()\n"
        "print(json.dumps({n: getattr(settings, n, None) for n in names}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", source],
        cwd=ROOT,
        env=os.environ | {"BOARDSITE_SECRET": "x"} | given,
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_blanks_around_the_names_of_hosts_do_not_matter() -> None:
    found = settings_with(BOARDSITE_HOSTS=f"{NAME}, www.{NAME} ,", BOARDSITE_HTTPS="1")
    assert found["ALLOWED_HOSTS"] == [NAME, f"www.{NAME}"]
    assert found["CSRF_TRUSTED_ORIGINS"] == [f"https://{NAME}", f"https://www.{NAME}"]


def test_https_is_asked_of_this_host_and_not_of_its_whole_domain() -> None:
    found = settings_with(BOARDSITE_HTTPS="1")
    assert found["SECURE_HSTS_SECONDS"]
    assert not found["SECURE_HSTS_INCLUDE_SUBDOMAINS"]
    assert not found["SECURE_HSTS_PRELOAD"]
