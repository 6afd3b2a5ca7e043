"""Server-sent events as bytes: what a browser reads out of them, plain and compressed."""

from __future__ import annotations

import zlib

from hypothesis import given
from hypothesis import strategies as st

from games.live.events import GREETINGS, HEARTBEAT, Event, board_event


def parse(stream: str) -> list[dict[str, str]]:
    """Events as the standard tells a browser to read them."""
    events = []
    for block in stream.split("\n\n")[:-1]:
        event: dict[str, str] = {}
        for line in block.split("\n"):
            name, _, value = line.partition(": ")
            event[name] = f"{event[name]}\n{value}" if name in event else value
        events.append(event)
    return events


def unpack(*events: Event) -> str:
    """What a browser makes of a compressed stream that has not ended."""
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
    return b"".join(unpacker.decompress(event.gzipped["body"]) for event in events).decode()


def plain(*events: Event) -> str:
    return b"".join(event.plain["body"] for event in events).decode()


# A browser ends lines at a carriage return too, which HTML does not need.
html = st.text(st.characters(exclude_characters="\r", exclude_categories=["Cs"]))


@given(html, st.integers(1, 10**9))
def test_a_board_arrives_as_it_was_sent(board, version):
    assert parse(plain(board_event(version, board.encode()))) == [
        {"event": "board", "id": str(version), "data": board}
    ]


def test_carriage_returns_begin_new_lines_of_data():
    assert parse(plain(board_event(1, b"a\r\nb\rc")))[0]["data"] == "a\nb\nc"


@given(st.lists(html, max_size=5), st.sampled_from(GREETINGS))
def test_compressed_events_of_any_order_make_one_stream(boards, greeting):
    events = [board_event(number, board.encode()) for number, board in enumerate(boards, start=1)]
    shuffled = [greeting, HEARTBEAT, *reversed(events), HEARTBEAT, *events]
    assert unpack(*shuffled) == plain(*shuffled)


def test_a_compressed_event_can_be_read_before_the_next_one_comes():
    unpacker = zlib.decompressobj(zlib.MAX_WBITS | 16)
    for event in (GREETINGS[0], board_event(7, b"<p>seven</p>"), HEARTBEAT):
        assert unpacker.decompress(event.gzipped["body"]) == event.plain["body"]


def test_a_beat_is_a_named_event_without_an_id():
    assert parse(plain(HEARTBEAT)) == [{"event": "beat", "data": ""}]


def test_browsers_are_told_to_come_back_at_different_times():
    assert len({plain(greeting) for greeting in GREETINGS}) == len(GREETINGS)
