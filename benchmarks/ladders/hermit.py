"""The boards of Hermit to measure."""

TABLES = {f"Hermit {n}×{n}": {"size": n} for n in (5, 4, 6, 8)}
