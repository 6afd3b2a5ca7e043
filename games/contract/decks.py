"""Decks, from which the texts of a player's pack are dealt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random


class Deck:
    """The texts of a pack, of which none is dealt twice until all have been dealt.

    ``texts`` are different, ``used`` those of them that earlier games were dealt, ``language`` is
    their language; '' for a game that asks for none."""

    def __init__(
        self, texts: Sequence[str], used: Iterable[str] = (), *, language: str = ""
    ) -> None:
        self.texts = tuple(texts)
        self.language = language
        self.began_anew = False
        self._used = set(used)

    @property
    def used(self) -> list[str]:
        """The dealt texts in the order of the pack: the order in which they lie is not in it."""
        return [text for text in self.texts if text in self._used]

    def deal(self, count: int, rng: Random) -> list[str]:
        """Return ``count`` texts in random order, each once. Raises ValueError for a deck of fewer.

        Where too few are left all of those are dealt, and the rest from the used ones: the deck
        begins anew.

        >>> deck = Deck(["sun", "moon", "star"], used=["sun"])
        >>> sorted(deck.deal(2, Random(1))), deck.began_anew
        (['moon', 'star'], False)
        """
        left = [text for text in self.texts if text not in self._used]
        dealt = rng.sample(left, min(count, len(left)))
        if missing := count - len(dealt):
            dealt += rng.sample(self.used, missing)
            self.began_anew, self._used = True, set()
        self._used |= set(dealt)
        return rng.sample(dealt, count)
