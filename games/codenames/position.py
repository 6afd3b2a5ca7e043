"""The position of a game of Codenames: the board, the clues, and the view of each seat."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Final

from games.codenames import messages, stages
from games.codenames.cards.pictures import picture_name
from games.codenames.cards.printing import printed
from games.codenames.clues import (
    NUMBERS,
    UNLIMITED,
    Clue,
    fault_beside,
    parse_clue,
    read_clue,
    specimen,
)
from games.codenames.engine import GameBoard, other
from games.codenames.recap import recap
from games.codenames.stages import STOP, UNKNOWN
from games.codenames.view import Card, ClueView, Face, TurnView, View
from games.contract import (
    IllegalMove,
    MoveLabel,
    NotedMove,
    Position,
    Recap,
    Result,
    Score,
    SeatKey,
    SeatSpec,
    Setup,
    Stage,
    Text,
    cell_name,
    next_steps,
    parse_cell,
    split_move,
    text,
)

SIDES: Final = {"R": "red", "B": "blue"}
SPYMASTERS: Final = {team: f"{side}-spymaster" for team, side in SIDES.items()}
OPERATIVES: Final = {team: f"{side}-operatives" for team, side in SIDES.items()}

_LOOKS: Final = {"R": "R", "B": "B", "-": "N", "X": "X", None: ""}
"""Classes of the style sheet by square; '' for a card that is not revealed."""


def _seat(team: str, role: str, name: Text, **more: Any) -> SeatSpec:
    side, side_name = SIDES[team], messages.TEAM_NAMES[team]
    key, called = f"{side}-{role}", messages.ROLES[role]
    thinks = messages.is_thinking(team, role)
    return SeatSpec(
        key=key, name=name, side=side, side_name=side_name, role=called, thinking=thinks, **more
    )


SEATS: Final = (
    _seat("R", "spymaster", text("Red spymaster"), information_set="key"),
    _seat("R", "operatives", text("Red operatives"), shared=True, you=text("You guess for Red.")),
    _seat("B", "spymaster", text("Blue spymaster"), information_set="key"),
    _seat("B", "operatives", text("Blue operatives"), shared=True, you=text("You guess for Blue.")),
)


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of a team: its clue, if there was one, and the cards that it selected, in order."""

    team: str
    clue: Clue | None = None
    guesses: tuple[str, ...] = ()


class CodenamesPosition(Position):
    """A position of a game that `games.codenames.deal.deal` set up.

    If clues are required, a turn is a clue and then at least one guess and at most one more than
    its number (no limit after 0 and unlimited), as the published rules say. If they are not, the
    operatives select and stop as they like, and their spymaster may give one clue a turn, which
    limits nothing.
    """

    def __init__(self, setup: Setup) -> None:
        super().__init__(SEATS)
        self._setup = setup
        self._board = GameBoard(setup["rows"], setup["columns"], setup["key"])
        squares = range(self._board.rows * self._board.columns)
        self._names = tuple(cell_name(*divmod(index, self._board.columns)) for index in squares)
        self._turns: tuple[Turn, ...] = (Turn(self._board.turn()),)
        self._missed = False
        self.events = (messages.begins(self._board.turn()),)

    # --- games.contract.Position ---------------------------------------------------------

    def _to_move(self) -> set[SeatKey]:
        now = self._now
        if now.clue:
            return {OPERATIVES[now.team]}
        spymaster, operatives = SPYMASTERS[now.team], OPERATIVES[now.team]
        return {spymaster} if self._clues_required else {spymaster, operatives}

    def _legal_moves(self, seat: SeatKey) -> list[str]:
        if seat in SPYMASTERS.values():
            word = specimen(self._table(), self._may_give)
            return [f"clue {word} {number}" for number in NUMBERS]
        covered = [self._names[index] for index in self._covered()]
        if self._may_pass_unknown_word:
            covered.append(UNKNOWN)
        return [*covered, STOP] if self._may_stop else covered

    def _apply(self, seat: SeatKey, move: str) -> None:
        is_clue = move.split(" ")[0] == "clue"
        if is_clue != (seat in SPYMASTERS.values()):
            raise IllegalMove(messages.not_your_role(is_clue))
        if is_clue:
            self._give_clue(move)
        elif move == STOP:
            self._stop()
        elif move == UNKNOWN:
            self._pass_unknown_word()
        else:
            self._select(move)

    def _result(self) -> Result | None:
        winner = self._board.winner()
        if winner is None:
            return None
        found = self._board.remaining(winner) == 0
        reason = messages.spies_found(winner) if found else messages.found_assassin(other(winner))
        return Result(frozenset({SPYMASTERS[winner], OPERATIVES[winner]}), reason)

    def _stage(self, seat: SeatKey, chosen: tuple[str, ...]) -> Stage:
        tokens = next_steps(self._legal_moves(seat), chosen)
        if seat in SPYMASTERS.values():
            return stages.stage_of_spymaster(self._clues_required)
        cards = {self._names[index]: self._card(index) for index in self._covered()}
        spoken = self._now.clue is None and not self._now.guesses
        return stages.stage_of_operatives(tokens, cards, spoken=spoken)

    def _view(self, seat: SeatKey | None) -> View:
        """Return the table as ``seat`` sees it; ``key_shown`` says whether it sees the key.

        A cell has ``name``, ``label``, ``card`` (the word, or the name of the picture as a Text),
        ``printed`` (the layout of the word, or None), ``picture`` (its id, or None), ``square`` (R,
        B, - or X; None for a seat that may not know it) and ``selected``. ``team`` is to move (red,
        blue or None), ``clue`` its word and number or None; ``guesses_left`` is None without a
        limit, ``guesses`` says it in words, and ``pips`` has a flag for each guess that the clue
        allows, whether it is used. ``may_clue`` and ``may_stop`` say whether the team can give a
        clue or stop. ``turns`` are all turns so far, the present one last, each with its ``clue``,
        its ``guesses``, and the cards ``found`` with their squares."""
        over = self.result() is not None
        key_shown = over or seat in SPYMASTERS.values()
        board, now = self._board, self._now
        cells = self._cells(key_shown)
        left = self.guesses_left
        starts = range(0, len(cells), board.columns)
        turns = [self._turn_view(turn) for turn in self._turns]
        return {
            "rows": [cells[start : start + board.columns] for start in starts],
            "pictures": self._setup["pictures"],
            "language": self._setup["language"],
            "clues_required": self._clues_required,
            "key_shown": key_shown,
            "team": None if over else SIDES[now.team],
            "clue": turns[-1]["clue"],
            "guesses_left": left,
            "guesses": messages.guesses(left),
            "pips": [] if left is None else [True] * len(now.guesses) + [False] * left,
            "may_clue": not over and now.clue is None,
            "may_stop": not over and self._may_stop and OPERATIVES[now.team] in self._to_move(),
            "turns": turns,
            "winning": self._winning_cards() if over else [*self.last],
            "sound": "capture" if self.last and self._missed else "move",
        }

    def scores(self) -> dict[str, Score]:
        """Return how many spies of each side are still to be found."""
        remaining = {side: self._board.remaining(team) for team, side in SIDES.items()}
        return {side: Score(n, messages.spies_to_find(n)) for side, n in remaining.items()}

    def normalize_input(self, typed: str) -> str:
        """Accept the Dutch ``hint`` for clue, ``onbeperkt`` and ``∞`` for unlimited, and an unknown
        word as the list of moves shows it."""
        first, *rest = typed.split() or [""]
        if " ".join([first, *rest]).casefold() in {"unknown word", "onbekend", "onbekend woord"}:
            return UNKNOWN
        if first.casefold() not in {"clue", "hint"}:
            return typed
        number = [UNLIMITED if step.casefold() in {"onbeperkt", "∞"} else step for step in rest[1:]]
        return " ".join(["clue", *rest[:1], *number])

    def label_move(self, move: str) -> MoveLabel | None:
        """Return a clue as its word and number, and a card as its word, with the class of its
        square once it is revealed."""
        steps = split_move(move)
        if steps[:1] == ("clue",) and len(steps) == 3:
            shown = messages.short_clue(Clue(*steps[1:]))
            return MoveLabel(shown, "given", self._setup["language"])
        if not steps or steps[0] not in self._names:
            return None
        row, column = parse_cell(steps[0])
        square = self._board.revealed(row, column)
        language = "" if self._setup["pictures"] else self._setup["language"]
        return MoveLabel(self._card(self._names.index(steps[0])), _LOOKS[square], language)

    def recap(self, moves: Sequence[NotedMove]) -> Recap:
        """Return the clues, the cards that computers meant by them, and the cards found."""
        spymasters = {SIDES[team]: seat for team, seat in SPYMASTERS.items()}
        return recap(self.view(None), spymasters, _LOOKS, moves)

    def may_speak(self, seat: SeatKey) -> bool:
        """Return whether a seat may send a message. A spymaster may not while the own team is
        guessing."""
        spec = next(spec for spec in self.seats if spec.key == seat)
        guessing = {spec.key for spec in self.seats if not spec.secret} & self.to_move()
        sides = {other.side for other in self.seats if other.key in guessing}
        return not (spec.secret and spec.side in sides)

    def pass_move(self, seat: SeatKey) -> str | None:
        """Return the move that ends the turn of the operatives, None while they may not end it."""
        return STOP if seat in OPERATIVES.values() and self._may_stop else None

    def time_is_up(self, seat: SeatKey) -> Text:
        """Ask for the clue or card without which the turn cannot pass."""
        guessing = seat in OPERATIVES.values()
        return messages.ONE_MORE_CARD if guessing else messages.CLUE_NOW

    # --- turns ---------------------------------------------------------------------------

    @property
    def guesses_left(self) -> int | None:
        """Return how many cards may still be selected in this turn, None for no limit."""
        now = self._now
        if not self._clues_required or now.clue is None or now.clue.guesses is None:
            return None
        return now.clue.guesses - len(now.guesses)

    @property
    def _may_stop(self) -> bool:
        return not self._clues_required or bool(self._now.guesses)

    @property
    def _may_pass_unknown_word(self) -> bool:
        now = self._now
        return self._clues_required and now.clue is not None and not now.guesses

    def _give_clue(self, move: str) -> None:
        clue = read_clue(move) if self._is_replay else parse_clue(move)
        if not self._is_replay:
            self.check_clue(clue, self._table())
        self._turns = (*self._turns[:-1], replace(self._now, clue=clue))
        self.last, self.events = (), (messages.gives(self._now.team, clue),)

    def check_clue(self, clue: Clue, table: Iterable[str]) -> None:
        """Refuse a clue that the rules do not allow beside the words on the table. Raises
        IllegalMove."""
        if fault := fault_beside(clue, table, self._setup["language"]):
            raise IllegalMove(fault)

    def _may_give(self, word: str, table: Iterable[str]) -> bool:
        try:
            self.check_clue(Clue(word, "1"), table)
        except IllegalMove:
            return False
        return True

    def _stop(self) -> None:
        if not self._may_stop:
            raise IllegalMove(messages.nothing_revealed())
        self.last, self.events = (), (messages.stops(self._now.team),)
        self._board.stop()
        self._follow_turn()

    def _pass_unknown_word(self) -> None:
        clue = self._now.clue
        if clue is None or not self._may_pass_unknown_word:
            raise IllegalMove(messages.nothing_unknown())
        self.last, self.events = (), (messages.does_not_know(self._now.team, clue),)
        self._board.stop()
        self._follow_turn()

    def _select(self, name: str) -> None:
        row, column = parse_cell(name)
        if name not in self._names:
            raise IllegalMove(messages.no_such_card(name))
        index = self._names.index(name)
        if index not in self._covered():
            raise IllegalMove(messages.already_revealed(self._card(index)))
        now = replace(self._now, guesses=(*self._now.guesses, name))
        self._board.select(row, column)
        self._missed = self._board.key[index] != now.team
        self._turns = (*self._turns[:-1], now)
        news = messages.selects(now.team, self._card(index), self._board.key[index])
        self.last, self.events = (name,), (news,)
        self._end_turn_without_guesses()
        self._follow_turn()

    def _end_turn_without_guesses(self) -> None:
        goes_on = not self._board.isover() and self._board.turn() == self._now.team
        if goes_on and self.guesses_left == 0:
            self.events += (messages.no_guess_left(self._now.team),)
            self._board.stop()

    def _follow_turn(self) -> None:
        """Begin a new turn if the other team is to move on the board."""
        if not self._board.isover() and self._board.turn() != self._now.team:
            self._turns += (Turn(self._board.turn()),)
            self.events += (messages.is_to_move(self._now.team),)

    # --- views ---------------------------------------------------------------------------

    def _cells(self, key_shown: bool) -> list[Card]:
        selected = self._board.squares()
        known = list(self._board.key) if key_shown else selected
        language = None if self._setup["pictures"] else self._setup["language"]
        cards = zip(self._names, self._setup["cards"], known, selected, strict=True)
        return [
            {"name": name, **_face(card, language, square, found is not None)}
            for name, card, square, found in cards
        ]

    def _turn_view(self, turn: Turn) -> TurnView:
        where = [self._names.index(name) for name in turn.guesses]
        return {
            "team": SIDES[turn.team],
            "clue": _clue_view(turn.clue),
            "guesses": list(turn.guesses),
            "found": [{"card": self._card(at), "square": self._board.key[at]} for at in where],
        }

    # --- the setup and the turn ----------------------------------------------------------

    @property
    def _now(self) -> Turn:
        return self._turns[-1]

    @property
    def _clues_required(self) -> bool:
        return bool(self._setup["clues_required"])

    def _covered(self) -> list[int]:
        """Return the indices of the cards that have not been selected, in reading order."""
        return [index for index, square in enumerate(self._board.squares()) if square is None]

    def _winning_cards(self) -> list[str]:
        """Return the spies that the winners have found, or the assassin that the losers have."""
        winner = self._board.winner()
        if winner is None or self._board.remaining(winner):
            return [*self.last]
        cards = zip(self._names, self._board.squares(), strict=True)
        return [name for name, square in cards if square == winner]

    def _card(self, index: int) -> messages.CardName:
        card: str = self._setup["cards"][index]
        return picture_name(card) if self._setup["pictures"] else card

    def _table(self) -> list[str]:
        """Return the words that a clue must not resemble; none on a table of pictures."""
        if self._setup["pictures"]:
            return []
        return [self._setup["cards"][index] for index in self._covered()]


@lru_cache(maxsize=4096)
def _face(card: str, language: str | None, square: str | None, selected: bool) -> Face:
    """Return the values of a cell with a word in a language, or with a picture if that is None."""
    name = picture_name(card) if language is None else card
    return {
        "label": messages.label(name, square, selected),
        "card": name,
        "printed": None if language is None else printed(card, language),
        "picture": card if language is None else None,
        "square": square,
        "selected": selected,
    }


def _clue_view(clue: Clue | None) -> ClueView | None:
    return None if clue is None else {"word": clue.word, "number": clue.number}
