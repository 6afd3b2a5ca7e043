"""Games from text: the format is recognised, and the first thing that cannot be read is named."""

from __future__ import annotations

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from io import BytesIO

from games.contract import ArchiveFormat, BadRecord, Record, Rules, Text, plain_signs, text
from games.core.registry import all_rules
from games.exchange import own_formats
from games.exchange.admission import ImportedGame, Inadmissible, admit
from games.exchange.transcripts import read_table, read_transcripts, recognises_table

LONGEST = 60_000
"""Characters of a text. The site accepts little more in one request."""
MOST_GAMES = 100

LONGEST_HEAD = 4_000
"""Bytes of a file in which the name of its encoding is looked for."""
_PACKED = (b"PK\x03\x04", b"\x1f\x8b", b"7z\xbc\xaf", b"Rar!", b"BZh")
_NAMED_ENCODING = re.compile(
    rb"\bCA\[\s*((?:iso|latin|windows|cp|utf|ascii|big5|euc|shift|sjis|gb|koi)[\w-]{0,20})\s*\]",
    re.IGNORECASE,
)
Reader = Callable[[str], Iterable[ImportedGame | BadRecord]]


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


def check_packed(content: bytes) -> None:
    """Raise Unread for a file that other files are packed in."""
    if content.startswith(_PACKED):
        reason = text("This file is packed. Unpack it first, and choose the files that are in it.")
        raise Unread(reason, "", 0)


def decode(content: bytes) -> str:
    """Return the text of a file in UTF-8, UTF-16, the encoding that it names, or else Latin-1.
    Raises Unread for a packed file, and at the first byte that no text has."""
    check_packed(content)
    if content.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        return content.decode("utf-16", "replace")
    content = content.removeprefix(BOM_UTF8)
    if (end := content.find(b"\0")) >= 0:
        if wide := _wide_encoding(content[:200]):
            return content.decode(wide, "replace")
        written = content[:end].decode("latin-1")
        raise Unread(text("This file is not text."), written + " ", end)
    named = _NAMED_ENCODING.search(content[:LONGEST_HEAD])
    for encoding in ("utf-8", named[1].decode("ascii") if named else "cp1252", "cp1252"):
        with suppress(LookupError, UnicodeError):
            return content.decode(encoding)
    return content.decode("latin-1")


def _wide_encoding(begin: bytes) -> str:
    """Return the encoding of a text in UTF-16, mostly of English letters; '' for other bytes."""
    for name, zeros, signs in (
        ("utf-16-le", begin[1::2], begin[::2]),
        ("utf-16-be", begin[::2], begin[1::2]),
    ):
        if 2 * zeros.count(0) > len(zeros) and 0 not in signs:
            return name
    return ""


def read_games(written: str) -> list[ImportedGame]:
    """Return all games of a text. Raises Unread for one without any, or a faulty one."""
    if len(written) > LONGEST:
        reason = text("That’s too long: at most %(most)s characters can be read.", most=LONGEST)
        raise Unread(reason, written, LONGEST)
    games: list[ImportedGame] = []
    for game in games_in(written):
        if isinstance(game, Unread):
            raise game
        games.append(game)
        if len(games) > MOST_GAMES:
            reason = text("At most %(most)s games can be read at once.", most=MOST_GAMES)
            raise Unread(reason, written, 0)
    return games


def games_in(written: str) -> Iterator[ImportedGame | Unread]:
    """Yield the games of a text of any length, for a faulty one Unread. After a fault that hides
    the beginning of the next game no game follows."""
    if not written.strip():
        yield Unread(text("There is no game in this text."), written, 0)
        return
    written = written.replace("\r\n", "\n").replace("\r", "\n")
    places: Sequence[int] = range(len(written))
    plain, reader = written, _own_reader(written)
    if reader is None:
        plain, places = plain_signs(written)
        reader = _reader_of(plain)

    def unread(error: BadRecord) -> Unread:
        at = places[error.at] if error.at < len(places) else len(written)
        return Unread(error.text, written, at)

    try:
        for game in reader(plain):
            yield unread(game) if isinstance(game, BadRecord) else game
    except BadRecord as error:
        yield unread(error)


def games_of_files(files: Mapping[str, bytes]) -> Iterator[ImportedGame | Unread]:
    """Yield the games of files by their names, as `games_in` does. An archive gets the contents of
    those to which it refers; the place of its faults is a byte."""
    by_ending = {name.lower().rpartition(".")[2]: content for name, content in files.items()}
    archives = [(rules, form) for rules in all_rules().values() for form in rules.archives]
    beside = {ending for _rules, form in archives for ending in form.companions}
    if beside >= by_ending.keys():
        yield Unread(text("This file has only the names for other files."), "", 0)
    for name, content in files.items():
        ending = name.lower().rpartition(".")[2]
        try:
            if ending not in beside:
                found = next((pair for pair in archives if pair[1].ending == ending), None)
                games = _archived(*found, content, by_ending) if found else None
                yield from games or games_in(decode(content))
        except Unread as error:
            yield error


def _archived(
    rules: Rules, form: ArchiveFormat, content: bytes, files: Mapping[str, bytes]
) -> Iterator[ImportedGame | Unread]:
    names = {ending: files[ending] for ending in form.companions if ending in files}
    records = form.read(BytesIO(content), names)
    try:
        for game in _admitted(rules, records, Text(form.ending)):
            yield Unread(game.text, "", game.at) if isinstance(game, BadRecord) else game
    except BadRecord as error:
        yield Unread(error.text, "", error.at)


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
    return read_table if recognises_table(plain) else read_transcripts


def _admitted(
    rules: Rules, records: Iterable[Record | BadRecord], form: Text
) -> Iterator[ImportedGame | BadRecord]:
    for record in records:
        if isinstance(record, BadRecord):
            yield record
            continue
        try:
            yield admit(rules, record, form)
        except Inadmissible as error:
            yield BadRecord(error.text, 0)
