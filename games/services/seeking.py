"""Seekers: visitors without an opponent, each for a game in any of some kinds and sizes. A seeker
sits down with another one, or with the host of an open seat, or waits in a lobby with such a seat.

A seek is that lobby: its game lists the kinds in ``seeks``, and becomes another of them if an
opponent wants that. Meanwhile a line tells people at games against computers."""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from random import SystemRandom
from typing import Final, NamedTuple
from uuid import UUID

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone
from django.utils.translation import get_language

from games.contract import Option, Options, Rules, SeatSpec, text
from games.core.clocks import TimeControl
from games.core.refusals import Begun, NotHost, Refusal, SeatTaken
from games.core.registry import all_rules
from games.models import Game, Move, Player
from games.services.plans import default_level
from games.services.seats import STARTS_ITSELF, take_free_seat
from games.services.setup import LISTED, ME, NewGame, Plan, deal_anew, plan_game, start_game
from games.services.versions import save_version
from games.state.identity import is_bot, same_person
from games.state.lists import STAMP_CACHED, OpenGame, kinds, open_games
from games.state.replay import Unreadable
from games.state.seat_claims import is_slow
from games.state.snapshot import GameSnapshot, locked
from games.storage.cache import LRUCache
from games.storage.write_lock import one_at_a_time, write_transaction

NOW, DAYS = "now", "days"
LIVE: Final = TimeControl(minutes=10, increment=5)
SLOW: Final = TimeControl(days=3)
SHORTEST = 5 * 60_000
"""Milliseconds a side of an open game that is played now: a faster one was not asked for."""
JUST_MET = timedelta(minutes=10)
"""How long a seek leads to the game of the last one, until the first move there."""
FASTER = text("Someone else was faster, or the seat is no longer free. Find another opponent.")
ELSEWHERE = text("You found an opponent in another game, so this seat is no longer listed.")


class Wish(NamedTuple):
    """A kind of game in a ``size`` or language, named by its ``key`` in forms and rows."""

    key: str
    rules: Rules
    options: Options
    size: str = ""
    language: str = ""
    usual: bool = True

    @property
    def is_here(self) -> bool:
        """Whether it is in the language of the page, if it has one."""
        return self.language in ("", get_language())


@dataclass(frozen=True)
class Seeker:
    """A person in the lobby of a game, waiting for an opponent to play now."""

    game_id: str
    host: UUID | None
    wishes: tuple[Wish, ...]


def all_wishes() -> dict[str, Wish]:
    """Return everything that can be sought, by key: of the kinds for two people, or for two beside
    computers on all seats with secrets."""
    return {
        wish.key: wish for rules in kinds() if _seats_of_two(rules, {}) for wish in _wishes(rules)
    }


def usual_wish(rules: Rules) -> str:
    """Return the key of the wish for a kind as it is usually played, in the language of the page;
    '' if it cannot be sought."""
    found = [wish for wish in all_wishes().values() if wish.rules.slug == rules.slug]
    return next((wish.key for wish in found if wish.usual and wish.is_here), "")


def _wishes(rules: Rules) -> Iterator[Wish]:
    size = next((each for each in rules.options if each.picture == "board"), None)
    language = next((each for each in rules.options if each.name == "language"), None)
    if size:
        for number in _sizes(size):
            usual, side = number == size.default, f"{number}×{number}"
            yield Wish(f"{rules.slug}-{number}", rules, {size.name: number}, side, usual=usual)
    elif language:
        for code, _ in language.choices:
            yield Wish(f"{rules.slug}-{code}", rules, {language.name: code}, language=code)
    else:
        yield Wish(rules.slug, rules, {})


def _sizes(option: Option) -> Iterator[int]:
    for number in (option.default, option.default - option.step, option.default + option.step):
        if option.low <= number <= option.high:
            yield number


def _seats_of_two(rules: Rules, options: Options) -> list[SeatSpec]:
    """Return the seats of two people: all, or those without secrets beside computers; else none."""
    specs = rules.seats(rules.clean(options))
    plain = [spec for spec in specs if not spec.secret]
    fits = len(plain) == STARTS_ITSELF and (len(plain) == len(specs) or rules.levels)
    return plain if fits else []


def plan_seek(wishes: Sequence[Wish], pace: str) -> Plan:
    """Plan the game in whose lobby a seeker waits, of the first of some wishes."""
    wish, chance = wishes[0], SystemRandom()
    rules, two = wish.rules, _seats_of_two(wish.rules, wish.options)
    mine, other = chance.choice(two), f"computer-{default_level(rules)}"
    seating = {
        spec.key: (ME if spec == mine else LISTED) if spec in two else other
        for spec in rules.seats(rules.clean(wish.options))
    }
    new = NewGame(
        rules=rules, options=wish.options, seating=seating, lobby=True, time=_time(rules, pace)
    )
    return replace(plan_game(new), seeks=[each.key for each in wishes])


def _time(rules: Rules, pace: str) -> TimeControl:
    turns = rules.turn_times
    own = TimeControl(turn=turns[len(turns) // 2]) if turns else LIVE
    return SLOW if pace == DAYS else own


def find_opponent(
    *,
    player: Player,
    wishes: Sequence[Wish],
    pace: str,
    origin: str = "",
    lister: str | None = None,
    game_id: str | None = None,
    only: str = "",
) -> Game:
    """Seat a player with the host of the oldest lobby for one of the wishes, or ``only`` in that
    game, or let the player wait; a second try leads to the game of the first. Raises as
    `start_game`, or SeatTaken if ``only`` is no longer free."""
    with write_transaction():
        # Two seekers at once would both find nobody.
        one_at_a_time("find_opponent")
        own = _own(player, pace)
        if own and own.begun:
            return own
        for offer, wish in _offers(player, wishes, pace, lister or ""):
            if not only or only == offer.game.pk:
                with suppress(Refusal, Unreadable, Game.DoesNotExist), write_transaction():
                    return _meet(offer, wish, player, own)
        if only:
            raise SeatTaken(FASTER)
        plan = plan_seek(wishes, pace)
        if own:
            return _wait_on(own, plan)
        return start_game(player=player, plan=plan, origin=origin, lister=lister, game_id=game_id)


def _own(player: Player, pace: str) -> Game | None:
    """Return the game in which a player waits, or has just met an opponent and not moved yet."""
    met = Q(begun=True, began__gt=timezone.now() - JUST_MET)
    waits = Q(begun=False, created_by=player)
    moved = Exists(Move.objects.filter(game=OuterRef("pk"), player=player.pk))
    found = Game.objects.filter(met | waits, ~moved, seats__players=player, seeks__isnull=False)
    running = found.filter(status=Game.Status.RUNNING, kind__in=list(all_rules()))
    rows = running.order_by("-begun", "-created").distinct()
    return next((game for game in rows if is_slow(game) == (pace == DAYS)), None)


def _offers(
    player: Player, wishes: Sequence[Wish], pace: str, lister: str
) -> Iterator[tuple[OpenGame, Wish]]:
    """Yield the open seats that fit, the oldest first, each with the wish that is played there."""
    persons = same_person(player.pk)
    for offer in reversed(open_games(player, lister=lister)):
        game, host = offer.game, offer.game.created_by
        strange = host is None or host.pk in persons or host.suspended or is_bot(host.pk)
        if strange or game.begun or len(offer.seats) != 1 or is_slow(game) != (pace == DAYS):
            continue
        if (wish := _shared(game, wishes)) and (offer.here or pace == DAYS):
            yield offer, wish


def _shared(game: Game, wishes: Sequence[Wish]) -> Wish | None:
    """Return the wish that suits the host of a game, too: of a seek in the host's order."""
    if game.seeks:
        mine = {wish.key: wish for wish in wishes}
        return next((mine[key] for key in game.seeks if key in mine), None)
    return next((wish for wish in wishes if _is_like(game, wish)), None)


def _is_like(game: Game, wish: Wish) -> bool:
    """Return whether an open game has the rules and options of a wish, and time enough."""
    rules, control = wish.rules, game.time
    known = game.kind == rules.slug and game.rules_version == rules.version
    plain = not (game.ply or game.hints or game.closed) and game.imported is None
    for_two = len(game.specs) == STARTS_ITSELF if known else False
    in_time = control is None or control.full >= SHORTEST
    return for_two and plain and in_time and game.options == rules.clean(wish.options)


def _meet(offer: OpenGame, wish: Wish, player: Player, own: Game | None) -> Game:
    """Seat a player in an open game, as that of the wish. Raises as `take_free_seat`."""
    game_id = offer.game.pk
    with locked(game_id, begun=False) as snapshot:
        if snapshot.game.seeks and snapshot.game.seeks[0] != wish.key:
            _become(snapshot, plan_seek([wish], DAYS if is_slow(snapshot.game) else NOW))
        # Known from now on as a game that came about by a seek.
        Game.objects.filter(pk=game_id).update(seeks=[wish.key])
    key = offer.game.seats.filter(listed=True, holders=None).values_list("key", flat=True).first()
    seat = take_free_seat(game_id=game_id, seat_key=key or "", player=player)
    if own:
        _unlist(own)
    return seat.game


def _become(snapshot: GameSnapshot, plan: Plan) -> None:
    """Make a game with a waiting host another one. Raises SeatTaken unless the host is alone."""
    people = snapshot.seating.players()
    if snapshot.game.begun or people != {snapshot.game.created_by_id}:
        raise SeatTaken
    deal_anew(snapshot.game, Player.objects.get(pk__in=people), plan)


def _unlist(waiting: Game) -> None:
    with locked(waiting.pk) as snapshot:
        waiting.seats.filter(listed=True).update(listed=False, lister=None)
        save_version(snapshot, seeks=None, banner=ELSEWHERE.to_json())


def _wait_on(own: Game, plan: Plan) -> Game:
    """Let a waiting player wait for a new plan, in the same lobby."""
    with locked(own.pk) as snapshot, suppress(SeatTaken):
        if {*(own.seeks or ())} != {*(plan.seeks or ())}:
            _become(snapshot, plan)
    return own


def withdraw(*, game_id: str, player: Player) -> None:
    """Delete the game in which a player waits for an opponent. Raises NotHost, or Begun if one has
    just come."""
    with locked(game_id) as snapshot:
        if snapshot.game.begun:
            raise Begun
        if not snapshot.game.seeks or not snapshot.is_host(player.pk):
            raise NotHost
        snapshot.game.delete()


_seekers: LRUCache[int, list[Seeker]] = LRUCache(1)


def seekers() -> list[Seeker]:
    """Return the seekers that strangers may see, the one with the longest wait first; cached for a
    second."""
    now = int(time.monotonic() // STAMP_CACHED)
    known = _seekers.get(now)
    return _seekers.put(now, list(_read_seekers())) if known is None else known


def _read_seekers() -> Iterator[Seeker]:
    wishes = all_wishes()
    for offer in reversed(open_games(None)):
        game = offer.game
        if game.seeks and offer.here and not game.begun and not is_slow(game):
            known = tuple(wishes[key] for key in game.seeks if key in wishes)
            yield Seeker(game.pk, game.created_by_id, known)


def seeker_for(
    visitor: UUID | None, kind: str, waiting: Collection[Seeker]
) -> tuple[str, str, Rules] | None:
    """Return the game, and the key and the kind of the wish, of the first other seeker for a kind,
    '' for any."""
    for seeker in waiting:
        for wish in seeker.wishes if seeker.host != visitor else ():
            if kind in ("", wish.rules.slug):
                return seeker.game_id, wish.key, wish.rules
    return None
