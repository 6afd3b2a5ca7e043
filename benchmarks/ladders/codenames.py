"""The languages of Codenames to measure, and the teams that level 1 meets."""

from benchmarks.match_codenames_novice import at_random, novice

TABLES = {
    f"Codenames in {name}": {"language": code, "clues": "typed"}
    for code, name in (("en", "English"), ("nl", "Dutch"))
}
NOVICE, ANY = novice, at_random
MATCHES = {
    "match_codenames_stranger $ENCODER --boards {100}": "",
    "match_codenames_people": "",
    "match_codenames --boards {200}": "",
    "match_codenames --boards {200} --language nl": "",
    "match_codenames --boards {200} --pictures": "",
    "match_codenames --boards {300} --first 300000 --guessers literal": "",
    "match_codenames --boards {1000} --first 200000 --guessers operative": "",
    "match_codenames --boards {200} --levels 3 2 1 --guessers operative": "",
    "match_codenames --boards {200} --rule usual --guessers operative": "",
    "match_codenames_novice --games {100}": "",
    "match_codenames_novice --games {100} --language nl": "",
}
