"""The meanings of words: definitions in the build script, and the Dutch glossary."""

from __future__ import annotations

import numpy as np
import pytest

from games.codenames.ai.forms import WordForms
from games.codenames.ai.lexicon import lexicon
from games.codenames.ai.train.build_semantics import principal
from games.codenames.ai.train.glosses import WordNet, definitions
from games.codenames.cards.word_lists import word_list

WORDNET = WordNet(
    glosses={
        "n1": 'sloping land (especially beside water); "they pulled it up on the bank"',
        "n2": "a financial institution; takes deposits",
        "n3": "a flight manoeuvre",
    },
    senses={"bank": ["n1", "n2", "n3"]},
    irregular={},
    related={},
)

# Words like the English homonym, and unlike the Dutch word.
WRONG_CLUES = {
    "balpen": "hok",
    "bank": "oever",
    "blad": "laken",
    "borst": "schatkist kist",
    "brief": "alfabet",
    "bron": "voorjaar lente veer",
    "domino": "pizza taart",
    "hek": "schermen",
    "jam": "file",
    "knikker": "marmer graniet",
    "kruk": "toilet",
    "lift": "tillen helikopter",
    "lucifer": "wedstrijd toernooi competitie winnen",
    "mol": "kies atoom gif",
    "net": "winst website computer",
    "orgel": "lever cel lichaam",
    "plein": "vierkant rechthoek",
    "rugby": "krekel",
    "rups": "poes kat",
    "schelp": "kanon harnas",
    "schommel": "golf slaan",
    "slot": "sluis",
    "spijker": "teen klauw",
    "stoel": "president",
    "waaier": "verliefd liefde trouw",
}
WRONG_CARDS = {
    "balk": "laser radio",
    "boete": "vlieger",
    "gastheer": "worm mier",
    "heelal": "kamer",
    "horloge": "televisie camera",
    "kist": "borst",
    "krekel": "voetbal rugby",
    "kuit": "koe stier",
    "kwaken": "arts dokter",
    "leugen": "bed vloer",
    "liniaal": "koning keizer",
    "lood": "potlood spoor",
    "oplader": "paard slee",
    "perron": "computer",
    "racket": "drum",
    "ram": "computer motor",
    "schub": "toren reus",
    "teek": "klok wekker",
    "zaag": "spook",
    "zwaluw": "melk fles",
}


@pytest.mark.parametrize(("card", "wrong"), WRONG_CLUES.items())
def test_the_clues_nearest_a_dutch_card_fit_its_dutch_meaning(card: str, wrong: str) -> None:
    words, forms = lexicon("nl"), WordForms([card])
    clues = words.clues()
    (likeness,) = clues.likeness(clues.vectors, [words.vector(card)]).mean(axis=0).T
    near = [clues.words[n] for n in np.argsort(-likeness) if not forms.has(clues.bare[n])]
    assert set(wrong.split()).isdisjoint(near[:5])


@pytest.mark.parametrize(("clue", "wrong"), WRONG_CARDS.items())
def test_the_cards_nearest_a_dutch_clue_fit_its_dutch_meaning(clue: str, wrong: str) -> None:
    words, cards = lexicon("nl"), word_list("nl")
    clues = words.clues()
    said = clues.vectors[[clues.words.index(clue)]]
    (likeness,) = clues.likeness(said, [words.vector(card) for card in cards]).mean(axis=0)
    near = [cards[n] for n in np.argsort(-likeness)]
    assert set(wrong.split()).isdisjoint(near[:5])


def test_a_definition_is_read_without_remarks_and_examples() -> None:
    assert list(definitions(WORDNET, ["bank"], 2)["bank"]) == [
        "sloping land",
        "a financial institution",
    ]


def test_the_commonest_sense_of_a_word_counts_most() -> None:
    shares = list(definitions(WORDNET, ["banks"], 3)["banks"].values())
    assert shares == sorted(shares, reverse=True)
    assert round(sum(shares), 6) == 1


def test_a_word_that_is_not_in_the_dictionary_has_no_definition() -> None:
    assert definitions(WORDNET, ["qxzq"], 3) == {"qxzq": {}}


def test_reduced_vectors_keep_their_products() -> None:
    rng = np.random.default_rng(1)
    flat = rng.standard_normal((50, 4)).astype(np.float32) @ rng.standard_normal((4, 20))
    reduced = principal(flat.astype(np.float32), 4)
    assert reduced.shape == (50, 4)
    assert np.allclose(flat @ flat.T, reduced @ reduced.T, atol=1e-2)
