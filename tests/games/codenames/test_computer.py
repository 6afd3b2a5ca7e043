"""The computer players of Codenames: legal clues, blind operatives, clean words, small data."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.match_codenames_novice import won
from games.codenames.ai import lexicon as lexicon_module
from games.codenames.ai.forms import Kin, basic_forms
from games.codenames.ai.lexicon import Lexicon, lexicon
from games.codenames.ai.listeners import Heard, belief
from games.codenames.ai.spymaster import Manner, Table, best_clue
from games.codenames.ai.table import DATA, table
from games.codenames.cards.pictures import pictures
from games.codenames.cards.spelling import bare
from games.codenames.cards.word_lists import word_list
from games.codenames.computer import LEVELS, choose, costs
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


def test_clues_in_any_script_are_guessed_after() -> None:
    position = start(2)
    position.play(first_seat(position), "clue 海 2")
    guess = choose(position, first_seat(position), 4, Random(1)).move
    assert guess in position.legal_moves(first_seat(position))


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
    assert best_clue(logits, cards, Manner()) == (1, 2)


def test_the_number_counts_the_cards_that_will_probably_be_found() -> None:
    own = np.array([True, True, True, False])
    logits = np.array([[[9, 9, 0, 4]]], np.float32)
    cards = Table(own, np.array([1], np.float32))
    assert best_clue(logits, cards, Manner(trust=1.0)) == (0, 2)


def test_a_clue_that_only_one_space_knows_is_not_given() -> None:
    own = np.array([True, True, False])
    parts = np.array([[[12, 12, 4], [5, 5, 0]], [[0, 0, 4], [5, 5, 0]]], np.float32)
    cards = Table(own, np.array([9], np.float32))
    assert best_clue(parts, cards, Manner(lean=0.5)) == (1, 2)


def test_the_number_is_lower_where_more_is_lost() -> None:
    own = np.array([True, True, False])
    likeness = np.array([[[9, 5, 3.5]]], np.float32)
    assert best_clue(likeness, Table(own, np.array([1], np.float32)), Manner()) == (0, 2)
    assert best_clue(likeness, Table(own, np.array([16], np.float32)), Manner()) == (0, 1)


def test_a_team_that_went_by_one_space_is_taken_to_lean_to_it() -> None:
    said = np.array([[4, 0, 0], [0, 4, 0]], np.float32)
    assert belief([], 2, 1.0, 0.5).tolist() == [0.5, 0.5]
    once = belief([Heard(said, [1])], 2, 1.0, 0.5)
    twice = belief([Heard(said, [1]), Heard(said, [1])], 2, 1.0, 0.5)
    assert 0.5 < once[1] < twice[1]


def test_the_second_card_for_a_clue_tells_of_the_cards_that_were_left() -> None:
    said = np.array([[9, 3, 0], [9, 0, 3]], np.float32)
    first, both = (belief([Heard(said, taken)], 2, 1.0, 0.5) for taken in ([0], [0, 2]))
    assert first[0] == pytest.approx(0.5)
    assert both[1] > 0.7


def test_a_team_is_given_clues_in_the_space_it_goes_by() -> None:
    own = np.array([True, False])
    likeness = np.array([[[6, 0], [2, 0]], [[2, 0], [6, 0]]], np.float32)
    cards, manner = Table(own, np.array([9], np.float32)), Manner(lean=0.5)
    assert best_clue(likeness, cards, manner, np.array([0.9, 0.1], np.float32)) == (0, 1)
    assert best_clue(likeness, cards, manner, np.array([0.1, 0.9], np.float32)) == (1, 1)


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
    assert best_clue(parts, cards, Manner(most=1)) == (0, 1)
    assert best_clue(parts, cards, Manner(most=1, urgency=2.0)) == (1, 1)


# --- levels ---------------------------------------------------------------------------------


def test_the_first_level_wins_at_most_60_percent_against_novices() -> None:
    assert won(1, "novice", games=6) <= 0.6 * 6


def test_the_first_level_beats_random_moves() -> None:
    assert won(1, "random", games=4) > 0.5 * 4


# --- words ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("clue", "card"),
    [
        ("farmer", "farm"),
        ("bake", "baker"),
        ("dancing", "dancer"),
        ("cream", "ice cream"),
        ("sunflower", "sun"),
        ("carpentry", "carpenter"),
        ("schilder", "schilderij"),
        ("éclair", "Eclairs"),
        ("karavaan", "caravan"),
    ],
)
def test_forms_and_parts_of_a_card_are_kin(clue: str, card: str) -> None:
    assert Kin([card]).has(bare(clue))


@pytest.mark.parametrize(
    ("clue", "card"),
    [
        ("actrice", "acteur"),
        ("wasmachine", "naaimachine"),
        ("directrice", "directeur"),
        ("zangeres", "zanger"),
        ("zonnebril", "leesbril"),
        ("gezwommen", "zwemmen"),
    ],
)
def test_computers_give_no_dutch_word_that_shares_a_part_with_a_card(clue: str, card: str) -> None:
    assert Kin([card], "nl").has(clue)


@pytest.mark.parametrize(("clue", "card"), [("ocean", "sea"), ("king", "queen"), ("hond", "kat")])
def test_other_words_are_no_kin(clue: str, card: str) -> None:
    assert not Kin([card]).has(bare(clue))


@pytest.mark.parametrize(
    ("form", "basic"),
    [("bomen", "boom"), ("huizen", "huis"), ("katten", "kat"), ("hondje", "hond")],
)
def test_dutch_forms_are_known_under_their_basic_form(form: str, basic: str) -> None:
    assert basic in set(basic_forms(form, "nl"))


def test_the_cache_of_meanings_is_bounded(monkeypatch: Any) -> None:
    monkeypatch.setattr(lexicon_module, "MOST_SEEN", 10)
    words = Lexicon("en", table())
    for number in range(100):
        assert words.vector(f"ocean {number}") is not None
    assert words._seen.cache_info().currsize == 10
    assert np.array_equal(words.vector("ocean 1"), table().vector("ocean"))


@pytest.mark.parametrize("language", ["en", "nl"])
def test_every_card_that_comes_with_the_game_means_something(language: str) -> None:
    words = lexicon(language)
    assert [word for word in word_list(language) if words.vector(word) is None] == []
    assert [picture for picture in pictures() if words.picture(picture) is None] == []


def test_compounds_mean_what_their_parts_mean() -> None:
    words = lexicon("nl")
    compound, last, other = map(words.vector, ("olifantenhuis", "huis", "boter"))
    assert compound is not None
    assert last is not None
    assert other is not None
    assert compound @ last > compound @ other


@pytest.mark.parametrize("language", ["en", "nl"])
def test_clues_are_single_everyday_words(language: str) -> None:
    words = lexicon(language).clues().words
    assert len(words) >= 2000
    assert all(word.isalpha() and word == word.lower() for word in words)
    assert len(set(words)) == len(words)


# Some words that must not be clues, spelled backwards.
UNFIT = "tihs kcuf tnuc reggin toggaf tuls erohw epar izan nrop tuk luk reoh reklof neknuk"


@pytest.mark.parametrize("language", ["en", "nl"])
def test_clues_are_clean(language: str) -> None:
    unfit = {word[::-1] for word in UNFIT.split()}
    assert unfit.isdisjoint(lexicon(language).clues().words)


# --- data -----------------------------------------------------------------------------------


def test_the_data_is_small() -> None:
    assert sum(path.stat().st_size for path in DATA.iterdir()) <= 12_000_000


def test_every_file_of_the_data_has_its_licence_named() -> None:
    notes = (DATA / "README.md").read_text(encoding="utf-8")
    for path in DATA.iterdir():
        assert path.name in notes
    for licence in ("PDDL", "Apache", "WordNet", "CC0", "MIT"):
        assert licence in notes


def test_related_words_have_higher_products() -> None:
    words = table()
    sea, ocean, hammer = map(words.vector, ("sea", "ocean", "hammer"))
    assert sea is not None
    assert ocean is not None
    assert hammer is not None
    assert sea @ ocean > sea @ hammer
