"""The notes on clues once a game of Codenames is over."""

from __future__ import annotations

from html import unescape

import pytest

from games.codenames.position import CodenamesPosition
from games.codenames.reasons import review
from games.codenames.rules import RULES
from games.contract import NotedMove, Text, text
from games.models import Evaluation, Game
from games.services.play import play_move
from games.services.setup import NewGame, create_game
from games.state.snapshot import read_snapshot
from games.worker.jobs import run_one_job
from tests.support.players import Person

CARDS = ["tree", "oak", "curtain", "whale", "king", "queen"]
SEATS = ("red-spymaster", "red-operatives", "blue-spymaster", "blue-operatives")


def position(key: str) -> CodenamesPosition:
    return CodenamesPosition(
        {
            "rows": 2,
            "columns": 3,
            "pictures": False,
            "cards": CARDS,
            "key": key,
            "language": "en",
            "clues_required": True,
        }
    )


def told(key: str, clue: str) -> str:
    return str(review(position(key), "red-spymaster", clue, None))


def test_a_clue_is_told_by_the_cards_that_a_listener_takes() -> None:
    heard = told("RR-BX-", "clue forest 2")
    assert heard.startswith("tree and oak were clear. Close by: ")


def test_a_clue_that_leads_to_a_wrong_card_is_told_as_such() -> None:
    assert "a wrong card" in told("RB-RX-", "clue forest 2")


def test_a_clue_that_gets_more_is_named() -> None:
    assert " gets " in told("RR-BX-", "clue forest 1")


def test_a_word_that_means_nothing_to_a_listener_is_not_judged() -> None:
    assert review(position("RR-BX-"), "red-spymaster", "clue qxzqxz 2", None) is None


def test_a_stored_clue_that_would_be_refused_today_is_judged() -> None:
    assert "tree" in told("RR-BX-", "clue trees 1")


def test_the_note_of_a_computer_stays() -> None:
    note = text("Meant: %(cards)s.", cards="tree")
    found = review(position("RR-BX-"), "red-spymaster", "clue forest 2", note)
    assert str(found).startswith("Meant: tree. tree and oak were clear.")


@pytest.fixture
def ended(owner: Person) -> Game:
    """Return a game on one device whose first guess after a clue was the assassin."""
    new = NewGame(
        rules=RULES,
        options={
            "clues": "typed",
            "own_key": "RR-BX-",
            "rows": 2,
            "columns": 3,
            "cards": "own",
            "own_words": "\n".join(CARDS),
        },
        seating=dict.fromkeys(SEATS, "me"),
    )
    game = create_game(player=owner.player, new=new)
    for ply, (seat, move) in enumerate(
        (("red-spymaster", "clue forest 2"), ("red-operatives", "b2"))
    ):
        play_move(game_id=game.id, seat=seat, text=move, ply=ply, player=owner.player)
    return game


@pytest.mark.django_db
def test_the_clues_of_a_finished_game_get_notes(ended: Game, owner: Person) -> None:
    before = read_snapshot(ended.id)
    assert before.game.over
    while run_one_job():
        pass
    after = read_snapshot(ended.id)
    assert after.game.version == before.game.version + 1
    assert [bool(move.note) for move in after.moves] == [True, False]
    assert not Evaluation.objects.exists()
    note = Text.from_json(after.moves[0].note)
    assert str(note) in unescape(owner.client.get(f"/g/{ended.id}/1/").text)
    # The table of the turns tells the cards on the page of the game.
    page = unescape(owner.client.get(f"/g/{ended.id}/").text)
    assert str(note) not in page
    assert 'class="recap"' in page


# --- the table of the turns -------------------------------------------------------------------


def table(note: Text) -> str:
    """Return the cell of the cards meant, after a clue with a note."""
    after = position("RR-BX-").play("red-spymaster", "clue forest 2").play("red-operatives", "b2")
    recap = after.recap([NotedMove("red-spymaster", "clue forest 2", note)])
    return " ".join(str(label.text) for label in recap.rows[0].cells[1])


def test_the_table_says_what_else_was_close_to_the_clue_of_a_computer() -> None:
    note = text("Meant: %(cards)s. Close: %(close)s.", cards="tree and oak", close="whale")
    longer = review(position("RR-BX-"), "red-spymaster", "clue forest 2", note)
    assert longer is not None
    assert table(note) == table(longer) == "tree and oak (also close: whale)"
    assert table(text("Meant: %(cards)s.", cards="tree")) == "tree"


def test_the_table_says_which_wrong_card_was_nearest_to_the_clue_of_a_person() -> None:
    note = review(position("RR-BX-"), "red-spymaster", "clue forest 2", None)
    assert note is not None
    assert table(note) in {f"– (nearest: {card})" for card in ("curtain", "whale", "king", "queen")}
