"""A script that tells which cards people took after the clues of computers, and fits the listeners
of `games.codenames.ai.listeners` to them.

    python manage.py export_games --kind codenames --finished > exported.jsonl
    python -m games.codenames.taken_cards exported.jsonl > taken.jsonl

Each line that it writes is a clue with its number, the level that gave it, the open cards, those
meant and those taken, in order: no name, no id and no day. Only finished games count, since the key
of others is secret, only the site's own words and pictures, since people may have brought words
that are theirs, and only operatives to whom no computer marked cards. The cards meant
are those that the level means by this clue today.

From a hundred games on it also says which ``trust`` fits best. People select up to the clue's
number by the clue, and with the guess beyond it by earlier ones, so that one does not count.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from games.codenames.ai.listeners import GuessedCards, evidence, mean_of
from games.codenames.ai.spymaster import ClueStyle, meant
from games.codenames.computer import HIGHEST, LEVELS, likeness_of
from games.codenames.position import OPERATIVES, SIDES, SPYMASTERS
from games.codenames.rules import RULES

ENOUGH = 100
"""The fewest games to fit to."""
TRUSTS = np.geomspace(0.2, 20, 95)
"""The values that are tried, each 5 % above the one before."""
_LIKELY = 1.92
"""How far the log likelihood falls to the ends of an interval that holds with 95 %."""


@dataclass(frozen=True, kw_only=True)
class TakenCards:
    """A clue of a computer and the cards that people took after it, in order."""

    language: str
    pictures: bool
    level: int
    clue: str
    number: int
    cards: Sequence[str]
    meant: Sequence[str]
    taken: Sequence[str]


def taken_cards(game: Mapping[str, Any]) -> Iterator[tuple[TakenCards, GuessedCards]]:
    """Yield the clues of computers that people guessed after, each as a row and as the guesses up
    to its number, from a game as `export_games` writes it; none of a game that is not finished."""
    known = game["kind"] == RULES.slug and game["rules_version"] == RULES.version
    of_the_site = game["options"].get("cards") in {"words", "pictures"}
    if not (known and of_the_site and game["over"] and game["setup"]) or game["imported"]:
        return
    position, seats = RULES.start(game["setup"]), game["seats"]
    for move in game["moves"]:
        position.replay(move["seat"], move["move"])
    view = position.view(None)
    for team, side in SIDES.items():
        level, operatives = seats[SPYMASTERS[team]]["computer"], seats[OPERATIVES[team]]
        if level in LEVELS and operatives["computer"] is operatives["adviser"] is None:
            yield from _of_team(view, side, level)


def _of_team(
    view: Mapping[str, Any], side: str, level: int
) -> Iterator[tuple[TakenCards, GuessedCards]]:
    played, own = LEVELS[level], side[0].upper()
    cells = [cell for row in view["rows"] for cell in row]
    for turn in view["turns"]:
        names = [cell["name"] for cell in cells]
        taken = [names.index(name) for name in turn["guesses"]]
        clue = turn["clue"] if taken and turn["team"] == side else None
        likeness = clue and likeness_of(clue["word"], cells, view["language"], played)
        if clue and likeness is not None and clue["number"].isdigit():
            number, mean = int(clue["number"]), mean_of(likeness, played.style.shares)
            found = meant(mean.tolist(), [cell["square"] == own for cell in cells], number)
            cards = [str(cell["picture"] or cell["card"]) for cell in cells]
            row = TakenCards(
                language=view["language"],
                pictures=view["pictures"],
                level=level,
                clue=clue["word"],
                number=number,
                cards=cards,
                meant=[cards[at] for at in found],
                taken=[cards[at] for at in taken],
            )
            yield row, GuessedCards(likeness, taken[:number])
        cells = [cell for at, cell in enumerate(cells) if at not in taken]


def fit(guesses: Sequence[GuessedCards], style: ClueStyle) -> tuple[float, float, float]:
    """Return the trust with which listeners take these cards most likely, and the ends of its
    interval of 95 %. The listener behind each clue is one of a style's listeners."""
    likely = np.zeros(len(TRUSTS))
    for place, trust in enumerate(TRUSTS):
        for clue in guesses:
            each = evidence(clue, float(trust), style.lean, style.shares)
            likely[place] += np.logaddexp.reduce(each) - np.log(len(each))
    within = TRUSTS[likely >= likely.max() - _LIKELY]
    return float(TRUSTS[likely.argmax()]), float(within[0]), float(within[-1])


def report(games: int, rows: Sequence[tuple[TakenCards, GuessedCards]]) -> str:
    """Return the sentence on the fit, or on the games that are missing for it."""
    if games < ENOUGH:
        return (
            f"People guessed after clues of computers in {games} finished games; "
            f"{ENOUGH} are needed to fit the trust of listeners."
        )
    best, low, high = fit([guesses for _, guesses in rows], LEVELS[HIGHEST].style)
    found = sum(len({*row.meant} & {*row.taken[: row.number]}) for row, _ in rows)
    asked = sum(row.number for row, _ in rows)
    return (
        f"A trust of {best:.2f} ({low:.2f} to {high:.2f}) fits the {len(rows)} clues of {games} "
        f"games best. Of {asked} cards asked for, {found / asked:.0%} were found."
    )


def tabulate(
    documents: Iterable[str],
) -> tuple[int, list[tuple[TakenCards, GuessedCards]]]:
    """Return the number of games with such clues, and the clues of all."""
    found = [[*taken_cards(json.loads(line))] for line in documents if line.strip()]
    return sum(map(bool, found)), [row for rows in found for row in rows]


def main() -> None:
    """Write the table, and say what fits it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("games", type=Path, help="a file that export_games wrote")
    with parser.parse_args().games.open(encoding="utf-8") as documents:
        games, rows = tabulate(documents)
    for row, _ in rows:
        sys.stdout.write(json.dumps(asdict(row), ensure_ascii=False) + "\n")
    sys.stderr.write(report(games, rows) + "\n")


if __name__ == "__main__":
    main()
