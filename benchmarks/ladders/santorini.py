"""The games of Santorini to measure."""

TABLES = {f"Santorini for {n}": {"players": n} for n in (2, 3, 4)}
MATCHES = {"outside_santorini --games {40} --seconds 0.3 -- $SANTORINI_AI": ""}
