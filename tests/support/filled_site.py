"""A site as it is in use: rows in every table, of games running, finished and damaged, lobbies,
packs, accounts, open requests, and notices, e-mails and evaluations in flight.

It is filled by the site's pages, whose addresses stay, so this file runs in the folder of an
earlier commit too. Only the passing of time and damages are updates of rows.
"""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import datetime, timedelta
from io import StringIO
from random import Random
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from django.apps import apps
from django.contrib.auth.models import User
from django.core.management import call_command
from django.http import HttpResponse
from django.test import Client, override_settings
from django.utils import timezone

from games.contract import Rules
from games.core.registry import all_rules
from games.services.seats import invitation_token
from games.web.player_cookie import set_player_cookie
from tests.support.players import Person, new_person
from tests.support.staff import log_in_staff

PASSWORD = "four wise otters"
OPEN = {"undo": 3, "draw": 1, "away": 1}
"""The games of the first player with an open request, by its kind in the address of the answer. One
to which an opponent alone could agree is not open any more."""
OWN = ["", "finished/", "account/", "account/data/", "devices/", "tokens/", "packs/", "games.jsonl"]
LISTS = ["/", "/puzzles/", "/bots/", "/open-seats.json"]
PARTS = ["", "analysis/", "practise/", "export/", "print/", "embed/", "0/"]
REFUSALS = {"403", "404", "409", "422"}
"""Statuses of the sentences for strangers, and of pages of damaged games."""
HOOK = "https://hooks.example/turns"


def model(name: str) -> Any:
    return apps.get_model("games", name)


@override_settings(ALLOWED_HOSTS=["testserver"])
def fill_site() -> None:
    """Fill a migrated database."""
    olive, otto, stan, nora = (new_person(name) for name in ("Olive", "Otto", "Stan", "Nora"))
    for number, (person, address) in enumerate([(olive, "olive"), (otto, "otto")]):
        _sign_up(person, f"{address}@boards.example", confirmed=not number)
    for rules in all_rules().values():
        _games_of(rules, olive, otto, stan, nora)
    _programs(olive)
    _puzzles(olive)
    _ask_back_and_leave_lobbies(olive, otto, nora)
    _analyses(olive)
    _damage(olive)
    _in_flight(olive, otto)
    if not User.objects.exists():
        log_in_staff("view_game", "end_game").get("/admin/")


def _post(person: Person, address: str, **data: Any) -> Any:
    answer = person.client.post(address, data)
    assert answer.status_code < 400, (address, data, answer.status_code, answer.text[:2000])
    return answer


def _sign_up(person: Person, address: str, *, confirmed: bool) -> None:
    """Give a player an account, an address, devices, a web hook and a public page."""
    _post(person, "/me/account/create/", name=person.player.name, password=PASSWORD)
    _post(person, "/me/account/email/", email=address, password=PASSWORD)
    _post(person, "/me/public/")
    _post(person, "/me/devices/link/")
    model("WebHook").objects.create(player=person.player, url=HOOK, site="/", language="en")
    if confirmed:
        model("EmailAddress").objects.filter(account__player=person.player).update(
            address=address, key=address, pending=""
        )
    Client().post("/me/account/recover/email/", {"who": address})


def _new_game(rules: Rules, host: Person, others: str = "me", **form: str) -> Any:
    """Return a game of a host on the first seat, with ``others`` on the rest."""
    first, *rest = [spec.key for spec in rules.seats(rules.clean(form))]
    seats = {f"seat-{first}": "me"} | {f"seat-{key}": others for key in rest}
    answer = _post(host, f"/new/{rules.slug}/", **seats, **form)
    return model("Game").objects.get(pk=answer.url.split("/")[2])


def _shared_game(rules: Rules, host: Person, *guests: Person, **form: str) -> Any:
    """Return a game whose other seats guests have taken by their links, in turn."""
    game = _new_game(rules, host, "invite", **form)
    links = dict.fromkeys(re.findall(r"/join/[\w-]+/", host.client.get(_at(game)).text))
    for number, link in enumerate(links):
        _post(guests[number % len(guests)], link, name="")
    return game


def _at(game: Any, part: str = "") -> str:
    return f"/g/{game.pk}/{part}"


def _board(game: Any) -> dict[str, Any]:
    game.refresh_from_db()
    return {"ply": game.ply, "undone": game.undone}


def _position(game: Any) -> Any:
    position = all_rules()[game.kind].start(game.setup)
    for move in game.moves.all():
        position.play(move.seat, move.text)
    return position


def _play(game: Any, plies: int, *people: Person) -> None:
    """Play random moves, each of the person on the seat that is to move."""
    rng = Random(1)
    for _ in range(plies):
        position = _position(game)
        if not position.to_move():
            break
        seat = min(position.to_move())
        holder = model("Holder").objects.filter(seat__game=game, seat__key=seat).first()
        if holder is None:
            break
        person = next(each for each in people if each.player.pk == holder.player_id)
        move = rng.choice(sorted(position.legal_moves(seat)))
        # As typed, a move that reveals something needs no mark.
        _post(person, _at(game, "move/"), seat=seat, move=move, typed="", **_board(game))


def _games_of(rules: Rules, olive: Person, otto: Person, stan: Person, nora: Person) -> None:
    """Make games of a kind: alone, with each open request, over, open, left and in a lobby."""
    people = (olive, otto, stan, nora)
    alone = _new_game(rules, olive)
    _play(alone, 5, olive)
    names = {f"name-{seat.key}": f"Child {seat.index}" for seat in alone.seats.all()}
    _post(olive, _at(alone, "names/"), **names)
    over = _new_game(rules, olive)
    _play(over, 3, olive)
    _resign(over, olive)
    pair = _shared_game(rules, *people)
    _post(olive, _at(pair, "watchers/"), watchers="closed")
    _post(olive, _at(pair, "device/"), seat=_seat(pair, olive))
    _play(pair, 4, *people)
    # A seat with secrets may have to be silent.
    olive.client.post(_at(pair, "say/"), {"seat": _seat(pair, olive), "word": "hello"})
    if rules.undo:
        asked = _shared_game(rules, *people)
        _play(asked, 3, *people)
        _post(olive, _at(asked, "undo/"), **_board(asked))
    if rules.draws:
        offered = _shared_game(rules, *people)
        _play(offered, 3, *people)
        _post(olive, _at(offered, "draw/"), **_board(offered))
    _play(_shared_game(rules, *people, time="3d"), 2, *people)
    done = _shared_game(rules, *people)
    _play(done, 2, *people)
    _resign(done, olive)
    _post(olive, _at(done, "rematch/"))
    _new_game(rules, olive, "listed", bots="on", name="Olive")
    _lobby(rules, stan, otto)
    if rules.levels:
        _new_game(rules, olive, "computer-1", hints="on")
    if rules.pack:
        _pack(rules, olive)
    left = _shared_game(rules, *people)
    _play(left, 1, *people)
    _post(olive, _at(left, "give-up/"), free=_seat(left, olive))
    if any(spec.shared for spec in rules.seats(rules.clean({}))):
        marked = _shared_game(rules, *people)
        _play(marked, 1, *people)
        _mark(marked, *people)


def _seat(game: Any, person: Person) -> str:
    return str(min(game.seats.filter(players=person.player).values_list("key", flat=True)))


def _lobby(rules: Rules, host: Person, guest: Person) -> None:
    game = _new_game(rules, host, "invite", lobby="1")
    free = game.seats.filter(holders=None).last()
    _post(guest, host.client.get(_at(game)).url, seat=free.key, name=guest.player.name)


def _resign(game: Any, person: Person) -> None:
    if _board(game) and not game.over:
        _post(person, _at(game, "resign/"), seat=_seat(game, person), **_board(game))


def _mark(game: Any, *people: Person) -> None:
    position = _position(game)
    seat = min(position.to_move())
    for person in people:
        move = min(position.legal_moves(seat))
        person.client.post(_at(game, "mark/"), {"seat": seat, "mark": move, **_board(game)})


def _pack(rules: Rules, owner: Person) -> None:
    """Store a pack, share it, and deal a game from it."""
    words = "\n".join(f"word {index}" for index in range(30))
    _post(owner, f"/me/packs/new/{rules.slug}/", name="Sea", words=words, language="en")
    pack, option = model("Pack").objects.filter(player=owner.player).get(), rules.pack
    assert option is not None
    _post(owner, f"/me/packs/{pack.pk}/share/")
    chosen = dict([option.only_with] if option.only_with else [])
    _new_game(rules, owner, **chosen, **{option.name: str(pack.pk)})


def _programs(owner: Person) -> None:
    """Make tokens of a player, of a bot and, where there are any, of one seat."""
    _post(owner, "/me/tokens/", name="script")
    _post(owner, "/me/bots/new/", name="Robo", about="Tries", kinds=list(all_rules()))
    for holder in model("Holder").objects.filter(player=owner.player)[:2]:
        seat = {"name": "seat", "seat": holder.seat.key}
        owner.client.post(f"/g/{holder.seat.game_id}/tokens/", seat)


def _puzzles(person: Person) -> None:
    """Try two puzzles of each kind: one wrongly, one by its solution."""
    for slug, rules in all_rules().items():
        if rules.puzzles is None:
            continue
        addresses = re.findall(
            r'href="(/puzzles/[\w-]+/)"', person.client.get(f"/puzzles/{slug}/").text
        )
        first, second = [each for each in dict.fromkeys(addresses) if f"/{slug}-" in each][:2]
        _post(person, second, solution="1")
        page = person.client.get(first).text
        moves = re.findall(r'name="move" value="([^"]+)"', page)
        person.client.post(first, {"move": moves[0] if moves else "a1"})


def _ask_back_and_leave_lobbies(olive: Person, otto: Person, nora: Person) -> None:
    """Let everybody be away for some minutes. Then a newcomer asks for the seat of a guest, and a
    guest looks at lobbies whose host is not there."""
    games = [_shared_game(rules, olive, nora, nora, nora) for rules in _plain_rules()]
    past = _minutes_ago(5)
    model("Sighting").objects.update(seen=past)
    model("Holder").objects.update(joined=past)
    model("Game").objects.update(created=past)
    _ask_for_away(olive, otto, nora)
    olga = new_person("Olga")
    for game in games:
        # Since version 1.0 nobody may ask for it if an opponent alone could agree.
        olga.client.post(_at(game, "back/"), {"back": _seat(game, nora)})
    for lobby in model("Game").objects.filter(begun=False):
        otto.client.get(_at(lobby), follow=True)


def _ask_for_away(olive: Person, otto: Person, nora: Person) -> None:
    """Ask, in games of three, for the seat of the one who is away."""
    for rules in _plain_rules():
        if any(option.name == "players" for option in rules.options):
            game = _shared_game(rules, olive, otto, nora, players="3")
            model("Holder").objects.filter(seat__game=game).update(joined=_minutes_ago(5))
            model("Game").objects.filter(pk=game.pk).update(created=_minutes_ago(5))
            otto.client.get(_at(game))
            _post(olive, _at(game, "away/"), away=_seat(game, nora))


def _minutes_ago(number: int) -> datetime:
    return timezone.now() - timedelta(minutes=number)


def _plain_rules() -> list[Rules]:
    kinds = [(rules, rules.seats(rules.clean({}))) for rules in all_rules().values()]
    return [rules for rules, specs in kinds if not any(spec.secret for spec in specs)]


def _analyses(owner: Person) -> None:
    """Ask for the analyses of finished games: of one all is done, of others a part or nothing."""
    from games.worker import jobs

    over = model("Game").objects.filter(status="over", created_by=owner.player).order_by("created")
    running = model("Game").objects.filter(status="running", created_by=owner.player, hints=True)
    usual = {name: getattr(jobs, name) for name in dir(jobs) if name.startswith("SECONDS_A_")}
    for name in usual:
        setattr(jobs, name, 0.1)
    try:
        for number, game in enumerate(running):
            owner.client.post(_at(game, "hint/"))
            for _ in range(9 * (not number)):
                jobs.run_one_job()
        for number, game in enumerate(game for game in over if all_rules()[game.kind].analysis):
            _post(owner, _at(game, "analysis/"), ply=1)
            for _ in range((200, 3)[number] if number < 2 else 0):
                jobs.run_one_job()
        _keep_variation(over, owner)
        for _ in range(5):
            jobs.run_one_job()
    finally:
        for name, seconds in usual.items():
            setattr(jobs, name, seconds)
    waiting = model("Evaluation").objects.filter(done=False).first()
    if waiting:
        until = timezone.now() + timedelta(days=1)
        model("Evaluation").objects.filter(pk=waiting.pk).update(leased_until=until)


def _keep_variation(games: Any, owner: Person) -> None:
    """Try a move out in an analysis, and keep it under a name."""
    for game in games:
        if not all_rules()[game.kind].analysis:
            continue
        start = all_rules()[game.kind].start(game.setup)
        move = max(start.legal_moves(min(start.to_move())))
        found = owner.client.get(_at(game, "analysis/"), {"ply": 0, "move": move})
        tried = dict(parse_qsl(urlsplit(found.url).query))
        _post(owner, _at(game, "analysis/position/"), **tried)
        _post(owner, _at(game, "variations/"), **tried, name="Better", sentence="Or so.")


def _damage(owner: Person) -> None:
    """Damage a move, a result and a setup by hand, and mark the games that do not replay."""
    games = [_new_game(rules, owner) for rules in all_rules().values()]
    for game in games:
        _play(game, 3, owner)
    model("Move").objects.filter(game=games[0], ply=2).update(text="nonsense")
    model("Game").objects.filter(pk=games[1].pk).update(to_move=["nobody"])
    model("Game").objects.filter(pk=games[2].pk).update(setup={"nothing": 1})
    model("Move").objects.filter(game=games[3], ply=3).delete()
    with suppress(SystemExit, Exception):
        call_command("verify_games", "--mark", stdout=StringIO(), stderr=StringIO())


def _in_flight(olive: Person, otto: Person) -> None:
    """Claim some notices and turns as a worker does that then dies, and leave others waiting."""
    past = _minutes_ago(15)
    hook = {"channel": "hook", "to": olive.player.web_hook.pk, "kind": "turn"}
    names = "Outgoing", "Outgoing"
    if not hasattr(model("Player"), "outgoing"):
        names, hook = ("PendingNotice", "TurnNotice"), {}
    letters, turns = (model(name).objects.order_by("pk") for name in names)
    claimed = list(letters.filter(player__isnull=False).values_list("pk", flat=True)[::2])
    letters.filter(pk__in=claimed).update(claimed=past)
    for game in model("Game").objects.filter(status="running", begun=True)[:4]:
        times = {"created": past, "due": past, "claimed": past} if hook else {"claimed": past}
        turns.get_or_create(game=game, player=olive.player, **hook, defaults=times)
    games = model("Game").objects.filter(computer_to_move=True)
    games.update(leased_by="host 7", leased_until=timezone.now())
    _post(olive, "/me/devices/test/")
    hidden = model("Holder").objects.filter(player=olive.player, ended__isnull=False).first()
    _post(olive, f"/me/remove/{hidden.seat.game_id}/")
    model("EmailAddress").objects.filter(account__player=olive.player).update(
        **{"rests_until" if hook else "next_digest": timezone.now()}
    )
    model("PuzzleAttempt").objects.filter(revealed=False).update(solved=past, day=past.date())
    model("Player").objects.filter(name="Olga").update(suspended=True, suspended_for="Rude names")


@override_settings(ALLOWED_HOSTS=["testserver"])
def find_faults() -> list[str]:
    """Return a line for each open request that its page does not show, each page of a player that
    does not open, each person who cannot sign in, and each invitation that leads nowhere."""
    call_command("compilemessages", verbosity=0)
    # The others come later, since for the first player they are still away.
    olive, *others = sorted(model("Player").objects.all(), key=lambda each: each.name != "Olive")
    games = list(model("Game").objects.all())
    faults = []
    for kind, number in OPEN.items():
        shown = [game for game in games if _answer(game, kind) in _get(olive, _at(game))]
        if len(shown) != number:
            faults.append(f"{len(shown)} instead of {number} games show the request {kind}")
    own = [*LISTS, *(f"/me/{part}" for part in OWN)]
    visits = [(olive, _at(game, part)) for game in games for part in PARTS]
    visits += [(player, address) for player in (olive, *others) for address in own]
    visits += [(player, _at(game)) for player in others for game in games]
    for player, address in visits:
        if (answer := _get(player, address)).isdecimal() and answer not in REFUSALS:
            faults.append(f"{player.name} gets {answer} at {address}")
    for name in ("Olive", "Otto"):
        sent = {"name": name, "password": PASSWORD}
        if Client().post("/me/account/sign-in/", sent).status_code != 302:
            faults.append(f"{name} cannot sign in")
    seats = model("Seat").objects.exclude(token_salt="").filter(game__status="running")
    return faults + [
        f"The link of {seat.key} in {seat.game_id} leads nowhere"
        for seat in seats
        if Client().get(f"/join/{invitation_token(seat)}/").status_code != 200
    ]


def _answer(game: Any, kind: str) -> str:
    return f'action="{_at(game, f"{kind}/answer/")}'


def _get(player: Any, address: str) -> str:
    """Return a page as a player sees it, or else the status of the answer."""
    client = Client(raise_request_exception=False)
    client.cookies = set_player_cookie(HttpResponse(), player).cookies
    answer = client.get(address, follow=True)
    if answer.status_code != 200:
        return str(answer.status_code)
    return b"".join(answer).decode() if answer.streaming else answer.text
