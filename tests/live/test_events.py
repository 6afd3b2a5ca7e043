"""Events as bytes, plain and compressed, are read by browsers as intended."""

from __future__ import annotations

import zlib

from hypothesis import given
from hypothesis import strategies as st

from games.live.events import GREETINGS, HEARTBEAT, Event, board_event


def parse(stream: str) -> list[dict[str, str]]:
    """Parse events as the standard demands of browsers."""
    events = []
    for block in stream.split("\n\n")[:-1]:
        event: dict[str, str] = {}
        for line in block.split("\n"):
            name, _, value = line.partition(": ")
            event[name] = f"{event[name]}\n{value}" if name in event else value
        events.append(event)
    return events


def decompress(*events: Event) -> str:
    """Decompress a stream that has not ended."""
    decompressor = zlib.decompressobj(zlib.MAX_WBITS | 16)
    return b"".join(decompressor.decompress(event.gzipped["body"]) for event in events).decode()


def plain(*events: Event) -> str:
    return b"".join(event.plain["body"] for event in events).decode()


# Without carriage returns, at which a browser ends lines too; HTML does not need them.
html = st.text(st.characters(exclude_characters="\r", exclude_categories=["Cs"]))


@given(html, st.integers(1, 10**9))
def test_a_board_arrives_unchanged(board, version):
    assert parse(plain(board_event(version, board.encode()))) == [
        {"event": "board", "id": str(version), "data": board}
    ]


def test_carriage_returns_begin_new_lines_of_data():
    assert parse(plain(board_event(1, b"a\r\nb\rc")))[0]["data"] == "a\nb\nc"


@given(st.lists(html, max_size=5), st.sampled_from(GREETINGS))
def test_compressed_events_in_any_order_are_one_gzip_stream(boards, greeting):
    events = [board_event(number, board.encode()) for number, board in enumerate(boards, start=1)]
    shuffled = [greeting, HEARTBEAT, *reversed(events), HEARTBEAT, *events]
    assert decompress(*shuffled) == plain(*shuffled)


def test_a_compressed_event_is_readable_before_the_next_one():
    decompressor = zlib.decompressobj(zlib.MAX_WBITS | 16)
    for event in (GREETINGS[0], board_event(7, b"<p>seven</p>"), HEARTBEAT):
        assert decompressor.decompress(event.gzipped["body"]) == event.plain["body"]


def test_a_heartbeat_is_a_named_event_without_an_id():
    assert parse(plain(HEARTBEAT)) == [{"event": "beat", "data": ""}]


def test_greetings_have_different_retry_times():
    assert len({plain(greeting) for greeting in GREETINGS}) == len(GREETINGS)
