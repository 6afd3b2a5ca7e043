"""The position of a game of Santorini: turn order, placement, winning, and elimination.

A player without workers on the board places two; otherwise the player moves and builds. So
placement needs no phase of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from games.contract import (
    BadNotation,
    Cell,
    IllegalMove,
    Position,
    Result,
    Score,
    SeatKey,
    SeatSpec,
    Stage,
    Text,
    cell_name,
    parse_cell,
    split_move,
    text,
)
from games.santorini import messages, refusals, stages
from games.santorini.engine import DIRECTIONS, DOME, LETTERS, SIZE, THIRD_LEVEL, Santorini
from games.santorini.messages import letters_of, player_name, who_you_are
from games.santorini.view import PlayerView, Space, View

SEATS: Final = tuple(
    SeatSpec(key=f"p{player + 1}", name=player_name(player), you=who_you_are(player))
    for player in range(4)
)
PLAYERS: Final = {spec.key: player for player, spec in enumerate(SEATS)}

_DUTCH_DIRECTION = re.compile(r"(?<=\s)(?:[nz]?o|z|zw)(?!\S)", re.IGNORECASE)
_IN_ENGLISH = str.maketrans("OoZz", "EESS")


class SantoriniPosition(Position):
    """The board, the player to move, and the eliminated players; players count from zero."""

    def __init__(self, players: int) -> None:
        """Begin a game of 2, 3 or 4 players."""
        super().__init__(SEATS[:players])
        self.board = Santorini.empty()
        self.players = players
        self.turn = 0
        self.out: tuple[int, ...] = ()
        self._ended: Result | None = None

    # --- games.contract.Position ---------------------------------------------------------

    def _to_move(self) -> set[SeatKey]:
        return {SEATS[self.turn].key}

    def _legal_moves(self, seat: SeatKey) -> Iterator[str]:
        return self._placements() if self._is_placing() else self._turns(self.turn)

    def _apply(self, seat: SeatKey, move: str) -> None:
        steps = split_move(move)
        if " ".join(steps) != move:
            raise BadNotation(text("Put a single space between the parts of a move."))
        if self._is_placing():
            self._place(steps)
        else:
            self._play_turn(steps)

    def _result(self) -> Result | None:
        return self._ended

    def _stage(self, seat: SeatKey, chosen: tuple[str, ...]) -> Stage:
        return stages.stage(self.board, self.turn, chosen)

    def _view(self, seat: SeatKey | None) -> View:
        """Return the same view for every seat, since the game has no hidden information.

        ``players``, a mapping for each with ``seat``, ``name``, ``letters``, ``out`` and ``turn``
        (bool), and ``placing``. A cell has ``level`` 0..4; ``worker`` (letter) and ``player`` (from
        0), both None without a worker; and ``trace``: ``left`` where the last move came from,
        ``built`` where it built, '' elsewhere; and ``threat``, the letter of a worker that can
        climb there and win in its next turn, or '', and its ``threat_player``. ``winning`` are the
        spaces of the winner's workers."""
        threats = self._threats()
        return {
            "rows": [
                [self._cell_view((r, c), threats.get((r, c), "")) for c in range(SIZE)]
                for r in range(SIZE)
            ],
            "players": [self._player_view(player) for player in range(self.players)],
            "placing": self._ended is None and self._is_placing(),
            "winning": self._winning_spaces(),
            "sound": "capture" if self._has_built_dome() else "move",
        }

    def _resign(self, seat: SeatKey) -> None:
        """Eliminate the player; the others play on while there are at least two."""
        player = PLAYERS[seat]
        self.last = self._remove(player)
        self.events = (self._resignation(seat),)
        if player == self.turn:
            self._pass_turn()
        else:
            self._end_if_alone()

    def is_active(self, seat: SeatKey) -> bool:
        return super().is_active(seat) and PLAYERS[seat] not in self.out

    def scores(self) -> dict[str, Score]:
        """Return the level of the higher worker of each player."""
        return {
            SEATS[player].key: Score(self._height(player), messages.LEVEL, unit_first=True)
            for player in range(self.players)
            if self._on_board(player)
        }

    def why_not_evaluable(self) -> Text | None:
        return None if self.players - len(self.out) == 2 else messages.WHEN_TWO_ARE_LEFT

    def normalize_input(self, typed: str) -> str:
        """Accept O and Z for E and S: ``oost`` and ``zuid`` are east and south in Dutch."""
        return _DUTCH_DIRECTION.sub(lambda found: found[0].translate(_IN_ENGLISH), typed)

    def _refusals(
        self, seat: SeatKey, chosen: tuple[str, ...], cells: Sequence[str]
    ) -> Mapping[str, Text]:
        return refusals.refusals(self.board, self.turn, chosen, cells)

    # --- legal moves ---------------------------------------------------------------------

    def _is_placing(self) -> bool:
        """Return whether the player to move has to place workers."""
        return not self._on_board(self.turn)

    def _on_board(self, player: int) -> bool:
        return letters_of(player)[0] in self.board.workers

    def _free_cells(self) -> list[str]:
        """Return the names of the cells without a worker, row by row."""
        occupied = set(self.board.workers.values())
        cells = [divmod(space, SIZE) for space in range(SIZE * SIZE)]
        return [cell_name(*cell) for cell in cells if cell not in occupied]

    def _placements(self) -> Iterator[str]:
        free = self._free_cells()
        return (f"{first} {second}" for first in free for second in free if first != second)

    def _turns(self, player: int) -> Iterator[str]:
        for worker in letters_of(player):
            for direction, cell in self.board.moves(worker):
                if self.board.height(cell) == THIRD_LEVEL:
                    yield f"{worker} {direction}"
                    continue
                for build, _ in self.board.builds_after(worker, direction):
                    yield f"{worker} {direction} {build}"

    # --- playing -------------------------------------------------------------------------

    def _place(self, steps: tuple[str, ...]) -> None:
        if len(steps) != 2:
            raise BadNotation(text("Place both your workers, e.g. “c3 d4”."))
        cells = [parse_cell(step) for step in steps]
        for name, cell in zip(steps, cells, strict=True):
            self._check_free(name, cell)
        if cells[0] == cells[1]:
            raise IllegalMove(messages.shared_space())
        player = self.turn
        for letter, cell in zip(letters_of(player), cells, strict=True):
            self.board.place_worker(letter, cell)
        self.last, self.events = steps, (messages.placement_news(player, steps),)
        self._pass_turn()

    def _check_free(self, name: str, cell: Cell) -> None:
        if max(cell) >= SIZE:
            raise IllegalMove(text("%(cell)s is off the board.", cell=name))
        if cell in self.board.workers.values():
            raise IllegalMove(messages.occupied(name))

    def _play_turn(self, steps: tuple[str, ...]) -> None:
        worker, direction, build = self._parse_turn(steps)
        origin = self.board.workers[worker]
        target = self._check_move(worker, direction)
        wins = self.board.height(target) == THIRD_LEVEL
        built = self._check_build(worker, direction, target, build, wins)
        self.board.move_worker(worker, direction)
        touched = (cell_name(*origin), cell_name(*target))
        if built is None:
            climb = messages.climb_news(worker, target)
            self.last, self.events = touched, (climb,)
            self._end(self.turn, climb)
            return
        self.board.build_tower(worker, build)
        self.last = (*touched, cell_name(*built))
        self.events = (messages.turn_news(worker, target, built, self.board.height(built)),)
        self._pass_turn()

    def _parse_turn(self, steps: tuple[str, ...]) -> tuple[str, str, str]:
        well_formed = (
            2 <= len(steps) <= 3
            and steps[0] in tuple(LETTERS)
            and all(step in DIRECTIONS for step in steps[1:])
        )
        if not well_formed:
            raise BadNotation(
                text("Type a worker, a direction to move and one to build, e.g. “B E W”.")
            )
        if steps[0] not in letters_of(self.turn):
            raise IllegalMove(messages.not_yours(steps[0]))
        return steps[0], steps[1], steps[2] if len(steps) == 3 else ""

    def _check_move(self, worker: str, direction: str) -> Cell:
        """Return the cell that a move leads to. Raises IllegalMove with the obstacle."""
        for possible, cell in self.board.moves(worker):
            if possible == direction:
                return cell
        obstacle = messages.obstacle(self.board, worker, self.board.workers[worker], direction)
        raise IllegalMove(obstacle or messages.too_high(worker))

    def _check_build(
        self, worker: str, direction: str, target: Cell, build: str, wins: bool
    ) -> Cell | None:
        """Return the cell to build on, None after a winning climb. Raises IllegalMove."""
        if wins:
            if build:
                raise IllegalMove(
                    text(
                        "Reaching the third level wins immediately: there is nothing left to build."
                    )
                )
            return None
        if not build:
            raise IllegalMove(text("%(worker)s must build after moving.", worker=worker))
        for possible, cell in self.board.builds_after(worker, direction):
            if possible == build:
                return cell
        raise IllegalMove(
            messages.obstacle(self.board, worker, target, build) or text("You can’t build there.")
        )

    # --- the turn, and eliminated players ------------------------------------------------

    def _pass_turn(self) -> None:
        """Pass the turn to the next player with a legal move; players without one are
        eliminated."""
        while not self._end_if_alone():
            self._step_turn()
            player = self.turn
            if not self._on_board(player) or next(self._turns(player), None):
                return
            self._remove(player)
            self.events += (
                text("%(player)s has no legal move and is out.", player=player_name(player)),
            )

    def _step_turn(self) -> None:
        self.turn = (self.turn + 1) % self.players
        while self.turn in self.out:
            self.turn = (self.turn + 1) % self.players

    def _remove(self, player: int) -> tuple[str, ...]:
        """Eliminate a player, and return the cells that the workers leave."""
        self.out += (player,)
        workers = [letter for letter in letters_of(player) if letter in self.board.workers]
        cells = tuple(cell_name(*self.board.workers[letter]) for letter in workers)
        for letter in workers:
            self.board.remove_worker(letter)
        return cells

    def _end_if_alone(self) -> bool:
        if len(self.out) < self.players - 1:
            return False
        (last,) = set(range(self.players)) - set(self.out)
        self._end(last, text("%(player)s is the last player left.", player=player_name(last)))
        return True

    def _end(self, winner: int, reason: Text) -> None:
        self._ended = Result(frozenset({SEATS[winner].key}), reason)

    # --- views ---------------------------------------------------------------------------

    def _height(self, player: int) -> int:
        workers = [letter for letter in letters_of(player) if letter in self.board.workers]
        return max(self.board.level(letter) for letter in workers)

    def _player_view(self, player: int) -> PlayerView:
        return {
            "seat": SEATS[player].key,
            "name": player_name(player),
            "letters": letters_of(player),
            "out": player in self.out,
            "turn": self._ended is None and player == self.turn,
        }

    def _cell_view(self, cell: Cell, threat: str) -> Space:
        worker = next((w for w, where in self.board.workers.items() if where == cell), None)
        player = messages.player_of(worker) if worker else None
        level = self.board.height(cell)
        return {
            "name": cell_name(*cell),
            "label": messages.cell_label(level, worker, threat),
            "level": level,
            "worker": worker,
            "player": player,
            "trace": self._trace(cell_name(*cell), worker),
            "threat": threat,
            "threat_player": messages.player_of(threat) if threat else None,
        }

    def _threats(self) -> Mapping[Cell, str]:
        """Return the third levels that a worker can climb to in its next turn, with that worker."""
        if self._ended:
            return {}
        return {
            cell: worker
            for worker in self.board.workers
            for _, cell in self.board.moves(worker)
            if self.board.height(cell) == THIRD_LEVEL
        }

    def _winning_spaces(self) -> list[str]:
        """Return the space of the winning worker, or those of the last player left."""
        if self._ended is None:
            return []
        climber = self.board.winning_worker()
        workers = climber or "".join(letters_of(PLAYERS[min(self._ended.winners)]))
        return [cell_name(*self.board.workers[w]) for w in workers if w in self.board.workers]

    def _has_built_dome(self) -> bool:
        return any(self.board.height(parse_cell(name)) == DOME for name in self.last[2:3])

    def _trace(self, name: str, worker: str | None) -> str:
        if worker or name not in self.last:
            return ""
        return "built" if name in self.last[2:3] else "left"
