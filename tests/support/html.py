"""Elements of a page, found by their names and attributes, in whatever order these are written."""

from __future__ import annotations

from collections.abc import Iterator

from django.test.html import Element, parse_html


def select(page: str | Element, tag: str, /, **wanted: str) -> list[Element]:
    """Return the elements of this tag that have these attributes, in the order of the page.

    ``data_cell`` is the attribute ``data-cell``; ``class_`` has one or more of the classes.
    """
    attributes = {key.strip("_").replace("_", "-"): value for key, value in wanted.items()}
    root = parse_html(page) if isinstance(page, str) else page
    return [child for child in _inside(root) if child.name == tag and _has(child, attributes)]


def only(page: str | Element, tag: str, /, **wanted: str) -> Element:
    """Return the one element that `select` finds."""
    (element,) = select(page, tag, **wanted)
    return element


def attributes_of(element: Element) -> dict[str, str]:
    """Return the attributes of an element, an empty value for those without one."""
    return {name: value or "" for name, value in element.attributes}


def text_of(element: Element) -> str:
    """Return the text in an element, without its tags."""
    parts = (child if isinstance(child, str) else text_of(child) for child in element.children)
    return " ".join(part for part in parts if part)


def _inside(element: Element) -> Iterator[Element]:
    yield element
    for child in element.children:
        if not isinstance(child, str):
            yield from _inside(child)


def _has(element: Element, wanted: dict[str, str]) -> bool:
    found = attributes_of(element)
    return all(
        set(value.split()) <= set(found.get(name, "").split())
        if name == "class"
        else found.get(name) == value
        for name, value in wanted.items()
    )
