"""Commits are durable before they are answered and notified, with one flush for many of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event, Lock

import pytest
from django.db import OperationalError

from games.storage import group_commit
from games.storage.group_commit import WriteAheadLog, deferred_sync, on_durable, sync, sync_all


class Disk:
    """Counts flushes of the machine's own disk; each waits for `resume`."""

    def __init__(self) -> None:
        self.begun, self.ended = 0, 0
        self.started, self.resume = Event(), Event()
        self._lock = Lock()
        self._fdatasync = group_commit._fdatasync

    def flush(self, file: int) -> None:
        with self._lock:
            self.begun += 1
        self.started.set()
        self.resume.wait(30)
        self._fdatasync(file)
        with self._lock:
            self.ended += 1


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    counted = Disk()
    monkeypatch.setattr(group_commit, "_fdatasync", counted.flush)
    yield counted
    counted.resume.set()


@pytest.fixture
def full_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: int) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(group_commit, "_fdatasync", refuse)


@pytest.fixture
def log(tmp_path: Path) -> WriteAheadLog:
    (tmp_path / "some.sqlite3-wal").write_bytes(b"frames")
    return WriteAheadLog(tmp_path / "some.sqlite3")


def test_a_flush_reaches_the_disk_before_it_returns(disk: Disk, log: WriteAheadLog) -> None:
    disk.resume.set()
    log.flush()
    assert disk.ended == 1


def test_threads_that_arrive_during_a_flush_share_the_next_one(
    disk: Disk, log: WriteAheadLog
) -> None:
    with ThreadPoolExecutor(9) as pool:
        first = pool.submit(log.flush)
        assert disk.started.wait(30)
        others = [pool.submit(log.flush) for _ in range(8)]
        while log._requested < 9:
            pass
        disk.resume.set()
        for one in (first, *others):
            one.result(30)
    assert disk.ended == 2


def test_a_flush_that_began_before_the_commit_does_not_count(
    disk: Disk, log: WriteAheadLog
) -> None:
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(log.flush)
        assert disk.started.wait(30)
        second = pool.submit(log.flush)
        while log._requested < 2:
            pass
        assert (disk.begun, second.done()) == (1, False)
        disk.resume.set()
        first.result(30), second.result(30)
    assert disk.ended == 2


@pytest.mark.usefixtures("full_disk")
def test_every_flush_of_a_full_disk_raises(log: WriteAheadLog) -> None:
    for _ in range(2):
        with pytest.raises(OperationalError, match="No space left"):
            log.flush()


def test_no_writer_of_a_shared_flush_that_failed_is_told_that_it_is_durable(
    disk: Disk, log: WriteAheadLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill_up(file: int) -> None:
        if disk.begun:
            raise OSError(28, os.strerror(28))
        disk.flush(file)

    monkeypatch.setattr(group_commit, "_fdatasync", fill_up)
    with ThreadPoolExecutor(3) as pool:
        first = pool.submit(log.flush)
        assert disk.started.wait(30)
        others = [pool.submit(log.flush) for _ in range(2)]
        while log._requested < 3:
            pass
        disk.resume.set()
        first.result(30)
        assert all(isinstance(other.exception(30), OperationalError) for other in others)


def test_a_missing_log_needs_no_flush(tmp_path: Path, disk: Disk) -> None:
    WriteAheadLog(tmp_path / "other.sqlite3").flush()
    assert disk.begun == 0


def test_a_deferred_sync_does_not_wait_for_the_disk(disk: Disk, log: WriteAheadLog) -> None:
    with deferred_sync() as pending:
        sync(log)
    assert pending
    assert disk.begun == 0


def test_sync_waits_unless_it_is_deferred(disk: Disk, log: WriteAheadLog) -> None:
    disk.resume.set()
    sync(log)
    assert disk.ended == 1


def test_sync_all_flushes_once_for_a_batch(disk: Disk, log: WriteAheadLog) -> None:
    batch = []
    for _ in range(3):
        with deferred_sync() as pending:
            sync(log)
        batch.append(pending)
    disk.resume.set()
    sync_all(batch)
    assert disk.ended == 1


def test_callbacks_run_after_the_flush(disk: Disk, log: WriteAheadLog) -> None:
    flushes: list[int] = []
    with deferred_sync() as pending:
        sync(log)
        on_durable(lambda: flushes.append(disk.ended))
    assert flushes == []
    disk.resume.set()
    sync_all([pending])
    assert flushes == [1]


def test_a_callback_runs_at_once_when_nothing_is_pending() -> None:
    called: list[str] = []
    on_durable(lambda: called.append("not deferred"))
    with deferred_sync() as pending:
        on_durable(lambda: called.append("deferred"))
    assert called == ["not deferred", "deferred"]
    assert not pending


@pytest.mark.usefixtures("full_disk")
def test_no_callback_runs_when_the_flush_fails(log: WriteAheadLog) -> None:
    called: list[int] = []
    with deferred_sync() as pending:
        sync(log)
        on_durable(lambda: called.append(1))
    with pytest.raises(OperationalError, match="No space left"):
        sync_all([pending])
    assert called == []


def test_a_failing_callback_stops_no_other(disk: Disk, log: WriteAheadLog, caplog) -> None:
    called: list[str] = []
    disk.resume.set()
    with deferred_sync() as pending:
        sync(log)
        on_durable(lambda: called[1])
        on_durable(lambda: called.append("the other"))
    sync_all([pending])
    assert called == ["the other"]
    assert "A callback after a durable commit failed" in caplog.text
