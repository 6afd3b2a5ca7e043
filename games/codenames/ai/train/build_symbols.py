"""A script that makes ``data/symbols-<language>.tsv``, the symbols that people tied words to, and
``data/names-nl.tsv``, names of countries, languages and cities.

Its sources are fetched and unpacked into one folder (Unicode License V3):

    npm pack cldr-annotations-full@48.2.0    package/  -> FOLDER/annotations/
    npm pack cldr-localenames-full@48.2.0    package/  -> FOLDER/localenames/
    npm pack cldr-dates-full@48.2.0          package/  -> FOLDER/dates/

    python -m games.codenames.ai.train.build_symbols FOLDER

Symbols are numbered alike in all languages. Only pictures count, not punctuation and letters.
"""

from __future__ import annotations

import argparse
import json
import re
import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from games.codenames.ai.table import DATA, table

LANGUAGES = ("en", "nl")
MOST_SYMBOLS = 25
"""A word tied to more symbols (face, person, arrow) tells nothing."""
_WORD = re.compile(r"[^\W\d_]{3,}")
_HEAD = "# {title}, from CLDR 48.2 (Unicode License V3, see README.md).\n"


def main() -> None:
    """Write the files."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    read = {code: _annotations(folder, code) for code in LANGUAGES}
    shared = sorted(symbol for symbol in read["en"] if symbol in read["nl"])
    for code in LANGUAGES:
        rows = (f"{word}\t{' '.join(map(str, at))}" for word, at in _by_word(read[code], shared))
        _write(f"symbols-{code}.tsv", "Words and the symbols that people tied to them", rows)
    names = sorted({**_cities(folder), **_territories(folder)}.items())
    _write("names-nl.tsv", "Dutch names and their English ones", ("\t".join(row) for row in names))


def _annotations(folder: Path, code: str) -> Mapping[str, Any]:
    path = folder / "annotations" / "annotations" / code / "annotations.json"
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))["annotations"]["annotations"]
    return {symbol: entry for symbol, entry in found.items() if _is_picture(symbol)}


def _is_picture(symbol: str) -> bool:
    return unicodedata.category(symbol[0]) in {"So", "Cn"} and ord(symbol[0]) >= 0x2600


def _by_word(annotations: Mapping[str, Any], symbols: list[str]) -> Iterator[tuple[str, list[int]]]:
    """Yield each word and its symbols. The words of a phrase count as words of their own."""
    found: dict[str, set[int]] = {}
    for number, symbol in enumerate(symbols):
        entry = annotations[symbol]
        for phrase in (*entry.get("default", ()), *entry.get("tts", ())):
            for word in _WORD.findall(unicodedata.normalize("NFC", phrase).casefold()):
                found.setdefault(word, set()).add(number)
    yield from ((word, sorted(at)) for word, at in sorted(found.items()) if len(at) <= MOST_SYMBOLS)


def _territories(folder: Path) -> dict[str, str]:
    found: dict[str, str] = {}
    for kind in ("languages", "territories"):
        dutch, english = (
            json.loads((folder / "localenames/main" / code / f"{kind}.json").read_text("utf-8"))[
                "main"
            ][code]["localeDisplayNames"][kind]
            for code in ("nl", "en")
        )
        found |= _known(dutch, english)
    return found


def _cities(folder: Path) -> dict[str, str]:
    dutch, english = (
        dict(_exemplars(json.loads(path.read_text("utf-8"))["main"][code]["dates"]))
        for code in ("nl", "en")
        for path in [folder / "dates/main" / code / "timeZoneNames.json"]
    )
    return _known(dutch, {key: key.replace("_", " ") for key in dutch} | english)


def _exemplars(dates: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for cities in dates["timeZoneNames"]["zone"].values():
        for key, city in cities.items():
            if isinstance(city, dict) and "exemplarCity" in city:
                yield key, city["exemplarCity"]


def _known(dutch: Mapping[str, str], english: Mapping[str, str]) -> dict[str, str]:
    """Return the Dutch names of one word whose English words are in the table."""
    found = {}
    for key, name in dutch.items():
        meant = english.get(key, "").casefold()
        if _WORD.fullmatch(name) and meant and all(map(table().rank.__contains__, meant.split())):
            found[unicodedata.normalize("NFC", name).casefold()] = meant
    return found


def _write(name: str, title: str, rows: Iterator[str]) -> None:
    text = _HEAD.format(title=title) + "\n".join(rows) + "\n"
    (DATA / name).write_text(text, encoding="utf-8")
    print(f"{name}: {len(text.encode()) // 1024} KB")


if __name__ == "__main__":
    main()
