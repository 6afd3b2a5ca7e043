"""Transcripts: the import and export of games."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.contract import RESIGN, BadSetup, BadTranscript, Position, Rules, Transcript
from games.core.rate_limits import GAMES_PER_PLAYER
from games.core.registry import all_rules
from games.models import Game
from games.services import setup
from games.state.replay import verify
from games.worker import leases
from tests.support.players import Person

WRITTEN = [rules for rules in all_rules().values() if rules.transcript]
each_game = pytest.mark.parametrize("rules", WRITTEN, ids=lambda rules: rules.slug)


def transcript_of(rules: Rules) -> Transcript:
    assert rules.transcript is not None
    return rules.transcript


def random_moves(rules: Rules, plies: int = 400) -> list[str]:
    """Return the moves of a random game, which may be unfinished."""
    position, rng = rules.start(rules.deal(rules.clean({}), Random(3))), Random(3)
    moves: list[str] = []
    while position.to_move() and len(moves) < plies:
        seat = min(position.to_move())
        moves.append(rng.choice(sorted(position.legal_moves(seat))))
        position.play(seat, moves[-1])
    return moves


def read(rules: Rules, written: str) -> list[str]:
    return transcript_of(rules).read(rules.start(rules.deal(rules.clean({}), Random(3))), written)


def form(rules: Rules, transcript: str, seat: str = "me") -> dict[str, str]:
    seats = {f"seat-{spec.key}": seat for spec in rules.seats(rules.clean({}))}
    options = {option.name: str(option.default) for option in rules.options}
    return {**options, **seats, "name": "", "transcript": transcript}


# --- text ---------------------------------------------------------------------------------


@each_game
def test_moves_in_brackets_are_a_side_line(rules: Rules) -> None:
    form, moves = transcript_of(rules), random_moves(rules, 4)
    line = random_moves(rules, 2)[-1]
    parts = [form.write([move]) for move in moves]
    written = f"{parts[0]} ({line} ({line})), {parts[1]}, [{line}] {parts[2]}, {parts[3]}"
    assert read(rules, written) == moves


@each_game
def test_reading_inverts_writing(rules: Rules) -> None:
    moves = random_moves(rules)
    assert read(rules, transcript_of(rules).write(moves)) == moves


@each_game
def test_the_example_can_be_read(rules: Rules) -> None:
    assert len(read(rules, transcript_of(rules).example)) >= 2


@each_game
def test_moves_may_have_lines_numbers_and_any_case(rules: Rules) -> None:
    moves = random_moves(rules, 6)
    lines = [f"{number}. {move.swapcase()}" for number, move in enumerate(moves, start=1)]
    assert read(rules, "\n".join(lines) + "\n\n") == moves


@each_game
def test_a_resignation_is_not_written(rules: Rules) -> None:
    moves = random_moves(rules, 4)
    assert transcript_of(rules).write([*moves, RESIGN]) == transcript_of(rules).write(moves)


@each_game
@pytest.mark.parametrize("nonsense", ["hello", "٣", "<b>", "z99", "%(n)s", "a1" * 500])
def test_the_first_wrong_move_is_named(rules: Rules, nonsense: str) -> None:
    written = transcript_of(rules).write(random_moves(rules, 3))
    with pytest.raises(BadTranscript) as refused:
        read(rules, f"{written}, {nonsense}")
    assert str(refused.value).startswith("Move 4, “")


# --- the site -----------------------------------------------------------------------------


@pytest.mark.django_db
@each_game
def test_an_imported_game_has_the_moves_of_its_transcript(rules: Rules, owner: Person) -> None:
    moves = random_moves(rules)
    written = transcript_of(rules).write(moves)
    owner.client.post(f"/new/{rules.slug}/", form(rules, written))
    game = Game.objects.get()
    assert [move.text for move in game.moves.all()] == moves
    assert game.over and not verify(game).fault
    assert set(game.moves.values_list("player", flat=True)) == {None}


@pytest.mark.django_db
@each_game
def test_an_imported_game_goes_on(rules: Rules, owner: Person) -> None:
    written = transcript_of(rules).write(random_moves(rules, 4))
    address = owner.client.post(f"/new/{rules.slug}/", form(rules, written))["Location"]
    game = Game.objects.get()
    position = game.rules.start(game.setup)
    for move in game.moves.all():
        position.play(move.seat, move.text)
    seat = min(position.to_move())
    move = {"seat": seat, "move": min(position.legal_moves(seat)), "ply": game.ply}
    assert owner.client.post(f"{address}move/", move).status_code == 302
    game.refresh_from_db()
    assert game.ply == 5


@pytest.mark.django_db
@each_game
def test_a_computer_goes_on_after_the_transcript(rules: Rules, owner: Person) -> None:
    written = transcript_of(rules).write(random_moves(rules, 3))
    owner.client.post(f"/new/{rules.slug}/", form(rules, written, "computer-1"))
    game = Game.objects.get()
    assert (game.ply, game.computer_to_move) == (3, True)
    assert leases.next_turn() == game


@pytest.mark.django_db
@each_game
def test_a_wrong_transcript_is_refused_beside_its_field_and_makes_no_game(
    rules: Rules, owner: Person
) -> None:
    written = transcript_of(rules).write(random_moves(rules, 2))
    answer = owner.client.post(f"/new/{rules.slug}/", form(rules, f"{written}, nonsense"))
    assert answer.status_code == 422
    assert "Move 3, “nonsense”" in answer.content.decode()
    assert 'id="id_transcript_error"' in answer.content.decode()
    assert not Game.objects.exists()


@pytest.mark.django_db
def test_a_kind_without_transcripts_has_no_field_for_one(client: Client) -> None:
    for rules in all_rules().values():
        offered = 'name="transcript"' in client.get(f"/new/{rules.slug}/").content.decode()
        assert offered == (rules.transcript is not None)


def test_a_kind_without_transcripts_refuses_one() -> None:
    rules = replace(WRITTEN[0], transcript=None)
    with pytest.raises(BadSetup, match="can’t import moves"):
        setup.plan_game(
            setup.NewGame(
                rules=rules,
                options={},
                seating={},
                transcript="a move",
            )
        )


@pytest.mark.django_db
@each_game
def test_an_earlier_ply_shows_the_transcript_up_to_it(rules: Rules, owner: Person) -> None:
    moves = random_moves(rules, 4)
    written = transcript_of(rules).write(moves)
    address = owner.client.post(f"/new/{rules.slug}/", form(rules, written))["Location"]
    page = owner.client.get(f"{address}3/").content.decode()
    heading = transcript_of(rules).heading(rules.deal(rules.clean({}), Random(1)))
    assert f'readonly value="{heading}{transcript_of(rules).write(moves[:3])}"' in page


@pytest.mark.django_db(transaction=True)
@each_game
def test_a_transcript_is_read_before_the_transaction_begins(
    rules: Rules, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = transcript_of(rules).write(random_moves(rules, 6))
    kind: Any = type(rules.start(rules.deal(rules.clean({}), Random(3))))
    in_turn: list[bool] = []
    play = kind.play

    def watched(position: Position, seat: str, move: str) -> None:
        in_turn.append(connection.in_atomic_block)
        play(position, seat, move)

    monkeypatch.setattr(kind, "play", watched)
    assert client.post(f"/new/{rules.slug}/", form(rules, written)).status_code == 302
    assert in_turn and not any(in_turn)


@pytest.mark.django_db
@each_game
def test_a_long_transcript_takes_no_more_queries(rules: Rules, owner: Person) -> None:
    written = [transcript_of(rules).write(random_moves(rules, plies)) for plies in (2, 12)]
    calls = []
    # The first request of a browser reads its device, which is cached then.
    owner.client.get("/settings/")
    for transcript in written:
        with CaptureQueriesContext(connection) as queries:
            owner.client.post(f"/new/{rules.slug}/", form(rules, transcript))
        calls.append(len(queries))
    assert calls[0] == calls[1]


@pytest.mark.django_db
@each_game
def test_a_transcript_is_not_read_beyond_the_rate_limit(
    rules: Rules, owner: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(GAMES_PER_PLAYER, "limit", 0)
    answer = owner.client.post(f"/new/{rules.slug}/", form(rules, "nonsense"))
    assert answer.status_code == 429
