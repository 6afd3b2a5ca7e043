"""Related words: whether a clue is a form of a card, or one is a part of the other.

Letters alone do not relate words: 'spring' is no form and no compound of 'ring'. The rules of a
stored game must not change, so the endings and the words that form compounds are those of version 2
of the rules: a change here is a new version.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from typing import NamedTuple

from games.codenames.cards.spelling import bare

_PARTS = Path(__file__).parent / "cards" / "parts"
_SHORTEST = 3
_SHORTEST_BASE = 4
"""Letters of the shortest word of which an ending for a derived word makes another word."""
_LINKS = ("", "s", "e", "en", "n", "ne")
_VOWELS = "aeiou"

_INFLECTED = {
    "en": (
        *(("s", ""), ("es", ""), ("ies", "y"), ("ves", "f"), ("ves", "fe"), ("ied", "y")),
        *(("ing", ""), ("ing", "e"), ("ed", ""), ("ed", "e"), ("en", ""), ("en", "e")),
    ),
    "nl": (
        *(("s", ""), ("en", ""), ("n", ""), ("eren", ""), ("ers", ""), ("ën", ""), ("e", "")),
        *(("je", ""), ("tje", ""), ("etje", ""), ("pje", ""), ("kje", "g"), ("jes", "")),
        *(("tjes", ""), ("etjes", ""), ("pjes", ""), ("t", ""), ("t", "en"), ("de", "en")),
        *(("te", "en"), ("en", "e"), ("end", ""), ("end", "en")),
    ),
}
_DERIVED = {
    "en": (
        *(("er", ""), ("er", "e"), ("ers", ""), ("ers", "e"), ("or", ""), ("or", "e"), ("y", "")),
        *(("y", "e"), ("ist", ""), ("ly", ""), ("ful", ""), ("less", ""), ("ness", "")),
        *(("ish", ""), ("al", ""), ("ment", ""), ("ship", ""), ("hood", ""), ("able", "")),
        *(("ian", ""), ("ry", ""), ("ess", "")),
    ),
    "nl": (
        *(("er", ""), ("er", "en"), ("ster", ""), ("ster", "en"), ("aar", ""), ("ier", "")),
        *(("in", ""), ("es", ""), ("ig", ""), ("lijk", ""), ("heid", ""), ("achtig", "")),
        *(("loos", ""), ("baar", ""), ("baar", "en"), ("ing", "en"), ("isch", ""), ("schap", "")),
    ),
}
_IRREGULAR = {
    "en": (
        "man men, woman women, child children, foot feet, tooth teeth, goose geese, mouse mice, "
        "louse lice, ox oxen, die dice, person people, swim swam swum, run ran, fly flew flown, "
        "sing sang sung song, drink drank drunk, write wrote written, ride rode ridden, "
        "drive drove driven, fight fought, think thought, buy bought, bring brought, teach taught, "
        "sell sold, tell told, build built, sleep slept, keep kept, leap leapt, feel felt, "
        "shoot shot, steal stole stolen, break broke broken, freeze froze frozen, speak spoke, "
        "throw threw thrown, grow grew grown, blow blew blown, draw drew drawn, see saw seen, "
        "eat ate eaten, fall fell fallen, rise rose risen, win won, begin began begun, "
        "actor actress, emperor empress, duke duchess, waiter waitress, hero heroine, god goddess"
    ),
    "nl": (
        "stad steden, schip schepen, lid leden, smid smeden, koe koeien, vlo vlooien, "
        "zwemmen zwom gezwommen, lopen liep gelopen, vliegen vloog gevlogen, zingen zong gezongen, "
        "drinken dronk gedronken, schrijven schreef geschreven, rijden reed gereden, "
        "vechten vocht gevochten, denken dacht gedacht, kopen kocht gekocht, slapen sliep, "
        "schieten schoot geschoten, stelen stal gestolen, breken brak gebroken, "
        "vriezen vroor bevroren, spreken sprak gesproken, zien zag gezien, eten at gegeten, "
        "vallen viel gevallen, winnen won gewonnen, bijten beet gebeten, duiken dook gedoken, "
        "snijden sneed gesneden, springen sprong gesprongen, ei eieren eitje, "
        "acteur actrice, directeur directrice, masseur masseuse, ambassadeur ambassadrice, "
        "conducteur conductrice"
    ),
}


def is_form(one: str, other: str, language: str) -> bool:
    """Return whether two bare words are forms of one word, or one is derived from the other."""
    if one == other:
        return True
    if {one, other} & _parts(language).strangers:
        return False
    return other in bases(one, language) or one in bases(other, language)


def is_compound(whole: str, part: str, language: str) -> bool:
    """Return whether a bare word is put together from ``part`` and another word."""
    if whole in _parts(language).strangers or len(part) < _SHORTEST:
        return False
    return any(_is_word(rest, language) for rest in _rests(whole, part, language))


def last_parts(word: str, language: str) -> Iterator[str]:
    """Yield the words of at least four letters with which a longer bare word ends."""
    for at in range(_SHORTEST, len(word) - _SHORTEST):
        if word[at:] in _parts(language).words:
            yield word[at:]


def _rests(whole: str, part: str, language: str) -> Iterator[str]:
    """Yield the rest of a word beside a part at its beginning or end, without linking
    letters."""
    links = _LINKS if language == "nl" else ("",)
    for link in links:
        if whole.startswith(part + link):
            yield whole[len(part + link) :]
        if whole.endswith(part):
            first = whole[: -len(part)]
            yield first[: len(first) - len(link)] if first.endswith(link) else first


def _is_word(rest: str, language: str) -> bool:
    known = _parts(language).words
    return len(rest) >= _SHORTEST and (rest in known or not known.isdisjoint(bases(rest, language)))


@lru_cache(maxsize=20_000)
def bases(word: str, language: str) -> frozenset[str]:
    """Return the words of which a bare word can be a form, and its irregular forms."""
    if word in _parts(language).strangers:
        return frozenset()
    inflected = _stems(word, _INFLECTED.get(language, ()), _SHORTEST, language)
    derived = _stems(word, _DERIVED.get(language, ()), _SHORTEST_BASE, language)
    return frozenset({*inflected, *derived, *_irregular(language).get(word, ())})


def _stems(
    word: str, endings: tuple[tuple[str, str], ...], least: int, language: str
) -> Iterator[str]:
    for old, new in endings:
        stem = word[: len(word) - len(old)]
        if word.endswith(old) and len(stem) >= _SHORTEST:
            yield from (base + new for base in _spellings(stem, language) if len(base) >= least)


def _spellings(stem: str, language: str) -> Iterator[str]:
    """Yield how a word is spelled without an ending: 'runn' is 'run', Dutch 'bom' also 'boom'."""
    yield stem
    if stem[-1] == stem[-2]:
        yield stem[:-1]
    if language == "nl":
        last = {"v": "f", "z": "s"}.get(stem[-1], stem[-1])
        yield stem[:-1] + last
        if stem[-2] in _VOWELS and stem[-1] not in _VOWELS:
            yield stem[:-2] + 2 * stem[-2] + last


@cache
def _irregular(language: str) -> dict[str, list[str]]:
    groups = [group.split() for group in _IRREGULAR.get(language, "").split(",")]
    return {word: group for group in groups for word in group}


class _Parts(NamedTuple):
    """The words of a language that form compounds, and words that only look like forms or
    compounds."""

    words: frozenset[str]
    strangers: frozenset[str]


@cache
def _parts(language: str) -> _Parts:
    """Return the words of a language; none without a list."""
    path = _PARTS / f"{language}.txt"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    words = [line for line in lines if not line.startswith("#")]
    return _Parts(
        frozenset(bare(word) for word in words if not word.startswith("!")),
        frozenset(bare(word[1:]) for word in words if word.startswith("!")),
    )
