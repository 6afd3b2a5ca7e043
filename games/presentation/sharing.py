"""The previews of links in messengers, as spectators see the pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape

from django.urls import reverse
from django.utils.translation import gettext, ngettext

from games.contract import Rules, Text
from games.core.seating import Occupancy
from games.core.translation import translate
from games.models import Game, Player
from games.presentation.explored import explored_address
from games.presentation.move_list import display_move
from games.presentation.sight import call_by_name, computer_name, ending, outcome, sight
from games.presentation.turn import turn_sentence
from games.presentation.visibility import Perspective, view_for
from games.state.snapshot import GameSnapshot
from games.state.variations import Variation

MOST_MOVES = 12
FRAME = (400, 540)
"""Width and height of a board on the page of another site, in CSS pixels."""


@dataclass(frozen=True, kw_only=True)
class Preview:
    """The preview of a page; ``picture`` and ``address``, by default its own, are paths."""

    title: str
    description: str
    picture: str
    alt: str
    address: str = ""


def game_preview(snapshot: GameSnapshot) -> Preview:
    game = snapshot.game
    return replace(ply_preview(snapshot, game.ply), address=game.get_absolute_url())


def ply_preview(snapshot: GameSnapshot, ply: int) -> Preview:
    """Return the preview of an earlier position: its players, and the event of its last move."""
    address = f"{snapshot.game.get_absolute_url()}{ply}/"
    description = " ".join(map(translate, _sentences(snapshot, ply)))
    return _position_preview(snapshot, ply, sharing_title(snapshot), description, address)


def analysis_preview(snapshot: GameSnapshot, variation: Variation) -> Preview:
    """Return the preview of an analysis, or of moves tried out in it; at ply -1 of the game."""
    title = f"{gettext('Analysis')} – {sharing_title(snapshot)}"
    address = reverse("analysis", args=[snapshot.game.id])
    if variation.ply < 0:
        return replace(game_preview(snapshot), title=title, address=address)
    if variation.made:
        shown = variation_preview(snapshot, variation)
    else:
        shown = ply_preview(snapshot, variation.ply)
    return replace(shown, title=title, address=address + explored_address(variation))


def variation_preview(
    snapshot: GameSnapshot, variation: Variation, name: str = "", sentence: str = ""
) -> Preview:
    picture = reverse("analysis_picture", args=[snapshot.game.id])
    return Preview(
        title=name or sharing_title(snapshot),
        description=sentence or _tried(snapshot, variation),
        picture=picture + explored_address(variation),
        alt=gettext("The board of %(game)s after moves tried out")
        % {"game": translate(snapshot.rules.name)},
    )


def rules_preview(rules: Rules) -> Preview:
    title = gettext("How to play %(game)s") % {"game": translate(rules.name)}
    return kind_preview(rules, title, translate(rules.tagline))


def kind_preview(
    rules: Rules, title: str, description: str, picture: str = "", address: str = ""
) -> Preview:
    """Return the preview of a page with a board of a kind of game, by default its picture."""
    return Preview(
        title=title,
        description=description,
        picture=picture or reverse("rules_picture", args=[rules.slug]),
        alt=gettext("The board of %(game)s") % {"game": translate(rules.name)},
        address=address,
    )


def player_preview(player: Player, games: Sequence[Game]) -> Preview:
    """Return the preview of a player's page, with the newest board that strangers may see."""
    name = player.name or gettext("Guest")
    description = gettext("Games of %(name)s, with their boards and results") % {"name": name}
    if not games:
        return Preview(title=name, description=description, picture="", alt="")
    newest = games[0]
    picture = reverse("picture", args=[newest.id, newest.ply])
    return kind_preview(newest.rules, name, description, picture)


def invitation_preview(snapshot: GameSnapshot, *, moves: bool = False) -> Preview:
    """Return the preview of an invitation, or of a link that ``moves`` a seat to another device."""
    game, names = snapshot.game, {"game": translate(snapshot.rules.name)}
    if moves:
        title = gettext("Continue %(game)s here") % names
    elif game.created_by and game.created_by.name:
        names["name"] = game.created_by.name
        title = gettext("%(name)s invites you to %(game)s") % names
    else:
        title = gettext("You’re invited to play %(game)s") % names
    return _position_preview(snapshot, game.ply, title, _invitation(game))


def _invitation(game: Game) -> str:
    if game.closed:
        return gettext("Open the link to take a seat. No account needed.")
    return gettext("Open the link to take a seat or to watch. No account needed.")


def _position_preview(
    snapshot: GameSnapshot, ply: int, title: str, description: str, address: str = ""
) -> Preview:
    """Return a preview with a position's board, or the kind's before and in a closed game."""
    game = snapshot.game
    preview = kind_preview(snapshot.rules, title, description, address=address)
    if not game.begun or game.closed:
        return preview
    alt = ngettext(
        "The board of %(game)s after %(n)s move", "The board of %(game)s after %(n)s moves", ply
    )
    names = {"game": translate(snapshot.rules.name), "n": ply}
    return replace(preview, picture=reverse("picture", args=[game.id, ply]), alt=alt % names)


def _sentences(snapshot: GameSnapshot, ply: int) -> list[Text]:
    """Return the sentences on a position for spectators: the result and its reason, or for the
    newest one the turn, and for an earlier one also its last move."""
    now = ply == snapshot.game.ply
    seen = sight(snapshot, Perspective(), None if now else ply)
    if result := seen.standing.result:
        verdict = call_by_name(outcome(snapshot.specs, (), result), seen.names)
        reason = call_by_name(result.reason, seen.names)
        timed = snapshot.game.time is not None
        return [*ending(verdict, replace(result, reason=reason), timed=timed)]
    if now:
        return [turn_sentence(seen)]
    events = view_for(seen.standing.position, None)["events"]
    return [*(call_by_name(sentence, seen.names) for sentence in events), turn_sentence(seen)]


def _tried(snapshot: GameSnapshot, variation: Variation) -> str:
    tried = [move.text for move in variation.moves[: variation.made]]
    moves = " ".join(display_move(move, snapshot.rules) for move in tried[:MOST_MOVES])
    if tried[MOST_MOVES:]:
        moves += " …"
    if not variation.ply:
        return gettext("Tried out from the start: %(moves)s") % {"moves": moves}
    return gettext("Tried out after move %(n)s: %(moves)s") % {"n": variation.ply, "moves": moves}


def sharing_title(snapshot: GameSnapshot) -> str:
    """Return the name of a game, and its sides if a player has a name: 'Chess: Anna – Ben'."""
    game = translate(snapshot.rules.name)
    sides: dict[str, list[str]] = {}
    for spec in snapshot.specs:
        names = _names(snapshot.seating.places[spec.key], snapshot.rules)
        listed = sides.setdefault(spec.side, [])
        listed += [name for name in names if name not in listed]
    known = any(
        name for place in snapshot.seating.places.values() for name in place.players.values()
    )
    if not known:
        return game
    return f"{game}: {' – '.join(', '.join(side) or '…' for side in sides.values())}"


def frame_code(
    snapshot: GameSnapshot, site: str, ply: int | None = None, size: tuple[int, int] = FRAME
) -> str:
    """Return the HTML with which a page of another site shows a board of this ``site``, which
    follows the game if no ply is given; '' for a closed game, which strangers may not see."""
    if snapshot.game.closed:
        return ""
    arguments = [snapshot.game.id] if ply is None else [snapshot.game.id, ply]
    address = site.rstrip("/") + reverse("embed", args=arguments)
    return frame_of(address, sharing_title(snapshot), size)


def frame_of(address: str, title: str, size: tuple[int, int] = FRAME) -> str:
    """Return the HTML of a frame with a page of this site."""
    # Plain text for readers to copy, which templates have to escape.
    return (
        f'<iframe src="{address}" title="{escape(title)}"'
        f' width="{size[0]}" height="{size[1]}" loading="lazy" frameborder="0"></iframe>'
    )


def seat_names(snapshot: GameSnapshot) -> list[tuple[Text, str]]:
    places, rules = snapshot.seating.places, snapshot.rules
    return [(spec.name, ", ".join(_names(places[spec.key], rules))) for spec in snapshot.specs]


def _names(place: Occupancy, rules: Rules) -> list[str]:
    if place.computer is not None:
        return [translate(computer_name(place.computer, rules))]
    return [name or gettext("Guest") for name in place.players.values()]
