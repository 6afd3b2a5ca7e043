"""What was committed is on the disk before its answer leaves and before others are told, with one
flush for many."""

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
    """Counts the flushes of the machine's own disk, which go on; each waits until it may."""

    def __init__(self) -> None:
        self.begun, self.ended = 0, 0
        self.started, self.may_go_on = Event(), Event()
        self._lock = Lock()
        self._flush = group_commit._flush

    def flush(self, file: int) -> None:
        with self._lock:
            self.begun += 1
        self.started.set()
        self.may_go_on.wait(30)
        self._flush(file)
        with self._lock:
            self.ended += 1


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    counted = Disk()
    monkeypatch.setattr(group_commit, "_flush", counted.flush)
    yield counted
    counted.may_go_on.set()


@pytest.fixture
def log(tmp_path: Path) -> WriteAheadLog:
    (tmp_path / "some.sqlite3-wal").write_bytes(b"frames")
    return WriteAheadLog(tmp_path / "some.sqlite3")


def test_a_flush_reaches_the_disk_before_it_returns(disk: Disk, log: WriteAheadLog) -> None:
    disk.may_go_on.set()
    log.flush()
    assert disk.ended == 1


def test_those_who_come_during_a_flush_share_the_next_one(disk: Disk, log: WriteAheadLog) -> None:
    with ThreadPoolExecutor(9) as pool:
        first = pool.submit(log.flush)
        assert disk.started.wait(30)
        others = [pool.submit(log.flush) for _ in range(8)]
        while log._asked < 9:
            pass
        disk.may_go_on.set()
        for one in (first, *others):
            one.result(30)
    assert disk.ended == 2


def test_nobody_returns_with_a_flush_that_began_before(disk: Disk, log: WriteAheadLog) -> None:
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(log.flush)
        assert disk.started.wait(30)
        second = pool.submit(log.flush)
        while log._asked < 2:
            pass
        assert (disk.begun, second.done()) == (1, False)
        disk.may_go_on.set()
        first.result(30), second.result(30)
    assert disk.ended == 2


def test_a_disk_that_fails_is_told_to_each_who_asked(log: WriteAheadLog, monkeypatch) -> None:
    def broken(_: int) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(group_commit, "_flush", broken)
    for _ in range(2):
        with pytest.raises(OperationalError, match="No space left"):
            log.flush()


def test_a_log_that_is_gone_was_written_into_the_database(tmp_path: Path, disk: Disk) -> None:
    WriteAheadLog(tmp_path / "other.sqlite3").flush()
    assert disk.begun == 0


def test_on_credit_nobody_waits_for_the_disk(disk: Disk, log: WriteAheadLog) -> None:
    with deferred_sync() as debt:
        sync(log)
    assert debt
    assert disk.begun == 0


def test_without_credit_one_waits(disk: Disk, log: WriteAheadLog) -> None:
    disk.may_go_on.set()
    sync(log)
    assert disk.ended == 1


def test_all_debts_are_settled_with_one_flush(disk: Disk, log: WriteAheadLog) -> None:
    debts = []
    for _ in range(3):
        with deferred_sync() as debt:
            sync(log)
        debts.append(debt)
    disk.may_go_on.set()
    sync_all(debts)
    assert disk.ended == 1


def test_others_are_told_once_it_is_on_the_disk_and_not_before(
    disk: Disk, log: WriteAheadLog
) -> None:
    told: list[int] = []
    with deferred_sync() as debt:
        sync(log)
        on_durable(lambda: told.append(disk.ended))
    assert told == []
    disk.may_go_on.set()
    sync_all([debt])
    assert told == [1]


def test_who_owes_nothing_tells_at_once() -> None:
    told: list[str] = []
    on_durable(lambda: told.append("without credit"))
    with deferred_sync() as debt:
        on_durable(lambda: told.append("on credit"))
    assert told == ["without credit", "on credit"]
    assert not debt


def test_nobody_is_told_of_what_the_disk_refuses(log: WriteAheadLog, monkeypatch) -> None:
    def broken(_: int) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(group_commit, "_flush", broken)
    told: list[int] = []
    with deferred_sync() as debt:
        sync(log)
        on_durable(lambda: told.append(1))
    with pytest.raises(OperationalError, match="No space left"):
        sync_all([debt])
    assert told == []


def test_who_cannot_be_told_keeps_nobody_else_from_it(
    disk: Disk, log: WriteAheadLog, caplog
) -> None:
    told: list[str] = []
    disk.may_go_on.set()
    with deferred_sync() as debt:
        sync(log)
        on_durable(lambda: told[1])
        on_durable(lambda: told.append("the other"))
    sync_all([debt])
    assert told == ["the other"]
    assert "Telling of what was kept" in caplog.text
