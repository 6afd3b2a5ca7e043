"""The computer players of Codenames: legal clues, blind operatives, clean words, small data."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from benchmarks.match_codenames_novice import won
from games.codenames.ai.lexicon import lexicon
from games.codenames.ai.listeners import GuessedCards, belief
from games.codenames.ai.spymaster import ClueStyle, Table, best_clue
from games.codenames.cards.pictures import pictures
from games.codenames.cards.spelling import bare
from games.codenames.computer import LEVELS, _close, choose, costs
from games.codenames.position import CodenamesPosition
from games.codenames.rules import RULES
from games.contract import CannotPlay

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
@settings(max_examples=5, deadline=None)
@given(seed=seeds, level=st.sampled_from(sorted(LEVELS)), moves=st.integers(0, 12))
def test_every_move_of_a_computer_is_legal(kind: str, seed: int, level: int, moves: int) -> None:
    position = start(seed, **KINDS[kind])
    play_on(position, level, Random(seed), moves)
    for seat in position.to_move():
        position.play(seat, choose(position, seat, level, Random(seed)).move)


@each_kind
@settings(max_examples=5, deadline=None)
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


@pytest.mark.parametrize(("kind", "level"), list(zip(KINDS, LEVELS, strict=True)))
def test_computers_finish_a_game(kind: str, level: int) -> None:
    position = start(level, **KINDS[kind])
    play_on(position, level, Random(level))
    assert position.result() is not None


@settings(max_examples=15, deadline=None)
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
    assert one[0] == one[1] == two[1]


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
    named = [card for card in own if card in str(choice.note)]
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


def test_computers_play_even_with_unknown_words() -> None:
    words = "\n".join(f"qx{chr(97 + n)}z{chr(97 + n)}" for n in range(25))
    position = start(2, cards="own", own_words=words)
    play_on(position, 4, Random(2))
    assert position.result() is not None


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


@pytest.mark.parametrize("level", [0, 5, -1])
def test_there_are_four_levels(level: int) -> None:
    position = start(1)
    with pytest.raises(CannotPlay, match="choose 1 to 4"):
        choose(position, first_seat(position), level, Random(1))


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


# --- how far the cards of a clue have to lead -----------------------------------------------

GAPS = (0.0, 0.5, 1.5)
CAREFUL = ClueStyle(gaps=GAPS)


def spaces(*rows: list[float]) -> NDArray[np.float32]:
    """Return the likeness of one clue and the cards, in each space."""
    return np.array([[row] for row in rows], np.float32)


def cards(own: int, others: int) -> Table:
    return Table(np.array([True] * own + [False] * others), np.array([0.1] * others, np.float32))


def test_a_third_card_needs_a_wider_gap_than_a_second_one() -> None:
    alike = [6.0, 5.0, 4.0, 3.0]
    assert best_clue(spaces(alike), cards(3, 1), ClueStyle()) == (0, 3)
    assert best_clue(spaces(alike), cards(3, 1), CAREFUL) == (0, 2)
    assert best_clue(spaces([6, 5, 4, 2]), cards(3, 1), CAREFUL) == (0, 3)


def test_a_card_is_not_asked_for_if_a_card_of_others_is_nearer_in_two_spaces() -> None:
    plain, doubtful = [9.0, 9.0, 0.0], [9.0, 1.0, 2.0]
    assert best_clue(spaces(plain, plain, doubtful), cards(2, 1), CAREFUL) == (0, 2)
    assert best_clue(spaces(plain, doubtful, doubtful), cards(2, 1), CAREFUL) == (0, 1)
    assert best_clue(spaces(plain, doubtful, doubtful), cards(2, 1), ClueStyle()) == (0, 2)


def test_without_a_clue_that_leads_the_one_that_lacks_least_is_given() -> None:
    likeness = np.array([[[1, 3], [2, 3]]], np.float32)
    assert best_clue(likeness, cards(1, 1), CAREFUL) == (1, 1)


def test_without_cards_of_others_nothing_has_to_lead() -> None:
    assert best_clue(spaces([3, 2]), cards(2, 0), CAREFUL) == (0, 2)


# --- levels ---------------------------------------------------------------------------------


def test_the_first_level_wins_at_most_60_percent_against_novices() -> None:
    assert won(1, "novice", games=12) <= 0.6 * 12


def test_the_first_level_beats_random_moves() -> None:
    assert won(1, "random", games=4) > 0.5 * 4
