"""Puzzles, and practice with the mistakes of one's own games: their attempts, values and pages."""
