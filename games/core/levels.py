"""Names for the levels of computer players."""

from __future__ import annotations

from typing import Final

from games.contract import Rules, Text, text

_NAMES: Final = (
    text("Beginner"),
    text("Easy"),
    text("Medium"),
    text("Hard"),
    text("Expert"),
    text("Master"),
)
_CHOSEN: Final = {1: (2,), 2: (1, 3), 3: (0, 2, 5), 4: (0, 1, 3, 5), 5: (0, 1, 2, 3, 5)}
"""The indices of the names to use, for games with fewer levels than there are names."""


def level_name(level: int, levels: int) -> Text:
    """Return the name of a level of 1 to ``levels``, or its number if there are too few names."""
    names = _CHOSEN.get(levels, range(len(_NAMES)))
    if levels > len(_NAMES) or not 1 <= level <= len(names):
        return text("Level %(level)s", level=level)
    return _NAMES[names[level - 1]]


def level_names(rules: Rules) -> list[tuple[int, Text]]:
    return [(level, level_name(level, rules.levels)) for level in range(1, rules.levels + 1)]
