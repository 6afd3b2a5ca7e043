"""The sentences of a report, by the code of a `Difference`. The page and the command share them."""

from __future__ import annotations

from typing import Final

from games.contract import Text, text

SENTENCES: Final[dict[str, Text]] = {
    # the file
    "syntax": text("Python can’t read line %(line)s: %(error)s"),
    "module": text("This file needs a module that is missing: %(error)s"),
    "course_module": text(
        "Your file imports %(module)s, which belongs to a course’s website and not to Python. Take "
        "that line out: a class reads nothing, and a program reads with input()."
    ),
    "unreadable": text("This file can’t be read: %(error)s"),
    "load": text("Your file stops with an error before anything is called: %(error)s"),
    "no_class": text("There is no class %(name)s in this file. Classes found: %(found)s"),
    "no_class_at_all": text("There is no class %(name)s in this file, and no other class."),
    "too_large": text("This is more than a million characters. Is it the right file?"),
    "empty": text("There is nothing to run yet. Paste your code first."),
    # an answer
    "raised": text("It should return %(expected)s, but stops with %(error)s"),
    "not_made": text("This line should make a board, but stops with %(error)s"),
    "not_accepted": text("This call is a legal one. It should be done, but stops with %(error)s"),
    "not_refused": text(
        "It should refuse with AssertionError: %(message)s. Instead it returns %(got)s."
    ),
    "wrong_error": text(
        "It should refuse with AssertionError: %(message)s. Instead it stops with %(error)s"
    ),
    "wrong_message": text(
        "It refuses, but with another message. It should be “%(message)s” and is “%(got)s”."
    ),
    "not_itself": text("It should return %(name)s itself, and returns %(got)s."),
    "value": text("It should return %(expected)s, and returns %(got)s."),
    "type": text("It should return a value of type %(type)s: %(expected)s. It returns %(got)s."),
    "set": text("It returns another set. Missing: %(missing)s. Too much: %(extra)s."),
    # the board
    "str_raised": text("str(%(name)s) does not return a text: %(error)s"),
    "no_str": text("The class has no method __str__, so that str(%(name)s) shows no board."),
    "changed": text("This question changes the board."),
    "changed_refused": text("It refuses the call, but has changed the board all the same."),
    # a text
    "newline": text("The text ends with a newline too many."),
    "trailing_space": text("Line %(number)s ends with a space too many: “%(line_is)s”"),
    "text": text("Line %(number)s should be “%(should)s” and is “%(line_is)s”."),
    "line_missing": text("Line %(number)s is missing. It should be “%(should)s”."),
    "line_extra": text("Line %(number)s is one too many: “%(line_is)s”"),
    "program_raised": text("The program stops with %(error)s"),
    # the end
    "endless": text(
        "This took longer than %(seconds)s seconds and was stopped. It has no end or is far too "
        "slow for this size, but it is not wrong so far."
    ),
    "stopped": text("You stopped it here."),
    "crashed": text("The interpreter broke down, perhaps for lack of memory: %(error)s"),
}

NOTHING: Final = text("nothing")
"""In place of an empty list of set members."""


def sentence(report: dict[str, object]) -> Text:
    code = str(report["code"])
    if code == "no_class" and not report["found"]:
        code = "no_class_at_all"
    params = {name: NOTHING if value == "" else value for name, value in report.items()}
    return Text(SENTENCES[code].message, params)
