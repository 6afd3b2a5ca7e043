"""The words of the computer players of Codenames: their forms, meanings, and files."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from games.codenames.ai import lexicon as lexicon_module
from games.codenames.ai.associations import Ties, associations
from games.codenames.ai.forms import WordForms, basic_forms
from games.codenames.ai.lexicon import Lexicon, lexicon
from games.codenames.ai.table import DATA, table
from games.codenames.cards.pictures import pictures
from games.codenames.cards.spelling import bare
from games.codenames.cards.word_lists import word_list


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
    assert WordForms([card]).has(bare(clue))


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
    assert WordForms([card], "nl").has(clue)


@pytest.mark.parametrize(("clue", "card"), [("ocean", "sea"), ("king", "queen"), ("hond", "kat")])
def test_other_words_are_no_kin(clue: str, card: str) -> None:
    assert not WordForms([card]).has(bare(clue))


@pytest.mark.parametrize(
    ("form", "basic"),
    [
        *(("bomen", "boom"), ("huizen", "huis"), ("katten", "kat"), ("hondje", "hond")),
        *(("kampeerder", "kamperen"), ("dirigeren", "dirigent"), ("inkopen", "kopen")),
        *(("brandend", "brand"), ("gekookt", "koken"), ("klimt", "klimmen")),
        *(("afgewassen", "wassen"), ("gitarist", "gitaar")),
    ],
)
def test_dutch_forms_are_known_under_their_basic_form(form: str, basic: str) -> None:
    assert basic in set(basic_forms(form, "nl"))


def test_an_unknown_dutch_compound_belongs_where_its_parts_do() -> None:
    wortel, harp = associations("nl").bonus("groentesoep", ["wortel", "harp"])
    assert wortel > harp


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


def test_a_clue_that_names_the_topic_and_one_that_belongs_to_it_count_apart() -> None:
    ties, tied = Ties(naming=5.0, named=2.0), associations("nl")
    assert tied.bonus("accordeon", ["piraat"], ties).tolist() == [5]
    assert tied.bonus("piraat", ["accordeon"], ties).tolist() == [2]
    assert tied.bonuses(("piraat", "accordeon"), ["accordeon"], ties)[0].tolist() == [2]


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
