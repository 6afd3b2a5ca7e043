"""The examples in docstrings are true, and every public method of the games' classes has one."""

from __future__ import annotations

import doctest
import importlib
import inspect
from types import ModuleType

import pytest

from games.core.registry import all_rules

CONTRACT = [
    importlib.import_module(f"games.contract.{name}")
    for name in ("cells", "steps", "texts", "unicode_text")
]
PACKAGES = [importlib.import_module(f"games.{slug}") for slug in all_rules()]
CLASSES = [
    getattr(package, name) for package in PACKAGES for name in getattr(package, "__all__", ())
]
MODULES = [*CONTRACT, *{importlib.import_module(kind.__module__): 1 for kind in CLASSES}]

each_class = pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_the_examples_of_a_module_are_true(module: ModuleType) -> None:
    failed, attempted = doctest.testmod(module)
    assert attempted
    assert not failed


@each_class
def test_every_public_method_of_a_class_has_an_example(kind: type) -> None:
    methods = inspect.getmembers(kind, callable)
    public = {name: inspect.getdoc(method) or "" for name, method in methods if name[0] != "_"}
    assert public
    assert [name for name, text in public.items() if ">>>" not in text] == []


@each_class
def test_a_class_has_an_example_and_a_representation_of_its_own(kind: type) -> None:
    assert ">>>" in (kind.__doc__ or "")
    assert kind.__repr__ is not object.__repr__
