"""keep_running restarts processes that died or could not start."""

from __future__ import annotations

import signal
import subprocess
import sys
from threading import Event

from boardsite.server import processes
from boardsite.server.processes import ChildProcess, keep_running


def test_a_failed_start_is_repeated(monkeypatch, caplog):
    real, started, refusals = subprocess.Popen, Event(), [OSError("no memory")]

    def start(command, **options):
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


def test_a_killed_process_is_logged_and_restarted(monkeypatch, caplog):
    real, spawned, again = subprocess.Popen, [], Event()

    def start(command, **options):
        spawned.append(real(["sleep", "60"]))
        if len(spawned) == 1:
            spawned[0].kill()
        else:
            again.set()
        return spawned[-1]

    monkeypatch.setattr(processes, "PAUSE", 0.01)
    monkeypatch.setattr(subprocess, "Popen", start)
    with keep_running([ChildProcess(["run_computers"])]):
        assert again.wait(10)
    # Once: the second process ended with the block.
    assert caplog.messages == [f"run_computers ended (status {-signal.SIGKILL}) and is restarted"]


def test_a_child_that_ignores_the_signal_is_killed(monkeypatch):
    monkeypatch.setattr(processes, "STOP_SECONDS", 0.1)
    program = (
        "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        " print('ready', flush=True); time.sleep(60)"
    )
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as child:
        assert child.stdout is not None
        child.stdout.readline()
        stopping = Event()
        stopping.set()
        processes._wait_for(child, stopping)
        assert child.returncode == -signal.SIGKILL
