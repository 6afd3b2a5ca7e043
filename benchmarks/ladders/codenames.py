"""The languages of Codenames to measure, and the teams that level 1 meets."""

from benchmarks.match_codenames_novice import at_random, novice

TABLES = {
    f"Codenames in {name}": {"language": code, "clues": "typed"}
    for code, name in (("en", "English"), ("nl", "Dutch"))
}
NOVICE, ANY = novice, at_random
