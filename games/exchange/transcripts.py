"""Transcripts of any kind of game: moves alone, whose kind and options are found by trying."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from random import Random
from typing import Any

from games.contract import (
    BadRecord,
    BadTranscript,
    IllegalMove,
    MoveError,
    Record,
    Rules,
    Text,
    text,
)
from games.contract.transcript import LONGEST
from games.core.registry import all_rules
from games.exchange.admission import ImportedGame, Inadmissible, admit

FORM = text("Transcript")
_BLOCK = re.compile(r"(?:(?:[ \t]*\[[^\n]*\][ \t]*\n)+\s*)?(?:[^\n]*\S[^\n]*(?:\n|\Z))+")
"""A paragraph, with the paragraph of tags before it, as in PGN."""
_TAG = re.compile(r'\[(\w{1,40})\s+"([^"\n]{0,200})"\]')
_LINE = re.compile(r"[^\n]*\S[^\n]*")
_MOVES = re.compile(r"(?:.*[\s_])?(?:moves|transcript|zetten)")
TRIED_PARTS = 100
"""Parts of a text that must all be games; a later one that is none is a fault of its own."""


@dataclass(frozen=True)
class _Fault:
    """Why a text is no transcript: the number of moves that were read before, the place, and
    whether a move stands there that the rules forbid."""

    moves: int
    reason: Text
    at: int
    is_move: bool = False

    @property
    def reach(self) -> tuple[int, bool]:
        """How much could be read."""
        return self.moves, self.is_move


def recognises_table(written: str) -> bool:
    return bool(_columns(written)[1])


def read_table(written: str) -> Iterator[ImportedGame | BadRecord]:
    """Yield the games of a table in CSV: one a row, whose moves are in one of its columns. The
    others have the names of the seats or of the tags of PGN."""
    sign, moves = _columns(written)
    begun = 0

    def lines() -> Iterator[str]:
        nonlocal begun
        for line in StringIO(written):
            yield line
            begun += len(line)

    rows = csv.DictReader(lines(), delimiter=sign, restval="")
    for row in rows:
        tags = {str(name).strip().lower(): str(value).strip() for name, value in row.items()}
        found = _read_one(row[moves], tags)
        yield BadRecord(found.reason, begun) if isinstance(found, _Fault) else found


def _columns(written: str) -> tuple[str, str]:
    """Return the sign between a table's columns, and the heading of its moves, '' without."""
    heading = written.lstrip()[:1_000].partition("\n")[0]
    for sign in ",;\t":
        names = next(csv.reader([heading], delimiter=sign), [])
        for name in names if len(names) > 1 else ():
            if _MOVES.fullmatch(name.strip().lower()):
                return sign, name
    return ",", ""


def read_transcripts(written: str) -> Iterator[ImportedGame | BadRecord]:
    """Yield the games of a text: one game, or one in each paragraph or line. Raises BadRecord with
    the fault of the reading that got furthest."""
    faults: list[_Fault] = []
    for parts in _splits(written):
        found = _read_all(written, parts[:TRIED_PARTS])
        if not isinstance(found, _Fault):
            yield from found
            for begin, end in parts[TRIED_PARTS:]:
                game = _read_one(written[begin:end])
                if isinstance(game, _Fault):
                    yield BadRecord(game.reason, begin + game.at)
                else:
                    yield game
            return
        faults.append(found)
    furthest = max(faults, key=lambda fault: fault.at, default=_Fault(0, _not_read(), 0))
    legible = furthest.moves or furthest.is_move
    raise BadRecord(furthest.reason if legible else _not_read(), furthest.at)


def _not_read() -> Text:
    return text(
        "This is no list of moves of a game of this site, and no file in one of the formats below."
    )


def _splits(written: str) -> Iterator[Sequence[tuple[int, int]]]:
    """Yield the ways to divide a text into games."""
    seen: list[list[tuple[int, int]]] = []
    whole = [(0, len(written))]
    for pattern in (None, _BLOCK, _LINE):
        parts = [match.span() for match in pattern.finditer(written)] if pattern else whole
        if parts and parts not in seen:
            seen.append(parts)
            yield parts


def _read_all(written: str, parts: Sequence[tuple[int, int]]) -> list[ImportedGame] | _Fault:
    games: list[ImportedGame] = []
    for begin, end in parts:
        found = _read_one(written[begin:end])
        if isinstance(found, _Fault):
            return replace(found, moves=found.moves + len(games), at=begin + found.at)
        games.append(found)
    return games


def _read_one(written: str, tags: Mapping[str, str] | None = None) -> ImportedGame | _Fault:
    """Return the game of a text, or the furthest fault; ``tags`` are by default those in it."""
    if tags is None:
        tags = {tag[1].lower(): tag[2] for tag in _TAG.finditer(written)}
    tags = {name: value.strip(" ?*") for name, value in tags.items()}
    if len(written) > LONGEST:
        reason = text("That’s too long for the moves of one game.")
        return _Fault(0, reason, LONGEST, is_move=True)
    faults: dict[str, _Fault] = {}
    for options_of in (_usual_options, _other_options):
        for rules in _legible(faults):
            for options in options_of(rules):
                found = _try(rules, options, written, tags)
                if not isinstance(found, _Fault):
                    return found
                before = faults.get(rules.slug, found)
                faults[rules.slug] = max(before, found, key=lambda fault: fault.reach)
    return max(faults.values(), key=lambda fault: fault.reach, default=_Fault(0, _not_read(), 0))


def _legible(faults: Mapping[str, _Fault]) -> Iterator[Rules]:
    """Yield the rules whose notation the text may be in: it is the same with all options."""
    for rules in all_rules().values():
        fault = faults.get(rules.slug)
        if rules.transcript and (fault is None or fault.reach != (0, False)):
            yield rules


def _usual_options(rules: Rules) -> Iterator[dict[str, Any]]:
    yield rules.clean({})


def _other_options(rules: Rules) -> Iterator[dict[str, Any]]:
    for option in rules.options:
        if option.kind == "number":
            for number in range(option.low, option.high + 1, option.step):
                if number != option.default:
                    yield rules.clean({option.name: number})


def _try(
    rules: Rules, options: dict[str, Any], written: str, tags: Mapping[str, str]
) -> ImportedGame | _Fault:
    """Return the game that a text is by the rules with these options, or why it is none."""
    setup = rules.deal(options, Random(0))
    position, moves = rules.start(setup), []
    try:
        for move in rules.transcript.read(rules.start(setup), written) if rules.transcript else ():
            seat = min(position.to_move(), default="")
            position.play(seat, move)
            moves.append((seat, move))
        if not moves:
            return _Fault(0, text("There is no move in this text."), 0)
        record = Record(
            options=options,
            setup=setup,
            moves=moves,
            names={name: value for name, value in tags.items() if value},
            day=tags.get("date", "").replace(".", "-").strip("?-")[:10],
            event=tags.get("event", ""),
            place=tags.get("site", "") or tags.get("place", ""),
            result=tags.get("result", ""),
        )
        return admit(rules, record, FORM)
    except BadTranscript as error:
        is_move = isinstance(error.__cause__, IllegalMove)
        return _Fault(error.number - 1, error.text, error.at, is_move)
    except (MoveError, Inadmissible) as error:
        return _Fault(0, error.text, 0)
