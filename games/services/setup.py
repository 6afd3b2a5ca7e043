"""New games."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random, SystemRandom
from typing import Any

from django.db.models import QuerySet

from games.bus import notify_changed
from games.contract import (
    BadNotation,
    BadSetup,
    BadTranscript,
    MoveError,
    Options,
    Position,
    Rules,
    SeatSpec,
    Setup,
    Text,
    plain_signs,
    text,
)
from games.core.clocks import Clock, TimeControl
from games.models import Game, Holder, Pack, Player, Seat
from games.services.clocks import run_clock
from games.services.insights import TYPED_SECRETS, note_typed_secrets
from games.services.packs import ANEW, PackDeal, dealing, open_deal
from games.services.play import add_moves, apply_position, save_end
from games.services.seats import open_link, open_lobby
from games.services.versions import lasting_banner
from games.services.waiting import (
    IN_TURN,
    check_computer_games,
    check_listings,
    check_waiting_games,
    has_queue,
)
from games.state.snapshot import Standing
from games.storage.write_lock import write_transaction

SeatChoices = Mapping[str, str]
"""The choice for each seat: ``me``, ``invite``, ``listed``, ``listed-bots``, ``computer-3`` (a
level) or, on a shared seat, ``me-computer-3``."""

ME, INVITE, LISTED, LISTED_BOTS = "me", "invite", "listed", "listed-bots"
OTHERS = {INVITE, LISTED, LISTED_BOTS}
"""The choices for a seat that other people take."""
TWO_INFORMATION_SETS = text(
    "One of these seats sees what the other must not see. Invite someone for one of them, or play "
    "everyone on this device."
)
NO_SECRETS = text("A game with secrets begins at a first position that nobody knows.")
_COMPUTER = re.compile(rf"({ME}-)?computer-([1-9][0-9]?)")


@dataclass(frozen=True, kw_only=True)
class NewGame:
    """The choices of a host for a new game.

    With ``random_seats`` the players get random seats. With ``lobby`` they gather before the game
    begins, unless no seat is for others. ``transcript`` holds the moves of an imported game."""

    rules: Rules
    options: Mapping[str, Any]
    seating: SeatChoices
    hints: bool = False
    transcript: str = ""
    random_seats: bool = False
    lobby: bool = False
    time: TimeControl | None = None
    closed: bool = False
    setup: Setup | None = None
    """The first position, as in a game from elsewhere; None to deal one."""


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A game that has been dealt but not stored, with its ``moves`` so far played to ``standing``.
    The choices in ``new`` are those that the deal has left: drawn seats, no secret options."""

    new: NewGame
    setup: Setup
    levels: Mapping[str, int | None]
    moves: Sequence[tuple[str, str]]
    standing: Standing
    imported: Mapping[str, Any] | None = None
    """What the file of an imported game says of it; {} for another game that goes on here."""
    version: int | None = None
    """The version of its rules, by default that of today."""
    names: Mapping[str, str] = field(default_factory=dict)
    """The names of the people on this device, by seat."""
    pack_deal: PackDeal | None = None
    typed_secrets: bool = False
    """Whether the host has typed secrets of the deal, in a game with other people."""
    seeks: Sequence[str] | None = None
    """The kinds and sizes in which the host seeks an opponent, that of this game first."""

    @property
    def only_computers(self) -> bool:
        return all(self.levels.values()) and not self.people

    @property
    def computers(self) -> set[str]:
        return {key for key, level in self.levels.items() if level}

    @property
    def people(self) -> set[str]:
        return {key for key, who in self.new.seating.items() if who == ME}


def create_game(
    *, player: Player, new: NewGame, rng: Random | None = None, packs: QuerySet[Pack] | None = None
) -> Game:
    """Plan and start a game, with the player's ``packs``. Raises as both, before storing."""
    with dealing(new.rules, new.rules.clean(new.options)):
        plan = plan_game(new, rng=rng, packs=player.packs.all() if packs is None else packs)
        return start_game(player=player, plan=plan)


def plan_game(
    new: NewGame, *, rng: Random | None = None, packs: QuerySet[Pack] | None = None
) -> Plan:
    """Deal a game. `Rules.computer_options` apply if a computer plays, and `Rules.device_options`
    if all seats are on one device.

    Replaying many moves takes a while, so games are planned before the write lock is taken; only a
    game that uses one of ``packs`` is planned and started within `dealing`. Raises BadSetup."""
    rules, cleaned, rng = new.rules, new.rules.clean(new.options), rng or SystemRandom()
    specs = rules.seats(cleaned)
    seating = _shuffled(specs, new.seating, rng) if new.random_seats else new.seating
    secret = {option.name for option in rules.options if option.secret}
    typed = _invites(specs, seating) and any(cleaned[key] != rules.clean({})[key] for key in secret)
    _check_information_sets(specs, seating, typed=typed)
    levels = {spec.key: _level(rules, spec, seating.get(spec.key, INVITE)) for spec in specs}
    seating = {key: ME if who.startswith(ME) else who for key, who in seating.items()}
    if any(levels.values()):
        cleaned |= rules.computer_options
    elif all(seating.get(spec.key) == ME for spec in specs):
        cleaned |= _for_one_device(rules, cleaned)
    pack_deal = open_deal(rules, cleaned, Pack.objects.none() if packs is None else packs)
    setup = _deal(rules, cleaned, pack_deal, rng)
    if new.setup is not None:
        if any(spec.secret for spec in specs):
            raise BadSetup("setup", NO_SECRETS)
        setup = admit_setup(rules, cleaned, new.setup)
    moves, position = read_transcript(rules, setup, new.transcript)
    standing = Standing.of(position)
    dealt = replace(
        new,
        options={name: value for name, value in cleaned.items() if name not in secret},
        seating=seating,
        lobby=new.lobby and _invites(specs, seating) and standing.result is None,
        hints=rules.analysis and (new.hints or _is_alone(specs, seating, levels)),
    )
    return Plan(
        new=dealt,
        setup=setup,
        levels=levels,
        moves=moves,
        standing=standing,
        imported={} if moves or new.setup is not None else None,
        pack_deal=pack_deal,
        typed_secrets=typed,
    )


def admit_setup(rules: Rules, options: Options, given: Setup) -> dict[str, Any]:
    """Return a setup from elsewhere, checked. Raises BadSetup."""
    if rules.admit_setup:
        return dict(rules.admit_setup(options, given))
    dealt = dict(rules.deal(options, Random(0)))
    if dealt != given:
        raise BadSetup("setup", text("The setup does not fit the options of the game."))
    return dealt


def _deal(rules: Rules, options: Options, pack_deal: PackDeal | None, rng: Random) -> Setup:
    """Return the setup. The deal gets a deck in place of the id of a pack. Raises BadSetup."""
    if rules.pack is None:
        return rules.deal(options, rng)
    return rules.deal({**options, rules.pack.name: pack_deal and pack_deal.deck}, rng)


def _invites(specs: Sequence[SeatSpec], seating: SeatChoices) -> bool:
    return any(seating.get(spec.key, INVITE) in OTHERS for spec in specs)


def _is_alone(
    specs: Sequence[SeatSpec], seating: SeatChoices, levels: Mapping[str, int | None]
) -> bool:
    """Return whether the host plays against computers alone, so that hints are unfair to nobody."""
    return any(levels.values()) and not _invites(specs, seating)


def _for_one_device(rules: Rules, options: Options) -> Options:
    defaults = rules.clean({})
    chosen = {name for name, value in options.items() if value != defaults[name]}
    return {name: value for name, value in rules.device_options.items() if name not in chosen}


def _shuffled(specs: Sequence[SeatSpec], seating: SeatChoices, rng: Random) -> SeatChoices:
    keys = [spec.key for spec in specs]
    players = [seating.get(key, INVITE) for key in keys]
    return dict(zip(keys, rng.sample(players, len(players)), strict=True))


def start_game(
    *,
    player: Player,
    plan: Plan,
    origin: str = "",
    lister: str | None = None,
    game_id: str | None = None,
) -> Game:
    """Store a planned game of the address ``origin``, whose open seats are listed for ``lister``,
    and seat its players; ``game_id`` is stored once. Raises RateLimited."""
    with write_transaction():
        if game_id and (known := Game.objects.filter(pk=game_id).first()):
            return known
        if plan.only_computers:
            check_computer_games(player)
        if plan.computers:
            check_waiting_games(player)
        if not {LISTED, LISTED_BOTS}.isdisjoint(plan.new.seating.values()):
            check_listings(lister)
        game = _game_of(plan, player, game_id)
        game.origin = origin or None
        if plan.computers and game.banner is None and has_queue(origin):
            game.banner = lasting_banner(IN_TURN)
        game.save(force_insert=True)
        _add_seats(game, plan, player, lister)
        if plan.typed_secrets:
            note_typed_secrets(game, player)
        if plan.pack_deal:
            plan.pack_deal.save()
        add_moves(game, plan.moves)
        if game.over:
            save_end(game)
        notify_changed(game)
    return game


def deal_anew(waiting: Game, host: Player, plan: Plan) -> None:
    """Make the planned game of one whose host waits in its lobby alone, at the same address. The
    caller has locked it."""
    listed = waiting.seats.exclude(lister=None)
    lister = listed.values_list("lister", flat=True).first()
    game = _game_of(plan, host, waiting.pk)
    for name in ("created", "origin", "attendance", "lobby_salt", "lobby_hash"):
        setattr(game, name, getattr(waiting, name))
    game.version = waiting.version + 1
    game.save(force_update=True)
    waiting.seats.all().delete()
    _add_seats(game, plan, host, lister)
    notify_changed(game)


def _add_seats(game: Game, plan: Plan, player: Player, lister: str | None) -> None:
    for index, spec in enumerate(game.specs):
        who = plan.new.seating.get(spec.key, INVITE)
        _add_seat(game, spec, index, who, plan, player, lister)


def _game_of(plan: Plan, player: Player, game_id: str | None) -> Game:
    new = plan.new
    # The links of a lobby depend on the id.
    game = Game(
        **({"id": game_id} if game_id else {}),
        kind=new.rules.slug,
        rules_version=plan.version or new.rules.version,
        options=dict(new.options),
        setup=dict(plan.setup),
        hints=new.hints,
        only_computers=plan.only_computers,
        closed=new.closed,
        imported=plan.imported,
        seeks=plan.seeks,
        created_by=player,
        version=1 + len(plan.moves),
    )
    apply_position(game, plan.standing, len(plan.moves), plan.computers)
    if plan.pack_deal and plan.pack_deal.deck.began_anew:
        game.banner = lasting_banner(ANEW)
    if new.lobby:
        open_lobby(game)
    if new.time and not plan.only_computers:
        game.clock = Clock.new(new.time, game.specs).to_json()
        run_clock(game, plan.people)
    return game


def _level(rules: Rules, spec: SeatSpec, who: str) -> int | None:
    """Return the level of a seat's computer, None for people. Raises BadSetup."""
    if who == ME or who in OTHERS:
        return None
    match = _COMPUTER.fullmatch(who)
    if match is None or int(match[2]) not in rules.ladder or (match[1] and not spec.shared):
        raise BadSetup(f"seat-{spec.key}", text("Choose a player from the list."))
    return int(match[2])


def _check_information_sets(
    specs: Sequence[SeatSpec], seating: SeatChoices, *, typed: bool
) -> None:
    """Raise BadSetup if the host's seats have different information sets, or must not see the
    secrets that the host has ``typed``, unless all seats are on this device."""
    seated = {spec.key: seating.get(spec.key, INVITE) for spec in specs}
    if not _invites(specs, seating):
        return
    held = [spec for spec in specs if seated[spec.key] == ME]
    for spec in held:
        if spec.information_set != held[0].information_set:
            raise BadSetup(f"seat-{spec.key}", TWO_INFORMATION_SETS)
        if typed and not spec.secret:
            raise BadSetup(f"seat-{spec.key}", TYPED_SECRETS)


def _add_seat(
    game: Game, spec: SeatSpec, index: int, who: str, plan: Plan, player: Player, lister: str | None
) -> None:
    level, listed = plan.levels[spec.key], who in {LISTED, LISTED_BOTS}
    seat = Seat.objects.create(
        game=game,
        key=spec.key,
        index=index,
        computer=level,
        listed=listed,
        lister=lister if listed else None,
        for_bots=who == LISTED_BOTS,
    )
    if spec.shared if who == ME else level is None:
        open_link(seat)
        seat.save()
    if who == ME:
        name = plan.names.get(spec.key, "")
        Holder.objects.create(seat=seat, player=player, name=name)


def read_transcript(
    rules: Rules, setup: Setup, transcript: str
) -> tuple[list[tuple[str, str]], Position]:
    """Return a transcript's moves with their seats, and the position after. Raises BadSetup."""
    position = rules.start(setup)
    if not transcript.strip():
        return [], position
    if rules.transcript is None:
        raise BadSetup("transcript", text("You can’t import moves for this game."))
    moves = []
    try:
        for move in rules.transcript.read(rules.start(setup), plain_signs(transcript)[0]):
            seat = min(position.to_move(), default="")
            position.play(seat, move)
            moves.append((seat, move))
    except MoveError as error:
        reason = _not_moves(rules) if _nothing_is_read(error) else error.text
        raise BadSetup("transcript", reason) from error
    if not moves:
        # The text has no moves: some transcript formats read a JSON object as a comment.
        raise BadSetup("transcript", _not_moves(rules))
    return moves, position


def _nothing_is_read(error: MoveError) -> bool:
    """Return whether even the first move of a transcript is not in the game's notation."""
    first = isinstance(error, BadTranscript) and error.number == 1
    return first and isinstance(error.__cause__, BadNotation)


def _not_moves(rules: Rules) -> Text:
    example = rules.transcript.example if rules.transcript else ""
    return text(
        "That’s not a list of moves of %(game)s. You can paste moves like these: %(example)s",
        game=rules.name,
        example=example,
    )
