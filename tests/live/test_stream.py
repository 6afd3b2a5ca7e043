"""Stream writes to browsers that are fast, slow, finished or gone."""

from __future__ import annotations

from games.live.events import HEARTBEAT, Event, Message, board_event
from games.live.stream import Stream
from tests.support.servers.hub_fakes import FakeBrowser, run_async, wait_until

BOARDS = [board_event(version, b"<p>") for version in range(4)]


class Pipe:
    """The receiver of a stream, which records all messages."""

    def __init__(self, error: Exception | None = None) -> None:
        self.sent: list[Message] = []
        self.error = error

    async def send(self, message: Message) -> None:
        self.sent.append(message)
        if self.error:
            raise self.error


def opened(receiver: FakeBrowser | Pipe, *, gzipped: bool = False) -> Stream:
    stream = Stream(receiver.send, gzipped=gzipped)
    stream.open(0)
    return stream


def sent(*events: Event, gzipped: bool = False, error: Exception | None = None) -> list[Message]:
    """Return the messages that a stream sends for events."""
    pipe = Pipe(error)

    async def write() -> None:
        stream = opened(pipe, gzipped=gzipped)
        for event in events:
            stream.write(event)

    run_async(write)
    return pipe.sent


def test_a_stream_sends_plain_or_gzipped_events():
    assert sent(BOARDS[1], HEARTBEAT, gzipped=True) == [BOARDS[1].gzipped, HEARTBEAT.gzipped]
    assert sent(BOARDS[1], HEARTBEAT) == [BOARDS[1].plain, HEARTBEAT.plain]


def test_no_board_is_sent_twice_or_after_a_newer_one():
    assert sent(*(BOARDS[version] for version in (2, 2, 1, 3))) == [
        BOARDS[2].plain,
        BOARDS[3].plain,
    ]


def test_a_failed_stream_is_dropped(caplog):
    assert sent(BOARDS[1], BOARDS[2], HEARTBEAT, error=OSError("gone")) == [BOARDS[1].plain]
    assert "Sending to a browser failed" in caplog.text


def test_a_slow_browser_gets_the_pending_board_and_all_later_ones():
    async def test() -> None:
        browser = FakeBrowser()
        browser.awake.clear()
        stream = opened(browser)
        for event in (BOARDS[1], BOARDS[2], HEARTBEAT):
            stream.write(event)
        browser.awake.set()
        await wait_until(lambda: browser.versions == [1, 2])
        stream.write(BOARDS[3])
        await wait_until(lambda: browser.versions == [1, 2, 3])

    run_async(test)


def test_a_finished_or_dropped_stream_sends_nothing():
    async def test() -> None:
        for end in (Stream.finish, Stream.drop):
            pipe = Pipe()
            stream = opened(pipe)
            end(stream)
            before = list(pipe.sent)
            stream.write(BOARDS[1])
            stream.finish()
            assert pipe.sent == before

    run_async(test)


def test_a_slow_stream_is_not_ended_in_the_middle_of_a_board():
    async def test() -> None:
        browser = FakeBrowser()
        browser.awake.clear()
        stream = opened(browser)
        stream.write(BOARDS[1])
        stream.finish()
        browser.awake.set()
        await wait_until(lambda: browser.versions == [1])
        assert not browser.ended

    run_async(test)
