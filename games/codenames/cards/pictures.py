"""The pictures on cards: ``static/codenames/pictures/<id>.svg`` and their names.

``pictures.tsv`` has a line for each: id, English name, Dutch name. The English names stand a
second time in `games.codenames.cards.picture_names`, which the build script writes, so that the
site's catalogues find and translate them.
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
    """Every picture, by id, in order of ids."""
    with _TABLE.open(encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table, delimiter="\t"))
    found = {row["id"]: Picture(row.pop("id"), MappingProxyType(row)) for row in rows}
    return MappingProxyType(found)


def picture_name(picture: str) -> Text:
    """The name of a picture, for sentences; its id if it has none (any more)."""
    return NAMES.get(picture, Text(picture))
