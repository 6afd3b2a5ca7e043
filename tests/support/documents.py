"""The documents of the repository, taken apart: links, code, tables and trees."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from scripts.sources import ROOT, sources

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)
INDENTED = re.compile(r"(?:^    \S.*\n)+", re.MULTILINE)
SPAN = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+ (.*)", re.MULTILINE)
BRANCH = re.compile(r"(?P<indent> *)(?P<names>\S+(?: \S+)*)(?: {2,}(?P<about>.*))?")
INDENT = 4


@cache
def files() -> tuple[Path, ...]:
    """Return the paths of all files of the repository."""
    return tuple(sources())


def documents() -> list[Path]:
    """Return the paths of the documents that are written here."""
    return [path for path in files() if path.suffix == ".md" and "vendor" not in path.parts]


@cache
def content(path: Path | str) -> str:
    """Return the text of a file."""
    return (ROOT / path).read_text(encoding="utf-8")


def section(path: Path | str, title: str) -> str:
    """Return the text under a heading, up to the next of the same depth or above."""
    head = re.search(rf"^(#+) {re.escape(title)}$", content(path), re.MULTILINE)
    assert head, f"{path} has no section {title}"
    rest = content(path)[head.end() :]
    return re.split(rf"^#{{1,{len(head[1])}}} ", rest, maxsplit=1, flags=re.MULTILINE)[0]


def blocks(text: str, language: str) -> list[str]:
    """Return the fenced blocks of a language."""
    return [block for name, block in BLOCK.findall(text) if name == language]


def code(text: str) -> list[str]:
    """Return the code of a document, as spans and as the lines of indented blocks."""
    plain = BLOCK.sub("", text)
    lines = [line for block in INDENTED.findall(plain) for line in _joined(block).splitlines()]
    return SPAN.findall(INDENTED.sub("", plain)) + [line.partition("  #")[0] for line in lines]


def _joined(block: str) -> str:
    return re.sub(r"\\\n\s*", " ", block)


def links(text: str) -> list[str]:
    """Return the targets of links and pictures within the repository."""
    return [link for link in LINK.findall(text) if not re.match(r"\w+:", link)]


def anchors(text: str) -> set[str]:
    """Return the anchors of a document's headings, as GitHub makes them."""
    heads = HEADING.findall(BLOCK.sub("", text))
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


def table_rows(text: str) -> list[list[str]]:
    """Return the cells of all tables, without their heads."""
    rows = []
    for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        body = table.splitlines()[2:]
        rows += [[cell.strip() for cell in line.strip("|").split(" |")] for line in body]
    return rows


def tree_paths(tree: str) -> Iterator[str]:
    """Yield the paths in a tree of folders. The description of a folder may list folders in it."""
    parents: list[str] = []
    for line in tree.splitlines():
        branch = BRANCH.fullmatch(line)
        assert branch, line
        del parents[len(branch["indent"]) // INDENT :]
        folder = "".join(parents)
        names = branch["names"].split()
        yield from (folder + name for name in names)
        inside = re.findall(r"(?<!\S)\w+/(?!\S)", branch["about"] or "")
        yield from (folder + names[0] + name for name in inside)
        parents.append(names[0])


def defined_names(path: Path | str) -> set[str]:
    """Return the names of the functions, methods, classes and module variables of a file."""
    tree = ast.parse(content(path))
    found = {
        node.name
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
    }
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        found |= {target.id for target in targets if isinstance(target, ast.Name)}
        if isinstance(node, ast.ImportFrom):
            found |= {alias.asname or alias.name for alias in node.names}
    return found
