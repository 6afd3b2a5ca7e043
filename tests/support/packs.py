"""Word packs, and games that are dealt from them."""

from __future__ import annotations

from collections.abc import Mapping

from games.contract import Rules
from games.core.registry import all_rules
from games.models import Game, Pack
from games.services import packs
from tests.support.game_factory import make_game
from tests.support.players import Person


def words(number: int) -> str:
    """Return a list of so many words, as it is typed."""
    return "\n".join(f"word {index}" for index in range(number))


def make_pack(owner: Person, rules: Rules, *, number: int = 30, name: str = "Holidays") -> Pack:
    """Return a new pack of a person."""
    return packs.make_pack(player=owner.player, rules=rules, name=name, pasted=words(number))


def pack_options(pack: Pack) -> dict[str, str]:
    """Return the options with which a game takes a pack."""
    option = all_rules()[pack.kind].pack
    assert option is not None
    return {**dict([option.only_with] if option.only_with else []), option.name: str(pack.pk)}


def deal_from(pack: Pack, person: Person, *, seating: Mapping[str, str] | None = None) -> Game:
    """Return a new game that a person has dealt from a pack, by default with a person's own seats
    alone."""
    rules = all_rules()[pack.kind]
    return make_game(person, rules=rules, seating=seating, **pack_options(pack))


def dealt_words(game: Game) -> list[str]:
    """Return the words of the pack of `words` that are in the setup of a game, in their order."""
    return [
        part
        for value in game.setup.values()
        if isinstance(value, list)
        for part in value
        if str(part).startswith("word ")
    ]
