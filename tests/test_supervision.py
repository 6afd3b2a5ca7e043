"""Processes beside the web server are started again, whatever kept them from starting before."""

from __future__ import annotations

import subprocess
from threading import Event

from games import supervision
from games.supervision import Companion, keep_running


def test_a_process_that_cannot_be_started_at_first_is_started_later(monkeypatch, caplog):
    real, started, refusals = subprocess.Popen, Event(), [OSError("no memory")]

    def start(line, **options):
        if refusals:
            raise refusals.pop()
        process = real(["sleep", "60"])
        started.set()
        return process

    monkeypatch.setattr(supervision, "PAUSE", 0.01)
    monkeypatch.setattr(subprocess, "Popen", start)
    with keep_running([Companion(["think"])]):
        assert started.wait(10)
    assert "no memory" in caplog.text
