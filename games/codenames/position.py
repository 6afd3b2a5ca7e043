"""Where a game of Codenames stands: the board, the clues, and who may know what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from games.codenames import messages
from games.codenames.cards.pictures import picture_name
from games.codenames.cards.printing import Print, printed
from games.codenames.clues import (
    NUMBERS,
    UNLIMITED,
    Clue,
    check_against_table,
    parse_clue,
    specimen,
)
from games.codenames.engine import TEAMS, GameBoard, other
from games.contract import (
    BadNotation,
    IllegalMove,
    Position,
    Result,
    SeatKey,
    Setup,
    Stage,
    Step,
    Text,
    cell_name,
    next_steps,
    parse_cell,
    text,
)

SIDES = {"R": "red", "B": "blue"}
SPYMASTERS = {team: f"{side}-spymaster" for team, side in SIDES.items()}
OPERATIVES = {team: f"{side}-operatives" for team, side in SIDES.items()}
_TEAM_OF = {seats[team]: team for seats in (SPYMASTERS, OPERATIVES) for team in TEAMS}

STOP = "stop"
LONGEST_MOVE = 100


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of a team: its clue, if it was given one, and the cards it selected, in order."""

    team: str
    clue: Clue | None = None
    guesses: tuple[str, ...] = ()


class CodenamesPosition(Position):
    """A position of the game that `games.codenames.deal.deal` set up.

    Where clues are required, a turn is a clue and then at least one guess and at most one more
    than its number (no limit after 0 and unlimited), as the game's published rules say.
    Where they are not, the operatives select and stop as they like, and their spymaster may give
    one clue in each turn, which limits nothing.
    """

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._board = GameBoard(setup["rows"], setup["columns"], setup["key"])
        squares = range(self._board.rows * self._board.columns)
        self._names = tuple(cell_name(*divmod(index, self._board.columns)) for index in squares)
        self._turns: tuple[Turn, ...] = (Turn(self._board.turn()),)
        self._resigned: str | None = None
        self._last: tuple[str, ...] = ()
        self._news: tuple[Text, ...] = (messages.begins(self._board.turn()),)

    def copy(self) -> Self:
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._board = self._board.copy()
        return twin

    # --- whose turn, and what can be played -------------------------------------------

    def to_move(self) -> frozenset[SeatKey]:
        if self.result() is not None:
            return frozenset()
        team, clue = self._now.team, self._now.clue
        guessing = {OPERATIVES[team]} if clue or not self._clues_required else set()
        return frozenset(guessing if clue else guessing | {SPYMASTERS[team]})

    def legal_moves(self, seat: SeatKey) -> list[str]:
        if seat not in self.to_move():
            return []
        if seat in SPYMASTERS.values():
            word = specimen(self._table())
            return [f"clue {word} {number}" for number in NUMBERS]
        covered = [self._names[index] for index in self._covered()]
        return [*covered, STOP] if self._may_stop else covered

    def normalize_input(self, typed: str) -> str:
        """In Dutch a clue is a ``hint``, and may be about ``onbeperkt`` many cards: ``∞``, as the
        buttons have it."""
        first, *rest = typed.split() or [""]
        if first.casefold() not in {"clue", "hint"}:
            return typed
        number = [UNLIMITED if step.casefold() in {"onbeperkt", "∞"} else step for step in rest[1:]]
        return " ".join(["clue", *rest[:1], *number])

    def stage(self, seat: SeatKey, chosen: Sequence[str]) -> Stage:
        tokens = next_steps(self.legal_moves(seat), chosen)
        if seat in SPYMASTERS.values():
            return Stage(prompt=messages.prompt_spymaster(self._clues_required))
        prompt = messages.prompt_operatives(self._now.clue, self.guesses_left, self._may_stop)
        if not self._now.clue and not self._now.guesses:
            prompt = messages.prompt_spoken()
        return Stage(prompt=prompt, steps=tuple(map(self._step, tokens)))

    def _step(self, token: str) -> Step:
        if token == STOP:
            return Step(text=STOP, label=text("End our turn"))
        label = text("Reveal %(card)s", card=self._card(self._names.index(token)))
        return Step(text=token, label=label, cell=token)

    @property
    def guesses_left(self) -> int | None:
        """How many cards may still be selected in this turn; None: no limit."""
        now = self._now
        if not self._clues_required or now.clue is None or now.clue.guesses is None:
            return None
        return now.clue.guesses - len(now.guesses)

    @property
    def _may_stop(self) -> bool:
        return not self._clues_required or bool(self._now.guesses)

    # --- playing ------------------------------------------------------------------------

    def _apply(self, seat: SeatKey, move: str) -> None:
        if len(move) > LONGEST_MOVE:
            raise BadNotation(text("That’s too long for a move."))
        is_clue = move.split(" ")[0] == "clue"
        if is_clue != (seat in SPYMASTERS.values()):
            raise IllegalMove(
                text("Only spymasters give clues.")
                if is_clue
                else text("Spymasters give clues. They don’t pick cards.")
            )
        if is_clue:
            self._give_clue(move)
        elif move == STOP:
            self._stop()
        else:
            self._select(move)

    def _give_clue(self, move: str) -> None:
        clue = parse_clue(move)
        check_against_table(clue, self._table())
        self._turns = (*self._turns[:-1], replace(self._now, clue=clue))
        self._last, self._news = (), (messages.gives(self._now.team, clue),)

    def _stop(self) -> None:
        if not self._may_stop:
            raise IllegalMove(text("Pick at least one card before you end your turn."))
        self._last, self._news = (), (messages.stops(self._now.team),)
        self._board.stop()
        self._follow_turn()

    def _select(self, name: str) -> None:
        row, column = parse_cell(name)
        if name not in self._names:
            raise IllegalMove(text("There’s no card on %(name)s.", name=name))
        index = self._names.index(name)
        if index not in self._covered():
            raise IllegalMove(text("%(card)s has already been revealed.", card=self._card(index)))
        now = replace(self._now, guesses=(*self._now.guesses, name))
        self._board.select(row, column)
        self._turns = (*self._turns[:-1], now)
        news = messages.selects(now.team, self._card(index), self._board.key[index])
        self._last, self._news = (name,), (news,)
        self._end_turn_without_guesses()
        self._follow_turn()

    def _end_turn_without_guesses(self) -> None:
        goes_on = not self._board.isover() and self._board.turn() == self._now.team
        if goes_on and self.guesses_left == 0:
            self._news += (messages.no_guess_left(self._now.team),)
            self._board.stop()

    def _follow_turn(self) -> None:
        """Begin the other team's turn if the board says so."""
        if not self._board.isover() and self._board.turn() != self._now.team:
            self._turns += (Turn(self._board.turn()),)
            self._news += (messages.is_to_move(self._now.team),)

    def _resign(self, seat: SeatKey) -> None:
        if seat not in _TEAM_OF:
            raise IllegalMove(text("This seat is not in the game."))
        self._resigned = _TEAM_OF[seat]
        self._last, self._news = (), (messages.resigned(self._resigned),)

    # --- the end --------------------------------------------------------------------------

    def result(self) -> Result | None:
        if self._resigned:
            return self._won_by(other(self._resigned), messages.resigned(self._resigned))
        winner = self._board.winner()
        if winner is None:
            return None
        if self._board.remaining(winner) == 0:
            return self._won_by(winner, messages.spies_found(winner))
        return self._won_by(winner, messages.found_assassin(other(winner)))

    def _won_by(self, team: str, reason: Text) -> Result:
        return Result(frozenset({SPYMASTERS[team], OPERATIVES[team]}), reason)

    # --- who sees what --------------------------------------------------------------------

    def view(self, seat: SeatKey | None) -> Mapping[str, Any]:
        """The table as ``seat`` sees it; ``key_shown`` tells whether it sees the key.

        A cell has ``name``, ``label``, ``card`` (the word, or the name of the picture as a Text),
        ``printed`` (how the word is printed, or None), ``picture`` (its id, or None), ``square``
        (R, B, - or X; None for who may not know) and ``selected``. ``team`` is to move (red, blue
        or None), ``clue`` its word and number or None; ``guesses_left`` is None without a limit,
        ``guesses`` says it in words; ``may_clue`` and ``may_stop`` tell what its spymaster and its
        operatives can do besides selecting. ``remaining`` counts the spies of each side that are
        still ``to_find``. ``turns`` are all turns so far, the present one last, each with its
        ``clue``, its ``guesses`` and the ``found`` cards and squares of these.
        """
        over = self.result() is not None
        key_shown = over or seat in SPYMASTERS.values()
        board, now = self._board, self._now
        cells = self._cells(key_shown)
        remaining = {SIDES[team]: board.remaining(team) for team in TEAMS}
        return {
            "rows": [
                cells[start : start + board.columns]
                for start in range(0, len(cells), board.columns)
            ],
            "last": list(self._last),
            "events": list(self._news),
            "pictures": self._setup["pictures"],
            "language": self._setup["language"],
            "clues_required": self._clues_required,
            "key_shown": key_shown,
            "team": None if over else SIDES[now.team],
            "clue": _clue_view(now.clue),
            "guesses_left": self.guesses_left,
            "guesses": messages.guesses(self.guesses_left),
            "may_clue": not over and now.clue is None,
            "may_stop": not over and self._may_stop and OPERATIVES[now.team] in self.to_move(),
            "remaining": remaining,
            "to_find": {side: messages.spies_to_find(n) for side, n in remaining.items()},
            "turns": [self._turn_view(turn) for turn in self._turns],
        }

    def _cells(self, key_shown: bool) -> list[dict[str, Any]]:
        selected = self._board.squares()
        known = list(self._board.key) if key_shown else selected
        return [
            {
                "name": name,
                "label": messages.label(self._card(index), known[index], bool(selected[index])),
                "card": self._card(index),
                "printed": self._printed(index),
                "picture": self._setup["cards"][index] if self._setup["pictures"] else None,
                "square": known[index],
                "selected": bool(selected[index]),
            }
            for index, name in enumerate(self._names)
        ]

    def _turn_view(self, turn: Turn) -> dict[str, Any]:
        where = [self._names.index(name) for name in turn.guesses]
        return {
            "team": SIDES[turn.team],
            "clue": _clue_view(turn.clue),
            "guesses": list(turn.guesses),
            "found": [{"card": self._card(at), "square": self._board.key[at]} for at in where],
        }

    # --- looking things up ----------------------------------------------------------------

    @property
    def _now(self) -> Turn:
        return self._turns[-1]

    @property
    def _clues_required(self) -> bool:
        return bool(self._setup["clues_required"])

    def _covered(self) -> list[int]:
        """Where the cards lie that nobody has selected yet, counted in reading order."""
        return [index for index, square in enumerate(self._board.squares()) if square is None]

    def _printed(self, index: int) -> Print | None:
        setup = self._setup
        return None if setup["pictures"] else printed(setup["cards"][index], setup["language"])

    def _card(self, index: int) -> messages.CardName:
        card: str = self._setup["cards"][index]
        return picture_name(card) if self._setup["pictures"] else card

    def _table(self) -> list[str]:
        """The words that a clue must keep away from: none where pictures lie on the table."""
        if self._setup["pictures"]:
            return []
        return [self._setup["cards"][index] for index in self._covered()]


def _clue_view(clue: Clue | None) -> dict[str, str] | None:
    return None if clue is None else {"word": clue.word, "number": clue.number}
