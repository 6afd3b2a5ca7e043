"""Sentences in the code: literals that gettext collects, with exactly their placeholders."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import polib

GAMES = Path(__file__).resolve().parents[2] / "games"
SOURCES = sorted(
    path
    for path in GAMES.rglob("*.py")
    if not {"migrations", "management", "tools", "train"} & set(path.parts)
)
MESSAGES = {"text": 1, "ntext": 2, "gettext": 1, "gettext_lazy": 1, "_": 1, "ngettext": 2}
"""The number of messages among the first arguments of each function."""


def calls(path: Path) -> Iterator[tuple[str, ast.Call]]:
    """Yield every call of an imported function that makes a sentence."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imported = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            name = node.func.id
            if name in MESSAGES and name in imported:
                yield name, node


def is_translator(path: Path) -> bool:
    # These modules translate the sentences of others, so that their messages are variables.
    names = {"core/translation.py", "presentation/jinja.py"}
    return str(path.relative_to(GAMES)) in names


def place(path: Path, node: ast.Call) -> str:
    return f"{path.relative_to(GAMES)}:{node.lineno}"


def test_sentences_are_literals_at_their_call() -> None:
    computed = [
        place(path, node)
        for path in SOURCES
        for name, node in calls(path)
        if not is_translator(path)
        for message in node.args[: MESSAGES[name]]
        if not (isinstance(message, ast.Constant) and isinstance(message.value, str))
    ]
    assert computed == []


def has_its_placeholders(name: str, call: ast.Call) -> bool:
    """Return whether a sentence is given exactly the values that it names."""
    given = {keyword.arg for keyword in call.keywords}
    if name not in {"text", "ntext"} or None in given:
        return True
    messages = [str(ast.literal_eval(message)) for message in call.args]
    wanted = {word for message in messages for word in re.findall(r"%\((\w+)\)", message)}
    return given - {"n"} == wanted - {"n"} and ("n" not in wanted or "n" in given)


def test_sentences_get_exactly_their_placeholders() -> None:
    wrong = [
        place(path, node)
        for path in SOURCES
        for name, node in calls(path)
        if not has_its_placeholders(name, node)
        # Its sentences get their values from a report.
        and path.relative_to(GAMES).as_posix() != "classes/sentences.py"
    ]
    assert wrong == []


def test_every_sentence_of_the_jinja_templates_is_in_a_catalogue() -> None:
    # The command that collects them overlooks some tags, as ``{{- _("…") }}``.
    catalogues = [
        polib.pofile(str(path))
        for folder in (GAMES.parent / "locale", GAMES)
        for path in folder.rglob("nl/LC_MESSAGES/*.po")
    ]
    known = {entry.msgid for catalogue in catalogues for entry in catalogue}
    sentences = {
        sentence
        for path in [*GAMES.rglob("*.jinja"), *(GAMES.parent / "templates").rglob("*.jinja")]
        for sentence in re.findall(r"\b_\(\s*\"((?:[^\"\\\\]|\\\\.)*)\"", path.read_text())
    }
    assert len(sentences) > 50
    assert sentences - known == set()
