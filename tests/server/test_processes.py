"""Processes beside the web server are started again, whatever kept them from starting before."""

from __future__ import annotations

import signal
import subprocess
from threading import Event

from boardsite.server import processes
from boardsite.server.processes import ChildProcess, keep_running


def test_a_process_that_cannot_be_started_at_first_is_started_later(monkeypatch, caplog):
    real, started, refusals = subprocess.Popen, Event(), [OSError("no memory")]

    def start(line, **options):
        if refusals:
            raise refusals.pop()
        process = real(["sleep", "60"])
        started.set()
        return process

    monkeypatch.setattr(processes, "PAUSE", 0.01)
    monkeypatch.setattr(subprocess, "Popen", start)
    with keep_running([ChildProcess(["run_computers"])]):
        assert started.wait(10)
    assert "no memory" in caplog.text


def test_a_process_that_is_killed_is_told_of_in_the_log(monkeypatch, caplog):
    real, processes, again = subprocess.Popen, [], Event()

    def start(line, **options):
        processes.append(real(["sleep", "60"]))
        if len(processes) == 1:
            processes[0].kill()
        else:
            again.set()
        return processes[-1]

    monkeypatch.setattr(processes, "PAUSE", 0.01)
    monkeypatch.setattr(subprocess, "Popen", start)
    with keep_running([ChildProcess(["run_computers"])]):
        assert again.wait(10)
    # And not of the second, which ended because all did.
    assert caplog.messages == [f"run_computers ended ({-signal.SIGKILL}) and is started again"]
