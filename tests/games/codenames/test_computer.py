"""The computer players of Codenames: legal clues, blind operatives, clean words, small data."""

from __future__ import annotations

from itertools import cycle
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.codenames.ai import plan, race
from games.codenames.ai.lexicon import lexicon
from games.codenames.ai.listeners import GuessedCards, belief
from games.codenames.ai.spymaster import ClueStyle, Table, best_clue
from games.codenames.cards.pictures import pictures
from games.codenames.cards.spelling import bare
from games.codenames.computer import LEVELS, _close, choose, costs
from games.codenames.position import CodenamesPosition
from games.codenames.rules import RULES
from games.contract import CannotPlay
from tests.games.codenames.shipped import STRANGE

KINDS: dict[str, dict[str, Any]] = {
    "en": {"language": "en"},
    "nl": {"language": "nl"},
    "pictures-en": {"cards": "pictures", "language": "en"},
    "pictures-nl": {"cards": "pictures", "language": "nl"},
}
each_kind = pytest.mark.parametrize("kind", list(KINDS))
seeds = st.integers(0, 10**6)


def start(seed: int, **options: Any) -> CodenamesPosition:
    cleaned = RULES.clean({"clues": "typed", **options})
    position = RULES.start(RULES.deal(cleaned, Random(seed)))
    assert isinstance(position, CodenamesPosition)
    return position


def first_seat(position: CodenamesPosition) -> str:
    (seat,) = position.to_move()
    return seat


def play_on(
    position: CodenamesPosition, level: int, rng: Random, moves: int = 500
) -> list[tuple[str, str]]:
    """Return the moves of computers until the game is over or has ``plies`` moves."""
    played: list[tuple[str, str]] = []
    while position.to_move() and len(played) < moves:
        seat = first_seat(position)
        played.append((seat, choose(position, seat, level, rng).move))
        position.play(*played[-1])
    return played


@each_kind
@settings(max_examples=5)
@given(seed=seeds, level=st.sampled_from(sorted(LEVELS)), moves=st.integers(0, 12))
def test_every_move_of_a_computer_is_legal(kind: str, seed: int, level: int, moves: int) -> None:
    position = start(seed, **KINDS[kind])
    play_on(position, level, Random(seed), moves)
    for seat in position.to_move():
        position.play(seat, choose(position, seat, level, Random(seed)).move)


@each_kind
@settings(max_examples=5)
@given(seed=seeds, level=st.sampled_from(sorted(LEVELS)))
def test_a_clue_shares_no_stem_with_a_card(kind: str, seed: int, level: int) -> None:
    position = start(seed, **KINDS[kind])
    word = choose(position, first_seat(position), level, Random(seed)).move.split()[1]
    for row in position.view(None)["rows"]:
        for cell in row:
            language = KINDS[kind]["language"]
            known = pictures()[cell["picture"]].names[language] if cell["picture"] else cell["card"]
            assert bare(word) not in bare(known)
            assert bare(known) not in bare(word)


@pytest.mark.parametrize(("kind", "level"), list(zip(cycle(KINDS), LEVELS, strict=False)))
def test_computers_finish_a_game(kind: str, level: int) -> None:
    position = start(level, **KINDS[kind])
    play_on(position, level, Random(level))
    assert position.result() is not None


@settings(max_examples=15)
@given(seed=seeds, moves=st.integers(1, 10), level=st.sampled_from(sorted(LEVELS)))
def test_the_guess_of_an_operative_does_not_depend_on_hidden_squares(
    seed: int, moves: int, level: int
) -> None:
    position = start(seed)
    played = play_on(position, 1, Random(seed), moves)
    twin = CodenamesPosition({**position._setup, "key": shuffled_where_hidden(position, seed)})
    for seat, move in played:
        twin.play(seat, move)
    for seat in position.to_move():
        if seat.endswith("operatives"):
            assert choose(position, seat, level, Random(1)) == choose(twin, seat, level, Random(1))


def shuffled_where_hidden(position: CodenamesPosition, seed: int) -> str:
    """Return another key that agrees with all squares that an operative has seen."""
    cells = [cell for row in position.view("red-spymaster")["rows"] for cell in row]
    hidden = [cell["square"] for cell in cells if not cell["selected"]]
    Random(seed).shuffle(hidden)
    return "".join(cell["square"] if cell["selected"] else hidden.pop() for cell in cells)


@pytest.mark.parametrize("level", sorted(LEVELS))
def test_the_same_seed_gives_the_same_clue(level: int) -> None:
    position = start(3)
    seat = first_seat(position)
    assert choose(position, seat, level, Random(7)) == choose(position, seat, level, Random(7))


@pytest.mark.parametrize("level", sorted(LEVELS))
def test_the_last_card_of_the_other_team_is_feared_as_the_assassin_is(level: int) -> None:
    two, one = (costs(squares, "R", LEVELS[level]).tolist() for squares in ("RBXB-", "RBXR-"))
    assert two[0] == two[2] < two[1]
    assert one[0] == one[1]


def test_the_note_of_a_clue_names_as_many_own_cards_as_its_number() -> None:
    position = start(11)
    seat = first_seat(position)
    choice = choose(position, seat, 4, Random(1))
    own = {
        cell["card"]
        for row in position.view(seat)["rows"]
        for cell in row
        if cell["square"] == seat[0].upper()
    }
    assert choice.note is not None
    named = [card for card in own if card in str(choice.note.params["cards"])]
    assert len(named) == int(choice.move.split()[2])


def test_a_team_is_never_given_the_same_clue_twice() -> None:
    position = start(5)
    play_on(position, 4, Random(5))
    turns = position.view(None)["turns"]
    for team in ("red", "blue"):
        clues = [turn["clue"]["word"] for turn in turns if turn["clue"] and turn["team"] == team]
        assert len(clues) == len(set(clues))


def test_an_operative_selects_the_cards_of_the_clue() -> None:
    words = "ocean violin hammer banana king snow candle tractor pencil bee wallet tiger"
    position = start(1, rows=3, columns=4, cards="own", own_words=words.replace(" ", "\n"))
    position.play(first_seat(position), "clue orchestra 1")
    choice = choose(position, first_seat(position), 4, Random(1))
    cells = {cell["name"]: cell["card"] for row in position.view(None)["rows"] for cell in row}
    assert cells[choice.move] == "violin"


def test_an_operative_stops_when_it_has_found_the_cards_of_the_clue() -> None:
    position = start(1)
    seat = first_seat(position)
    position.play(seat, "clue zzz 1")
    side = seat.partition("-")[0]
    position.play(f"{side}-operatives", own_cards(position, side)[0])
    assert choose(position, f"{side}-operatives", 4, Random(1)).move == "stop"


@pytest.mark.parametrize("level", [1, 4])
@pytest.mark.parametrize("words", STRANGE)
def test_computers_play_even_with_unknown_words(words: str, level: int) -> None:
    position = start(2, cards="own", own_words=STRANGE[words].replace(" ", "\n"), language="nl")
    play_on(position, level, Random(2))
    assert position.result() is not None


@pytest.mark.parametrize("words", STRANGE)
def test_a_clue_of_a_strange_board_is_guessed_or_said_to_be_unknown(words: str) -> None:
    for clue in ("zee", "Meer", "θέατρο", "wq"):
        position = start(2, cards="own", own_words=STRANGE[words].replace(" ", "\n"), language="nl")
        position.play(first_seat(position), f"clue {clue} 2")
        seat = first_seat(position)
        move = choose(position, seat, 4, Random(1)).move
        position.play(seat, move)
        assert move in {"unknown", "stop"} or len(move) == 2


@pytest.mark.parametrize("word", ["海", "qxqx"])
def test_an_unknown_word_is_said_to_be_unknown_and_passed(word: str) -> None:
    position = start(2)
    position.play(first_seat(position), f"clue {word} 2")
    seat = first_seat(position)
    position.play(seat, choose(position, seat, 4, Random(1)).move)
    assert f"don’t know the word “{word}”" in str(position.events[0])
    assert first_seat(position).partition("-")[0] != seat.partition("-")[0]


def test_an_operative_tells_between_which_close_cards_it_chooses() -> None:
    words = "puma cat hammer banana king snow candle tractor pencil bee wallet piano"
    position = start(1, rows=3, columns=4, cards="own", own_words=words.replace(" ", "\n"))
    position.play(first_seat(position), "clue lion 1")
    choice = choose(position, first_seat(position), 4, Random(1))
    cells = {cell["name"]: cell["card"] for row in position.view(None)["rows"] for cell in row}
    assert {cells[name] for name in choice.weighed} <= {"puma", "cat"}
    assert not choice.weighed or choice.move == choice.weighed[0]


def test_the_note_of_a_clue_names_what_else_was_close() -> None:
    likeness = np.array([3, 2.5, 1.8, 0.2, 2.4], np.float32)
    assert _close(likeness, [0, 1]) == [4, 2]


def test_a_seat_that_is_not_to_move_is_refused() -> None:
    position = start(1)
    other = {"red-spymaster", "blue-spymaster"} - position.to_move()
    with pytest.raises(CannotPlay, match="not this player's turn"):
        choose(position, other.pop(), 1, Random(1))


def test_a_language_without_data_is_refused_with_a_sentence() -> None:
    with pytest.raises(CannotPlay, match="doesn’t know"):
        lexicon("xx")


# --- choosing -------------------------------------------------------------------------------


def test_the_clue_that_is_like_the_assassin_is_not_given() -> None:
    own = np.array([True, True, False])
    logits = np.array([[[8, 8, 7.5], [6, 6, 0]]], np.float32)
    cards = Table(own, np.array([9], np.float32))
    assert best_clue(logits, cards, ClueStyle()) == (1, 2)


def test_the_number_counts_the_cards_that_will_probably_be_found() -> None:
    own = np.array([True, True, True, False])
    logits = np.array([[[9, 9, 0, 4]]], np.float32)
    cards = Table(own, np.array([1], np.float32))
    assert best_clue(logits, cards, ClueStyle(trust=1.0)) == (0, 2)


def test_a_clue_that_only_one_space_knows_is_not_given() -> None:
    own = np.array([True, True, False])
    parts = np.array([[[12, 12, 4], [5, 5, 0]], [[0, 0, 4], [5, 5, 0]]], np.float32)
    cards = Table(own, np.array([9], np.float32))
    assert best_clue(parts, cards, ClueStyle(lean=0.5)) == (1, 2)


def test_the_number_is_lower_where_more_is_lost() -> None:
    own = np.array([True, True, False])
    likeness = np.array([[[9, 5, 3.5]]], np.float32)
    assert best_clue(likeness, Table(own, np.array([1], np.float32)), ClueStyle()) == (0, 2)
    assert best_clue(likeness, Table(own, np.array([16], np.float32)), ClueStyle()) == (0, 1)


def test_a_team_that_went_by_one_space_is_taken_to_lean_to_it() -> None:
    said = np.array([[4, 0, 0], [0, 4, 0]], np.float32)
    assert belief([], 2, 1.0, 0.5).tolist() == [0.5, 0.5]
    once = belief([GuessedCards(said, [1])], 2, 1.0, 0.5)
    twice = belief([GuessedCards(said, [1]), GuessedCards(said, [1])], 2, 1.0, 0.5)
    assert 0.5 < once[1] < twice[1]


def test_the_second_card_for_a_clue_tells_of_the_cards_that_were_left() -> None:
    said = np.array([[9, 3, 0], [9, 0, 3]], np.float32)
    first, both = (belief([GuessedCards(said, taken)], 2, 1.0, 0.5) for taken in ([0], [0, 2]))
    assert first[0] == pytest.approx(0.5)
    assert both[1] > 0.7


def test_a_team_is_given_clues_in_the_space_it_goes_by() -> None:
    own = np.array([True, False])
    likeness = np.array([[[6, 0], [2, 0]], [[2, 0], [6, 0]]], np.float32)
    cards, style = Table(own, np.array([9], np.float32)), ClueStyle(lean=0.5)
    assert best_clue(likeness, cards, style, np.array([0.9, 0.1], np.float32)) == (0, 1)
    assert best_clue(likeness, cards, style, np.array([0.1, 0.9], np.float32)) == (1, 1)


@pytest.mark.parametrize("clue", ["zzz 2", "water unlimited", "海 0", "water 1"])
def test_a_computer_gives_clues_after_those_of_a_person(clue: str) -> None:
    position = start(4)
    side = first_seat(position).partition("-")[0]
    position.play(f"{side}-spymaster", f"clue {clue}")
    own = own_cards(position, side)
    position.play(f"{side}-operatives", own[0])
    position.play(f"{side}-operatives", own[1] if "1" in clue else "stop")
    while first_seat(position) != f"{side}-spymaster":
        seat = first_seat(position)
        position.play(seat, choose(position, seat, 1, Random(1)).move)
    position.play(f"{side}-spymaster", choose(position, f"{side}-spymaster", 4, Random(1)).move)


def own_cards(position: CodenamesPosition, side: str) -> list[str]:
    """Return the names of a side's cards that nobody has selected."""
    cells = [cell for row in position.view(f"{side}-spymaster")["rows"] for cell in row]
    square = side[0].upper()
    return [cell["name"] for cell in cells if cell["square"] == square and not cell["selected"]]


def test_the_clue_for_the_harder_card_is_given() -> None:
    own = np.array([True, True, False])
    parts = np.array([[[6, 0, 0], [0, 4, 0], [5, 0, 0], [0, 3, 0]]], np.float32)
    cards = Table(own, np.array([1], np.float32))
    assert best_clue(parts, cards, ClueStyle(most=1)) == (0, 1)
    assert best_clue(parts, cards, ClueStyle(most=1, urgency=2.0)) == (1, 1)


# --- the race and the way that is left ------------------------------------------------------


def test_a_team_that_is_behind_asks_for_more_cards() -> None:
    """The same clue and board: with one card left, the other team wins in its next turn."""
    likeness = np.array([[[9, 7, 6.2, 6, 5.6]]], np.float32)
    own = np.array([True, True, True, False, False])

    def asked(others: int) -> int:
        cost = np.array([race.loss(3, others), race.ruin(3, others)], np.float32)
        clue = best_clue(likeness, Table(own, cost, race.worth(3, others)), ClueStyle(trust=2.0))
        assert clue is not None
        return clue[1]

    assert asked(1) > asked(8)


def test_winning_is_likelier_with_fewer_cards_left_and_with_more_of_the_others() -> None:
    chances = np.array(
        [[race.chance(own, others) for others in range(1, 10)] for own in range(1, 10)]
    )
    assert (np.diff(chances, axis=0) < 0).all()
    assert (np.diff(chances, axis=1) > 0).all()
    assert ((chances > 0) & (chances < 1)).all()


@pytest.mark.parametrize(("own", "others"), [(1, 1), (3, 8), (9, 1)])
def test_all_cards_are_worth_as_much_as_there_are(own: int, others: int) -> None:
    worth = race.worth(own, others)
    assert worth[0] == 0
    assert worth[-1] == pytest.approx(own)
    assert (np.diff(worth) > 0).all()


def test_cards_that_share_a_sure_clue_take_one_turn() -> None:
    found = np.array([[1, 1, 0], [0, 0, 0.5]], np.float32)
    needed = plan.turns(found)
    assert [needed[0b001], needed[0b011], needed[0b100]] == pytest.approx([1, 1, 2])
    assert needed[0b111] == pytest.approx(3)


def test_a_pair_is_left_together_for_the_clue_that_fits_both() -> None:
    """Either clue finds its card alone; the one that also fits the third card is kept for both."""
    both, first, third = [4.0, 0, 4.0, 0], [5.0, 0, 0, 0], [0, 5.0, 0, 0]
    parts = np.array([[both, first, third]], np.float32)
    own = np.array([True, True, True, False])
    cards = Table(own, np.array([3], np.float32), race.worth(3, 5))
    assert best_clue(parts, cards, ClueStyle(trust=2.0, most=1)) == (2, 1)


def test_at_the_top_more_likeness_adds_less_and_ties_keep_their_weight() -> None:
    vectors = np.array([[[-1, 1, 2, 3]]], np.float32)
    tied = np.array([[0, 0, 0, 2]], np.float32)
    plain, top = (LEVELS[level].likeness(vectors, tied)[0, 0] for level in (3, 4))
    assert plain.tolist() == [-1, 1, 2, 5]
    assert top[0] == 0
    assert top[2] - top[1] < top[1]
    assert top[3] - 2 < 1.5 * top[2]


def test_a_clue_keeps_more_distance_from_the_assassin_than_from_other_cards() -> None:
    """One clue is as near to the dearest card as the other is to a card of the same kind."""
    likeness = np.array([[[5, 1.2, 0], [5, 0, 1.2]]], np.float32)
    cards = Table(np.array([True, False, False]), np.array([9, 8.9], np.float32))
    assert best_clue(likeness, cards, ClueStyle(trust=2.0, dread=2.0)) == (1, 1)


def test_a_space_by_which_people_guess_more_counts_more() -> None:
    parts = np.array([[[5, 0], [1, 0]], [[0, 1], [3, 1]]], np.float32)
    cards = Table(np.array([True, False]), np.array([1], np.float32))
    assert best_clue(parts, cards, ClueStyle()) == (0, 1)
    assert best_clue(parts, cards, ClueStyle(shares=(0.1, 0.9))) == (1, 1)
