"""The games' own classes, stripped of the parts of Python that MicroPython lacks."""

from __future__ import annotations

import ast
import importlib
import inspect
from types import ModuleType

from games.classes.recording import find_exercise
from tests.support.pupils import pupil_path

PRELUDE = """
class IllegalMove(AssertionError):
    def __init__(self, reason):
        super().__init__(str(reason))

class GameOver(IllegalMove):
    pass

def text(message, **params):
    return message % params

def ntext(message, plural, n, **params):
    return (message if n == 1 else plural) % dict(params, n=n)

Cell = None

class chain:
    @staticmethod
    def from_iterable(parts):
        for part in parts:
            for each in part:
                yield each

def compress(values, chosen):
    for value, taken in zip(values, chosen):
        if taken:
            yield value

def lru_cache(*settings, **more):
    return settings[0] if settings else (lambda function: function)

cache = lru_cache

def bit_count(number):
    return bin(number).count("1")

def bit_length(number):
    return len(bin(number)) - 2 if number else 0

def format(value, kind):
    return ("{:" + kind + "}").format(value)

def backwards(values):
    turned = list(reversed(values))
    return "".join(turned) if isinstance(values, str) else turned

def translated(value, table):
    return bytes([table[each] for each in value])

def table_of(before, after):
    table = list(range(256))
    for old, new in zip(before, after):
        table[old] = new
    return bytes(table)
"""
"""Imported names of the classes, and functions for methods that MicroPython lacks."""

METHODS = {"bit_count": "bit_count", "bit_length": "bit_length", "translate": "translated"}


def stripped(exercise: str) -> str:
    """Return the game's own class for an exercise as one file, with a program if it is one."""
    rules, found = find_exercise(exercise)
    program = pupil_path(exercise).with_name("own_main.py")
    engine = importlib.import_module(f"games.{rules.slug}.engine")
    return (
        PRELUDE + "\n".join(_sources(engine)) + ("\n" + program.read_text() if found.answer else "")
    )


def _sources(module: ModuleType) -> list[str]:
    """Return the stripped source of a module, after those of its folder that it imports."""
    tree = ast.parse(inspect.getsource(module))
    folder = module.__name__.rpartition(".")[0]
    beside = [
        str(node.module)
        for node in tree.body
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith(f"{folder}.")
    ]
    sources = [part for name in beside for part in _sources(importlib.import_module(name))]
    return [*sources, ast.unparse(ast.fix_missing_locations(_Strip().visit(tree)))]


class _Strip(ast.NodeTransformer):
    """Remove imports, annotations, docstrings and aliases of types; write the rest more plainly."""

    def visit_Import(self, node: ast.Import) -> None:
        return None

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        return None

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        if node.value is None:
            return None
        value = self.visit(node.value)
        return ast.copy_location(ast.Assign([node.target], value), node)

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:
        # An alias of a type, such as ``tuple[int, int]``.
        if isinstance(node.value, ast.Subscript) and ast.unparse(node.value).startswith("tuple["):
            return None
        self.generic_visit(node)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        if any("dataclass" in ast.unparse(decorator) for decorator in node.decorator_list):
            fields = [
                ast.unparse(field.target) for field in node.body if isinstance(field, ast.AnnAssign)
            ]
            lines = "; ".join(f"self.{field} = {field}" for field in fields)
            made = ast.parse(f"def __init__(self, {', '.join(fields)}): {lines}").body
            node.decorator_list, node.body = [], [*made, *node.body]
        self.generic_visit(node)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if ast.unparse(node.slice) == "::-1":
            return ast.Call(ast.Name("backwards", ast.Load()), [node.value], [])
        return node

    def visit_Tuple(self, node: ast.Tuple) -> ast.AST:
        self.generic_visit(node)
        if not (
            isinstance(node.ctx, ast.Load) and any(isinstance(x, ast.Starred) for x in node.elts)
        ):
            return node
        parts = [
            f"tuple({ast.unparse(element.value)})"
            if isinstance(element, ast.Starred)
            else f"({ast.unparse(element)},)"
            for element in node.elts
        ]
        return ast.parse(" + ".join(parts), mode="eval").body

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        self.generic_visit(node)
        return node

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        self.generic_visit(node)
        is_text = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return ast.copy_location(ast.Pass(), node) if is_text else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        called = node.func
        if ast.unparse(called) == "isinstance" and isinstance(node.args[1], ast.BinOp):
            kinds = ast.unparse(node.args[1]).replace(" | ", ", ")
            node.args[1] = ast.parse(f"({kinds})", mode="eval").body
        if ast.unparse(called) == "zip":
            node.keywords = []
        if isinstance(called, ast.Attribute) and called.attr == "maketrans":
            node.func = ast.Name("table_of", ast.Load())
        elif isinstance(called, ast.Attribute) and called.attr in METHODS:
            node.func = ast.Name(METHODS[called.attr], ast.Load())
            node.args.insert(0, called.value)
        return node
