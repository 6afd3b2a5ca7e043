"""What the build script of the computers' words makes of definitions."""

from __future__ import annotations

import numpy as np

from games.codenames.tools.build_semantics import principal
from games.codenames.tools.glosses import WordNet, definitions

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
