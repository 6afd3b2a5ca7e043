"""The pictures on cards: ``static/codenames/pictures/<id>.svg`` and their names.

``pictures.tsv`` has a line for each: id, English name, Dutch name. `build_pictures` copies the
English names to `picture_names`, where the extraction of sentences for the catalogues finds them.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from games.codenames.cards.picture_names import NAMES
from games.contract import Text

_TABLE = Path(__file__).parent / "pictures.tsv"


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture's id and its name in each language, by language code."""

    id: str
    names: Mapping[str, str]


@cache
def pictures() -> Mapping[str, Picture]:
    """Return every picture by its id, in order of ids."""
    with _TABLE.open(encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table, delimiter="\t"))
    found = {row["id"]: Picture(row.pop("id"), MappingProxyType(row)) for row in rows}
    return MappingProxyType(found)


def picture_name(picture: str) -> Text:
    """Return the name of a picture, or its id if it is no longer in the table."""
    return NAMES.get(picture, Text(picture))
