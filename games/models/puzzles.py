"""The results of visitors with puzzles. The puzzles themselves are files, see `games.puzzles`."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.players import StoredRow


class PuzzleAttempt(StoredRow):
    """The attempt of a player at a puzzle. It was solved at the first attempt if it is ``solved``
    without ``mistakes`` and was not ``revealed`` before."""

    player = models.ForeignKey(
        "games.Player", on_delete=models.CASCADE, related_name="puzzle_attempts", db_index=False
    )
    puzzle = models.CharField(_("puzzle"), max_length=60)
    mistakes = models.PositiveIntegerField(_("mistakes"), default=0)
    revealed = models.BooleanField(_("solution shown"), default=False)
    solved = models.DateTimeField(_("solved"), null=True, blank=True)
    # The day whose puzzle it was when it was solved.
    day = models.DateField(null=True, blank=True)
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


class PuzzleRecord(StoredRow):
    """How many players have tried a puzzle, and how many solved it at the first attempt."""

    puzzle = models.CharField(_("puzzle"), primary_key=True, max_length=60)
    tried = models.PositiveIntegerField(_("tried"), default=0)
    solved = models.PositiveIntegerField(_("solved at once"), default=0)

    class Meta(StoredRow.Meta):
        verbose_name = _("puzzle record")
        verbose_name_plural = _("puzzle records")
