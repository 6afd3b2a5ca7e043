"""Installing and starting a site: translations and the limit of open files."""

from __future__ import annotations

import gc
import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.core.management.base import CommandError

from boardsite.management.commands import serve as serve_command
from boardsite.server.uvicorn_server import COLLECTIONS, collect_rarely, raise_file_limit
from tests.support.servers.deployment import write_program
from tests.support.servers.site_process import ROOT

CATALOGUE = Path("locale", "nl", "LC_MESSAGES", "django.po")


@pytest.fixture
def read_only_catalogue(tmp_path: Path, settings: Any) -> Path:
    """Make a catalogue that cannot be compiled, since nothing can be written beside it."""
    source = tmp_path / "nl" / "LC_MESSAGES" / "django.po"
    source.with_suffix(f".mo.{os.getpid()}").mkdir(parents=True)
    shutil.copy(ROOT / CATALOGUE, source)
    settings.LOCALE_PATHS = [tmp_path]
    return source


def test_a_site_that_may_not_write_uses_the_installed_translations(
    read_only_catalogue: Path,
) -> None:
    compiled = read_only_catalogue.with_suffix(".mo")
    compiled.write_bytes(b"compiled")
    os.utime(compiled, (1, 1))
    serve_command._compile_translations()
    assert compiled.read_bytes() == b"compiled"


@pytest.mark.usefixtures("read_only_catalogue")
def test_a_site_without_translations_says_how_to_install_them() -> None:
    with pytest.raises(CommandError, match="scripts/venv"):
        serve_command._compile_translations()


def test_installing_compiles_the_translations(tmp_path: Path) -> None:
    # In a .venv that is up to date.
    for path in ("scripts", "games/management"):
        shutil.copytree(ROOT / path, tmp_path / path)
    shutil.copy(ROOT / "games" / "__init__.py", tmp_path / "games")
    shutil.copy(ROOT / "requirements.lock", tmp_path)
    write_program(tmp_path / ".venv/bin/python", f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    shutil.copy(ROOT / "requirements.lock", tmp_path / ".venv" / "installed-requirements.lock")
    source = tmp_path / "games" / "one" / CATALOGUE
    source.parent.mkdir(parents=True)
    shutil.copy(ROOT / CATALOGUE, source)
    subprocess.run(["scripts/venv", "requirements.lock"], cwd=tmp_path, check=True)
    assert source.with_suffix(".mo").exists()


@pytest.mark.parametrize(
    ("soft", "maximum", "granted"),
    [(256, 10_240, [10_240]), (256, 100, []), (70_000, 80_000, [70_000])],
)
def test_the_file_limit_is_raised_as_far_as_the_system_grants(
    monkeypatch: pytest.MonkeyPatch, soft: int, maximum: int, granted: list[int]
) -> None:
    limits: list[int] = []

    def setrlimit(which: int, requested: tuple[int, int]) -> None:
        if not 0 <= requested[0] <= maximum:
            raise ValueError("current limit exceeds maximum limit")
        limits.append(requested[0])

    monkeypatch.setattr(resource, "getrlimit", lambda which: (soft, resource.RLIM_INFINITY))
    monkeypatch.setattr(resource, "setrlimit", setrlimit)
    raise_file_limit()
    assert limits == granted


def test_what_was_loaded_at_the_start_is_left_out_of_rare_collections() -> None:
    before = gc.get_threshold()
    try:
        collect_rarely()
        assert gc.get_threshold() == COLLECTIONS
        assert gc.get_freeze_count() > len(sys.modules)
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
