"""The registry of the kinds of game: the sub-packages of ``games`` that have a ``rules.py``.

Adding a game means adding a folder. A folder that cannot be loaded, or whose name is not its slug,
stops the program with a sentence that names it, because a site that silently lacks a game is worse.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType, ModuleType

import games
from games.contract import Option, Rules


class BrokenGame(Exception):
    """Raised for a game's folder that breaks the contract, with its name and the fault."""


def _load(folder: str) -> Rules:
    try:
        module = importlib.import_module(f"games.{folder}.rules")
    except Exception as error:
        raise BrokenGame(f"games/{folder}/rules.py cannot be imported: {error!r}") from error
    rules = getattr(module, "RULES", None)
    if not isinstance(rules, Rules):
        raise BrokenGame(f"games/{folder}/rules.py has no RULES made with games.contract.Rules")
    if rules.slug != folder:
        raise BrokenGame(f"games/{folder}/rules.py has the slug {rules.slug!r}, not {folder!r}")
    for fault in filter(None, map(Option.fault, rules.options)):
        raise BrokenGame(f"games/{folder}/rules.py has {fault}")
    if rules.look and rules.look.kind != "choice":
        raise BrokenGame(f"games/{folder}/rules.py has a look that is no choice")
    return rules


@cache
def all_rules() -> Mapping[str, Rules]:
    """Return the rules of all games by slug, in alphabetical order. Raises BrokenGame."""
    # Found by file: going through the import system would import every other sub-package too.
    folders = sorted(
        rules.parent.name for path in games.__path__ for rules in Path(path).glob("*/rules.py")
    )
    return MappingProxyType({folder: _load(folder) for folder in folders})


def computer_module(slug: str) -> ModuleType:
    """Return the game's ``computer`` module. Raises ModuleNotFoundError for a game without one.

    Only the worker process may call this: the module may import numba."""
    return importlib.import_module(f"games.{slug}.computer")


def puzzle_search_module(slug: str) -> ModuleType:
    """Return the game's ``puzzle_search`` module, which may import numba."""
    return importlib.import_module(f"games.{slug}.puzzle_search")


def reasons_module(slug: str) -> ModuleType | None:
    """Return the game's ``reasons`` module, which may import numba; None for a game without one."""
    name = f"games.{slug}.reasons"
    return importlib.import_module(name) if importlib.util.find_spec(name) else None
