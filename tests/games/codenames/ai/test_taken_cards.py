"""The cards that people took after clues of computers: the table of them, and the fit to it."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from django.core.management import call_command
from hypothesis import given, settings
from hypothesis import strategies as st

from games.codenames.ai.listeners import GuessedCards, logits
from games.codenames.computer import LEVELS
from games.codenames.rules import RULES
from games.codenames.taken_cards import ENOUGH, TakenCards, fit, report, tabulate
from games.models import Game
from games.services.setup import NewGame, create_game
from games.worker.jobs import run_one_job
from tests.games.codenames.test_solo_play import now, play_to_the_end
from tests.support.players import Person, new_person

OPERATIVES = "red-operatives"
STYLE = LEVELS[4].style


@pytest.fixture
def olive(db: None) -> Person:
    return new_person("Olive")


def begin(olive: Person, *, mine: str = "me", **options: Any) -> Game:
    """Return a game in which Olive guesses at clues of a computer."""
    seats = ("red-spymaster", OPERATIVES, "blue-spymaster", "blue-operatives")
    seating = {seat: mine if seat == OPERATIVES else "computer-4" for seat in seats}
    chosen = {"rows": 2, "columns": 3, "own_key": "RRRBBX", **options}
    return create_game(
        player=olive.player, new=NewGame(rules=RULES, options=chosen, seating=seating)
    )


def exported(folder: Path) -> list[str]:
    with (folder / "games.jsonl").open("w", encoding="utf-8") as output:
        call_command("export_games", output=output)
    return (folder / "games.jsonl").read_text("utf-8").splitlines()


@pytest.mark.parametrize("cards", [{"language": "nl"}, {"cards": "pictures"}])
def test_a_row_has_the_clue_and_the_cards_meant_and_taken_in_order(
    cards: dict[str, Any], tmp_path: Path, olive: Person
) -> None:
    game = begin(olive, **cards)
    play_to_the_end(olive, game, OPERATIVES)
    games, rows = tabulate(exported(tmp_path))
    assert games == 1
    moves = [*game.moves.order_by("ply").values_list("seat", "text")]
    dealt, squares = game.setup["cards"], ["a1", "b1", "c1", "a2", "b2", "c2"]
    clues = [text.split()[1:] for seat, text in moves if seat == "red-spymaster"]
    assert [[row.clue, str(row.number)] for row, _ in rows] == clues
    took = [dealt[squares.index(text)] for seat, text in moves if text in squares]
    mine = [card for row, _ in rows for card in row.taken]
    assert mine == [card for card in took if card in mine]
    for row, guesses in rows:
        assert {*row.meant, *row.taken} <= {*row.cards}
        assert len(row.meant) == row.number
        assert [row.cards[at] for at in guesses.taken] == [*row.taken[: row.number]]


def test_the_cards_meant_are_those_of_the_computer_s_note(tmp_path: Path, olive: Person) -> None:
    game = begin(olive, language="en")
    play_to_the_end(olive, game, OPERATIVES)
    _, rows = tabulate(exported(tmp_path))
    notes = game.moves.filter(seat="red-spymaster").order_by("ply").values_list("note", flat=True)
    for note, (row, _) in zip(notes, rows, strict=True):
        assert all(card in str(note) for card in row.meant)


def test_a_row_names_no_player_and_no_game(tmp_path: Path, olive: Person) -> None:
    game = begin(olive)
    play_to_the_end(olive, game, OPERATIVES)
    _, rows = tabulate(exported(tmp_path))
    written = json.dumps([asdict(row) for row, _ in rows])
    assert rows
    assert {*asdict(rows[0][0])} == {*TakenCards.__annotations__}
    for secret in ("Olive", game.id, olive.player.pk, str(game.created.date())):
        assert str(secret) not in written


def test_a_running_game_is_in_no_row(tmp_path: Path, olive: Person) -> None:
    game = begin(olive, rows=3, columns=3, own_key="RRRRBBB-X")
    while OPERATIVES not in now(game).to_move():
        assert run_one_job()
    sent = {"seat": OPERATIVES, "move": now(game).legal_moves(OPERATIVES)[0], "ply": game.ply}
    assert olive.client.post(f"/g/{game.id}/move/", sent).status_code == 302
    documents = exported(tmp_path)
    assert len(documents) == 1
    assert tabulate(documents) == (0, [])


def test_words_of_people_and_cards_that_a_computer_marked_are_in_no_row(
    tmp_path: Path, olive: Person
) -> None:
    words = "daisy,tulip,hammer,banana,king,snow"
    for game in (begin(olive, cards="own", own_words=words), begin(olive, mine="me-computer-4")):
        play_to_the_end(olive, game, OPERATIVES)
    documents = exported(tmp_path)
    assert len(documents) == 2
    assert tabulate(documents) == (0, [])


def test_before_a_hundred_games_the_report_says_how_many_there_are() -> None:
    assert "in 99 finished games; 100 are needed" in report(ENOUGH - 1, [])


def listened(trust: float, seed: int, clues: int = 200) -> list[GuessedCards]:
    """Return guesses of simulated listeners, a listener of the style's for each clue."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(clues):
        likeness = rng.normal(size=(4, 15)).astype(np.float32)
        mine = logits(likeness, trust, STYLE.lean, STYLE.shares)[rng.integers(4)]
        order = np.argsort(-(mine + rng.gumbel(size=15)))
        found.append(GuessedCards(likeness, [int(at) for at in order[:2]]))
    return found


@settings(max_examples=3)
@given(trust=st.floats(0.8, 5), seed=st.integers(0, 10**6))
def test_the_fit_finds_the_trust_that_produced_the_guesses(trust: float, seed: int) -> None:
    best, low, high = fit(listened(trust, seed), STYLE)
    assert low <= best <= high
    assert best == pytest.approx(trust, rel=0.3)
    assert low / 1.2 <= trust <= high * 1.2


def test_from_a_hundred_games_on_the_report_says_the_fit() -> None:
    row = TakenCards(
        language="en",
        pictures=False,
        level=4,
        clue="sea",
        number=2,
        cards=("ship", "fish", "king"),
        meant=("ship", "fish"),
        taken=("ship", "king"),
    )
    said = report(ENOUGH, [(row, guesses) for guesses in listened(2.0, seed=5)])
    assert "200 clues of 100 games" in said
    assert "Of 400 cards asked for, 50% were found." in said
