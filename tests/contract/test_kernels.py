"""The cache of machine code: a search never runs with the code of an older version."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from games.contract.compiled import UNUSED_DAYS, folder_of
from tests.support.servers.site_process import ROOT

pytestmark = pytest.mark.processes

HELPER = """
from games.contract.kernels import compiler
from pathlib import Path
kernel = compiler(Path(__file__).parent)

@kernel("int64(int64)")
def worth(disc):
    return disc * {factor}
"""
SEARCH = """
from helper import kernel, worth

@kernel("int64(int64)")
def search(disc):
    return worth(disc)

print(search(1))
"""


@pytest.fixture
def closed(tmp_path: Path) -> Path:
    """Return a folder of kernels beside which nothing can be written, not even by root."""
    folder = tmp_path / "ai"
    folder.mkdir()
    (folder / "search.py").write_text(SEARCH)
    (folder / "helper.py").write_text(HELPER.format(factor=1))
    (folder / "__pycache__").write_text("")
    return folder


def variables(tmp_path: Path) -> dict[str, str]:
    """Return the environment of an installed site."""
    data = {"BOARDSITE_DATA": str(tmp_path), "NUMBA_CACHE_DIR": str(tmp_path / "numba")}
    return os.environ | data | {"PYTHONPATH": str(ROOT)}


def run(folder: Path) -> str:
    command = [sys.executable, str(folder / "search.py")]
    environment = variables(folder.parent)
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_a_change_in_another_file_is_compiled_beside_a_read_only_folder(closed):
    before = run(closed)
    (closed / "helper.py").write_text(HELPER.format(factor=2))
    assert (before, run(closed)) == ("1", "2")


def test_machine_code_is_cached_in_numbas_folder(closed, tmp_path):
    run(closed)
    kept = tmp_path / "numba"
    assert [path.name.split("-")[0] for path in kept.iterdir()] == ["kernels"]
    assert list(kept.rglob("*.nbc"))


def test_without_a_folder_of_numba_the_cache_is_with_the_data(closed, tmp_path, monkeypatch):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    monkeypatch.setenv("BOARDSITE_DATA", str(tmp_path))
    assert Path(folder_of("kernels", iter([b"code"]), closed)).parent == tmp_path / "numba"


def test_without_any_variable_the_cache_is_the_users(closed, tmp_path, monkeypatch):
    for name in ("NUMBA_CACHE_DIR", "BOARDSITE_DATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    assert (
        Path(folder_of("kernels", iter([b"code"]), closed)).parent
        == tmp_path / ".cache" / "boardsite"
    )


def test_without_a_writable_folder_there_is_no_cache(closed, monkeypatch):
    for name in ("NUMBA_CACHE_DIR", "BOARDSITE_DATA", "HOME"):
        monkeypatch.setenv(name, str(closed / "search.py"))
    assert folder_of("kernels", iter([b"code"]), closed) == ""


def test_code_that_no_process_began_with_for_months_is_removed(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    old, other, used = (
        Path(folder_of(kind, iter([code]), tmp_path))
        for kind, code in (("kernels", b"old"), ("templates", b"old"), ("kernels", b"used"))
    )
    for folder, days in ((old, UNUSED_DAYS + 1), (other, UNUSED_DAYS + 1), (used, UNUSED_DAYS - 1)):
        at = time.time() - days * 24 * 3600
        os.utime(folder, (at, at))
    foreign = tmp_path / "kernels-of-somebody"
    foreign.mkdir()
    os.utime(foreign, (1, 1))
    new = Path(folder_of("kernels", iter([b"new"]), tmp_path))
    assert {*tmp_path.iterdir()} == {other, used, foreign, new}
