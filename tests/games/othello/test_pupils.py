"""Programs of pupils, and the sentences about them."""

from __future__ import annotations

import pytest

from tests.support.pupils import compare, pupil


@pytest.mark.parametrize(
    "reading",
    [
        "import sys\nlines = sys.stdin.read().splitlines()\n",
        "import sys\nlines = [line.strip() for line in sys.stdin]\n",
        "import sys\nlines = sys.stdin.readlines()\n",
        "lines = open(0).read().split('\\n')[:-1]\n",
        "lines = []\ntry:\n    while True: lines.append(input())\nexcept EOFError:\n    pass\n",
    ],
)
def test_a_program_may_read_its_input_in_every_usual_way(reading: str) -> None:
    source = pupil("othello").replace("n = int(input())", reading + "n = int(lines[0])")
    source = source.replace("for line in sys.stdin:", "for line in lines[1:]:")
    assert not any(compare("othello", source))
