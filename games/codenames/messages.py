"""The sentences of Codenames: labels, events, prompts, refusals and results."""

from __future__ import annotations

from games.codenames.clues import UNLIMITED, Clue
from games.contract import Text, display_steps, ntext, split_move, text

CardName = Text | str

TEAM_NAMES = {"R": text("Red"), "B": text("Blue")}
ROLES = {"spymaster": text("Spymaster"), "operatives": text("Operatives")}
"""Names of the seats in the bar of a team."""

_SQUARES = {
    "R": text("a red spy"),
    "B": text("a blue spy"),
    "-": text("an innocent bystander"),
    "X": text("the assassin"),
}


CLUE_NOW = text("Time is up. Give your clue now.")
ONE_MORE_CARD = text("Time is up: one more card.")


def is_thinking(team: str, role: str) -> Text:
    """Return the sentence for others who wait for a seat."""
    if role == "spymaster":
        return text("%(team)s is thinking of a clue…", team=TEAM_NAMES[team])
    return text("%(team)s is guessing…", team=TEAM_NAMES[team])


def label(card: CardName, square: str | None, selected: bool) -> Text:
    """Return the label of a cell; ``square`` is None for seats that may not know it."""
    if square is None:
        return text("%(card)s, unknown", card=card)
    if selected:
        return text("%(card)s: %(square)s", card=card, square=_SQUARES[square])
    return text("%(card)s: %(square)s, not revealed", card=card, square=_SQUARES[square])


def display_clue(clue: Clue) -> Text:
    """Return a clue in words: “ocean” for 3."""
    if clue.number == UNLIMITED:
        return text("“%(word)s”, unlimited", word=clue.word)
    return text("“%(word)s” for %(number)s", word=clue.word, number=clue.number)


def short_clue(clue: Clue) -> Text:
    """Return a clue as the list of moves shows it: ocean 3."""
    return display_steps(clue.word, "∞" if clue.number == UNLIMITED else clue.number)


def display_move(move: str) -> Text | str:
    """Return a move with the words “clue” and “unlimited” in the reader's language."""
    if move == "unknown":
        return text("unknown word")
    steps = split_move(move)
    if steps[:1] != ("clue",):
        return move
    named = (text("unlimited") if step == UNLIMITED else step for step in steps[2:])
    return display_steps(text("clue"), *steps[1:2], *named)


def begins(team: str) -> Text:
    """Return the event of the first turn."""
    return text("%(team)s goes first.", team=TEAM_NAMES[team])


def gives(team: str, clue: Clue) -> Text:
    """Return the event of a clue."""
    return text("%(team)s gives the clue %(clue)s.", team=TEAM_NAMES[team], clue=display_clue(clue))


def selects(team: str, card: CardName, square: str) -> Text:
    """Return the event of a card that was selected, with its square."""
    return text(
        "%(team)s reveals “%(card)s”: %(square)s.",
        team=TEAM_NAMES[team],
        card=card,
        square=_SQUARES[square],
    )


def stops(team: str) -> Text:
    """Return the event of a team that ended its own turn."""
    return text("%(team)s ends its turn.", team=TEAM_NAMES[team])


def does_not_know(team: str, clue: Clue) -> Text:
    """Return the event of a team that passes because it does not know the word of its clue."""
    return text(
        "%(team)s’s operatives don’t know the word “%(word)s” and pass.",
        team=TEAM_NAMES[team],
        word=clue.word,
    )


def nothing_unknown() -> Text:
    """Return the refusal to pass for an unknown word without a new clue."""
    return text("You can only pass for an unknown word right after a clue.")


def no_guess_left(team: str) -> Text:
    """Return the event of a turn that ended because no guess was left."""
    return text("%(team)s has no guesses left.", team=TEAM_NAMES[team])


def is_to_move(team: str) -> Text:
    """Return the event of a turn that begins."""
    return text("%(team)s’s turn.", team=TEAM_NAMES[team])


def spies_found(team: str) -> Text:
    """Return the reason of a win by the last spy of a team."""
    return text("All of %(team)s’s spies have been found.", team=TEAM_NAMES[team])


def found_assassin(team: str) -> Text:
    """Return the reason of a loss by the assassin."""
    return text("%(team)s hit the assassin.", team=TEAM_NAMES[team])


def spies_to_find(number: int) -> Text:
    """Return the caption beside the number of a side's spies."""
    return ntext("spy left", "spies left", n=number)


def guesses(left: int | None) -> Text:
    """Return the number of guesses left, in words; None for no limit."""
    if left is None:
        return text("Unlimited guesses")
    return ntext("%(n)s guess left", "%(n)s guesses left", n=left)


def prompt_spymaster(required: bool) -> Text:
    """Return the prompt of a spymaster, by whether a clue is required."""
    if required:
        return text("Give your team a clue.")
    return text("Say your clue, or type it here.")


def prompt_spoken() -> Text:
    """Return the prompt of operatives at the start of a turn with a spoken clue."""
    return text("Wait for your spymaster’s clue, then pick a card or end your turn.")


def prompt_operatives(may_stop: bool) -> Text:
    """Return the prompt of operatives whose clue is shown above it."""
    return text("Pick a card or end your turn.") if may_stop else text("Pick a card.")


def stop_label() -> Text:
    """Return the label of the step that ends a turn."""
    return text("End our turn")


def unknown_label() -> Text:
    """Return the label of the step that passes for an unknown word."""
    return text("We don’t know this word")


def reveal_label(card: CardName) -> Text:
    """Return the label of the step that selects a card."""
    return text("Reveal “%(card)s”", card=card)


REVEAL = text("Reveal")
"""The label of that step on its card, whose name need not be repeated."""


# --- refusals ----------------------------------------------------------------------------


def not_your_role(is_clue: bool) -> Text:
    """Return the refusal of a clue by operatives, or of any other move by a spymaster."""
    if is_clue:
        return text("Only spymasters give clues.")
    return text("Spymasters give clues. They don’t pick cards.")


def nothing_revealed() -> Text:
    """Return the refusal to stop before a card was selected."""
    return text("Pick at least one card before you end your turn.")


def no_such_card(name: str) -> Text:
    """Return the refusal of a cell off the table."""
    return text("There’s no card on %(name)s.", name=name)


def already_revealed(card: CardName) -> Text:
    """Return the refusal of a card that was selected before."""
    return text("“%(card)s” has already been revealed.", card=card)
