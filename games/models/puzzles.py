"""Puzzles: the attempts and runs of players, ratings, and the puzzles and tasks of each day."""

from __future__ import annotations

from datetime import date

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.players import Player, StoredRow

MOST_TRIES = 3
"""The first try at a puzzle counts, the others are for learning."""


class PuzzleAttempt(StoredRow):
    """The attempt of a player at a puzzle. It was solved at the first attempt if it is ``solved``
    without ``mistakes`` and was not ``revealed`` before."""

    player = models.ForeignKey(
        Player, on_delete=models.CASCADE, related_name="puzzle_attempts", db_index=False
    )
    puzzle = models.CharField(_("puzzle"), max_length=60)
    mistakes = models.PositiveIntegerField(_("mistakes"), default=0)
    revealed = models.BooleanField(_("solution shown"), default=False)
    solved = models.DateTimeField(_("solved"), null=True, blank=True)
    # The day whose puzzle it was when its page was opened.
    day = models.DateField(null=True, blank=True)
    # How the first try changed the player's rating; null: it was begun before there were ratings.
    change = models.SmallIntegerField(null=True, blank=True)
    updated = models.DateTimeField(_("last change"), auto_now=True)

    class Meta(StoredRow.Meta):
        verbose_name = _("puzzle attempt")
        verbose_name_plural = _("puzzle attempts")
        constraints = [
            models.UniqueConstraint(fields=["player", "puzzle"], name="games_one_attempt")
        ]

    @property
    def is_clean(self) -> bool:
        """Whether the puzzle was solved at the first attempt."""
        return self.solved is not None and not self.mistakes and not self.revealed

    @property
    def is_decided(self) -> bool:
        """Whether the first try, which alone counts, is over."""
        return bool(self.solved or self.mistakes or self.revealed)

    @property
    def day_solved(self) -> date | None:
        """The day whose puzzle the player has solved, without the solution."""
        return self.day if self.solved and not self.revealed else None

    @property
    def square(self) -> str:
        """The result as a square: green for the first try, yellow for the next two, red without."""
        if self.is_clean:
            return "🟩"
        if self.solved and not self.revealed and self.mistakes < MOST_TRIES:
            return "🟨"
        return "🟥" if self.solved or self.revealed or self.is_lost else "⬜"

    @property
    def is_over(self) -> bool:
        """Whether no further try counts."""
        return self.square != "⬜"

    @property
    def is_lost(self) -> bool:
        """Whether no try is left, and the solution is all that can follow."""
        return self.solved is None and not self.revealed and self.mistakes >= MOST_TRIES


class PuzzleRecord(StoredRow):
    """How many players have tried a puzzle, how many solved it at the first attempt, and its
    rating; null as long as it has that of its figures."""

    puzzle = models.CharField(_("puzzle"), primary_key=True, max_length=60)
    tried = models.PositiveIntegerField(_("tried"), default=0)
    solved = models.PositiveIntegerField(_("solved at once"), default=0)
    rating = models.FloatField(null=True, blank=True)
    deviation = models.FloatField(null=True, blank=True)

    class Meta(StoredRow.Meta):
        verbose_name = _("puzzle record")
        verbose_name_plural = _("puzzle records")


class PuzzleRating(StoredRow):
    """The rating of a player at puzzles of all kinds."""

    # No constraint in the database, as for `Insight`.
    player = models.OneToOneField(
        Player,
        primary_key=True,
        on_delete=models.CASCADE,
        related_name="puzzle_rating",
        db_constraint=False,
    )
    rating = models.FloatField()
    deviation = models.FloatField()


class PuzzleRun(StoredRow):
    """The runs of a player through puzzles of a kind: the best, and the last one as far as it has
    come."""

    player = models.ForeignKey(
        Player,
        on_delete=models.CASCADE,
        related_name="puzzle_runs",
        db_index=False,
        db_constraint=False,
    )
    kind = models.CharField(max_length=40)
    started = models.DateTimeField()
    solved = models.PositiveIntegerField(default=0)
    faults = models.PositiveIntegerField(default=0)
    best = models.PositiveIntegerField(default=0)

    class Meta(StoredRow.Meta):
        constraints = [models.UniqueConstraint(fields=["player", "kind"], name="games_one_run")]


class DayPuzzle(StoredRow):
    """The puzzle of a kind of game on a day, stored so that no release moves it. ``language`` is
    that of its words, '' without words."""

    day = models.DateField()
    kind = models.CharField(max_length=40)
    language = models.CharField(max_length=10, blank=True, default="")
    puzzle = models.CharField(max_length=60, db_index=True)

    class Meta(StoredRow.Meta):
        constraints = [
            models.UniqueConstraint(fields=["day", "kind", "language"], name="games_day_puzzle")
        ]


WORD_LENGTH = 30


class DayWord(StoredRow):
    """A task of a day that visitors answer with a word: its cards and those that are meant, and the
    compressed table by which words are judged, which the worker has made. ``meant`` are indices."""

    day = models.DateField()
    kind = models.CharField(max_length=40)
    language = models.CharField(max_length=10)
    cards = models.JSONField()
    meant = models.JSONField()
    table = models.BinaryField()

    class Meta(StoredRow.Meta):
        constraints = [
            models.UniqueConstraint(fields=["day", "kind", "language"], name="games_day_word")
        ]


class GivenWord(StoredRow):
    """The word that a player gave for the task of a day. ``taken`` are the cards that each listener
    takes, as in the table, and ``found`` counts those that were meant, for the listener who
    understood it best. Others may see a word that is ``common``."""

    # No constraint in the database, as for `Insight`.
    player = models.ForeignKey(
        Player,
        on_delete=models.CASCADE,
        related_name="given_words",
        db_index=False,
        db_constraint=False,
    )
    day = models.DateField()
    kind = models.CharField(max_length=40)
    language = models.CharField(max_length=10)
    word = models.CharField(max_length=WORD_LENGTH)
    taken = models.CharField(max_length=100)
    found = models.PositiveIntegerField()
    common = models.BooleanField()

    class Meta(StoredRow.Meta):
        constraints = [
            models.UniqueConstraint(
                fields=["player", "day", "kind", "language"], name="games_one_word"
            )
        ]
        indexes = [models.Index(fields=["day", "kind", "language"], name="games_given_words")]

    @property
    def square(self) -> str:
        """The result as a square: green for four cards, yellow for two or three."""
        return "🟩" if self.found >= 4 else "🟨" if self.found >= 2 else "🟥"
