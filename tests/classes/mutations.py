"""Mutants of pupils' files and of the games' own classes: each differs in one place of the syntax.

The places are comparisons, whole numbers, ``and`` and ``or``, ``not``, sums, statements and the
first two arguments of calls. The list is the same each time."""

from __future__ import annotations

import ast
import builtins
import importlib
import inspect
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import islice
from random import Random
from types import FrameType, ModuleType
from typing import Any, NamedTuple

from games.classes.comparison.classes import class_plays
from games.classes.comparison.differences import Difference, describe
from games.classes.comparison.playing import Answer, driven, load_class, play, run_in_page
from games.classes.comparison.programs import program_plays
from games.classes.recording import board_name, find_exercise, recorded
from games.contract import Exercise
from tests.support.pupils import FILE, pupil

MOST_TICKS = 100_000
"""Turns of loops and calls of one run, of which right files need some hundreds."""
_COMPARED = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_SUMS = {ast.Add: ast.Sub, ast.Sub: ast.Add}
_KEPT = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Pass)
Change = Callable[[Any], None]


class Endless(BaseException):
    """Raised in a mutant that does not end. No Exception, so that no mutant catches it."""


class Mutant(NamedTuple):
    """A file with one change, which ``name`` describes."""

    name: str
    source: str


def mutants(source: str, within: Callable[[str], bool] = lambda _name: True) -> list[Mutant]:
    """Return the mutants of a text; ``within`` chooses functions by their qualified names."""
    right = ast.unparse(ast.parse(source)).splitlines()
    found = []
    for number, (_node, place, _change) in enumerate(_changes(ast.parse(source), within)):
        tree = ast.parse(source)
        node, _place, change = next(islice(_changes(tree, within), number, None))
        change(node)
        wrong = ast.unparse(ast.fix_missing_locations(tree)).splitlines()
        pairs = zip(right, wrong, strict=False)
        old, new = next((pair for pair in pairs if pair[0] != pair[1]), ("", ""))
        found.append(Mutant(f"{place}: {old.strip()} -> {new.strip()}", _counted(tree)))
    return found


def _changes(
    tree: ast.Module, within: Callable[[str], bool]
) -> Iterator[tuple[ast.AST, str, Change]]:
    for node, place in _nodes(tree, ""):
        if within(place):
            for change in _of_node(node):
                yield node, place, change


def _nodes(node: ast.AST, place: str) -> Iterator[tuple[ast.AST, str]]:
    yield node, place
    for child in ast.iter_child_nodes(node):
        name = child.name if isinstance(child, ast.FunctionDef | ast.ClassDef) else ""
        yield from _nodes(child, f"{place}.{name}".strip(".") if name else place)


def _of_node(node: ast.AST) -> Iterator[Change]:
    if isinstance(node, ast.Compare):
        for index, operator in enumerate(node.ops):
            if type(operator) in _COMPARED:
                yield _compared(index, _COMPARED[type(operator)])
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        for step in (1, -1):
            yield _set("value", node.value + step)
    elif isinstance(node, ast.BoolOp):
        yield _set("op", ast.And() if isinstance(node.op, ast.Or) else ast.Or())
    elif isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in _SUMS:
        yield _set("op", _SUMS[type(node.op)]())
    elif isinstance(node, ast.Call) and len(node.args) > 1:
        yield _set("args", [node.args[1], node.args[0], *node.args[2:]])
    yield from _of_parts(node)


def _of_parts(node: ast.AST) -> Iterator[Change]:
    for name, value in ast.iter_fields(node):
        if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not):
            yield _set(name, value.operand)
        if isinstance(value, list):
            for index, part in enumerate(value):
                if isinstance(part, ast.stmt) and not _is_kept(part):
                    yield _deleted(name, index)


def _is_kept(statement: ast.stmt) -> bool:
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return is_text or isinstance(statement, _KEPT)


def _set(name: str, value: Any) -> Change:
    return lambda node: setattr(node, name, value)


def _compared(index: int, operator: type[ast.cmpop]) -> Change:
    return lambda node: node.ops.__setitem__(index, operator())


def _deleted(name: str, index: int) -> Change:
    return lambda node: getattr(node, name).__setitem__(index, ast.Pass())


def _counted(tree: ast.Module) -> str:
    """Return the source text with a count in each loop and function, since a clock would make the
    found mutants depend on the load."""
    for node in ast.walk(tree):
        if isinstance(node, ast.For | ast.While | ast.FunctionDef):
            node.body.insert(0, ast.parse("_tick()").body[0])
    return ast.unparse(ast.fix_missing_locations(tree))


class _Ticks:
    def __init__(self) -> None:
        self.left = MOST_TICKS

    def __call__(self) -> None:
        self.left -= 1
        if self.left < 0:
            raise Endless


TICKS = _Ticks()
vars(builtins)["_tick"] = TICKS


class Subject:
    """An exercise with a right file, or with the game's own class, and the mutants of that."""

    def __init__(self, exercise: str, *, own: bool) -> None:
        self.rules, self.exercise = find_exercise(exercise)
        self.name = f"{exercise} {'own' if own else 'pupil'}"
        self.board = board_name(self.exercise)
        self.modules = self._modules() if own else {}
        self.last: Mutant | None = None
        self.mutants = list(self._own_mutants() if own else mutants(pupil(exercise)))

    def _modules(self) -> dict[str, set[str]]:
        """Return the modules of the game that play a run, each with its functions that do."""
        found: dict[str, set[str]] = {}

        def follow(frame: FrameType, event: str, _argument: object) -> None:
            module = str(frame.f_globals.get("__name__"))
            if event == "call" and module.startswith(f"games.{self.rules.slug}."):
                found.setdefault(module, set()).add(frame.f_code.co_qualname.split(".<locals>")[0])

        runs = [next(self.exercise.runs(Random(seed))) for seed in range(30)]
        sys.setprofile(follow)
        try:
            for run in runs:
                recorded(self.exercise, run)
        finally:
            sys.setprofile(None)
        return {name: found[name] for name in found if not name.endswith(".exercises")}

    def _own_mutants(self) -> Iterator[Mutant]:
        for module, functions in self.modules.items():
            source = inspect.getsource(sys.modules[module])
            for mutant in mutants(source, functions.__contains__):
                yield Mutant(f"{module.rpartition('.')[2]}.{mutant.name}", mutant.source)

    def player(self, mutant: Mutant) -> Callable[[list[str]], Iterable[Answer]]:
        """Return the function that answers lines as the mutant does."""
        if self.modules:
            exercise = self._mutated(mutant)
            if exercise.answer:
                return partial(_printed, exercise.answer)
            names: dict[str, object] = {self.exercise.name: exercise.reference}
        elif not self.board:
            return lambda lines: [run_in_page(mutant.source, FILE, lines)]
        else:
            names, problem = load_class(mutant.source, FILE, self.exercise.name)
            if problem:
                raise Endless
        return partial(play, names, self.board, FILE)

    def _mutated(self, mutant: Mutant) -> Exercise:
        """Return the exercise whose own class is the mutant."""
        stem = mutant.name.partition(".")[0]
        package = sys.modules[f"games.{self.rules.slug}"]
        kept, attributes = dict(sys.modules), dict(vars(package))
        try:
            for name in [*self.modules, f"{package.__name__}.exercises"]:
                del sys.modules[name]
                if name.endswith("." + stem):
                    module = sys.modules[name] = ModuleType(name)
                    exec(mutant.source, vars(module))
            exercises = importlib.import_module(f"{package.__name__}.exercises").EXERCISES
        finally:
            sys.modules.update(kept)
            vars(package).update(attributes)
        found: Exercise = next(one for one in exercises if one.slug == self.exercise.slug)
        return found

    def difference(self, run: dict[str, Any], mutant: Mutant) -> Difference | None:
        """Return the first difference of a mutant in a run, with as few lines as lead to it."""
        TICKS.left = MOST_TICKS
        try:
            if mutant != self.last:
                self.last, self.play = mutant, self.player(mutant)
            if self.board:
                return driven(class_plays(0, run["steps"], self.board), self.play)
            return driven(program_plays(0, run["lines"], run["output"]), self.play)
        except Endless:
            return Difference("endless")
        except Exception as error:  # the file of the game itself does not load
            return Difference("load", error=describe(error))


def _printed(answer: Callable[[str], str], lines: list[str]) -> list[Answer]:
    try:
        return [{"text": answer("".join(f"{line}\n" for line in lines)), "error": "", "line": 0}]
    except Exception as error:
        return [{"text": "", "error": describe(error), "line": 0}]
