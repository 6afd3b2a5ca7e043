"""New games, and the next game of the same table."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random, SystemRandom
from typing import Any

from django.conf import settings

from games.contract import BadSetup, MoveError, Position, Rules, SeatSpec, Setup, text
from games.models import Game, Holder, Player, Seat
from games.rate_limits import COMPUTER_GAMES_PER_PLAYER, RateLimited
from games.refusals import NotYourSeat, Refusal
from games.services.play import add_moves, apply_position
from games.services.seats import open_link
from games.services.versions import save_version
from games.signals import notify_changed
from games.snapshot import GameSnapshot, lock_snapshot
from games.storage.write_lock import write_transaction

SeatChoices = Mapping[str, str]
"""The choice for each seat: ``me``, ``invite``, ``listed`` or ``computer-3`` (a level)."""

ME, INVITE, LISTED = "me", "invite", "listed"
TWO_INFORMATION_SETS = text(
    "One of these seats sees what the other must not see. Invite someone for one of them, or play "
    "everyone on this device."
)
_COMPUTER = re.compile(r"computer-([1-9][0-9]?)")


TOO_MANY_COMPUTER_GAMES = text(
    "You already have %(n)s games between computers running. Wait for one to finish.",
    n=COMPUTER_GAMES_PER_PLAYER,
)


@dataclass(frozen=True, kw_only=True)
class Plan:
    """A game that is dealt, and whose ``moves`` so far have been played to ``position``; nothing of
    it is kept yet. ``options`` are without the secret ones."""

    rules: Rules
    options: Mapping[str, Any]
    setup: Setup
    seating: SeatChoices
    levels: Mapping[str, int | None]
    hints: bool
    moves: Sequence[tuple[str, str]]
    position: Position

    @property
    def only_computers(self) -> bool:
        """Whether no seat is for people."""
        return all(self.levels.values())

    @property
    def computers(self) -> set[str]:
        """The seats that computers take."""
        return {key for key, level in self.levels.items() if level}


def create_game(
    *,
    player: Player,
    rules: Rules,
    options: Mapping[str, Any],
    seating: SeatChoices,
    hints: bool = False,
    transcript: str = "",
    random_seats: bool = False,
    rng: Random | None = None,
) -> Game:
    """Plan a game and start it. Raises as these two, then nothing is kept."""
    plan = plan_game(
        rules=rules,
        options=options,
        seating=seating,
        hints=hints,
        transcript=transcript,
        random_seats=random_seats,
        rng=rng,
    )
    return start_game(player=player, plan=plan)


def plan_game(
    *,
    rules: Rules,
    options: Mapping[str, Any],
    seating: SeatChoices,
    hints: bool = False,
    transcript: str = "",
    random_seats: bool = False,
    rng: Random | None = None,
) -> Plan:
    """Deal a game; with a computer among its players, `Rules.computer_options` are set.

    With ``random_seats`` the players get random seats. ``transcript`` holds the moves of an
    imported game: reading many takes a while, so it is done before the write lock is taken. Raises
    BadSetup.
    """
    cleaned, rng = rules.clean(options), rng or SystemRandom()
    specs = rules.seats(cleaned)
    if random_seats:
        seating = _drawn(specs, seating, rng)
    _check_information_sets(specs, seating)
    levels = {spec.key: _level(rules, spec, seating.get(spec.key, INVITE)) for spec in specs}
    if any(levels.values()):
        cleaned |= rules.computer_options
    setup = rules.deal(cleaned, rng)
    moves, position = _read(rules, setup, transcript)
    secret = {option.name for option in rules.options if option.secret}
    return Plan(
        rules=rules,
        options={name: value for name, value in cleaned.items() if name not in secret},
        setup=setup,
        seating=seating,
        levels=levels,
        hints=hints,
        moves=moves,
        position=position,
    )


def _drawn(specs: Sequence[SeatSpec], seating: SeatChoices, rng: Random) -> SeatChoices:
    """Return the same players, each at a seat that is drawn."""
    keys = [spec.key for spec in specs]
    players = [seating.get(key, INVITE) for key in keys]
    return dict(zip(keys, rng.sample(players, len(players)), strict=True))


def start_game(*, player: Player, plan: Plan) -> Game:
    """Keep a game that was planned, and seat its players. Raises RateLimited."""
    with write_transaction():
        if plan.only_computers:
            _check_computer_games(player)
        game = _game_of(plan, player)
        game.save(force_insert=True)
        for index, spec in enumerate(game.specs):
            who = plan.seating.get(spec.key, INVITE)
            _add_seat(game, spec, index, who, plan.levels[spec.key], player)
        add_moves(game, plan.moves)
        notify_changed(game)
    return game


def _game_of(plan: Plan, player: Player) -> Game:
    """Return the row of a game, not kept yet."""
    game = Game(
        kind=plan.rules.slug,
        rules_version=plan.rules.version,
        options=dict(plan.options),
        setup=dict(plan.setup),
        hints=plan.hints,
        only_computers=plan.only_computers,
        created_by=player,
        version=1 + len(plan.moves),
    )
    apply_position(game, plan.position, len(plan.moves), plan.computers)
    return game


def _check_computer_games(player: Player) -> None:
    shows = Game.objects.filter(
        created_by=player, only_computers=True, status=Game.Status.RUNNING
    ).count()
    if shows >= COMPUTER_GAMES_PER_PLAYER and settings.RATE_LIMITS:
        raise RateLimited(TOO_MANY_COMPUTER_GAMES)


def _read(rules: Rules, setup: Setup, transcript: str) -> tuple[list[tuple[str, str]], Position]:
    """Return the moves of a transcript, each with its seat, and the position that they lead to.
    Raises BadSetup."""
    position = rules.start(setup)
    if not transcript.strip():
        return [], position
    if rules.transcript is None:
        raise BadSetup("transcript", text("You can’t import moves for this game."))
    moves = []
    try:
        for move in rules.transcript.read(rules.start(setup), transcript):
            seat = min(position.to_move(), default="")
            position.play(seat, move)
            moves.append((seat, move))
    except MoveError as error:
        raise BadSetup("transcript", error.text) from error
    return moves, position


def _level(rules: Rules, spec: SeatSpec, who: str) -> int | None:
    """Return the computer's level at a seat, None for people. Raises BadSetup for an unknown
    choice.
    """
    if who in {ME, INVITE, LISTED}:
        return None
    match = _COMPUTER.fullmatch(who)
    if match is None or int(match[1]) > rules.levels:
        raise BadSetup(f"seat-{spec.key}", text("Choose a player from the list."))
    return int(match[1])


def _check_information_sets(specs: Sequence[SeatSpec], seating: SeatChoices) -> None:
    """Raise BadSetup for seats on one device with different information sets, as claiming seats by
    links does. A game with all seats on one device may have them.
    """
    seated = {spec.key: seating.get(spec.key, INVITE) for spec in specs}
    if not any(who in {INVITE, LISTED} for who in seated.values()):
        return
    here = [spec for spec in specs if seated[spec.key] == ME]
    for spec in here:
        if spec.information_set != here[0].information_set:
            raise BadSetup(f"seat-{spec.key}", TWO_INFORMATION_SETS)


def _add_seat(
    game: Game, spec: SeatSpec, index: int, who: str, level: int | None, player: Player
) -> None:
    seat = Seat.objects.create(
        game=game, key=spec.key, index=index, computer=level, listed=who == LISTED
    )
    if level is None and (who != ME or spec.shared):
        open_link(seat)
        seat.save()
    if who == ME:
        Holder.objects.create(seat=seat, player=player)


def rematch(*, game_id: str, player: Player) -> Game:
    """Start the next game of the same people, once however often it is asked for.

    Where all seats are alike everybody moves up one seat, so that another player begins; otherwise
    everybody stays. Raises Game.DoesNotExist, NotYourSeat or Refusal.
    """
    with write_transaction():
        snapshot = lock_snapshot(game_id)
        if not snapshot.seats_of(player.pk):
            raise NotYourSeat
        if snapshot.rematch:
            return Game.objects.get(pk=snapshot.rematch.id)
        if not snapshot.game.over:
            raise Refusal(text("This game isn’t over yet."))
        return _deal_again(snapshot, player)


def _deal_again(snapshot: GameSnapshot, player: Player) -> Game:
    game, specs = snapshot.game, snapshot.specs
    seats = list(game.seats.prefetch_related("players"))
    alike = not any(spec.secret or spec.shared for spec in specs)
    sitters = seats[1:] + seats[:1] if alike else seats
    seating = {
        seat.key: f"computer-{sitter.computer}" if sitter.computer else INVITE
        for seat, sitter in zip(seats, sitters, strict=True)
    }
    try:
        new = create_game(
            player=player,
            rules=snapshot.rules,
            options=game.options,
            seating=seating,
            hints=game.hints,
        )
    except BadSetup as error:
        # The rules have changed since.
        raise Refusal(text("A rematch isn’t possible: %(why)s", why=error.text)) from error
    new.rematch_of = game
    new.save(update_fields=["rematch_of"])
    for seat, sitter in zip(new.seats.all(), sitters, strict=True):
        _seat_again(seat, sitter, shared=snapshot.spec(seat.key).shared)
    save_version(snapshot)
    return new


def _seat_again(seat: Seat, sitter: Seat, *, shared: bool) -> None:
    """Put the people of an old seat on a new one; an empty seat stays as open as it was."""
    players = list(sitter.players.all())
    Holder.objects.bulk_create(Holder(seat=seat, player=player) for player in players)
    if players and not shared:
        seat.token_salt, seat.token_hash = "", None
    seat.listed = sitter.listed
    seat.save()
