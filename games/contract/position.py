"""Where a game stands: the base class of the games' positions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self, get_type_hints

from games.contract.errors import BadNotation, GameOver, IllegalMove, NotYourTurn
from games.contract.labels import MoveLabel, NotedMove, Recap, Score
from games.contract.seats import SeatKey, SeatSpec
from games.contract.steps import OTHER_CELLS, Stage
from games.contract.texts import Text, loses_on_time, text

RESIGN = "resign"
"""The move that any seat still in the game may play at any time."""

TIMEOUT = "timeout"
"""The move that the site plays for a seat whose time is up: it loses as if it had resigned."""

DRAW, VOID = "draw", "void"
"""The moves that the site plays when both sides of a game have agreed on a draw, and when all sides
have called it off."""

ENDINGS: Mapping[str, Text] = {
    RESIGN: text("resigns"),
    TIMEOUT: text("time out"),
    DRAW: text("draw agreed"),
    VOID: text("called off"),
}
"""The moves that end any game and are in no game's notation, as lists show them."""

_AGREED = {DRAW: text("Draw by agreement."), VOID: text("The game was called off.")}

LONGEST_MOVE = 80
"""Characters of the longest move."""


@dataclass(frozen=True)
class Result:
    """How a game ended: the seats that won, and the reason in a sentence.

    Without winners the game is a draw, or, if all seats are one side that plays against the game, a
    loss. If there are several sides, at least one of them does not win. A ``void`` game was called
    off, and counts for nobody."""

    winners: frozenset[SeatKey]
    reason: Text
    void: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the result as JSON."""
        void = {"void": True} if self.void else {}
        return {"winners": sorted(self.winners), "reason": self.reason.to_json(), **void}

    @classmethod
    def from_json(cls, data: Any) -> Result:
        """Return the result that `to_json` wrote. Raises ValueError for other data."""
        try:
            reason = Text.from_json(data["reason"])
            return cls(frozenset(data["winners"]), reason, bool(data.get("void")))
        except (AttributeError, KeyError, TypeError) as error:
            raise ValueError(f"no result: {data!r}") from error


class Position(ABC):
    """The state of a game. Only `play` changes it.

    The position of a game implements the six abstract methods, in this order, after its `__init__`,
    and overrides the methods after them only if the game differs. The public methods do everything
    that all games share: resignation, the end of the game, refusals that do not depend on the move,
    copies, the last move and its events."""

    def __init__(self, seats: Sequence[SeatSpec]) -> None:
        """Begin a game of ``seats``. Subclasses call this before they set attributes of their own.
        Every attribute is immutable or has a method ``copy`` that makes an independent copy."""
        self.seats = tuple(seats)
        self.resigned: SeatKey | None = None
        self._late = False
        self._agreed = ""
        self._is_replay = False
        self.last: tuple[str, ...] = ()
        """The names of the cells that the last move touched; set by `_apply`."""
        self.events: tuple[Text, ...] = ()
        """Sentences that describe the last move and its consequences; set by `_apply`."""

    # --- written by each game ------------------------------------------------------------

    @abstractmethod
    def _to_move(self) -> Iterable[SeatKey]:
        """Return the seats that may move in a game that is not over, at least one. They follow from
        the rules, never from the number of moves."""

    @abstractmethod
    def _legal_moves(self, seat: SeatKey) -> Iterable[str]:
        """Return every legal move of a seat that is to move, RESIGN apart.

        If a move contains free text (a clue), one specimen of each kind stands for all."""

    @abstractmethod
    def _apply(self, seat: SeatKey, move: str) -> None:
        """Play a move of a seat that is to move; set `last` and `events`. Raises BadNotation or
        IllegalMove before anything has changed."""

    @abstractmethod
    def _result(self) -> Result | None:
        """Return how the game was ended by its moves, None while it goes on."""

    @abstractmethod
    def _stage(self, seat: SeatKey, chosen: tuple[str, ...]) -> Stage:
        """Return the next choice of a seat that is to move, after the steps ``chosen``. Raises
        IllegalMove unless a legal move begins with these steps and has more."""

    @abstractmethod
    def _view(self, seat: SeatKey | None) -> Mapping[str, Any]:
        """Return ``rows`` and the game's own values, in the API as a `TypedDict`; see `view`."""

    @classmethod
    def view_type(cls) -> Any:
        """Return the type of the game's own values."""
        return get_type_hints(cls._view)["return"]

    # --- overridden where a game differs -------------------------------------------------

    def _resign(self, seat: SeatKey) -> None:
        """End the game: the side of ``seat`` loses, which resigns or whose time is up."""
        self.resigned = seat
        self.last = ()
        self.events = (self._resignation(seat),)

    def is_active(self, seat: SeatKey) -> bool:
        """Return whether a seat is still in the game, so that it may resign."""
        return self.result() is None and any(spec.key == seat for spec in self.seats)

    def scores(self) -> Mapping[str, Score]:
        """Return the score of each side (discs, cards left), or of each seat in a game of one side.
        All viewers see it. Most games have no score."""
        return {}

    def why_not_evaluable(self) -> Text | None:
        """Return why the computer cannot evaluate this position, None if it can. It is called with
        `Rules.analysis` only. After the first evaluable position all are, until the game is
        over."""
        return None

    def normalize_input(self, typed: str) -> str:
        """Return a typed move with other languages' words (``geel``) as the notation (``Y``)."""
        return typed

    def _refusals(
        self, seat: SeatKey, chosen: tuple[str, ...], cells: Sequence[str]
    ) -> Mapping[str, Text]:
        """Return by name why a seat that is to move cannot choose ``cells`` after the steps
        ``chosen``.

        By default these are the refusals of the moves that end with the name of the cell. The
        reason under OTHER_CELLS is that of all cells without one of their own; it may name a cell
        only as CLICKED. A cell without a reason is refused with the prompt of the stage."""
        twin, reasons = self.copy(), {}
        for cell in cells:
            try:
                twin.play(seat, " ".join((*chosen, cell)))
            except BadNotation:
                continue
            except IllegalMove as error:
                reasons[cell] = error.text
            else:
                return {}
        if len(reasons) == len(cells) and len(set(reasons.values())) == 1:
            return {OTHER_CELLS: reasons[cells[0]]}
        return reasons

    def label_move(self, move: str) -> MoveLabel | None:
        """Return how the list of moves shows an earlier move of this game, if that depends on the
        game (the card on c3); None to show `Rules.display_move`. Everybody sees the list."""
        return None

    def recap(self, moves: Sequence[NotedMove]) -> Recap | None:
        """Return a table of the turns of a finished game; None if its list of moves says it all."""
        return None

    def tell_move(self, move: str) -> Text | None:
        """Return a legal move in a few words, for a hint; None if its steps say it one by one."""
        return None

    def may_speak(self, seat: SeatKey) -> bool:
        """Return whether a seat may send a message now, whose moment alone could be a hint."""
        return True

    def pass_move(self, seat: SeatKey) -> str | None:
        """Return the move that the site plays for a seat that is to move when the time of its turn
        is up (`Rules.turn_times`). If it is None, all are told `time_is_up`."""
        return None

    def time_is_up(self, seat: SeatKey) -> Text:
        """Return the sentence for all when the time of a turn is up and no move passes it."""
        return text("Time is up.")

    def _resignation(self, seat: SeatKey) -> Text:
        """Return the event of a resignation or a fallen flag, the reason of the result."""
        (spec,) = (spec for spec in self.seats if spec.key == seat)
        name = spec.side_name or spec.name
        if self._late:
            return loses_on_time(name)
        return text("%(player)s resigned.", player=name)

    # --- methods for the site ------------------------------------------------------------

    def to_move(self) -> frozenset[SeatKey]:
        """Return the seats that may move now; none if the game is over."""
        return frozenset(self._to_move()) if self.result() is None else frozenset()

    def legal_moves(self, seat: SeatKey) -> list[str]:
        """Return every legal move of a seat, RESIGN apart; none if it is not to move."""
        return [*self._legal_moves(seat)] if seat in self.to_move() else []

    def result(self) -> Result | None:
        """Return how the game ended; None while it goes on."""
        if self._agreed:
            return Result(frozenset(), self.events[0], void=self._agreed == VOID)
        if self.resigned is None:
            return self._result()
        losing = {spec.side for spec in self.seats if spec.key == self.resigned}
        winners = (spec.key for spec in self.seats if spec.side not in losing)
        return Result(frozenset(winners), self.events[0])

    def play(self, seat: SeatKey, move: str) -> Self:
        """Play a move, or one of ENDINGS, and return the position itself.

        Raises GameOver, NotYourTurn, BadNotation or IllegalMove before anything has changed."""
        if self.result() is not None:
            raise GameOver(text("The game is over."))
        if len(move) > LONGEST_MOVE:
            raise BadNotation(text("That’s too long for a move."))
        if move in {RESIGN, TIMEOUT}:
            if not self.is_active(seat):
                raise IllegalMove(text("You’re out of this game."))
            self._late = move == TIMEOUT
            self._resign(seat)
        elif move in _AGREED:
            self._agreed, self.last = move, ()
            self.events = (_AGREED[move],)
        elif seat not in self._to_move():
            raise NotYourTurn(text("It is not your turn."))
        else:
            self._apply(seat, move)
        return self

    def replay(self, seat: SeatKey, move: str) -> Self:
        """Play a stored move, as `play` does. It was legal when it was played, so a game whose
        moves contain free text does not judge the text again (``_is_replay``): the words that it
        knows may have changed since. Raises MoveError."""
        self._is_replay = True
        try:
            return self.play(seat, move)
        finally:
            self._is_replay = False

    def stage(self, seat: SeatKey, chosen: Sequence[str]) -> Stage:
        """Return the next choice of ``seat`` after the steps ``chosen``.

        Raises IllegalMove if the seat is not to move, or no legal move begins with these steps."""
        if seat not in self.to_move():
            raise IllegalMove(text("It is not your turn."))
        return self._stage(seat, tuple(chosen))

    def refusals(
        self, seat: SeatKey, chosen: Sequence[str], cells: Sequence[str]
    ) -> Mapping[str, Text]:
        """Return by name why ``cells``, on which `stage` has no step, cannot be chosen. The page
        shows it at once. Like a stage it contains only information that ``seat`` sees."""
        return self._refusals(seat, tuple(chosen), cells) if seat in self.to_move() else {}

    def view(self, seat: SeatKey | None) -> Mapping[str, Any]:
        """Return everything that a template gets, as ``seat`` (None: a spectator) may see it.

        Always there: ``rows``, the board as a list of at most 99 rows of at most 26 mappings with
        ``name`` (see `cell_name`) and ``label`` (a Text, the content of the cell), all with the
        same keys and their other values hashable; ``last``, the names of the cells that the last
        move touched; ``events``, Texts that describe the last move and its consequences;
        ``scores``, see `scores`. Optional: ``winning``, the names of the cells that show why a game
        is won, by default ``last``; and ``sound``, that of the last move, ``move`` by default or
        ``capture``. The rest is between the game and its own templates."""
        own = self._view(seat)
        return {"last": [*self.last], "events": [*self.events], "scores": self.scores(), **own}

    def copy(self) -> Self:
        """Return an independent copy of the position."""
        twin = object.__new__(type(self))
        vars(twin).update(
            (name, value.copy() if hasattr(value, "copy") else value)
            for name, value in vars(self).items()
        )
        return twin
