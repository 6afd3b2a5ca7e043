"""A script that makes the pictures and `games.codenames.cards.picture_names` from ``pictures.tsv``.

The drawings are Fluent Emoji by Microsoft (MIT licence), as the npm package
``@iconify-json/fluent-emoji-flat`` carries them:

    npm pack @iconify-json/fluent-emoji-flat
    tar xzf iconify-json-fluent-emoji-flat-*.tgz package/icons.json
    python games/codenames/cards/build_pictures.py package/icons.json

A picture's id is the name of its icon. A picture that is removed from the table keeps its file,
since finished games may show it.
"""

from __future__ import annotations

import csv
import json
import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
FOLDER = HERE.parent / "static" / "codenames" / "pictures"
SIDE = 32

MODULE = '''"""English names of the pictures, for the catalogues. Written by build_pictures.py."""

from games.contract import text

NAMES = {
%s}
'''


def svg(name: str, icon: dict[str, Any]) -> str:
    """Return the file of an icon: its shapes in a square of 32 units.

    Raises ValueError for an icon of another size, and for one whose shapes refer to each other,
    because their ids would clash when icons are inlined."""
    if icon.keys() != {"body"} or re.search(r"\b(id|href|url)\b", icon["body"]):
        raise ValueError(f"{name} is not a plain drawing of {SIDE} x {SIDE}")
    shapes = icon["body"]
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE} {SIDE}">{shapes}</svg>\n'


def main(icons_file: str) -> None:
    """Write a file for each picture of the table, and the module of their names."""
    icons = json.loads(Path(icons_file).read_text(encoding="utf-8"))["icons"]
    with (HERE / "pictures.tsv").open(encoding="utf-8", newline="") as table:
        pictures = list(csv.DictReader(table, delimiter="\t"))
    FOLDER.mkdir(parents=True, exist_ok=True)
    for picture in pictures:
        name = picture["id"]
        (FOLDER / f"{name}.svg").write_text(svg(name, icons[name]), encoding="utf-8")
    lines = (f'    "{picture["id"]}": text("{picture["en"]}"),\n' for picture in pictures)
    (HERE / "picture_names.py").write_text(MODULE % "".join(lines), encoding="utf-8")
    print(f"{len(pictures)} pictures in {FOLDER}")


if __name__ == "__main__":
    main(*sys.argv[1:])
