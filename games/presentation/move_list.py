"""The list of moves beside a board: a column for each side, and a row for each round of turns."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from django.utils.safestring import SafeString
from django.utils.translation import get_language

from games.contract import ENDINGS, MoveLabel, NotedMove, Rules, SeatSpec, Text, ntext
from games.core.registry import all_rules
from games.core.translation import Translator, translate
from games.presentation.board_html import escape
from games.presentation.sight import Sight, person_on
from games.state.replay import StoredMove
from games.state.snapshot import GameSnapshot
from games.state.variations import may_analyse, never_evaluable
from games.storage.cache import LRUCache

LISTED_PLIES = 60
"""Moves that a page lists by default."""


@dataclass(frozen=True, kw_only=True)
class MoveList:
    """The value of `_moves.jinja`: the names of the columns, the moves that are listed, how many
    before them are not, and the ``current`` ply. ``review`` and ``analyse`` say whether the viewer
    may go there. ``no_analysis`` is the reason why a game that the viewer might analyse has no
    analysis, and ``recap`` the table of the turns of a finished game."""

    snapshot: GameSnapshot
    columns: Collection[Text]
    moves: Sequence[StoredMove]
    hidden: int
    current: int
    review: bool
    analyse: bool
    no_analysis: Text | None
    recap: RecapTable | None

    @property
    def has_notes(self) -> bool:
        """Whether moves have their notes: once the game is over, unless the table tells them."""
        return self.snapshot.game.over and self.recap is None

    @property
    def earlier(self) -> Text:
        """The sentence that says how many moves are not listed."""
        return ntext("%(n)s earlier move", "%(n)s earlier moves", n=self.hidden)


def move_list(seen: Sight, *, whole: bool) -> MoveList:
    """Return all moves, or the last ones if these include those up to the shown ply."""
    snapshot, ply = seen.snapshot, seen.snapshot.game.ply
    whole = whole or (not seen.live and seen.ply <= ply - LISTED_PLIES)
    moves = snapshot.moves if whole else snapshot.moves[-LISTED_PLIES:]
    explores = seen.ply > 0 and may_analyse(snapshot, seen.seen_by.seats)
    no_analysis = never_evaluable(snapshot) if explores else None
    return MoveList(
        snapshot=snapshot,
        columns=columns(snapshot.specs).values(),
        moves=moves,
        hidden=max(0, ply - len(moves)),
        current=seen.ply,
        review=seen.live and ply > 0,
        analyse=explores and no_analysis is None,
        no_analysis=no_analysis,
        recap=recap_of(snapshot) if seen.live and seen.over else None,
    )


@dataclass
class MoveRow:
    """A row of the list: ``turns`` are the moves of each side, by column. A team may make several
    moves in one turn, and a side that was passed over made none."""

    number: int
    first: StoredMove
    last: StoredMove
    turns: dict[int, list[StoredMove]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class RecapTable:
    """The value of `_recap.jinja`: turns with their side, player and cells of the game."""

    title: Text
    columns: Sequence[Text]
    rows: Sequence[tuple[Text, str, Sequence[Sequence[MoveLabel]]]]


def recap_of(snapshot: GameSnapshot) -> RecapTable | None:
    """Return the table of the turns of a game that is over; None for a game without one."""
    moves = [NotedMove(move.seat, move.text, _note_of(move)) for move in snapshot.moves]
    recap = snapshot.position.recap(moves)
    if recap is None:
        return None
    rows = [
        (spec.side_name or spec.name, person_on(snapshot, spec.key), row.cells)
        for row in recap.rows
        for spec in [snapshot.spec(row.seat)]
    ]
    return RecapTable(title=recap.title, columns=recap.columns, rows=rows)


def _note_of(move: StoredMove) -> Text | None:
    return Text.from_json(move.note) if move.note else None


def columns(specs: Sequence[SeatSpec]) -> dict[str, Text]:
    """Return the names of the columns by side: a team's name, or the name of the only seat."""
    names: dict[str, Text] = {}
    for spec in specs:
        names.setdefault(spec.side, spec.side_name or spec.name)
    return names


def move_rows(specs: Sequence[SeatSpec], moves: Sequence[StoredMove]) -> list[MoveRow]:
    sides, seats = list(columns(specs)), [spec.side for spec in specs]
    column_of = {spec.key: sides.index(spec.side) for spec in specs}
    teams = {column for column, side in enumerate(sides) if seats.count(side) > 1}
    rows: list[MoveRow] = []
    before = len(sides)
    for move in moves:
        column = column_of[move.seat]
        if column < before or (column == before and column not in teams):
            rows.append(MoveRow(len(rows) + 1, move, move))
        row, before = rows[-1], column
        row.turns.setdefault(column, []).append(move)
        row.last = move
    return rows


def render_moves(listed: MoveList, address: str, translator: Translator) -> SafeString:
    """Return the rows of a list as HTML, with links to positions below ``address``."""
    snapshot, current = listed.snapshot, listed.current
    # Ids of moves are never reused; after the end of a game its versions differ in notes.
    version = snapshot.game.version if listed.has_notes else 0
    html = []
    for row in move_rows(snapshot.specs, snapshot.moves):
        if row.last.ply <= listed.hidden:
            continue
        if row.first.ply <= current <= row.last.ply or row.last.ply == snapshot.game.ply:
            html.append(_row(row, listed, address, translator))
            continue
        key = (snapshot.game.id, row.last.id, translator.language, version)
        if (known := _quiet_rows.get(key)) is None:
            known = _quiet_rows.put(key, _row(row, listed, address, translator))
        html.append(known)
    # Moves are escaped by `_link`.
    return SafeString("".join(html))


_quiet_rows: LRUCache[tuple[str, int, str | None, int], str] = LRUCache(20_000)
"""The HTML of rows before the last one without the current move, after the end with notes."""


def _row(row: MoveRow, listed: MoveList, address: str, translator: Translator) -> str:
    snapshot, current = listed.snapshot, listed.current
    slug, position = snapshot.game.kind, snapshot.at(snapshot.last_ply)
    language = translator.language

    def link(move: StoredMove) -> str:
        label = position.label_move(move.text)
        shown = (
            translate(label.text, translator) if label else _displayed(slug, language, move.text)
        )
        anchor = _link(f"{address}{move.ply}/", shown, label, is_current=move.ply == current)
        return anchor + _note(move) if listed.has_notes else anchor

    turns = row.turns
    cells = [" ".join(map(link, turns.get(column, ()))) for column in range(len(listed.columns))]
    return f"<tr><th>{row.number}</th><td>{'</td><td>'.join(cells)}</td></tr>"


def _note(move: StoredMove) -> str:
    note = _note_of(move)
    return f' <small class="note">{escape(translate(note))}</small>' if note else ""


def _link(address: str, shown: str, label: MoveLabel | None, *, is_current: bool) -> str:
    look = label.look if label else ""
    if is_current:
        look = f"{look} current".strip()
    attributes = f' class="{look}"' if look else ""
    if label and label.language:
        attributes += f' lang="{label.language}"'
    if is_current:
        attributes += ' aria-current="true"'
    return f'<a href="{address}"{attributes}>{escape(shown)}</a>'


def display_move(move: str, rules: Rules) -> str:
    """Return a stored move as people read it: in the game's notation and the reader's language."""
    return _displayed(rules.slug, get_language(), move)


# Cached, since translating a text takes 20 µs.
@lru_cache(20_000)
def _displayed(slug: str, language: str | None, move: str) -> str:
    return translate(ENDINGS.get(move) or all_rules()[slug].display_move(move))
