"""Walk through the code that a function reaches: ``python -m scripts.walk MODULE FUNCTION``.

For the road of a move: ``python -m scripts.walk games.views.play.moves move``. The walk is static:
it follows the names of our own functions and classes that a function's body and decorators use,
through imports, from each to the next. Methods of values are not followed, since only a running
program knows them.

A file is *entered* if the walk goes on from it: one of its functions, reached by the walk, names a
function of another file. The others are ends, which a reader looks up and leaves: values, and
helpers that need no third file. Only the calls of an accepted request are followed, not those
or done in an ``except``. With ``--all`` every file counts that a name leads to, classes included.

It prints the files in the order in which they are entered, then the number of files, of their
folders ("rooms") and of the arrows between folders.
"""

from __future__ import annotations

import argparse
import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
OURS = ("games", "boardsite")


class Place(NamedTuple):
    """A function or class of a module."""

    module: str
    name: str


class Module(NamedTuple):
    """The definitions of a module, and the places or modules that its imported names mean."""

    definitions: dict[str, ast.AST]
    imported: dict[str, tuple[str, str]]


def main() -> None:
    """Walk and print the measures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("module")
    parser.add_argument("function")
    parser.add_argument("--all", action="store_true", help="count the ends of the walk too")
    arguments = parser.parse_args()
    steps = walk(Place(arguments.module, arguments.function), ends=arguments.all)
    files = (
        list(dict.fromkeys(step.module for _, step in steps)) if arguments.all else entered(steps)
    )
    arrows = {
        (room(before.module), room(after.module))
        for before, after in steps
        if {before.module, after.module} <= {*files} and room(before.module) != room(after.module)
    }
    print(*files, sep="\n")
    print(f"files {len(files)}, rooms {len({*map(room, files)})}, arrows {len(arrows)}")


def walk(start: Place, *, ends: bool = False) -> list[tuple[Place, Place]]:
    """Return the steps from place to place, depth first. With ``ends`` they lead to classes too,
    and through what is raised or done in an ``except``."""
    steps, seen = [(start, start)], {start}

    def enter(place: Place) -> None:
        for found in uses(place, ends=ends):
            steps.append((place, found))
            if found not in seen:
                seen.add(found)
                enter(found)

    enter(start)
    return steps


def entered(steps: list[tuple[Place, Place]]) -> list[str]:
    """Return the files from which a walk goes on to another file, in their order."""
    onward = {before.module for before, after in steps if before.module != after.module}
    return [file for file in dict.fromkeys(step.module for _, step in steps) if file in onward]


def uses(place: Place, *, ends: bool = False) -> Iterator[Place]:
    """Yield the functions of ours that a place names, in their order; for ``ends`` see `walk`."""
    for found in _named(place, ends=ends):
        is_function = isinstance(read(found.module).definitions[found.name], ast.FunctionDef)
        if ends or is_function:
            yield found


def _named(place: Place, *, ends: bool) -> Iterator[Place]:
    module = read(place.module)
    for node in _code_of(module.definitions[place.name], ends=ends):
        if isinstance(node, ast.Name):
            yield from _resolve(place.module, node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            source, name = module.imported.get(node.value.id, ("", ""))
            if is_module(f"{source}.{name}"):
                yield from _resolve(f"{source}.{name}", node.attr)


def _code_of(definition: ast.AST, *, ends: bool) -> Iterator[ast.AST]:
    """Yield the nodes of a function without its annotations; of a class nothing, since using it
    runs no particular method."""
    if isinstance(definition, ast.FunctionDef):
        for part in (*definition.decorator_list, *definition.body):
            yield from _nodes(part, ends=ends)


def _nodes(node: ast.AST, *, ends: bool) -> Iterator[ast.AST]:
    if ends or not isinstance(node, ast.Raise | ast.ExceptHandler):
        yield node
        for child in ast.iter_child_nodes(node):
            yield from _nodes(child, ends=ends)


def _resolve(module: str, name: str) -> Iterator[Place]:
    """Yield the place that a name of a module means; nothing for names that are not ours."""
    known = read(module)
    if name in known.definitions:
        yield Place(module, name)
    elif name in known.imported:
        source, original = known.imported[name]
        if is_module(source):
            yield from _resolve(source, original)


@cache
def read(module: str) -> Module:
    """Return the definitions and imports of a module of ours."""
    tree = ast.parse(_file(module).read_text(encoding="utf-8"))
    kinds = (ast.FunctionDef, ast.ClassDef)
    definitions = {node.name: node for node in tree.body if isinstance(node, kinds)}
    imported = {
        alias.asname or alias.name: (node.module, alias.name)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith(OURS)
        for alias in node.names
    }
    return Module(dict(definitions), imported)


def is_module(name: str) -> bool:
    """Return whether a dotted name is a module of ours."""
    return name.startswith(OURS) and _file(name).exists()


def _file(module: str) -> Path:
    path = ROOT.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def room(module: str) -> str:
    """Return the folder of a module below ``games``."""
    return ".".join(module.split(".")[:2])


if __name__ == "__main__":
    main()
