"""The boards of Hermit to measure."""

TABLES = {f"Hermit {n}×{n}": {"size": n} for n in (5, 4, 6, 8)}
BOARDS = {f"Hermit {n}×{n}": {"size": n} for n in range(2, 13)}
MATCHES = {"match_hermit --sweep --pairs {2}": ""}
