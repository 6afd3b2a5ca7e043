"""`manage.py serve` says why it cannot start."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.servers.site_process import Site

pytestmark = pytest.mark.services


def test_static_files_that_cannot_be_collected_are_reported_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "static").write_text("This is no folder.")
    with pytest.raises(RuntimeError) as failure:
        Site(tmp_path).start()
    assert "The static files cannot be collected: NotADirectoryError" in str(failure.value)
    assert "Traceback" not in str(failure.value)
