"""Vectors of words and sentences by a sentence transformer: all-MiniLM-L6-v2 in plain numpy."""

from __future__ import annotations

import json
import re
import struct
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

_LAYERS = 6
_HEADS = 12
_BATCH = 256
_LONGEST = 22
"""The number of pieces of a text that are read; definitions rarely have more."""


class Model:
    """The model in a folder with ``model.safetensors`` and ``vocab.txt``."""

    def __init__(self, folder: Path) -> None:
        self._weights = _tensors(folder / "model.safetensors")
        pieces = (folder / "vocab.txt").read_text(encoding="utf-8").split("\n")
        self._pieces = {piece: number for number, piece in enumerate(pieces)}

    def vectors(self, texts: list[str]) -> Floats:
        """Return a unit vector for each text: the mean of the last layer over its pieces."""
        by_length: dict[int, list[int]] = defaultdict(list)
        tokens = [self._tokens(text) for text in texts]
        for number, token in enumerate(tokens):
            by_length[len(token)].append(number)
        result = np.zeros((len(texts), 384), np.float32)
        for numbers in by_length.values():
            for start in range(0, len(numbers), _BATCH):
                batch = numbers[start : start + _BATCH]
                result[batch] = self._mean(np.array([tokens[number] for number in batch]))
        length: Floats = np.linalg.norm(result, axis=1, keepdims=True)
        return result / length

    def _tokens(self, text: str) -> list[int]:
        words = re.findall("[a-z]+|[0-9]+", text.lower())
        pieces = [piece for word in words for piece in self._pieces_of(word)][:_LONGEST]
        return [self._pieces["[CLS]"], *pieces, self._pieces["[SEP]"]]

    def _pieces_of(self, word: str) -> list[int]:
        """Return the pieces of a word by WordPiece: the longest that fits, repeatedly."""
        found, start = [], 0
        while start < len(word):
            ends = range(len(word), start, -1)
            prefix = "##" if start else ""
            end = next((end for end in ends if prefix + word[start:end] in self._pieces), 0)
            if not end:
                return [self._pieces["[UNK]"]]
            found.append(self._pieces[prefix + word[start:end]])
            start = end
        return found

    def _mean(self, tokens: NDArray[np.int64]) -> Floats:
        weights = self._weights
        state = weights["embeddings.word_embeddings.weight"][tokens]
        state = state + weights["embeddings.position_embeddings.weight"][: tokens.shape[1]]
        state = state + weights["embeddings.token_type_embeddings.weight"][0]
        state = self._norm("embeddings.LayerNorm", state)
        for layer in range(_LAYERS):
            state = self._layer(f"encoder.layer.{layer}.", state)
        mean: Floats = state.mean(axis=1)
        return mean

    def _layer(self, name: str, state: Floats) -> Floats:
        attended = self._linear(name + "attention.output.dense", self._attend(name, state))
        state = self._norm(name + "attention.output.LayerNorm", state + attended)
        inner = self._linear(name + "intermediate.dense", state)
        inner = inner * (1 + _erf(inner / np.float32(np.sqrt(2)))) / np.float32(2)
        return self._norm(
            name + "output.LayerNorm", state + self._linear(name + "output.dense", inner)
        )

    def _attend(self, name: str, state: Floats) -> Floats:
        batch, length, width = state.shape

        def heads(part: str) -> Floats:
            split = self._linear(f"{name}attention.self.{part}", state)
            return split.reshape(batch, length, _HEADS, -1).transpose(0, 2, 1, 3)

        query, key, value = heads("query"), heads("key"), heads("value")
        scores = query @ key.transpose(0, 1, 3, 2) / np.float32(np.sqrt(width / _HEADS))
        shares = np.exp(scores - scores.max(axis=-1, keepdims=True))
        shares /= shares.sum(axis=-1, keepdims=True)
        mixed: Floats = (shares @ value).transpose(0, 2, 1, 3).reshape(batch, length, width)
        return mixed

    def _linear(self, name: str, state: Floats) -> Floats:
        # One large product is several times faster than one for each word.
        flat = state.reshape(-1, state.shape[-1]) @ self._weights[name + ".weight"].T
        result: Floats = (flat + self._weights[name + ".bias"]).reshape(*state.shape[:-1], -1)
        return result

    def _norm(self, name: str, state: Floats) -> Floats:
        state = state - state.mean(axis=-1, keepdims=True)
        state = state / np.sqrt((state**2).mean(axis=-1, keepdims=True) + 1e-12)
        result: Floats = state * self._weights[name + ".weight"] + self._weights[name + ".bias"]
        return result


def _tensors(path: Path) -> Mapping[str, Floats]:
    """Return the float32 tensors of a file in the safetensors format."""
    raw = path.read_bytes()
    (length,) = struct.unpack("<Q", raw[:8])
    header = json.loads(raw[8 : 8 + length])
    return {
        name: np.frombuffer(
            raw[8 + length + entry["data_offsets"][0] : 8 + length + entry["data_offsets"][1]],
            np.float32,
        ).reshape(entry["shape"])
        for name, entry in header.items()
        if entry.get("dtype") == "F32"
    }


def _erf(x: Floats) -> Floats:
    """Return the error function to within 2e-7 (Abramowitz and Stegun, 7.1.26)."""
    t = 1 / (1 + np.float32(0.3275911) * np.abs(x))
    series = t * (
        0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429)))
    )
    result: Floats = np.sign(x) * (1 - series * np.exp(-x * x))
    return result.astype(np.float32)
