"""The page where games are brought in: text or a file in, the games that were understood out.

Nothing is stored before the visitor has seen a game and chosen how to go on."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods

from games.contract import Rules, Text, text
from games.contract.transcript import LONGEST as LONGEST_TRANSCRIPT
from games.core.rate_limits import GAMES, IMPORTS_PER_ADDRESS
from games.core.refusals import Refusal
from games.core.registry import all_rules
from games.exchange.admission import ImportedGame, create_imported, opponents
from games.exchange.imports import (
    MOST_BYTES,
    CannotImport,
    begin_import,
    cancel_import,
    games_of,
    import_of,
)
from games.exchange.imports import MOST_GAMES as MOST_KEPT
from games.exchange.reading import LONGEST, MOST_GAMES, Unread, decode, read_games
from games.models import Game, GameImport, Player
from games.people.accounts import account_of
from games.presentation.move_list import display_move
from games.presentation.pictures import public_picture
from games.views.common import count_request, form_action, new_game_id, require_player, with_player
from games.web.client_address import client_address
from games.web.preferences import read_choices
from games.web.request import HttpRequest
from games.web.slot import in_slot

SHOWN = 20
"""Games of a text that are shown with a picture; the others could be read, too."""
SHORT = 3_000
"""Characters of a text that is read at once; longer ones are read in the slot."""
CHOICE = re.compile(r"([0-9]{1,3})-([a-z]+)")
CHANGED = text("The text has changed in the meantime. Look at the game again before you go on.")


@dataclass(frozen=True)
class Preview:
    """A game that was understood, as the page shows it."""

    number: int
    game: ImportedGame
    picture: SafeString
    moves: Sequence[str]
    opponents: Sequence[str]

    @property
    def names(self) -> str:
        """The players' names in the order of the seats."""
        names, seats = self.game.record.names, self.game.standing.position.seats
        return " – ".join(names.get(spec.key) or "…" for spec in seats) if names else ""


class Understood(NamedTuple):
    """The games of a text, and the first ones as the page shows them."""

    games: Sequence[ImportedGame] = ()
    previews: Sequence[Preview] = ()


NOTHING = Understood()


def _refuse_to_keep(request: HttpRequest, refused: Refusal) -> HttpResponse:
    return _page(request, request.POST.get("text", ""), refused=refused.text, status=refused.status)


@cache_control(no_store=True)
@require_http_methods(["GET", "HEAD", "POST"])
def bring_in(request: HttpRequest) -> HttpResponse:
    """Ask for text or a file (GET), show the games in it, or create the chosen one (POST)."""
    if request.method != "POST":
        return _page(request, "")
    written = request.POST.get("text", "")
    try:
        IMPORTS_PER_ADDRESS.hit(client_address(request))
        if file := request.FILES.get("file"):
            written = decode(file.read(4 * LONGEST))
        dear = len(written) > SHORT
        read = in_slot(request, understand, written) if dear else understand(written)
        if isinstance(read, Unread):
            raise read
        return _answer(request, written, read)
    except Unread as error:
        return _page(request, written, unread=error)
    except Refusal as refused:
        return _page(request, written, refused=refused.text, status=refused.status)


@form_action(_refuse_to_keep, limits=GAMES)
def keep_all(request: HttpRequest) -> str:
    """Have all games of a text, or of files, kept for the visitor's account."""
    player = request.get_player()
    if player is None or account_of(player) is None:
        raise CannotImport(text("Make an account or sign in first, under “Your games”."))
    chosen = {str(file.name): file.read() for file in request.FILES.getlist("file")}
    written = request.POST.get("text", "").encode()
    row = begin_import(player=player, files=chosen or {gettext("my-games") + ".txt": written})
    return reverse("game_import", args=[row.pk])


@cache_control(no_store=True)
@require_http_methods(["GET", "HEAD", "POST"])
def game_import(request: HttpRequest, import_id: str) -> HttpResponse:
    """Show how far the keeping of files is (GET), or cancel it (POST)."""
    try:
        player = require_player(request)
        if request.method == "POST":
            cancel_import(player=player, import_id=import_id)
            return redirect("game_import", import_id)
        row = import_of(player, import_id)
    except GameImport.DoesNotExist as error:
        raise Http404 from error
    games = [(game, _players(game)) for game in games_of(row)]
    faults = [{**fault, "text": Text.from_json(fault["text"])} for fault in row.faults]
    context = {"import": row, "games": games, "faults": faults}
    return render(request, "exchange/import.html", context)


def _players(game: Game) -> str:
    return " – ".join((game.imported or {}).get("names", {}).values())


def understand(written: str) -> Understood | Unread:
    """Return all games of a text, or why it cannot be read."""
    try:
        games = read_games(written)
    except Unread as error:
        return error
    return Understood(games, [_preview(n, game) for n, game in enumerate(games[:SHOWN])])


def _answer(request: HttpRequest, written: str, read: Understood) -> HttpResponse:
    """Create the chosen game, if it is one that the page has shown; or show all. Raises Refusal."""
    chosen, games = CHOICE.fullmatch(request.POST.get("create", "")), read.games
    if chosen is None or int(chosen[1]) >= len(games) or request.FILES.get("file"):
        return _page(request, written, read)
    game, opponent = games[int(chosen[1])], chosen[2]
    if request.POST.get("seen") != _digest(written) or opponent not in opponents(game):
        return _page(request, written, read, refused=CHANGED, status=409)
    level = read_choices(request, game.rules).level
    count_request(request, GAMES)

    def create(player: Player) -> Game:
        game_id = new_game_id(request, player)
        return create_imported(
            player=player, game=game, opponent=opponent, level=level, game_id=game_id
        )

    return redirect(with_player(request, create))


def _digest(written: str) -> str:
    """Return a digest of a text, whose line breaks a form may change."""
    return hashlib.sha256("\n".join(written.splitlines()).strip().encode("utf-8")).hexdigest()[:16]


def _page(
    request: HttpRequest,
    written: str,
    read: Understood = NOTHING,
    *,
    unread: Unread | None = None,
    refused: Text | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "written": written,
        "seen": _digest(written),
        "previews": read.previews,
        "count": len(read.games),
        "unread": unread,
        "refused": refused,
        "longest": LONGEST,
        "most_kept": MOST_KEPT,
        "most_mb": MOST_BYTES >> 20,
        "longest_transcript": LONGEST_TRANSCRIPT,
        "most_games": MOST_GAMES,
        "kinds": [(rules, _example(rules)) for rules in all_rules().values()],
    }
    status = 422 if unread else status
    return render(request, "exchange/bring_in.html", context, status=status)


def _preview(number: int, game: ImportedGame) -> Preview:
    moves = [display_move(move, game.rules) for _seat, move in game.record.moves]
    picture = public_picture(game.rules, game.standing)
    return Preview(number, game, picture, moves, opponents(game))


def _example(rules: Rules) -> dict[str, Any]:
    example = rules.transcript.example if rules.transcript else ""
    return {"transcript": example, "formats": [form.name for form in rules.formats]}
