"""Every rule of a game's style sheets is scoped to the game, since the front page shows all
games."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path

import pytest
import tinycss2
from tinycss2.ast import AtRule, Node

import games
from games.core.registry import all_rules

CONDITIONS = {"media", "supports", "container"}
# The rest of a selector, after its first part: more conditions on the same element, then nothing or
# elements within. `+` and `~` would select elements beside it.
INWARDS = r"(?:[.:#\[][^\s>+~]*)?(?:\s*$|\s*>.*|\s+[^\s>+~].*)"


def sheets(slug: str) -> list[Path]:
    """Return the style sheets of a game."""
    folders = [Path(folder, slug, "static") for folder in games.__path__]
    return [path for folder in folders for path in folder.rglob("*.css")]


def unscoped(sheet: str, slug: str) -> list[str]:
    """Return the parts of a style sheet that may reach beyond the elements of the game."""
    rules = tinycss2.parse_stylesheet(sheet, skip_comments=True, skip_whitespace=True)
    look = rf'\[data-looks~="{slug}-[a-z]+"\]'
    root = rf"(?::root(?:{look}|:not\({look}\)) )?"
    return list(_faults(rules, slug, rf"{root}\.game-{slug}{INWARDS}"))


def _faults(rules: Iterable[Node], slug: str, scoped: str) -> Iterator[str]:
    for rule in rules:
        if rule.type == "error":
            yield rule.message
        elif rule.type == "qualified-rule":
            yield from (text for text in _selectors(rule.prelude) if not re.fullmatch(scoped, text))
            # Without `&` a nested selector is for elements within. Elsewhere than at its beginning
            # `&` would be an element within or beside others.
            content = tinycss2.parse_blocks_contents(rule.content)
            yield from _faults(content, slug, rf"&{INWARDS}|[^&+~][^&]*")
        elif rule.type == "at-rule" and rule.lower_at_keyword in CONDITIONS:
            yield from _faults(tinycss2.parse_blocks_contents(rule.content), slug, scoped)
        elif rule.type == "at-rule" and not _is_own(rule, slug):
            yield f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}"


def _selectors(prelude: list[Node]) -> Iterator[str]:
    """Yield the selectors of a rule, each without comments."""
    tokens = [token for token in prelude if token.type != "comment"]
    for is_comma, selector in groupby(tokens, key=lambda token: token == ","):
        if not is_comma:
            yield tinycss2.serialize(selector).strip()


def _is_own(rule: AtRule, slug: str) -> bool:
    """Return whether a rule imports another sheet of the game, or names an animation after it."""
    values = [token for token in rule.prelude if token.type not in {"whitespace", "comment"}]
    if len(values) != 1:
        return False
    if rule.lower_at_keyword == "import":
        return values[0].type == "string" and not {"/", ":"} & set(values[0].value)
    return rule.lower_at_keyword == "keyframes" and values[0].value.startswith(f"{slug}-")


@pytest.mark.parametrize("slug", all_rules())
def test_every_rule_of_a_game_is_scoped_to_the_game(slug: str) -> None:
    assert sheets(slug)
    assert {str(path): unscoped(path.read_text(), slug) for path in sheets(slug)} == {
        str(path): [] for path in sheets(slug)
    }


@pytest.mark.parametrize(
    "sheet",
    [
        ".game-x { color: red; .a, td:hover { color: red } > .a + .b { color: red } }",
        ".game-x.a > .b, .game-x:has(.c, .d) { & { color: red } &.a .b { color: red } }",
        "@media (width > 1px) { .game-x { color: red; @media (width > 2px) { .a { } } } }",
        '@import "cards.css"; @keyframes x-turn { from { color: red } }',
        ':root[data-looks~="x-flat"] .game-x .a, :root:not([data-looks~="x-flat"]) .game-x { }',
    ],
)
def test_scoped_rules_are_accepted(sheet: str) -> None:
    assert unscoped(sheet, "x") == []


@pytest.mark.parametrize(
    ("sheet", "fault"),
    [
        (".a .game-x { }", ".a .game-x"),
        (':root[data-looks~="y-flat"] .game-x { }', ':root[data-looks~="y-flat"] .game-x'),
        (".game-x .a, .b { }", ".b"),
        (".game-xy .a { }", ".game-xy .a"),
        (".game-x + .a { }", ".game-x + .a"),
        (".game-x.b~.a { }", ".game-x.b~.a"),
        (".game-x { & ~ .a { } }", "& ~ .a"),
        (".game-x { + .a { } }", "+ .a"),
        (".game-x { .a & { } }", ".a &"),
        (".game-x { .b { :is(&, .c) .a { } } }", ":is(&, .c) .a"),
        (".game-x { @media (width > 1px) { .b ~ & { } } }", ".b ~ &"),
        ("@media print { .a { } }", ".a"),
        ("@keyframes turn { }", "@keyframes turn "),
        ('@import "../site/site.css";', '@import "../site/site.css"'),
        ("@font-face { }", "@font-face "),
    ],
)
def test_rules_that_reach_beyond_the_game_are_found(sheet: str, fault: str) -> None:
    assert unscoped(sheet, "x") == [fault]
