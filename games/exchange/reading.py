"""Games from text: the format is recognised, and the first thing that cannot be read is named."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from games.contract import BadRecord, Record, Rules, Text, plain_signs, text
from games.core.registry import all_rules
from games.exchange import own_formats
from games.exchange.admission import ImportedGame, Inadmissible, admit
from games.exchange.transcripts import read_transcripts

LONGEST = 60_000
"""Characters of a text. The site accepts little more in one request."""
MOST_GAMES = 100

Reader = Callable[[str], Iterable[ImportedGame]]


class Unread(Exception):
    """Raised for a text in which a game could not be read: ``text`` is the reason, and ``line`` and
    ``column`` count from 1."""

    def __init__(self, reason: Text, written: str, at: int) -> None:
        before = written[:at]
        self.text = reason
        self.line = before.count("\n") + 1
        self.column = at - (before.rfind("\n") + 1) + 1
        # With all of them it can be pickled.
        super().__init__(reason, written, at)

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.text}"


def decode(content: bytes) -> str:
    """Return the text of a file. Raises Unread at the first byte that is not UTF-8, or 0, which
    files of other kinds and of UTF-16 have."""
    content = content.removeprefix(BOM_UTF8)
    end = content.find(b"\0")
    try:
        written = content[: end if end >= 0 else None].decode()
    except UnicodeDecodeError as error:
        written, end = content[: error.start].decode(), error.start
    if end < 0:
        return written
    raise Unread(text("This file is not text in UTF-8."), written + " ", len(written))


def read_games(written: str) -> list[ImportedGame]:
    """Return all games of a text. Raises Unread for a text without any, or in which one is
    faulty."""
    if len(written) > LONGEST:
        reason = text("That’s too long: at most %(most)s characters can be read.", most=LONGEST)
        raise Unread(reason, written, LONGEST)
    if not written.strip():
        raise Unread(text("There is no game in this text."), written, 0)
    written = written.replace("\r\n", "\n").replace("\r", "\n")
    places, plain = [*range(len(written) + 1)], written
    reader = _own_reader(written)
    if reader is None:
        plain, kept = plain_signs(written)
        places, reader = [*kept, len(written)], _reader_of(plain)
    try:
        games = [*islice(reader(plain), MOST_GAMES + 1)]
    except BadRecord as error:
        raise Unread(error.text, written, places[error.at]) from error
    if len(games) > MOST_GAMES:
        reason = text("At most %(most)s games can be read at once.", most=MOST_GAMES)
        raise Unread(reason, written, 0)
    return games


def _own_reader(written: str) -> Reader | None:
    """Return the reader of a text that the site has written, which is read sign by sign."""
    if own_formats.recognises_json(written):
        return own_formats.read_json
    return own_formats.read_text if own_formats.recognises_text(written) else None


def _reader_of(plain: str) -> Reader:
    """Return the reader for a text in the format of a game, by default for transcripts."""
    for rules in all_rules().values():
        for form in rules.formats:
            if form.recognises(plain):
                return lambda text: _admitted(rules, form.read(text), form.name)
    return read_transcripts


def _admitted(rules: Rules, records: Iterable[Record], form: Text) -> Iterator[ImportedGame]:
    for record in records:
        try:
            yield admit(rules, record, form)
        except Inadmissible as error:
            raise BadRecord(error.text, 0) from error
