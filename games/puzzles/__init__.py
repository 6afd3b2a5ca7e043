"""Puzzles, and practising with the mistakes of one's own games: their records, values and pages."""
