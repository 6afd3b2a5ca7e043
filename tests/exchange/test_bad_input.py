"""Input that is no game is refused early, with a sentence and a place, and changes nothing."""

from __future__ import annotations

import asyncio
import gzip
import json
import tracemalloc
import zipfile
from collections.abc import Iterator
from io import BytesIO
from random import Random
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from hypothesis import given, settings
from hypothesis import strategies as st

from boardsite.asgi import MAX_BODY, django_application
from boardsite.server.wsgi_bridge import WSGIBridge
from games.contract import CannotWrite, Record, replay_record
from games.core.registry import all_rules
from games.exchange import own_formats
from games.exchange.reading import LONGEST, Unread, read_games
from games.models import Game, Player
from games.presentation.documents import GameDocument
from tests.exchange.test_reading import VARIANTS, documents, random_document
from tests.support.players import Person
from tests.support.repeats import examples

EXAMPLE = next(rules.transcript.example for rules in all_rules().values() if rules.transcript)
MB, GB = 2**20, 2**30


def upload(person: Person, content: bytes) -> Any:
    file = SimpleUploadedFile("game.txt", content)
    return person.client.post("/import/", {"file": file})


def zip_bomb() -> bytes:
    packed = BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr("game.txt", b"0" * (32 * MB))
    return packed.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        EXAMPLE.encode("utf-16"),
        EXAMPLE.encode("utf-16-le"),
        EXAMPLE.encode("utf-16-be"),
        b"\xef\xbb\xbf\n{Zo\xeb}" + EXAMPLE.encode(),
        "{黒}\n".encode("shift-jis") + EXAMPLE.encode(),
    ],
)
def test_a_game_is_read_from_a_file_in_another_encoding(content: bytes, owner: Person) -> None:
    assert upload(owner, content).context["count"] == 1


@pytest.mark.parametrize(
    ("content", "sentence", "place"),
    [
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "This file is not text.", (3, 1)),
        (b"f5\nd6 \0\x01\x02\x03", "This file is not text.", (2, 4)),
        (gzip.compress(b"f5" * MB, mtime=0), "This file is packed.", (1, 1)),
        (b"PK\x03\x04\n\0", "This file is packed.", (1, 1)),
    ],
)
def test_a_file_that_is_no_text_is_refused_with_its_first_strange_byte(
    content: bytes, sentence: str, place: tuple[int, int], owner: Person
) -> None:
    page = upload(owner, content)
    assert page.status_code == 422
    unread = page.context["unread"]
    assert str(unread.text).startswith(sentence)
    assert (unread.line, unread.column) == place
    assert page.text.count('role="alert"') == 1


def test_a_zip_bomb_is_refused_unopened(owner: Person) -> None:
    bomb, players = zip_bomb(), Player.objects.count()
    assert len(bomb) < LONGEST
    tracemalloc.start()
    page = upload(owner, bomb)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert page.status_code == 422
    assert peak < 8 * MB
    assert (Game.objects.count(), Player.objects.count()) == (0, players)


@pytest.mark.parametrize("name", ["text", "file"])
def test_a_file_of_a_million_moves_is_refused_with_the_limit(name: str, owner: Person) -> None:
    moves = "f5d6" * 500_000
    sent = moves if name == "text" else SimpleUploadedFile("game.txt", moves.encode())
    page = owner.client.post("/import/", {name: sent})
    assert page.status_code == 413
    assert "at most 128 KB" in page.text


def test_the_page_states_its_limits(owner: Person) -> None:
    text = " ".join(owner.client.get("/import/").text.split())
    assert f"At most {LONGEST} characters and 100 games" in text
    assert "at most 10000 characters for the moves of one game" in text


def test_a_million_moves_are_refused_before_any_is_read() -> None:
    written = "f5d6" * 500_000
    tracemalloc.start()
    with pytest.raises(Unread) as refusal:
        read_games(written)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (refusal.value.line, refusal.value.column) == (1, LONGEST + 1)
    assert peak < MB


class Upload:
    """A request with a body of a gigabyte, which comes in pieces as it is asked for."""

    def __init__(self, *headers: tuple[bytes, bytes]) -> None:
        form = (b"content-type", b"multipart/form-data; boundary=x")
        self.scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "POST",
            "scheme": "http",
            "path": "/import/",
            "query_string": b"",
            "headers": [(b"host", b"testserver"), form, *headers],
            "client": ("127.0.0.1", 5),
            "server": ("testserver", 80),
        }
        self.taken = 0
        self.status = 0

    async def receive(self) -> dict[str, Any]:
        self.taken += 64 * 1024
        more = self.taken < GB
        return {"type": "http.request", "body": bytes(64 * 1024), "more_body": more}

    async def send(self, message: Any) -> None:
        self.status = self.status or message["status"]


@pytest.mark.parametrize("headers", [[(b"content-length", str(GB).encode())], []])
def test_an_upload_of_a_gigabyte_is_refused_after_its_first_pieces(
    headers: list[tuple[bytes, bytes]], db: None
) -> None:
    sent = Upload(*headers)
    bridge = WSGIBridge(django_application, name="pages", threads=1, max_body=MAX_BODY)
    asyncio.run(bridge(sent.scope, sent.receive, sent.send))
    assert sent.status == 413
    assert sent.taken < MB


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=5,
)


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the container and the key of every value."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in [*pairs]:
        yield value, key
        if isinstance(inner, (dict, list)):
            yield from places(inner)


def read_or_refused(written: str) -> None:
    try:
        games = read_games(written)
    except Unread as error:
        lines = written.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        assert 1 <= error.line <= len(lines)
        assert 1 <= error.column <= len(lines[error.line - 1]) + 1
        return
    for game in games:
        replay_record(game.rules.start, game.record)


@settings(max_examples=examples(100))
@given(documents(), JSON_VALUES, st.randoms(use_true_random=False))
def test_a_game_in_json_with_any_value_anywhere_is_read_or_refused(
    game: GameDocument, value: Any, rng: Random
) -> None:
    changed = game.model_dump()
    container, key = rng.choice([*places(changed)])
    container[key] = value
    read_or_refused(json.dumps(changed, indent=rng.choice([None, 1])))


def written_games(game: GameDocument) -> list[str]:
    """Return a game in all formats that it can be written in."""
    rules, moves = all_rules()[game.kind], [(move.seat, move.move) for move in game.moves]
    record = Record(options=game.options, setup=game.setup or {}, moves=moves)
    found = [own_formats.write_text(game), game.model_dump_json(indent=1)]
    if rules.transcript:
        found.append(rules.transcript.write([move for _, move in moves]))
    for form in rules.formats:
        try:
            found += [form.write(record)] if form.write else []
        except CannotWrite:
            continue
    return found


@settings(max_examples=examples(100))
@given(
    st.builds(random_document, st.sampled_from(VARIANTS), st.integers(0, 99), st.integers(0, 20),
              resigns=st.booleans()),
    st.randoms(use_true_random=False),
    st.text(max_size=3) | st.sampled_from([*"()[]{};\n\r9", '"']),
)  # fmt: skip
def test_a_written_game_with_any_change_anywhere_is_read_or_refused(
    game: GameDocument, rng: Random, added: str
) -> None:
    written = rng.choice(written_games(game))
    begin, cut = rng.randint(0, len(written)), rng.choice([0, 1, 1, 2, 30])
    read_or_refused(written[:begin] + added + written[begin + cut :])
