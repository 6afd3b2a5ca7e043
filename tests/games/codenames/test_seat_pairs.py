"""Random evenings with strangers' windows on both teams: whatever they try, a secret seat of a game
that has begun is entered only with the consent of both teams, nobody who knows a key sits where it
must not be known, and two keys give the same bytes to everybody without one.

The players of the evening refuse and consent at random, go away and come back; former stand-ins go
on trying.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from random import Random

import pytest
from django.test import Client
from django.utils import timezone

from games.codenames.rules import RULES
from games.models import Game, Holder, Move, Seat, Sighting
from games.people.bots import make_token
from games.services import lobby, seats
from games.services.play import play_move
from games.services.setup import NewGame, create_game
from games.state.snapshot import GameSnapshot, read_snapshot
from games.storage.cache import clear_all
from tests.games.codenames.test_secrecy import KEY, OTHER, SEATS, SPOKEN, recorded
from tests.support.players import Person, new_person
from tests.support.repeats import PAIRS, SOAK

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("still_time")]

SECRET = {spec.key for spec in RULES.seats(RULES.clean({})) if spec.secret}
STEPS, GONE = 25, 0.4
PATHS = ("", "board/", "board/?lobby=guest", "seats/")


@pytest.fixture(autouse=True)
def without_rate_limits(settings: object) -> None:
    settings.RATE_LIMITS = False  # type: ignore[attr-defined]


class Evening:
    """A game with a player on each seat, and windows of strangers, two of which have sat down on
    both teams in the lobby."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.players = {key: new_person(key) for key in SEATS}
        self.windows = [new_person(f"window {n}") for n in range(4)]
        host = self.players[SEATS[0]]
        options = {"rows": 4, "columns": 5, "own_key": KEY, "clues": "spoken"}
        seating = dict.fromkeys(SEATS, "invite")
        new = NewGame(rules=RULES, options=options, seating=seating, lobby=True)
        self.game = create_game(player=new_person("host").player, new=new)
        for key, person in self.players.items():
            lobby.sit_down(game_id=self.game.pk, seat_key=key, player=person.player)
        self.game = Game.objects.get(pk=self.game.pk)
        lobby.begin(game_id=self.game.pk, player=self.game.created_by)
        for ply, (seat, move) in enumerate(SPOKEN[: self.rng.randrange(len(SPOKEN) + 1)]):
            player = self.players[seat].player
            play_move(game_id=self.game.pk, seat=seat, text=move, ply=ply, player=player)
        self.tokens = {w.player.pk: make_token(player=w.player, name="w") for w in self.windows}
        self.agreed: set[str] = set()
        self.knows: dict[object, str] = {}
        self.host = host

    def now(self) -> GameSnapshot:
        return read_snapshot(self.game.pk)

    def path(self, end: str) -> str:
        return f"/g/{self.game.pk}/{end}"

    def seat(self) -> Seat:
        return Seat.objects.get(game=self.game, key=self.rng.choice(SEATS))

    # --- acts of strangers and players ---

    def go_away(self) -> None:
        """Let some players be unseen for minutes, and the others be seen."""
        before, now = timezone.now() - timedelta(minutes=5), timezone.now()
        players = [person.player for person in self.players.values()]
        gone = [player for player in players if self.rng.random() < GONE]
        Holder.objects.filter(seat__game=self.game, player__in=players).update(joined=before)
        Game.objects.filter(pk=self.game.pk).update(began=before, created=before)
        Move.objects.filter(game=self.game).update(played=before)
        clear_all()
        for person in (*self.players.values(), *self.windows):
            seen = before if person.player in gone else now
            Sighting.objects.update_or_create(
                game=self.game, player=person.player, defaults={"seen": seen}
            )

    def invite(self, window: Person) -> None:
        token = seats.lobby_token(Game.objects.get(pk=self.game.pk))
        form = {"seat": self.seat().key, "name": self.rng.choice(["", *SEATS])}
        window.client.post(f"/invite/{token}/", form)

    def join(self, window: Person) -> None:
        seat = self.seat()
        if not seat.token_salt:
            # As if somebody had kept an older link.
            seats.open_link(seat)
            seat.save()
        path = f"/join/{seats.invitation_token(seat)}/"
        self.rng.choice([lambda: window.client.post(path), lambda: self._api(window, seat)])()

    def _api(self, window: Person, seat: Seat) -> None:
        headers = {"Authorization": f"Bearer {self.tokens[window.player.pk]}"}
        body = {"token": seats.invitation_token(seat)}
        client = Client()
        client.post("/api/1/join", body, content_type="application/json", headers=headers)
        client.post(f"/api/1/games/{self.game.pk}/seats/{seat.key}", headers=headers)

    def listed(self, window: Person) -> None:
        seat = self.seat()
        Seat.objects.filter(pk=seat.pk).update(listed=True)
        clear_all()
        window.client.post(self.path("sit/"), {"seat": seat.key})

    def ask(self, window: Person) -> None:
        before = self.now().game.newcomer
        window.client.post(self.path("back/"), {"back": self.seat().key})
        after = self.now().game.newcomer
        if after and after.get("seat") and (before or {}).get("since") != after["since"]:
            self.agreed = set()

    def ask_others(self, person: Person) -> None:
        person.client.post(self.path("away/"), {"away": self.seat().key})

    def answer(self, person: Person) -> None:
        of, agree = self.rng.choice(["player", "newcomer"]), self.rng.choice(["yes", "yes", "no"])
        held = next((key for key, other in self.players.items() if other is person), None)
        sits = held and held in self.now().seats_of(person.player.pk)
        if held and sits and agree == "yes" and of == "newcomer":
            self.agreed.add(held.split("-")[0])
        person.client.post(self.path(f"away/answer/?of={of}"), {"agree": agree})

    def leave(self, person: Person) -> None:
        for key in self.now().seats_of(person.player.pk):
            person.client.post(self.path("give-up/"), {"free": key})

    def take_back(self, person: Person) -> None:
        person.client.post(self.path("take-back/"))

    def rematch(self, person: Person) -> None:
        person.client.post(self.path("rematch/"))

    def step(self) -> None:
        by_window: list[Callable[[Person], None]] = [
            self.invite,
            self.join,
            self.listed,
            self.ask,
            self.ask,
        ]
        by_all = [self.ask_others, self.answer, self.answer, self.take_back, self.rematch]
        if self.rng.random() < 0.15:
            self.go_away()
        elif self.rng.random() < 0.5:
            self.rng.choice(by_window)(self.rng.choice(self.windows))
        elif self.rng.random() < 0.1:
            self.leave(self.rng.choice([*self.players.values(), *self.windows]))
        else:
            self.rng.choice(by_all)(self.rng.choice([*self.players.values(), *self.windows]))

    # --- rules that hold ---

    def check_seats(self, before: GameSnapshot) -> None:
        after, windows = self.now(), {window.player.pk for window in self.windows}
        for key in SECRET:
            new = {*after.seating.places[key].players} - {*before.seating.places[key].players}
            assert not new & windows or len(self.agreed) == 2, (key, self.agreed)
        for spec in after.specs:
            for player in after.seating.places[spec.key].players:
                known = self.knows.setdefault(player, spec.information_set)
                assert known == spec.information_set

    def seen_without_key(self, key: str, *paths: str) -> dict[tuple[str, str], bytes]:
        """Return the answers for everybody without a secret seat, and for a stranger."""
        Game.objects.filter(pk=self.game.pk).update(setup={**self.game.setup, "key": key})
        clear_all()
        snapshot, found = self.now(), {}
        for person in (*self.players.values(), *self.windows, None):
            if person and SECRET & snapshot.seats_of(person.player.pk):
                continue
            client = Client()
            if person:
                client.cookies = person.client.cookies.copy()
            for path in paths:
                answer = client.get(self.path(path))
                found[person.player.name if person else "", path] = recorded(answer)
        for window in self.windows:
            if not SECRET & snapshot.seats_of(window.player.pk):
                headers = {"Authorization": f"Bearer {self.tokens[window.player.pk]}"}
                answer = Client().get(f"/api/1/games/{self.game.pk}", headers=headers)
                found[window.player.name, "API"] = recorded(answer)
        return found


@pytest.mark.parametrize("seed", PAIRS)
def test_no_window_of_a_stranger_comes_to_a_key(seed: int) -> None:
    evening = Evening(seed)
    for _ in range(STEPS):
        before = evening.now()
        evening.step()
        evening.check_seats(before)
    # The first visit of an absent player ends the requests for the seat.
    evening.seen_without_key(KEY, "")
    paths = PATHS if SOAK else ("", PATHS[1 + seed % 3])
    one, two = (evening.seen_without_key(key, *paths) for key in (KEY, OTHER))
    assert [who for who in one if one[who] != two[who]] == []
    assert ("", "") in one
