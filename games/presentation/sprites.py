"""The drawings on the cards of a board as one SVG file, a symbol for each, loaded in one request.

The address of a file contains a digest of its content, so that browsers can cache it for ever. The
file depends only on `Rules.pictures`, sorted, and so reveals nothing that a seat must not see."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from django.contrib.staticfiles import finders
from django.urls import reverse

from games.contract import Rules
from games.models import Game

_DRAWING = re.compile(r'<svg\b[^>]*?viewBox="([^"]+)"[^>]*>(.*)</svg>\s*', re.DOTALL)


class Sprite(NamedTuple):
    """An SVG file with a symbol for each of several drawings, and the digest of its content."""

    digest: str
    svg: bytes


def game_sprite(game: Game) -> Sprite | None:
    """Return the drawings on the cards of a game; None if it has none."""
    return sprite_of(game.kind, game.rules.pictures(game.setup))


def game_sprite_address(game: Game) -> str:
    """Return the address of the drawings of a game; '' if it has none."""
    sprite = game_sprite(game)
    return reverse("sprite", args=[game.pk, sprite.digest]) if sprite else ""


def example_sprite(rules: Rules) -> Sprite | None:
    """Return the drawings in the examples of the rules; None if there are none."""
    setups = [example.setup for example in rules.examples.values()]
    return sprite_of(rules.slug, [name for setup in setups for name in rules.pictures(setup)])


def example_sprite_address(rules: Rules) -> str:
    """Return the address of the drawings in the examples of the rules; '' if there are none."""
    sprite = example_sprite(rules)
    return reverse("rules_sprite", args=[rules.slug, sprite.digest]) if sprite else ""


def sprite_of(slug: str, names: Iterable[str]) -> Sprite | None:
    """Return the file of some of a game's drawings; None without names."""
    chosen = tuple(sorted(set(names)))
    return _sprite(slug, chosen) if chosen else None


@lru_cache(maxsize=64)
def _sprite(slug: str, names: tuple[str, ...]) -> Sprite:
    symbols = "".join(_symbol(slug, name) for name in names)
    svg = f'<svg xmlns="http://www.w3.org/2000/svg">{symbols}</svg>'.encode()
    return Sprite(hashlib.sha256(svg).hexdigest()[:16], svg)


@lru_cache(maxsize=1024)
def _symbol(slug: str, name: str) -> str:
    path = finders.find(f"{slug}/pictures/{name}.svg")
    drawing = _DRAWING.fullmatch(Path(path).read_text()) if isinstance(path, str) else None
    if drawing is None:
        return ""
    return f'<symbol id="{name}" viewBox="{drawing[1]}">{drawing[2]}</symbol>'
