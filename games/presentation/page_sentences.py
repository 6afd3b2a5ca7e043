"""The sentences of a game's page: the latest event, the result, and the text for screen readers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from django.utils.translation import gettext

from games.contract import Result, Text, text
from games.models import Game
from games.presentation.board import Board, events
from games.presentation.names import Names, call_by_name, seat_names
from games.presentation.outcome import ending, mood
from games.presentation.turn import DrawPrompt, UndoPrompt
from games.presentation.visibility import Perspective
from games.state.marks import Mark
from games.state.snapshot import GameSnapshot, Rematch
from games.state.undo_requests import told_to


@dataclass(frozen=True, kw_only=True)
class PageSentences:
    """The sentences of a page, with the values on which they depend.

    ``turn`` says whose turn it is, or the outcome; ``asking`` is an open undo request, and
    ``draw`` an open draw offer."""

    snapshot: GameSnapshot
    perspective: Perspective
    board: Board
    result: Result | None
    turn: Text
    asking: UndoPrompt | None
    draw: DrawPrompt | None
    rematch: Rematch | None
    marks: Sequence[Mark]

    @cached_property
    def game(self) -> Game:
        """The game's row."""
        return self.snapshot.game

    @property
    def knows_prompt(self) -> bool:
        """Whether the seat has made two moves already, so that the prompt for the first step of one
        more says nothing new."""
        if self.board.chosen:
            return False
        return sum(move.seat == self.board.seat for move in self.snapshot.moves) > 1

    @property
    def confirms(self) -> str:
        """The clicks that show their move before they play it: ``taps``, ``always`` or ``auto``,
        which is none in a game that can go back."""
        asked = self.perspective.confirm
        return "taps" if asked == "auto" and not self.snapshot.rules.undo else asked

    @property
    def banner(self) -> Text | None:
        """The site's latest banner on the game."""
        banner = self.game.banner
        if not banner or not self.board.live or (self._is_message and not self._shows_messages):
            return None
        if self.draw and not self._is_message:
            # A draw offer is shown with its buttons instead.
            return None
        held = [spec for spec in self.snapshot.specs if spec.key in self.perspective.seats]
        return call_by_name(told_to(Text.from_json(banner), held), self.names)

    @property
    def _is_message(self) -> bool:
        """Whether the banner is a player's message."""
        return "said" in (self.game.banner or {})

    @property
    def _shows_messages(self) -> bool:
        return bool(self.perspective.seats) and not self.perspective.muted

    @property
    def announcement(self) -> list[Text]:
        """The sentences for screen readers: the last move and the turn; after the end, first the
        result and its reason.
        """
        if self.result is None:
            return [*self._latest_event, self.turn]
        if self._is_message and self.banner:
            return [self.banner]
        if self.plays_again:
            return [self.plays_again]
        return [*self.ending, *self.events]

    @property
    def mood(self) -> str:
        """The style of the outcome, see `outcome.mood`; '' while the game is running."""
        held = self.perspective.seats
        return mood(self.snapshot.specs, held, self.result) if self.result else ""

    @cached_property
    def ending(self) -> list[Text]:
        """The result and its reason, once the game is over."""
        if self.result is None:
            return []
        reason = call_by_name(self.result.reason, self.names)
        return ending(
            self.turn, replace(self.result, reason=reason), timed=self.game.time is not None
        )

    @property
    def _latest_event(self) -> list[Text]:
        """The latest event: an undo request, the answer to it, a mark, or a move."""
        if self.asking:
            return [self.asking.told]
        if self.marks and self.marks[-1].player_id is None:
            return self.weighed
        if self.marks:
            return [self._told(self.marks[-1])]
        if self.banner:
            return [self.banner]
        if self.draw:
            return [self.draw.told]
        return [] if self._is_message else self.events

    def _told(self, mark: Mark) -> Text:
        if mark.move == self.perspective.marked:
            return text("%(step)s?", step=mark.step.label)
        # Isolated: a name from the right to the left turns nothing else around.
        name = f"\u2068{mark.name or gettext('Guest')}\u2069"
        return text("%(name)s: %(step)s?", name=name, step=mark.step.label)

    @property
    def weighed(self) -> list[Text]:
        """The sentence for the moves between which a computer chooses."""
        moves = [mark.move for mark in self.marks if mark.player_id is None]
        labels = [(move, self.snapshot.position.label_move(move)) for move in moves]
        named = [label.text if label else move for move, label in labels]
        if len(named) < 2:
            return []
        return [text("%(move)s or %(other)s?", move=named[0], other=named[1])]

    @cached_property
    def plays_again(self) -> Text | None:
        """The sentence that invites a player to the next game of its host, or tells the host that
        it waits; None for others, and once the offer is no longer news."""
        if self.rematch is None or not self.perspective.again:
            return None
        if self.perspective.again == "mine":
            return text("You want a rematch.")
        return text("%(name)s wants a rematch.", name=self.rematch.host or gettext("Guest"))

    @cached_property
    def events(self) -> list[Text]:
        """The sentences that describe the last move, without the reason of the result."""
        reason = self.result.reason if self.result else None
        told = [sentence for sentence in events(self.board.view) if sentence != reason]
        return [call_by_name(sentence, self.names) for sentence in told]

    @cached_property
    def names(self) -> Names:
        """The names of people, as the sentences of the page use them."""
        return seat_names(self.snapshot)
