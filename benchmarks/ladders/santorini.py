"""The games of Santorini to measure."""

TABLES = {f"Santorini for {n}": {"players": n} for n in (2, 3, 4)}
