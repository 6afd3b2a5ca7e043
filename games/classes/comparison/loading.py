"""Pupils' files: running them, and finding the class."""

from games.classes.comparison.differences import Difference, describe, line_of


def load(source: str, filename: str, namespace: dict[str, object]) -> "Difference | None":
    """Run a pupil's file in ``namespace``. Return what went wrong, None if nothing did."""
    try:
        # The exercise is to run this code: in the pupil's own browser, or on his own machine.
        exec(compile(source, filename, "exec"), namespace)  # noqa: S102
    except SyntaxError as error:
        return _syntax_error(error, source, filename)
    except ImportError as error:
        return Difference("module", error=describe(error), line=line_of(error, filename))
    except (Exception, SystemExit) as error:
        return Difference("load", error=describe(error), line=line_of(error, filename))
    return None


def _syntax_error(error: SyntaxError, source: str, filename: str) -> Difference:
    number = getattr(error, "lineno", None) or line_of(error, filename)
    lines = source.split("\n")
    text = lines[number - 1].rstrip() if 0 < number <= len(lines) else ""
    # MicroPython knows no column: the caret then stands under the first character of the line.
    column = getattr(error, "offset", None) or len(text) - len(text.lstrip()) + 1
    return Difference(
        "syntax", error=describe(error), line=number, text=text, caret=" " * (column - 1) + "^"
    )


def class_problem(namespace: dict[str, object], name: str) -> "Difference | None":
    """Return the difference of a file without the class, which names the classes that it has."""
    if isinstance(namespace.get(name), type):
        return None
    found = [key for key, value in namespace.items() if isinstance(value, type) and key[:1] != "_"]
    return Difference("no_class", name=name, found=", ".join(sorted(found)))
