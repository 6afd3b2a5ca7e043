"""The table of seats: the seat that each visitor may have, by the law of seats.

A line of ``seats.tsv`` answers for visitors without a cookie (``none``), with a player that was
never here (``other``), held the seat and ``left`` it, or lost it because the others ``agreed``
or had waited for ``days``, and with another ``seat``; in the lobby, in the begun game, after its
end, in the lobby of a rematch and in one that has begun without them; beside each clock; for the
seat of a guest or an account. ``page`` is the right by which the game's page gives a seat, ``asks``
says whether a visitor can ask for one there, and the lobby's ``link`` shows seats or leads to the
board. The first line that fits counts, with scripts and without.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from fnmatch import fnmatch
from itertools import product
from pathlib import Path

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from games.core.clocks import Clock, TimeControl
from games.core.registry import all_rules
from games.models import Game, Holder
from games.people import accounts
from games.services import absence, lobby, play, rematch, seat_changes, seats
from games.state.seat_claims import person_key
from games.state.snapshot import read_snapshot
from games.storage.cache import clear_all
from tests.support.absences import leave_page
from tests.support.game_factory import make_lobby
from tests.support.kinds import kinds_with_shared_seats, three_player_options, two_player_rules
from tests.support.players import new_person
from tests.support.repeats import SOAK

pytestmark = pytest.mark.django_db

TABLE = [
    line.split("\t")
    for line in Path(__file__).with_name("seats.tsv").read_text(encoding="utf-8").splitlines()[1:]
]
VISITORS = ("none", "other", "left", "agreed", "days", "seat")
STATES = ("lobby", "begun", "over", "offered", "rematch")
GAMES = ("two", "more", "two secret", "more secret")
CLOCKS = {
    "no": None,
    "turn": TimeControl(turn=60),
    "days": TimeControl(days=3),
    "live": TimeControl(minutes=10, increment=5),
}
HOLDERS = ("guest", "account")
EACH = 1 if SOAK else 5
"""Of so many cases one is tried, another one beside each state and game; all of them in a soak."""
LEAVERS = ("left", "agreed", "days")
SEATED = re.compile(r'class="seat [^"]*\bmine\b')
OFFERED = re.compile(r'id="b-sit-([\w-]+)"')
TAKEN = re.compile(r'id="b-take-(?!seat-back)([\w-]+)"')


def line_for(*case: str) -> int:
    """Return the number of the line that answers for a case."""
    return next(
        number
        for number, line in enumerate(TABLE)
        if all(
            any(fnmatch(value, each) for each in pattern.split("|"))
            for value, pattern in zip(case, line, strict=False)
        )
    )


def test_each_line_of_the_table_answers_for_a_case():
    cases = product(VISITORS, STATES, GAMES, CLOCKS, HOLDERS)
    assert {line_for(*case) for case in cases} == {*range(len(TABLE))}


class Scene:
    """A game in its state: its host, and the person who has ``gone`` from the seat ``key``, as a
    visitor has that is a ``leaver``."""

    def __init__(self, leaver: str, state: str, game: str) -> None:
        self.host, self.gone, self.before = new_person("Host"), new_person("Gone"), None
        self.game, self.two = self._gather(game), game == "two"
        specs = {spec.key: spec for spec in self.game.specs}
        self.key = next((key for key in self._free() if specs[key].secret), self._free()[0])
        self.rest = [new_person(f"P{number}") for number, _ in enumerate(self._free()[1:])]
        others = [key for key in self._free() if key != self.key]
        for key, person in zip(others, self.rest, strict=True):
            lobby.sit_down(game_id=self.game.pk, seat_key=key, player=person.player)
        if state == "lobby":
            self._leave_lobby(leaver)
        else:
            lobby.sit_down(game_id=self.game.pk, seat_key=self.key, player=self.gone.player)
            self._begin()
        if state in {"begun", "over"}:
            self._leave(leaver)
        if state not in {"lobby", "begun"}:
            self._end()
        if state in {"offered", "rematch"}:
            self._play_again(leaver)
        if state == "rematch":
            self._begin()
        self.address, self.begun = self.game.get_absolute_url(), state not in {"lobby", "offered"}
        self.link = f"/invite/{seats.lobby_token(read_snapshot(self.game.pk).game)}/"

    def _gather(self, game: str) -> Game:
        if not game.endswith("secret"):
            rules, options = (two_player_rules(), {}) if game == "two" else three_player_options()
            return make_lobby(self.host, rules=rules, **options)
        rules = all_rules()[kinds_with_shared_seats()[0]]
        specs = rules.seats(rules.clean({}))
        mine = next(spec for spec in specs if not spec.secret)
        others = "computer-1" if game == "two secret" else "invite"
        seating = {spec.key: "invite" if spec.side == mine.side else others for spec in specs}
        options = {**rules.computer_options}
        return make_lobby(self.host, rules=rules, seating={**seating, mine.key: "me"}, **options)

    def _free(self) -> list[str]:
        places = read_snapshot(self.game.pk).seating.places
        return [key for key, place in places.items() if place.empty]

    def _begin(self) -> None:
        if not read_snapshot(self.game.pk).game.begun:
            lobby.begin(game_id=self.game.pk, player=self.host.player)

    def _leave_lobby(self, leaver: str) -> None:
        """Let the one gone sit down and get up again; a game of two would begin."""
        if self.two:
            return
        game, player = {"game_id": self.game.pk}, self.gone.player
        lobby.sit_down(seat_key=self.key, player=player, **game)
        if leaver == "left":
            lobby.stand_up(player=player, **game)
        else:
            person = person_key(self.game.pk, player.pk)
            lobby.free_seat(person=person, player=self.host.player, **game)

    def _leave(self, leaver: str) -> None:
        leave_page(self.game, self.gone)
        game = {"game_id": self.game.pk}
        if leaver == "left":
            seat_changes.give_up_seat(seat_key=self.key, player=self.gone.player, **game)
        elif leaver == "agreed" and not self.two:
            seat_changes.ask_for_stand_in(seat_key=self.key, player=self.host.player, **game)
            for person in self.rest:
                seat_changes.answer_request(player=person.player, agree=True, **game)
        elif leaver in {"agreed", "days"}:
            row = Game.objects.filter(pk=self.game.pk)
            now = row.values("to_move", "updated", "computer_to_move").get()
            row.update(to_move=[self.key], updated=timezone.now() - timedelta(days=60))
            clear_all()
            absence.replace_absent(player=self.host.player, ply=0, **game)
            row.update(**now)

    def _end(self) -> None:
        people = [self.host, self.gone, *self.rest]
        while not (snapshot := read_snapshot(self.game.pk)).game.over:
            person, seat = next(
                (person, key)
                for person in people
                for key in snapshot.seats_of(person.player.pk)
                if snapshot.position.is_active(key)
            )
            ply, player = snapshot.game.ply, person.player
            play.resign(game_id=self.game.pk, seat=seat, player=player, ply=ply)

    def _play_again(self, leaver: str) -> None:
        self.before = self.game
        for person in [self.host, *self.rest]:
            self.game = rematch.rematch(game_id=self.before.pk, player=person.player)
        self.key = self._free()[0]
        if leaver:
            self._leave_lobby(leaver)

    def new_client(self, visitor: str, holder: str, clock: TimeControl | None) -> Client:
        """Set the clock and the account of the one gone, and return the visitor's browser,
        now its only one."""
        row = Game.objects.filter(pk=self.game.pk)
        row.update(clock=clock and Clock.new(clock, self.game.specs).to_json())
        if holder == "account":
            accounts.create_account(player=self.gone.player, name="gone", password="four otters")
        clear_all()
        if visitor in {"none", "other"}:
            return Client() if visitor == "none" else new_person("Other").client
        return (self.host if visitor == "seat" and self.before is None else self.gone).client


@contextmanager
def undone() -> Iterator[None]:
    """Undo all that the block has stored."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    clear_all()


def shown(page: str, *, lobby: bool) -> str:
    """Return the right by which the page of a game, or its lobby, gives a seat."""
    if SEATED.search(page):
        return "own"
    if lobby:
        return "rematch" if OFFERED.search(page) else "none"
    if "b-take-seat-back" in page:
        return "lost"
    if not TAKEN.search(page):
        return "none"
    return "rematch" if "The rematch has started" in page else "freed"


def holders(game: Game) -> int:
    return Holder.objects.filter(seat__game=game).count()


def check_page(scene: Scene, client: Client, right: str, asks: str) -> None:
    page = client.get(scene.address, follow=True)
    assert shown(page.text, lobby=bool(page.redirect_chain) or not scene.begun) == right
    assert ("yes" if 'name="back"' in page.text else "no") == asks


def check_link(scene: Scene, client: Client, link: str, **headers: dict[str, str]) -> None:
    """Open the lobby's link and save a name there, which leads on to the seats or to the board."""
    opened, saved = client.get(scene.link), client.post(scene.link, {"name": "Late"}, **headers)
    leads = saved.headers.get("HX-Redirect") or saved.headers.get("Location") or scene.link
    if link == "board":
        assert opened["Location"] == leads == scene.address
    else:
        assert OFFERED.search(opened.text) or SEATED.search(opened.text)
        assert leads == scene.link


def take(scene: Scene, client: Client, right: str, link: str, **headers: dict[str, str]) -> None:
    """Take the seat in the way that the page or the link offers, or try it in vain."""
    before, form = holders(scene.game), {"seat": scene.key}
    if right == "lost":
        client.post(f"{scene.address}take-back/", **headers)
    elif right == "rematch":
        client.post(f"{scene.before.get_absolute_url()}rematch/", **headers)
    if holders(scene.game) == before and right in {"freed", "rematch"}:
        offered = TAKEN.search(client.get(scene.address).text)
        form = {"seat": offered[1]} if offered else form
    if right in {"freed", "rematch", "none"} and holders(scene.game) == before:
        client.post(f"{scene.address}sit/", form, **headers)
    if right == "none":
        assert holders(scene.game) == before
    if right == "none" and link == "seats":
        offered = OFFERED.search(client.get(scene.link).text)
        client.post(scene.link, {"seat": offered[1]}, **headers)
    gains = right not in {"own", "none"} or (right == "none" and link == "seats")
    assert holders(scene.game) == before + gains


def ask(scene: Scene, client: Client, asks: str, **headers: dict[str, str]) -> None:
    answer = client.post(f"{scene.address}back/", {"back": scene.key}, **headers)
    assert (answer.status_code < 400) == (asks == "yes")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("state", STATES)
def test_each_visitor_may_have_the_seat_that_the_table_says(state, game):
    cases = product(VISITORS, CLOCKS, HOLDERS)
    scenes = {leaver: Scene(leaver, state, game) for leaver in ("", *LEAVERS)}
    turn = GAMES.index(game) + STATES.index(state)
    for number, (visitor, clock, holder) in [*enumerate(cases)][turn % EACH :: EACH]:
        scene, case = scenes.get(visitor, scenes[""]), (visitor, state, game, clock, holder)
        right, asks, link = TABLE[line_for(*case)][-3:]
        scripts = {"headers": {"HX-Request": "true"}} if (number + number // 8) % 2 else {}
        with undone():
            client = scene.new_client(visitor, holder, CLOCKS[clock])
            check_page(scene, client, right, asks)
            check_link(scene, client, link, **scripts)
            ask(scene, client, asks, **scripts)
            take(scene, client, right, link, **scripts)
