"""The kinds of game that a test needs, found by their rules.

No file outside a game's folder names that game, so tests ask for a property instead.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from games.contract import Option, Rules, SeatSpec
from games.core.registry import all_rules


def default_specs(rules: Rules) -> tuple[SeatSpec, ...]:
    """Return the seats of a game with default options."""
    return rules.seats(rules.clean({}))


def seat_keys(rules: Rules) -> list[str]:
    """Return the keys of those seats."""
    return [spec.key for spec in default_specs(rules)]


def first_legal_moves(rules: Rules) -> list[str]:
    """Return the legal moves of the first position of some game."""
    position = rules.start(rules.deal(rules.clean({}), Random(1)))
    return list(position.legal_moves(min(position.to_move())))


def two_player_rules() -> Rules:
    """Return the rules of a game with two plain seats, undo and computer players."""
    return next(rules for rules in all_rules().values() if _is_plain(rules) and rules.levels)


def stepwise_rules() -> Rules:
    """Return the rules of a game as of `two_player_rules` whose moves have several steps."""
    return _find(
        lambda rules: _is_plain(rules) and all(" " in move for move in first_legal_moves(rules))
    )


def one_step_rules_with_hints() -> Rules:
    """Return the rules of a game with hints whose moves are one step."""
    return _find(lambda rules: rules.analysis and " " not in first_legal_moves(rules)[0])


def three_player_options() -> tuple[Rules, dict[str, int]]:
    """Return the rules of a game that can be analysed, and the option that gives it three seats."""
    return next(
        (rules, {option.name: number})
        for rules in all_rules().values()
        for option in rules.options
        for number in range(option.low, option.high + 1)
        if rules.analysis
        and option.kind == "number"
        and len(rules.seats({**rules.clean({}), option.name: number})) == 3
    )


def kinds_with_computers() -> list[str]:
    """Return the slugs of the games with computer players."""
    return [slug for slug, rules in all_rules().items() if rules.levels]


def kinds_with_analysis() -> list[str]:
    """Return the slugs of the games that can be analysed."""
    return [slug for slug, rules in all_rules().items() if rules.analysis]


def kinds_with_secrets() -> list[str]:
    """Return the slugs of the games in which a seat has secrets."""
    return [
        slug for slug, rules in all_rules().items() if any(s.secret for s in default_specs(rules))
    ]


def kinds_with_two_information_sets() -> list[str]:
    """Return the slugs of the games in which some seats have secrets and others have none."""
    return [
        slug
        for slug in kinds_with_secrets()
        if not all(s.secret for s in default_specs(all_rules()[slug]))
    ]


def kinds_with_shared_seats() -> list[str]:
    """Return the slugs of the games in which several players can hold one seat."""
    return [
        slug for slug, rules in all_rules().items() if any(s.shared for s in default_specs(rules))
    ]


def options_with_a_condition() -> list[tuple[str, Option]]:
    """Return the options that have an effect only with a value of another, with their games."""
    options = [(slug, option) for slug, rules in all_rules().items() for option in rules.options]
    return [(slug, option) for slug, option in options if option.only_with]


def importable_rules() -> Rules:
    """Return the rules of a game whose moves can be imported."""
    return _find(lambda rules: rules.transcript is not None)


def _is_plain(rules: Rules) -> bool:
    specs = default_specs(rules)
    return len(specs) == 2 and rules.undo and not any(spec.secret for spec in specs)


def _find(is_wanted: Callable[[Rules], bool]) -> Rules:
    return next(rules for rules in all_rules().values() if is_wanted(rules))
