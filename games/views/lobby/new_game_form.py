"""The form that sets up a game, generated from the options of its kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from games.contract import BadSetup, Level, Option, Rules, SeatSpec, Transcript
from games.contract.transcript import LONGEST as LONGEST_TRANSCRIPT
from games.core.clocks import DAYS, MOST_INCREMENT, MOST_MINUTES, PRESETS, TimeControl
from games.core.refusals import BadName
from games.core.translation import translate
from games.models import NAME_LENGTH, Pack
from games.presentation.move_list import display_move
from games.services.plans import default_level, first_seat
from games.services.players import clean_name
from games.services.setup import INVITE, LISTED, LISTED_BOTS, ME
from games.web.preferences import LastChoices

OTHER_TIME = "other"
COMPUTER = "computer"
TOGETHER = f"{ME}-{COMPUTER}"
"""A person on this device with a computer, on one seat."""
TIME_FIELDS = ("time", "minutes", "increment")
MOST_BUTTONS, MOST_CHOICES = 5, 20
"""Up to so many numbers are buttons, up to so many a list; more are typed."""


class OptionField(forms.Field):
    """A field whose value the option itself checks, so that forms and services agree."""

    def __init__(self, option: Option, last: Any = None, packs: Sequence[Pack] = ()) -> None:
        self.option = option
        self.packs = packs
        self.only_with = "=".join(option.only_with or ())
        super().__init__(
            label=translate(option.label),
            help_text=translate(option.help) if option.help else "",
            initial=initial_value(option) if last is None else last,
            required=False,
            widget=_pack_widget(packs) if option.kind == "pack" else _widget(option),
        )

    def clean(self, value: Any) -> Any:
        """Return the option's value, or its default if it was not sent. An empty number is an
        error; Django reads a checkbox that is not ticked as False."""
        try:
            return self.option.clean(value)
        except BadSetup as error:
            raise forms.ValidationError(translate(error.text)) from error


class SeatField(forms.ChoiceField):
    """A field for the holder of a seat. Programs may send more than the buttons: a computer with
    its level, such as ``computer-3``, and a seat that is open to bots. The page has one level for
    all computers, and one box for all open seats."""

    def __init__(self, rules: Rules, spec: SeatSpec, *, first: bool) -> None:
        self.spec = spec
        self.others = [f"{COMPUTER}-{level}" for level in rules.ladder]
        if spec.shared:
            self.others += [f"{ME}-{other}" for other in self.others]
        choices = [(ME, _("Here")), (INVITE, _("Link")), (LISTED, pgettext("seat", "Open"))]
        if rules.levels:
            choices.append((COMPUTER, _("Computer")))
        if rules.levels and spec.shared:
            choices.insert(1, (TOGETHER, _("With help")))
        super().__init__(
            label=translate(spec.name),
            choices=choices,
            initial=ME if first else choices[-1][0] if rules.levels else INVITE,
            required=False,
            widget=forms.RadioSelect,
        )

    def valid_value(self, value: str) -> bool:
        return value in (LISTED_BOTS, *self.others) or super().valid_value(value)


def initial_value(option: Option) -> Any:
    """Return the default value: the language of the page for a choice of languages that has it."""
    page = get_language()
    return page if option.name == "language" and page in dict(option.choices) else option.default


def _widget(option: Option) -> forms.Widget:
    if option.kind == "flag":
        return forms.CheckboxInput()
    if option.kind == "choice":
        choices = [(value, translate(label)) for value, label in option.choices]
        return forms.RadioSelect(choices=choices)
    if option.kind == "text":
        return forms.Textarea(attrs={"rows": 3, "maxlength": option.high, "spellcheck": "false"})
    span = (option.high - option.low) // option.step + 1
    if span <= MOST_CHOICES:
        numbers = range(option.low, option.high + 1, option.step)
        named = [(number, str(number)) for number in numbers]
        buttons = span <= MOST_BUTTONS or option.picture
        return (forms.RadioSelect if buttons else forms.Select)(choices=named)
    attrs = {"min": option.low, "max": option.high, "step": option.step, "inputmode": "numeric"}
    return forms.NumberInput(attrs=attrs)


def _pack_widget(packs: Sequence[Pack]) -> forms.Widget:
    """Return the list of a player's packs, each with the number of words not played yet."""
    label = _("%(name)s (%(left)s of %(n)s words left)")
    choices = [
        (str(pack.pk), label % {"name": pack.name, "left": pack.left, "n": len(pack.texts)})
        for pack in packs
    ]
    return forms.Select(choices=choices or [("", _("None yet"))])


class NewGameForm(forms.Form):
    """The options of a kind of game, its seats, and the visitor's name."""

    def __init__(
        self,
        rules: Rules,
        data: Mapping[str, Any] | None = None,
        *,
        name: str = "",
        last: LastChoices | None = None,
        packs: Sequence[Pack] = (),
    ) -> None:
        super().__init__(data, label_suffix="")
        self.rules = rules
        chosen = last or LastChoices()
        for option in rules.options:
            self.fields[option.name] = OptionField(option, chosen.options.get(option.name), packs)
        seats = _seats(rules)
        for spec, first in seats:
            self.fields[f"seat-{spec.key}"] = SeatField(rules, spec, first=first)
        if rules.levels:
            self.fields["level"] = _level_field(rules, chosen.level)
            for spec, _first in seats:
                self.fields[f"level-{spec.key}"] = _level_field_of(rules, spec)
        if not any(spec.secret or spec.shared for spec, _first in seats):
            self.fields["random_seats"] = forms.BooleanField(label=_("Random side"), required=False)
        self.fields["bots"] = forms.BooleanField(label=_("Open to bots too"), required=False)
        self.fields |= _time_fields(rules)
        self.fields["name"] = forms.CharField(
            label=_("Your name"), required=False, initial=name, max_length=NAME_LENGTH
        )
        self.fields["name"].widget.attrs["autocomplete"] = "nickname"
        if rules.transcript:
            self.fields["transcript"] = _transcript_field(rules, rules.transcript)
        if rules.analysis:
            self.fields["hints"] = forms.BooleanField(
                label=_("Allow hints"),
                required=False,
                help_text=_("Against computers alone they are always allowed."),
            )

    def clean_name(self) -> str:
        try:
            return clean_name(self.cleaned_data["name"])
        except BadName as error:
            raise forms.ValidationError(translate(error.text)) from error

    def option_fields(self, *, advanced: bool) -> list[forms.BoundField]:
        options = [option for option in self.rules.options if option.advanced == advanced]
        return [self[option.name] for option in options]

    def plain_options(self) -> list[forms.BoundField]:
        return self.option_fields(advanced=False)

    def further_options(self) -> list[forms.BoundField]:
        further = self.option_fields(advanced=True)
        further += [self[name] for name in self.fields if name.startswith("level-")]
        further += [self[name] for name in TIME_FIELDS]
        return [*further, self["transcript"]] if "transcript" in self.fields else further

    def tick_boxes(self) -> list[forms.BoundField]:
        """Return the checkboxes for random seats, hints and bots, if the game has them."""
        return [self[name] for name in ("random_seats", "hints", "bots") if name in self.fields]

    def wrong_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name in self.errors]

    def seat_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith("seat-")]

    def is_helped(self) -> bool:
        return any(TOGETHER in dict(field.field.choices) for field in self.seat_fields())  # type: ignore[attr-defined]

    def opponents(self) -> Iterable[tuple[object, Level]]:
        """Return the choices of a level, each with the opponent."""
        return zip(self["level"], self.rules.ladder.values(), strict=True)

    def options(self) -> dict[str, Any]:
        return {option.name: self.cleaned_data[option.name] for option in self.rules.options}

    def time(self) -> TimeControl | None:
        chosen = self.cleaned_data["time"]
        if chosen == OTHER_TIME:
            minutes, increment = self.cleaned_data["minutes"], self.cleaned_data["increment"]
            return TimeControl(minutes=minutes or 10, increment=increment or 0)
        return TimeControl.parse(chosen)

    def seating(self) -> dict[str, str]:
        return {
            name.removeprefix("seat-"): self._holder(name.removeprefix("seat-"), value)
            for name, value in self.cleaned_data.items()
            if name.startswith("seat-") and value
        }

    def _holder(self, seat: str, chosen: str) -> str:
        if chosen in {COMPUTER, TOGETHER}:
            level = self.cleaned_data[f"level-{seat}"] or self.cleaned_data["level"]
            return f"{chosen}-{level}"
        return LISTED_BOTS if chosen == LISTED and self.cleaned_data["bots"] else chosen


def _levels(rules: Rules) -> list[tuple[str, str]]:
    return [(str(number), translate(level.name)) for number, level in rules.ladder.items()]


def _level_field(rules: Rules, last: int | None) -> forms.ChoiceField:
    """Return the field for the level of the computers, by default the ``last`` one chosen."""
    initial = str(last or default_level(rules))
    return forms.TypedChoiceField(
        label=_("Opponent"),
        choices=_levels(rules),
        initial=initial,
        empty_value=initial,
        required=False,
        widget=forms.RadioSelect,
    )


def _level_field_of(rules: Rules, spec: SeatSpec) -> forms.ChoiceField:
    field = forms.ChoiceField(
        label=_("Strength: %(seat)s") % {"seat": translate(spec.name)},
        choices=[("", _("As chosen above")), *_levels(rules)],
        required=False,
    )
    field.only_with = f"seat-{spec.key}={COMPUTER}"  # type: ignore[attr-defined]
    return field


def _time_fields(rules: Rules) -> dict[str, forms.Field]:
    live = [(str(preset), translate(preset.name)) for preset in PRESETS]
    days = [(str(preset), translate(preset.name)) for preset in DAYS]
    choices: list[Any] = [
        ("", _("No clock")),
        (_("Minutes a side + seconds a turn"), [*live, (OTHER_TIME, _("Other…"))]),
        (_("For days"), days),
    ]
    help_text = _("Computers play without a clock.")
    if rules.turn_times:
        turns = [TimeControl(turn=seconds) for seconds in rules.turn_times]
        choices.append((_("Timer"), [(str(time), translate(time.name)) for time in turns]))
        help_text += " " + _(
            "When the timer of a turn runs out, nothing is lost: the turn passes as soon as the "
            "rules allow it."
        )
    return {
        "time": forms.ChoiceField(
            label=_("Clock"), choices=choices, required=False, help_text=help_text
        ),
        "minutes": _number_of_time(_("Minutes a side"), 1, MOST_MINUTES, 10),
        "increment": _number_of_time(_("Seconds added a turn"), 0, MOST_INCREMENT, 0),
    }


def _number_of_time(label: str, low: int, high: int, initial: int) -> forms.IntegerField:
    number = forms.IntegerField(
        label=label, required=False, min_value=low, max_value=high, initial=initial
    )
    number.only_with = f"time={OTHER_TIME}"  # type: ignore[attr-defined]
    return number


def _transcript_field(rules: Rules, transcript: Transcript) -> forms.CharField:
    example = ", ".join(display_move(move, rules) for move in transcript.example.split(", "))
    return forms.CharField(
        label=_("Import moves"),
        required=False,
        max_length=LONGEST_TRANSCRIPT,
        widget=forms.Textarea(attrs={"rows": 3, "spellcheck": "false"}),
        help_text=_("Paste a game to continue or analyse, e.g. %(example)s") % {"example": example},
    )


def _seats(rules: Rules) -> Sequence[tuple[SeatSpec, bool]]:
    """Return the seats for all numbers of players. The flag of a seat says whether it is the first
    without secrets, where the visitor sits by default."""
    options = rules.clean({})
    players = next((option for option in rules.options if option.name == "players"), None)
    if players is not None:
        options["players"] = players.high
    specs = rules.seats(options)
    first = first_seat(specs)
    return [(spec, spec == first) for spec in specs]
