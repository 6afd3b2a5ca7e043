"""The values of the API’s documents, from a snapshot and the holder of a token."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from random import Random
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

from django.utils.translation import get_language

from games.api.documents import (
    ClockDocument,
    ComputerDocument,
    GameState,
    KindDocument,
    ListedGameDocument,
    OpenGameDocument,
    OptionDocument,
    QuestionDocument,
    RematchDocument,
    SeatKindDocument,
)
from games.contract import Rules, SeatKey, Text
from games.core.refusals import Suspended
from games.core.registry import all_rules
from games.core.translation import translate
from games.models import ApiToken, Bot, Player
from games.people.bots import known_kinds
from games.presentation.documents import GameValues, build_document, plain, result_of
from games.presentation.visibility import (
    Perspective,
    Viewer,
    perspective,
    secret_seats,
    view_for,
    viewpoint,
)
from games.state import lists
from games.state.identity import is_bot
from games.state.lists import ListedGame
from games.state.questions import UNDO, pending_moves, pending_requests
from games.state.seat_rights import OPEN, OWN, absent_seats, away_people, seat_rights
from games.state.snapshot import GameSnapshot


def kinds() -> Iterator[KindDocument]:
    for rules in all_rules().values():
        yield KindDocument(
            kind=rules.slug,
            name=translate(rules.name),
            levels=len(rules.ladder),
            computers=[
                ComputerDocument(level=level, name=translate(known.name))
                for level, known in rules.ladder.items()
            ],
            undo=rules.undo,
            options=[*_options(rules)],
            seats=[
                SeatKindDocument(
                    key=spec.key,
                    name=translate(spec.name),
                    side=spec.side,
                    secret=spec.secret,
                    shared=spec.shared,
                )
                for spec in rules.seats(rules.clean({}))
            ],
        )


def _options(rules: Rules) -> Iterator[OptionDocument]:
    for option in rules.options:
        yield OptionDocument(
            name=option.name,
            label=translate(option.label),
            kind=option.kind,
            default=option.default if option.default is not None else False,
            low=option.low,
            high=option.high,
            step=option.step,
            choices=[value for value, _label in option.choices],
        )


def perspective_of(
    token: ApiToken, snapshot: GameSnapshot, asked: SeatKey | None = None
) -> Perspective:
    """Return the perspective of a token, from the seat ``asked`` if it holds that."""
    viewer = Viewer(player_id=token.player_id, asked=asked, language=get_language())
    return perspective(snapshot, viewer)


def state_of(
    token: ApiToken, snapshot: GameSnapshot, address: str, asked: SeatKey | None = None
) -> GameState:
    """Return a game as a token may see it, from the seat ``asked`` if it holds that."""
    game, seen_by = snapshot.game, perspective_of(token, snapshot, asked)
    document = build_document(game, snapshot.rules, snapshot.seating, snapshot.moves, address)
    standing = snapshot.standing
    seat = viewpoint(snapshot.specs, seen_by, standing.to_move) if game.begun else None
    hidden = {*secret_seats(snapshot.specs, seen_by.seats)} - {seat}
    mine = sorted((standing.to_move & seen_by.seats) - hidden) if game.begun else []
    questions = [*_questions(snapshot, seen_by)]
    rematch = snapshot.rematch
    document.your_seats = sorted(seen_by.seats)
    return GameState(
        **{name: getattr(document, name) for name in GameValues.model_fields},
        version=game.version,
        ply=game.ply,
        undone=game.undone,
        begun=game.begun,
        seat=seat,
        to_move=sorted(standing.to_move) if game.begun else [],
        legal_moves={key: standing.position.legal_moves(key) for key in mine},
        view=plain(view_for(standing.position, seat)) if game.begun else {},
        undo_asked_by=next((asked.asker for asked in questions if asked.kind == UNDO), None),
        questions=questions,
        free_seats=_free_seats(token, snapshot),
        clock=ClockDocument(**game.clock) if game.clock else None,
        rematch=rematch and RematchDocument(id=rematch.id, host=rematch.host, begun=rematch.begun),
        away=_away(snapshot),
        absent=absent_seats(snapshot),
        news=_news(snapshot),
        suspended=_suspended(token),
    )


def _questions(snapshot: GameSnapshot, seen_by: Perspective) -> Iterator[QuestionDocument]:
    """Yield the open questions of every kind; those for seats only to players."""
    for question in pending_moves(snapshot):
        yield QuestionDocument(
            kind=question.kind,
            asker=question.asker,
            waiting=[*question.waiting],
            agreed=[*question.agreed],
            seat=None,
        )
    for kind, request in pending_requests(snapshot).items() if seen_by.seats else ():
        yield QuestionDocument(
            kind=kind, asker=request.asker, waiting=[*request.waiting], agreed=[], seat=request.seat
        )


def view_schemas() -> dict[str, Any]:
    """Return a JSON schema of the views of each kind of game, under its name."""
    hints = {"last": list[str], "events": list[Text], "scores": dict[str, list[Any]]}
    common, schemas = {name: _schema_of(hint) for name, hint in hints.items()}, {}
    for rules in all_rules().values():
        first = rules.start(rules.deal(rules.clean({}), Random(0)))
        own = _schema_of(first.view_type())
        parts = {**common, **own.get("properties", {})}
        name = f"{rules.slug.title().replace('-', '')}View"
        schemas[name] = {**own, "type": "object", "properties": parts, "required": [*parts]}
    return schemas


def _schema_of(hint: Any) -> dict[str, Any]:
    """Return the schema of a type, of a value that `plain` has made JSON."""
    origin, inner = get_origin(hint), get_args(hint)
    if is_typeddict(hint):
        parts = {name: _schema_of(part) for name, part in get_type_hints(hint).items()}
        return {"type": "object", "properties": parts, "required": [*parts]}
    if origin is Literal:
        return {"enum": [*inner]}
    if origin in {Union, UnionType}:
        return {"anyOf": [_schema_of(part) for part in inner]}
    if origin is not None and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _schema_of(inner[1])}
    if origin is not None:
        return {"type": "array", "items": _schema_of(inner[0])}
    if isinstance(hint, type) and issubclass(hint, tuple):
        return {"type": "array", "items": {}}
    return {"type": _JSON_TYPES[hint]} if hint in _JSON_TYPES else {}


_JSON_TYPES = {str: "string", Text: "string", int: "integer", bool: "boolean", NoneType: "null"}


def _free_seats(token: ApiToken, snapshot: GameSnapshot) -> list[SeatKey]:
    """Return the seats that a player may take; of those open to everybody a bot only some."""
    offer = seat_rights(snapshot, token.player_id).offer
    if offer.way == OWN:
        return []
    if offer.way == OPEN and is_bot(token.player_id):
        for_bots = snapshot.game.seats.filter(for_bots=True).values_list("key", flat=True)
        return [key for key in offer.seats if key in for_bots]
    return [*offer.seats]


def _away(snapshot: GameSnapshot) -> list[SeatKey]:
    """Return the seats whose players are all away, from a game that others play too."""
    if snapshot.game.over or len(snapshot.seating.players()) < 2:
        return []
    away, places = away_people(snapshot), snapshot.seating.places.items()
    return [key for key, place in places if place.players and {*place.players} <= away]


def _news(snapshot: GameSnapshot) -> str | None:
    """Return the banner of a game, unless it is a player's message."""
    banner = snapshot.game.banner
    return translate(Text.from_json(banner)) if banner and "said" not in banner else None


def _suspended(token: ApiToken) -> str | None:
    player = token.player
    return translate(Suspended(player.suspended_for).text) if player.suspended else None


def open_games(player: Player, base: str, lister: str) -> Iterator[OpenGameDocument]:
    """Yield the games with seats that a player may take, at the site’s address ``base``."""
    bot = Bot.objects.filter(player=player).first()
    for offer in lists.open_games(player, bots=bot is not None, lister=lister):
        game = offer.game
        if bot is None or game.kind in known_kinds(bot):
            yield OpenGameDocument(
                id=game.id,
                kind=game.kind,
                address=base + game.get_absolute_url(),
                seats=[spec.key for spec in offer.seats],
                host=str(game.created_by or ""),
                time=translate(game.time.name) if game.time else "",
            )


def listed(token: ApiToken, games: Iterable[ListedGame], base: str) -> Iterator[ListedGameDocument]:
    """Yield games of the list of a player, at the site’s address ``base``."""
    for entry in games:
        game = entry.game
        yield ListedGameDocument(
            id=game.id,
            kind=game.kind,
            address=base + game.get_absolute_url(),
            your_seats=sorted(entry.seating.held_by(token.player_id)),
            to_move=game.to_move if game.begun else [],
            over=game.over,
            result=result_of(game),
        )
