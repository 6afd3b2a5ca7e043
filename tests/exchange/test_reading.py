"""Games are read from text in any format, or the first thing that cannot be read is named."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.contract import RESIGN, CannotWrite, Record, Rules, replay_record
from games.core.registry import all_rules
from games.exchange import own_formats
from games.exchange.reading import LONGEST, Unread, decode, games_in, read_games
from games.exchange.transcripts import TRIED_PARTS
from games.presentation.documents import GameDocument, MoveDocument, SeatDocument
from tests.support.kinds import default_specs, first_legal_moves, one_step_rules_with_hints
from tests.support.random_games import Variant, can_deal, variants
from tests.support.repeats import examples

VARIANTS = [
    variant for rules in all_rules().values() for variant in variants(rules) if can_deal(variant)
]
TRANSCRIPTS = [rules for rules in all_rules().values() if rules.transcript]
WITH_FORMATS = next(rules for rules in all_rules().values() if rules.formats)


def random_document(variant: Variant, seed: int, plies: int, *, resigns: bool) -> GameDocument:
    """Return a random game; one with secrets is finished by a resignation."""
    rng, setup = Random(seed), variant.setup(seed)
    position, moves = variant.rules.start(setup), list[MoveDocument]()
    while position.to_move() and len(moves) < plies:
        seat = rng.choice(sorted(position.to_move()))
        move = rng.choice(position.legal_moves(seat))
        position.play(seat, move)
        moves.append(MoveDocument(seat=seat, move=move))
    specs = variant.rules.seats(variant.options)
    if position.to_move() and (resigns or any(spec.secret for spec in specs)):
        moves += resignations(position, rng)
    public = {
        option.name for option in variant.rules.options if option.kind not in {"text", "pack"}
    }
    return GameDocument(
        kind=variant.rules.slug,
        rules_version=variant.rules.version,
        day="2026-11-25",
        options={name: value for name, value in variant.options.items() if name in public},
        setup=setup,
        seats={spec.key: SeatDocument(names=["Zoë ☃"]) for spec in specs},
        moves=moves,
    )


def resignations(position: Any, rng: Random) -> list[MoveDocument]:
    moves = []
    while position.to_move():
        seat = rng.choice(sorted(position.to_move()))
        position.play(seat, RESIGN)
        moves.append(MoveDocument(seat=seat, move=RESIGN))
    return moves


@st.composite
def documents(draw: st.DrawFn) -> GameDocument:
    variant = draw(st.sampled_from(VARIANTS))
    seed, plies = draw(st.integers(0, 10**6)), draw(st.integers(0, 60))
    return random_document(variant, seed, plies, resigns=draw(st.booleans()))


def told(document: GameDocument) -> Any:
    return document.kind, document.setup, [(move.seat, move.move) for move in document.moves]


@given(st.lists(documents(), min_size=1, max_size=3))
def test_games_of_all_kinds_come_back_from_their_text_and_json(games: list[GameDocument]) -> None:
    texts = "".join(map(own_formats.write_text, games))
    lines = "".join(game.model_dump_json() + "\n" for game in games)
    array = json.dumps([game.model_dump() for game in games], indent=1)
    for written in (texts, lines, array):
        read = read_games(written)
        assert [(game.rules.slug, game.record.setup, [*game.record.moves]) for game in read] == [
            told(game) for game in games
        ]
        assert all({*game.record.names.values()} == {"Zoë ☃"} for game in read)


def records(rules: Rules) -> st.SearchStrategy[GameDocument]:
    own = [variant for variant in VARIANTS if variant.rules is rules]
    return st.builds(
        random_document, st.sampled_from(own), st.integers(0, 10**6), st.integers(1, 70),
        resigns=st.booleans(),
    )  # fmt: skip


@given(st.sampled_from([rules for rules in all_rules().values() if rules.formats]).flatmap(records))
def test_games_come_back_from_the_formats_of_other_programs(game: GameDocument) -> None:
    rules = all_rules()[game.kind]
    moves = [(move.seat, move.move) for move in game.moves]
    record = Record(options=game.options, setup=game.setup or {}, moves=moves)
    for form in rules.formats:
        try:
            written = form.write(record) if form.write else ""
        except CannotWrite:
            continue
        if not written or not form.recognises(written):
            continue
        (read,) = read_games(written)
        assert read.rules is rules
        assert read.record.setup == game.setup
        plain = [pair for pair in moves if pair[1] != RESIGN]
        assert [*read.record.moves] in (moves, plain)


@given(st.sampled_from(TRANSCRIPTS).flatmap(records), st.sampled_from(["{}", " {}\n", "\ufeff{}"]))
def test_the_kind_and_size_of_a_transcript_are_found(game: GameDocument, around: str) -> None:
    rules = all_rules()[game.kind]
    assert rules.transcript
    moves = [move.move for move in game.moves if move.move != RESIGN]
    if not moves:
        return
    written = rules.transcript.heading(game.setup or {}) + rules.transcript.write(moves)
    (read,) = read_games(around.format(written.upper()))
    if len(moves) < 3 and read.rules is not rules:
        # A few squares may be the beginning of a game of another kind, too.
        return
    assert [move for _seat, move in read.record.moves] == moves
    replay_record(read.rules.start, read.record)


def test_transcripts_on_lines_of_their_own_are_games_of_their_own() -> None:
    written = ""
    for rules in TRANSCRIPTS:
        assert rules.transcript
        written += rules.transcript.example + "\n"
    assert [game.rules for game in read_games(written)] == TRANSCRIPTS


def broken(game: GameDocument, **changes: Any) -> str:
    return json.dumps({**game.model_dump(), **changes}, indent=1)


GAME = random_document(VARIANTS[-1], 1, 3, resigns=False)


@pytest.mark.parametrize(
    ("changes", "marker", "message"),
    [
        ({"kind": "chess"}, '"chess"', "This site does not have that game."),
        ({"rules_version": 99}, "99", "The rules of this game have changed"),
        ({"setup": None}, "null", "The setup of this game is missing or still secret."),
        ({"setup": {"size": 10**9}}, '{\n  "size"', "The setup does not fit the options"),
        ({"moves": [{"seat": "x", "move": "resign"}]}, '{\n   "seat": "x"', "Move 1, “resign”:"),
        ({"moves": "f5"}, '"f5"', "The value of “moves” is not that of a game."),
        ({"colour": 1}, "1\n}", "The value of “colour” is not that of a game."),
    ],
)  # fmt: skip
def test_the_faulty_value_of_json_is_named_by_line_and_column(
    changes: dict[str, Any], marker: str, message: str
) -> None:
    written = broken(GAME, **changes)
    with pytest.raises(Unread) as refusal:
        read_games(written)
    before = written[: written.index(marker)]
    assert str(refusal.value.text).startswith(message)
    assert refusal.value.line == before.count("\n") + 1
    assert refusal.value.column == len(before) - before.rfind("\n")


@pytest.mark.parametrize(
    ("written", "place", "message"),
    [
        ("", (1, 1), "There is no game in this text."),
        ("hello", (1, 1), "This is no list of moves"),
        ('{"kind": "x",,}', (1, 14), "This is no JSON"),
        ('{"a": 1}\n{"b"', (1, 1), "“kind” is missing from this game."),
        ('{"kind": ' + "[" * 50_000, (1, 1), "This JSON cannot be a game."),
        ('{"kind": ' + "9" * 50_000 + "}", (1, 1), "This JSON cannot be a game."),
        ('{"kind": NaN}', (1, 1), "This JSON cannot be a game."),
        ('{"kind": "\\ud800"}', (1, 1), "This JSON cannot be a game."),
        ("Game: chess", (1, 7), "This site does not have that game."),
        ("x" * (LONGEST + 1), (1, LONGEST + 1), "That’s too long"),
    ],
)
def test_what_is_no_game_is_refused_with_a_place(
    written: str, place: tuple[int, int], message: str
) -> None:
    with pytest.raises(Unread) as refusal:
        read_games(written)
    assert str(refusal.value.text).startswith(message)
    assert (refusal.value.line, refusal.value.column) == place


def test_a_wrong_move_of_the_second_game_is_named_by_its_line() -> None:
    text = own_formats.write_text(GAME)
    lines = text.splitlines()
    with pytest.raises(Unread) as refusal:
        read_games(text + text.replace(GAME.moves[-1].move, "a0 b0"))
    assert refusal.value.line == 2 * len(lines)
    assert refusal.value.column == 4


def test_a_wrong_move_of_the_second_transcript_is_named_by_its_place() -> None:
    rules = one_step_rules_with_hints()
    assert rules.transcript
    move = first_legal_moves(rules)[0]
    first, second = rules.transcript.write([move]), rules.transcript.write([move, move])
    with pytest.raises(Unread) as refusal:
        read_games(f"{first}\n{second}")
    assert (refusal.value.line, refusal.value.column) == (2, second.rindex(move) + 1)


def test_a_running_game_with_secrets_is_not_imported() -> None:
    for rules in all_rules().values():
        if any(spec.secret for spec in default_specs(rules)):
            game = random_document(Variant(rules, rules.clean({})), 1, 0, resigns=True)
            with pytest.raises(Unread) as refusal:
                read_games(game.model_copy(update={"moves": []}).model_dump_json())
            assert "only after its end" in str(refusal.value)


def test_a_table_has_a_game_a_row_and_names_a_faulty_row_by_its_line() -> None:
    rules = one_step_rules_with_hints()
    assert rules.transcript
    move, (first, *_) = first_legal_moves(rules)[0], default_specs(rules)
    written = f"id;{first.key};moves\n1;Zoë;{move}\n2;Ben;{move} {move}\n3;Cleo;{move}\n"
    one, two, three = games_in(written)
    assert not isinstance(one, Unread) and not isinstance(three, Unread)
    assert (one.record.names[first.key], three.record.names[first.key]) == ("Zoë", "Cleo")
    assert isinstance(two, Unread) and two.line == 3


def test_more_games_than_are_tried_at_once_are_read_one_after_the_other() -> None:
    rules = one_step_rules_with_hints()
    assert rules.transcript
    lines = [rules.transcript.write([first_legal_moves(rules)[0]])] * (TRIED_PARTS + 9)
    lines[TRIED_PARTS + 4] = "hello"
    found = [*games_in("\n".join(lines))]
    faulty = [at for at, game in enumerate(found) if isinstance(game, Unread)]
    assert (len(found), faulty) == (TRIED_PARTS + 9, [TRIED_PARTS + 4])


FRAGMENTS = st.sampled_from(
    [f"(;GM[{WITH_FORMATS.name}]", "(;GM[2]", "B[f5]", ";)", "Game: ", TRANSCRIPTS[0].slug,
     " 1\n", "Setup: ", "{}", "[", "]", '{"kind": "', '"', ",", "\n",
     "f5", "R a1 U", "c3 d4", "8\nN 4 3\n", "resign", "-" * 64,
     " X",
     "ｆ５", "\u00ad", "{", "}", ";", "1.", "\ud83e", "\r", "Options: ", "9" * 20, "@@"]
)  # fmt: skip


@settings(max_examples=examples(300))
@given(st.lists(st.one_of(FRAGMENTS, st.text(max_size=5)), max_size=12).map("".join))
def test_any_text_is_games_or_refused_with_line_and_column(written: str) -> None:
    try:
        games = read_games(written)
    except Unread as error:
        assert error.line >= 1
        assert error.column >= 1
        return
    for game in games:
        replay_record(game.rules.start, game.record)


@given(st.binary(max_size=60))
def test_any_bytes_are_text_or_refused(content: bytes) -> None:
    try:
        decode(content)
    except Unread as error:
        assert error.line >= 1


def test_a_long_text_of_every_fragment_is_read_or_refused() -> None:
    parts = [
        "f5 ",
        "R a1 U,",
        "(;",
        "[",
        "{",
        ";",
        "(",
        "1.",
        "- ",
        '{"',
        f"Game: {TRANSCRIPTS[0].slug}\n",
        "8\n",
    ]
    for one, two in zip(parts, [*parts[1:], parts[0]], strict=True):
        written = (one + two) * (LONGEST // len(one + two))
        with pytest.raises(Unread):
            read_games(written)
