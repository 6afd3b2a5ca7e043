"""The contract of options, seats, deals and examples, tested on every game."""

from __future__ import annotations

import json
import random
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.contract import BadSetup, Option, Rules, Text
from games.core.registry import all_rules
from games.presentation.board import example_board
from games.views.lobby.new_game_form import NewGameForm
from tests.support.random_games import (
    Variant,
    can_deal,
    encode_json,
    observable_state,
    replay_moves,
    sample_values,
    variants,
)

ALL_RULES = list(all_rules().values())
VARIANTS = [variant for rules in ALL_RULES for variant in variants(rules)]
OPTIONS = [(rules, option) for rules in ALL_RULES for option in rules.options]

NO_NUMBERS: list[Any] = [
    *("٣", "x", "", " ", "1.5", "1e1", "0x4", "+", "--4", "4 4", "½", "9" * 5000),
    *(True, 3.5, [4], {}),
]

each_kind = pytest.mark.parametrize("rules", ALL_RULES, ids=lambda rules: rules.slug)
each_variant = pytest.mark.parametrize("variant", VARIANTS, ids=str)


def of_kind(*kinds: str) -> pytest.MarkDecorator:
    chosen = [(rules, option) for rules, option in OPTIONS if option.kind in kinds]
    names = [f"{rules.slug}-{option.name}" for rules, option in chosen]
    return pytest.mark.parametrize(("rules", "option"), chosen, ids=names)


def refusal(rules: Rules, option: Option, raw: Any) -> BadSetup:
    with pytest.raises(BadSetup) as refused:
        pytest.fail(f"{ascii(raw)[:20]} became {rules.clean({option.name: raw})}")
    assert refused.value.option == option.name
    assert isinstance(refused.value.text, Text)
    assert str(refused.value.text).strip()
    return refused.value


# --- options ---------------------------------------------------------------------------


@of_kind("number", "choice", "flag", "text")
def test_an_option_has_a_name_of_its_own_and_a_label(rules: Rules, option: Option) -> None:
    assert [other.name for other in rules.options].count(option.name) == 1
    assert option.name.isidentifier()
    assert str(option.label).strip()
    assert option.help is None or str(option.help).strip()


@of_kind("number", "choice", "flag")
def test_no_option_but_the_number_of_players_makes_more_seats(rules: Rules, option: Option) -> None:
    fields = {name for name in NewGameForm(rules).fields if name.startswith("seat-")}
    for value in (option.low, option.high, True, *(value for value, _ in option.choices)):
        try:
            seats = rules.seats(rules.clean({option.name: value}))
        except BadSetup:
            continue
        assert {f"seat-{spec.key}" for spec in seats} <= fields


@of_kind("number", "choice", "flag", "text")
def test_a_field_that_was_not_sent_gets_the_default(rules: Rules, option: Option) -> None:
    default = rules.clean({})[option.name]
    assert rules.clean({option.name: None})[option.name] == default
    assert rules.clean({option.name: default})[option.name] == default


@of_kind("number", "choice", "flag", "text")
def test_the_limits_and_choices_of_an_option_are_accepted(rules: Rules, option: Option) -> None:
    for value in sample_values(option):
        assert rules.clean({option.name: value})[option.name] == value
        assert rules.clean({option.name: str(value)})[option.name] == value


@of_kind("number")
def test_a_value_that_is_no_whole_number_is_refused(rules: Rules, option: Option) -> None:
    for raw in NO_NUMBERS:
        refusal(rules, option, raw)


@of_kind("number")
def test_a_number_outside_the_limits_is_refused(rules: Rules, option: Option) -> None:
    for number in (option.low - option.step, option.high + option.step, -1, -(10**6), 10**6):
        if not option.low <= number <= option.high:
            refusal(rules, option, number)
            refusal(rules, option, str(number))


@of_kind("number")
def test_a_number_between_the_steps_is_refused(rules: Rules, option: Option) -> None:
    for number in range(option.low, option.high + 1):
        if (number - option.low) % option.step:
            refusal(rules, option, number)


@of_kind("choice")
def test_a_value_outside_the_choices_is_refused(rules: Rules, option: Option) -> None:
    values = [value for value, _ in option.choices]
    assert len(set(values)) == len(values) > 0
    for raw in ("", "x", "٣", -1, 10**6, [], {}, values[0] + " ", values[0] * 1000):
        refusal(rules, option, raw)


@of_kind("text")
def test_a_text_that_is_too_long_is_refused(rules: Rules, option: Option) -> None:
    refusal(rules, option, "a" * (option.high + 1))
    refusal(rules, option, "a" * 1_000_000)


@each_kind
def test_a_field_of_no_option_is_ignored(rules: Rules) -> None:
    assert rules.clean({"nonsense": 1, "": "x"}) == rules.clean({})


@of_kind("text")
@given(raw=st.text(max_size=200))
def test_any_text_makes_a_game_or_a_refusal(rules: Rules, option: Option, raw: str) -> None:
    try:
        setup = rules.deal(rules.clean({option.name: raw}), Random(1))
    except BadSetup as refused:
        assert str(refused.text).strip()
    else:
        assert rules.start(json.loads(json.dumps(setup))).to_move()


@of_kind("number", "choice", "flag")
def test_options_that_make_no_game_are_refused_with_a_sentence(
    rules: Rules, option: Option
) -> None:
    for value in sample_values(option):
        try:
            rules.deal(rules.clean({option.name: value}), Random(1))
        except BadSetup as refused:
            assert refused.option in {"", *(option.name for option in rules.options)}
            assert str(refused.text).strip()


# --- the deal ----------------------------------------------------------------------------


@each_kind
def test_the_default_options_make_a_game(rules: Rules) -> None:
    assert can_deal(Variant(rules, rules.clean({})))


@each_variant
def test_a_setup_is_json(variant: Variant) -> None:
    setup = dict(variant.rules.deal(variant.options, Random(1)))
    assert json.loads(encode_json(setup)) == json.loads(json.dumps(setup))


@each_variant
def test_all_chance_comes_from_the_given_generator(variant: Variant) -> None:
    random.seed(1)
    one = variant.setup(seed=11)
    random.seed(2)
    assert variant.setup(seed=11) == one
    assert observable_state(variant.rules.start(one), variant.seats()) == observable_state(
        variant.start(seed=11), variant.seats()
    )


@each_variant
def test_a_deal_leaves_the_options_as_they_were(variant: Variant) -> None:
    before = encode_json(variant.options)
    variant.setup()
    assert encode_json(variant.options) == before


@of_kind("text")
def test_a_secret_option_is_not_stored_verbatim(rules: Rules, option: Option) -> None:
    setup = Variant(rules, rules.clean({})).setup()
    assert not option.secret or option.name not in setup


# --- seats and names ---------------------------------------------------------------------


@each_variant
def test_seats_have_keys_and_names_of_their_own(variant: Variant) -> None:
    specs = variant.rules.seats(variant.options)
    assert len({spec.key for spec in specs}) == len(specs) >= 2
    assert len({str(spec.name) for spec in specs}) == len(specs)
    assert all(spec.key.replace("-", "").isalnum() for spec in specs)


@each_kind
def test_a_kind_of_game_is_named_and_its_slug_fits_an_address(rules: Rules) -> None:
    assert rules.slug.isidentifier()
    assert rules.slug == rules.slug.lower()
    assert str(rules.name)
    assert str(rules.tagline)
    assert rules.version >= 1


# --- examples -----------------------------------------------------------------------------


@each_kind
def test_the_examples_of_the_rules_page_can_be_rendered(rules: Rules) -> None:
    assert rules.examples
    for example in rules.examples.values():
        assert str(example.caption)
        position = replay_moves(rules.start(example.setup), example.moves)
        encode_json(position.view(example.viewer))
        encode_json(dict(example.setup))
        if example.mover:
            assert example.mover in position.to_move()
            assert example_board(rules, example).chosen == example.chosen


@each_kind
def test_rules_cannot_be_changed(rules: Rules) -> None:
    for field in ("slug", "options", "version", "levels", "deal"):
        value: Any = getattr(rules, field)
        with pytest.raises(AttributeError):
            setattr(rules, field, value)
    assert isinstance(rules.options, tuple)
