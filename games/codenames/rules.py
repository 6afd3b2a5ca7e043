"""The rules of Codenames: its options, and the pictures of its rules page."""

from __future__ import annotations

from collections.abc import Sequence

from games.codenames.cards.word_lists import languages
from games.codenames.day_board import DAY_BOARD
from games.codenames.day_word import WORD_TASK
from games.codenames.deal import SPOKEN, TYPED, admit_setup, deal, read_pack
from games.codenames.exercises import EXERCISES
from games.codenames.first_version import FirstPosition
from games.codenames.levels import LEVELS
from games.codenames.messages import display_move
from games.codenames.position import SEATS, CodenamesPosition
from games.codenames.puzzles import PUZZLES
from games.contract import Example, OlderRules, Option, Rules, Setup, Text, text

_OPTIONS = (
    Option(
        name="cards",
        label=text("Cards"),
        kind="choice",
        default="words",
        choices=(
            ("words", text("Words")),
            ("pictures", text("Pictures")),
            ("pack", text("Word pack")),
            ("own", text("My own words")),
        ),
    ),
    Option(
        name="pack",
        label=text("Word pack"),
        kind="pack",
        default="",
        only_with=("cards", "pack"),
        read=read_pack,
    ),
    Option(
        name="rows",
        label=text("Rows"),
        default=5,
        low=2,
        high=8,
        picture="rows",
        advanced=True,
    ),
    Option(
        name="columns",
        label=text("Columns"),
        default=5,
        low=2,
        high=8,
        picture="columns",
        advanced=True,
    ),
    Option(
        name="language",
        label=text("Language of the words"),
        kind="choice",
        default="en",
        # The name of a language is in that language and not translated.
        choices=tuple(
            (code, Text("%(name)s", {"name": name})) for code, name in languages().items()
        ),
        help=text("Computer players give their clues in this language too."),
        advanced=True,
    ),
    Option(
        name="own_words",
        label=text("My own words"),
        kind="text",
        default="",
        high=5000,
        only_with=("cards", "own"),
        help=text(
            "One word per line, or separated by commas. Only used with “My own words” above."
        ),
    ),
    Option(
        name="clues",
        label=text("Clues"),
        kind="choice",
        default="auto",
        choices=(
            ("auto", text("Automatic")),
            (TYPED, text("Typed on the site")),
            (SPOKEN, text("We talk by voice")),
        ),
        help=text(
            "Automatic: spoken where everyone plays on one device, otherwise typed. With a typed "
            "clue your team may guess one card more than its number. Always typed when a computer "
            "plays."
        ),
        advanced=True,
    ),
    Option(
        name="own_key",
        label=text("Key"),
        kind="text",
        default="",
        high=200,
        secret=True,
        advanced=True,
        help=text(
            "One letter per card, row by row: R red, B blue, - bystander, X assassin. Leave empty "
            "for a random key."
        ),
    ),
)


_PICTURES = [
    *("anchor", "bicycle", "castle", "cactus", "guitar"),
    *("rocket", "crown", "sailboat", "lemon", "snail"),
    *("key", "umbrella", "musical-keyboard", "owl", "volcano"),
    *("bridge-at-night", "scissors", "alarm-clock", "bread", "candle"),
]

_EXAMPLE_SETUP = {
    "rows": 4,
    "columns": 5,
    "pictures": True,
    "cards": _PICTURES,
    "key": "RRBBBRBRRBB-XR-B-RR-",
    "language": "en",
    "clues_required": True,
}

_FIRST_TURN = (
    ("red-spymaster", "clue water 2"),
    ("red-operatives", "a1"),
    ("red-operatives", "b3"),
)

_EXAMPLES = {
    "start": Example(
        caption=text(
            "The start, as the operatives see it. Red has one more spy to find and goes first."
        ),
        setup=_EXAMPLE_SETUP,
        viewer="red-operatives",
    ),
    "key": Example(
        caption=text("What both spymasters see: the same cards with the key."),
        setup=_EXAMPLE_SETUP,
        viewer="red-spymaster",
    ),
    "clue": Example(
        caption=text("Red’s clue is for two cards, so Red gets one to three guesses."),
        setup=_EXAMPLE_SETUP,
        moves=_FIRST_TURN[:1],
        viewer="red-operatives",
        mover="red-operatives",
    ),
    "mistake": Example(
        caption=text(
            "The first guess was right, the second hit a bystander. Now it’s Blue’s turn."
        ),
        setup=_EXAMPLE_SETUP,
        moves=_FIRST_TURN,
        viewer="blue-operatives",
    ),
    "assassin": Example(
        caption=text("Blue hit the assassin and loses. Now everyone sees the key."),
        setup=_EXAMPLE_SETUP,
        moves=(*_FIRST_TURN, ("blue-spymaster", "clue jazz 1"), ("blue-operatives", "c3")),
    ),
}


def _pictures(setup: Setup) -> Sequence[str]:
    return setup["cards"] if setup["pictures"] else ()


RULES = Rules(
    slug="codenames",
    version=2,
    older={1: OlderRules(start=FirstPosition)},
    name=text("Codenames"),
    tagline=text("Find your spies with one-word clues. Avoid the assassin."),
    place=20,
    seats=lambda _options: SEATS,
    deal=deal,
    start=CodenamesPosition,
    options=_OPTIONS,
    examples=_EXAMPLES,
    undo=False,
    turn_times=(60, 90, 120, 180),
    ply_pause=1200,  # a clue and a card are read, not only seen
    levels=LEVELS,
    reviews=lambda move: move.startswith("clue "),
    admit_setup=admit_setup,
    puzzles=PUZZLES,
    day_board=DAY_BOARD,
    word_task=WORD_TASK,
    display_move=display_move,
    pictures=_pictures,
    # Computer players read and type clues.
    computer_options={"clues": TYPED},
    device_options={"clues": SPOKEN},
    exercises=EXERCISES,
)
