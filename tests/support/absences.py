"""People who leave a game's page, as far as the site can tell."""

from __future__ import annotations

from datetime import timedelta

from django.test import Client
from django.utils import timezone

from games.core.registry import all_rules
from games.models import Game, Holder, Move, Sighting
from games.services import lobby
from games.storage.cache import clear_all
from tests.support.game_factory import make_lobby
from tests.support.kinds import kinds_with_shared_seats
from tests.support.players import Person, new_person

LONG_AGO = timedelta(minutes=3)


class Table:
    """A game with secrets, and the person on each seat."""

    def __init__(self, owner: Person) -> None:
        rules = all_rules()[kinds_with_shared_seats()[0]]
        game = make_lobby(owner, rules=rules, **rules.computer_options)
        self.secret = [spec.key for spec in game.specs if spec.secret]
        self.open = [spec.key for spec in game.specs if not spec.secret]
        self.people = {self.open[0]: owner}
        for number, key in enumerate([*self.secret, *self.open[1:]]):
            self.people[key] = new_person(f"P{number}")
            lobby.sit_down(game_id=game.pk, seat_key=key, player=self.people[key].player)
        lobby.begin(game_id=game.pk, player=owner.player)
        self.game = Game.objects.get(pk=game.pk)
        (self.gone_key,) = self.game.to_move
        self.gone = self.people[self.gone_key]
        self.rest = [person for key, person in self.people.items() if key != self.gone_key]

    def ask(self, person: Person) -> int:
        form = {"away": self.gone_key}
        return person.client.post(f"/g/{self.game.pk}/away/", form).status_code

    def answer(self, person: Person, agree: str = "yes", of: str = "player") -> int:
        form = {"agree": agree}
        return person.client.post(f"/g/{self.game.pk}/away/answer/?of={of}", form).status_code

    def holders(self) -> set[object]:
        held = Holder.objects.filter(seat__game=self.game, seat__key=self.gone_key)
        return set(held.values_list("player", flat=True))

    def key_of(self, person: Person) -> str:
        return next(key for key, other in self.people.items() if other is person)

    def side_of(self, person: Person) -> str:
        return {spec.key: spec.side for spec in self.game.specs}[self.key_of(person)]

    def ask_back(self, client: Client) -> int:
        form = {"back": self.gone_key}
        return client.post(f"/g/{self.game.pk}/back/", form).status_code

    def page(self, client: Client) -> str:
        return client.get(self.game.get_absolute_url()).text


def leave_page(game: Game, *people: Person, by: timedelta = LONG_AGO) -> None:
    """Let people be at a game's page for the last time three minutes ago, or longer."""
    before = timezone.now() - by
    for person in people:
        Sighting.objects.filter(game=game, player=person.player).update(seen=before)
        Holder.objects.filter(seat__game=game, player=person.player).update(joined=before)
        Move.objects.filter(game=game, player=person.player).update(played=before)
        Game.objects.filter(pk=game.pk, created_by=person.player).update(created=before)
    # Among them who has just been noted.
    clear_all()


def let_a_computer_play(game: Game, key: str, asker: Person) -> int:
    """Ask the others for a computer on a seat, and return the status of the answer."""
    address = f"/g/{game.pk}/away/?for=computer"
    return asker.client.post(address, {"away": key}).status_code
