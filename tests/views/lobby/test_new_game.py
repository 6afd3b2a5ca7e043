"""The page of a new game: its form, defaults, refusals and seating."""

from __future__ import annotations

import re
from random import Random

import pytest

from games.contract import Option, Rules, text
from games.core.registry import all_rules
from games.models import Game, Player, Seat
from games.services import setup
from games.views.lobby.new_game_form import NewGameForm, OptionField
from tests.support.kinds import (
    default_specs,
    kinds_with_analysis,
    kinds_with_secrets,
    kinds_with_two_information_sets,
    options_with_a_condition,
    seat_keys,
    two_player_rules,
)
from tests.support.players import new_person
from tests.support.random_games import sample_values

pytestmark = pytest.mark.django_db


def number_options() -> list[tuple[str, Option]]:
    """Return every option that is a number, with the slug of its game."""
    return [
        (slug, option)
        for slug, rules in all_rules().items()
        for option in rules.options
        if option.kind == "number"
    ]


def form_data(rules: Rules, **changes: str) -> dict[str, str]:
    """Return the fields of a game on one device with default options, with ``changes``."""
    data = {
        option.name: str(option.default)
        for option in rules.options
        if option.kind != "flag" and option.default is not None
    }
    data |= {f"seat-{spec.key}": "me" for spec in default_specs(rules)}
    return {**data, **changes}


@pytest.mark.parametrize("slug", all_rules())
def test_the_page_asks_every_option_and_seat(slug, client):
    rules = all_rules()[slug]
    page = client.get(f"/new/{slug}/").text
    for option in rules.options:
        assert f'name="{option.name}"' in page
    for spec in default_specs(rules):
        assert f'name="seat-{spec.key}"' in page


@pytest.mark.parametrize("slug", [slug for slug, rules in all_rules().items() if rules.levels])
def test_the_default_seating_is_one_seat_for_you_and_computers(slug, client):
    form = client.get(f"/new/{slug}/").context["form"]
    choices = [field.value() for field in form.seat_fields()]
    assert form["level"].value() == str([*all_rules()[slug].ladder][1])
    assert choices.count("me") == 1
    assert choices.count("computer") == len(choices) - 1


@pytest.mark.parametrize(
    ("slug", "option"),
    options_with_a_condition(),
    ids=lambda value: getattr(value, "name", value),
)
def test_a_field_without_effect_names_the_value_that_it_depends_on(slug, option, client):
    name, value = option.only_with
    page = client.get(f"/new/{slug}/").text
    field = page.split(f'data-with="{name}={value}"')[1]
    assert option.name in field.split('name="')[1].split('"')[0]
    assert value in dict(next(o.choices for o in all_rules()[slug].options if o.name == name))


@pytest.mark.parametrize("slug", kinds_with_analysis())
def test_hints_are_allowed_against_computers_alone_without_asking(slug, client):
    first, *others = seat_keys(all_rules()[slug])
    for opponent, allowed in (("computer-1", True), ("invite", False)):
        seats = {f"seat-{key}": opponent for key in others} | {f"seat-{first}": "me"}
        client.post(f"/new/{slug}/", form_data(all_rules()[slug], **seats))
        assert Game.objects.latest("created").hints is allowed


@pytest.mark.parametrize("slug", all_rules())
def test_hints_are_offered_only_for_kinds_with_analysis(slug, client):
    assert ('name="hints"' in client.get(f"/new/{slug}/").text) == all_rules()[slug].analysis


@pytest.mark.parametrize("slug", all_rules())
def test_random_seating_is_offered_only_without_secret_seats(slug, client):
    rules = all_rules()[slug]
    alike = not any(spec.secret or spec.shared for spec in default_specs(rules))
    assert ('name="random_seats"' in client.get(f"/new/{slug}/").text) == alike


def seats_given(player: Player, *, random_seats: bool) -> set[str]:
    """Return the seats that a player gets in twenty games after choosing the first one."""
    seating = dict(zip(seat_keys(two_player_rules()), ("me", "computer-1"), strict=True))
    found = set()
    for seed in range(20):
        game = setup.create_game(
            player=player,
            new=setup.NewGame(
                rules=two_player_rules(),
                options={},
                seating=seating,
                random_seats=random_seats,
            ),
            rng=Random(seed),
        )
        assert game.seats.exclude(computer=None).count() == 1
        found.add(game.seats.get(players=player).key)
    return found


def test_random_seating_gives_either_seat_to_a_player(owner, settings):
    settings.RATE_LIMITS = False
    seats = seat_keys(two_player_rules())
    assert seats_given(owner.player, random_seats=True) == set(seats)
    assert seats_given(owner.player, random_seats=False) == {seats[0]}


def test_the_box_for_random_seating_shuffles_the_seats(client):
    rules = two_player_rules()
    first, second = (f"seat-{spec.key}" for spec in default_specs(rules))
    sent = form_data(rules, **{first: "me", second: "invite", "random_seats": "on"})
    seats = set()
    for _ in range(40):
        client.post(f"/new/{rules.slug}/", sent)
        seats.add(Game.objects.latest("created").seats.exclude(players=None).get().key)
    assert len(seats) == 2


@pytest.mark.parametrize("slug", all_rules())
def test_starting_a_game_leads_to_its_board(slug, client):
    response = client.post(f"/new/{slug}/", form_data(all_rules()[slug], name="Olive"), follow=True)
    game = Game.objects.get()
    assert response.redirect_chain == [(game.get_absolute_url(), 302)]
    assert 'id="board"' in response.text
    assert str(game.created_by) == "Olive"


@pytest.mark.parametrize("slug", all_rules())
def test_every_limit_and_choice_creates_a_game_or_is_refused_with_a_sentence(slug, client):
    rules = all_rules()[slug]
    for option in rules.options:
        for value in sample_values(option):
            response = client.post(f"/new/{slug}/", form_data(rules, **{option.name: value}))
            assert response.status_code == 302 or "refused" in response.text


@pytest.mark.parametrize("raw", ["0", "-1", "1000000", "٣", "x", "", "1e3", "8.5", "9" * 400])
@pytest.mark.parametrize(
    ("slug", "option"), number_options(), ids=lambda value: getattr(value, "name", value)
)
def test_a_number_outside_its_limits_is_refused_with_a_sentence(slug, option, raw, client):
    response = client.post(f"/new/{slug}/", form_data(all_rules()[slug], **{option.name: raw}))
    assert response.status_code == 422
    assert f'id="id_{option.name}_error"' in response.text
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    ("slug", "name"),
    [(slug, option.name) for slug, rules in all_rules().items() for option in rules.options],
)
def test_a_missing_option_gets_its_default_and_a_missing_box_is_unticked(slug, name, client):
    rules = all_rules()[slug]
    is_box = any(option.kind == "flag" for option in rules.options if option.name == name)
    sent = form_data(rules)
    sent.pop(name, None)
    response = client.post(f"/new/{slug}/", sent)
    assert response.status_code == 302
    form = NewGameForm(rules, sent)
    assert form.is_valid()
    assert form.options()[name] == (False if is_box else rules.clean({})[name])


@pytest.mark.parametrize("slug", all_rules())
def test_no_option_has_the_name_of_a_field_of_the_page(slug):
    rules = all_rules()[slug]
    for name in NewGameForm(rules).fields:
        option = Option(name=name, label=text("?"), default=0)
        assert bool(option.fault()) == (name not in {option.name for option in rules.options})


def test_a_box_that_is_ticked_by_default_can_be_unticked():
    ticked = Option(name="ticked", label=text("Ticked"), kind="flag", default=True)
    field = OptionField(ticked)
    assert field.clean(field.widget.value_from_datadict({}, {}, "ticked")) is False
    assert field.clean(field.widget.value_from_datadict({"ticked": "on"}, {}, "ticked")) is True


def test_an_unknown_kind_is_not_found(client):
    response = client.get("/new/ludo/")
    assert response.status_code == 404
    assert "Page not found" in response.text


@pytest.mark.parametrize("choice", ["computer-99", "computer-0", "nobody", "me, too"])
def test_an_unknown_choice_for_a_seat_is_refused(choice, client):
    rules = next(iter(all_rules().values()))
    seat = default_specs(rules)[0].key
    response = client.post(f"/new/{rules.slug}/", form_data(rules, **{f"seat-{seat}": choice}))
    assert response.status_code == 422
    assert not Game.objects.exists()


def test_a_bad_name_keeps_the_other_fields_of_the_form(client):
    slug, option = number_options()[0]
    rules = all_rules()[slug]
    sent = form_data(rules, name="\u202eevil", **{option.name: str(option.high)})
    response = client.post(f"/new/{rules.slug}/", sent)
    assert response.status_code == 422
    assert "invisible characters" in response.text
    assert f'value="{option.high}"' in response.text


def test_a_known_player_is_greeted_by_name():
    olive = new_person("Olive")
    slug = next(iter(all_rules()))
    assert 'value="Olive"' in olive.client.get(f"/new/{slug}/").text


def test_secret_options_are_not_stored_with_the_game(client):
    for slug, rules in all_rules().items():
        secret = {option.name for option in rules.options if option.secret}
        client.post(f"/new/{slug}/", form_data(rules))
        assert not secret & set(Game.objects.latest("created").options)


@pytest.mark.parametrize("slug", [slug for slug, rules in all_rules().items() if rules.transcript])
@pytest.mark.parametrize(
    "pasted",
    ['{"moves": []}', '{"moves": ["a1", {"b": 2}]}', "{}", '[Event "x"]', "Hi!", "<p>"],
)
def test_a_text_that_is_no_transcript_is_refused_in_one_sentence(slug, pasted, client):
    rules = all_rules()[slug]
    response = client.post(f"/new/{slug}/", form_data(rules, transcript=pasted))
    assert response.status_code == 422
    errors = response.context["form"].errors["transcript"]
    assert errors[0].startswith(f"That’s not a list of moves of {rules.name}.")
    assert errors[0].endswith(rules.transcript.example)
    assert not Game.objects.exists()


def test_a_refused_transcript_creates_no_player(client):
    rules = next(rules for rules in all_rules().values() if rules.transcript)
    response = client.post(
        f"/new/{rules.slug}/", form_data(rules, name="Nora", transcript="nonsense")
    )
    assert response.status_code == 422
    assert not Player.objects.exists()


def test_a_refused_transcript_renames_no_player(owner):
    rules = next(rules for rules in all_rules().values() if rules.transcript)
    owner.client.post(f"/new/{rules.slug}/", form_data(rules, name="Nora", transcript="nonsense"))
    assert str(Player.objects.get()) == "Olive"


def mixed_seats(slug: str, *, elsewhere: str) -> dict[str, str]:
    """Return the fields for a seat with secrets and one without on this device."""
    rules = all_rules()[slug]
    specs = [
        next(spec for spec in default_specs(rules) if spec.secret == secret)
        for secret in (True, False)
    ]
    seats = {
        f"seat-{spec.key}": "me" if spec in specs else elsewhere for spec in default_specs(rules)
    }
    return form_data(rules, **seats)


@pytest.mark.parametrize("slug", kinds_with_two_information_sets())
@pytest.mark.parametrize("elsewhere", ["invite", "listed"])
def test_a_device_beside_others_cannot_have_seats_with_and_without_secrets(slug, elsewhere, client):
    response = client.post(f"/new/{slug}/", mixed_seats(slug, elsewhere=elsewhere))
    assert response.status_code == 422
    assert "sees what the other must not see" in response.text
    assert not Game.objects.exists()


@pytest.mark.parametrize("slug", kinds_with_two_information_sets())
@pytest.mark.parametrize("elsewhere", ["me", "computer-1"])
def test_one_shared_device_holds_all_seats(slug, elsewhere, client):
    seats = mixed_seats(slug, elsewhere=elsewhere if all_rules()[slug].levels else "me")
    assert client.post(f"/new/{slug}/", seats).status_code == 302


@pytest.mark.parametrize("slug", kinds_with_secrets())
def test_one_shared_device_may_hold_all_seats_with_secrets(slug, client):
    rules = all_rules()[slug]
    assert client.post(f"/new/{slug}/", form_data(rules)).status_code == 302
    assert Game.objects.get().seats.filter(holders__isnull=False).count() == len(
        default_specs(rules)
    )


def kinds_with_validated_options() -> list[str]:
    """Return the slugs of the games with an option that can be filled in wrongly."""
    return [slug for slug, rules in all_rules().items() if validated_options(rules)]


def validated_options(rules: Rules) -> list[Option]:
    return [option for option in rules.options if option.kind in ("number", "choice")]


@pytest.mark.parametrize("slug", kinds_with_validated_options())
def test_fields_in_error_are_linked_from_the_top_of_the_form(slug, client):
    rules = all_rules()[slug]
    option, *_ = validated_options(rules)
    page = client.post(f"/new/{slug}/", form_data(rules, **{option.name: "nonsense"})).text
    page = " ".join(page.split())
    assert f"<title>Error: New game: {rules.name} – Squarely</title>" in page
    target = page.split('role="alert">')[1].split('href="#')[1].split('"')[0]
    assert f'id="{target}"' in page
    focused = {field.split('"')[0] for field in fields_with(page, "autofocus")}
    assert focused == {option.name}


def fields_with(page: str, attribute: str) -> list[str]:
    """Return the tags of the fields that have an attribute, from their names on."""
    tags = re.findall(r"<(?:input|select|textarea)[^>]*>", page)
    return [tag.split('name="')[1] for tag in tags if f" {attribute}" in tag]


@pytest.mark.parametrize("slug", all_rules())
def test_the_choices_for_a_seat_are_explained_before_the_seats(slug, client):
    seats = client.get(f"/new/{slug}/").text.split('aria-describedby="about-seats"')[1]
    about, choices = seats.split("</ul>", 1)
    assert 'id="about-seats"' in about
    named = {*re.findall(r"<b>([^<]+)</b>", choices.split('class="ticks"')[0])}
    assert named - {"Computer"} == {*re.findall(r"<b>([^<]+)</b>", about)}


def test_one_level_is_chosen_for_all_computers(client):
    keys = seat_keys(two_player_rules())
    sent = {f"seat-{key}": "computer" for key in keys} | {"level": "2"}
    client.post(f"/new/{two_player_rules().slug}/", sent)
    assert set(Seat.objects.values_list("computer", flat=True)) == {2}


def test_a_computer_may_have_a_level_of_its_own(client):
    first, second = seat_keys(two_player_rules())
    sent = {f"seat-{first}": "computer", f"seat-{second}": "computer", "level": "2"}
    client.post(f"/new/{two_player_rules().slug}/", sent | {f"level-{second}": "1"})
    assert dict(Seat.objects.values_list("key", "computer")) == {first: 2, second: 1}


def test_the_box_for_bots_opens_the_listed_seats_to_them(owner):
    first, second = seat_keys(two_player_rules())
    sent = {f"seat-{first}": "me", f"seat-{second}": "listed", "bots": "on"}
    owner.client.post(f"/new/{two_player_rules().slug}/", sent)
    assert Seat.objects.get(key=second).for_bots


def test_a_size_is_chosen_by_a_drawing_of_the_board(client):
    slug, option = next(
        (slug, option)
        for slug, rules in all_rules().items()
        for option in rules.options
        if option.picture == "board"
    )
    page = client.get(f"/new/{slug}/").text
    drawn = re.findall(rf'name="{option.name}" value="(\d+)"', page)
    assert drawn == [str(n) for n in range(option.low, option.high + 1, option.step)]
    assert page.count('class="drawn"') == len(drawn)
