"""The access table: the status of every address and method for each role.

A line of ``access.tsv`` has a method, the name of an address, and the status for a browser without
a player, a stranger, the opponent and the owner, in a running game at the owner's turn, and for a
stranger where the owner has closed the game to watchers.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path

import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse
from django.utils import timezone, translation

from games import pupils
from games.classes.recording import all_exercises
from games.core.registry import all_rules
from games.exchange.imports import begin_import
from games.models import Account, EmailAddress, Game
from games.notices.web_push import new_key
from games.people import bots, devices, emails, own_games
from games.puzzles import catalogue
from games.services import packs, seats
from games.storage.cache import clear_all
from tests.support.game_factory import make_game, make_game_with_open_seat, make_lobby, open_seat
from tests.support.game_requests import next_legal_move
from tests.support.packs import make_pack
from tests.support.players import new_person

TABLE = Path(__file__).with_name("access.tsv")
HAND_IN, RESULTS = ("hand_in", "hand_in_code"), ("results", "results_table")
ROLES = ("anonymous", "stranger", "opponent", "owner", "shut out")


def access_rows() -> list[tuple[str, ...]]:
    rows = [line.split("\t") for line in TABLE.read_text().splitlines()[1:]]
    return [tuple(row) for row in rows]


def address_names() -> set[str]:
    patterns = get_resolver("games.urls").url_patterns
    # The endpoints of the API know no cookies, so their tests have roles of their own.
    return {str(pattern.name) for pattern in patterns if isinstance(pattern, URLPattern)}


def test_the_access_table_lists_every_address_and_method():
    expected = {(method, name) for name in address_names() for method in ("GET", "POST")}
    assert {(row[0], row[1]) for row in access_rows()} == expected


class Scene:
    """A game of owner and opponent, a game with an open seat, and a client for each role."""

    def __init__(self) -> None:
        owner, opponent, stranger = new_person("Olive"), new_person("Otto"), new_person("Stan")
        self.game: Game = make_game(owner, opponent)
        self.clients = {
            "anonymous": Client(),
            "stranger": stranger.client,
            "opponent": opponent.client,
            "owner": owner.client,
            "shut out": stranger.client,
        }
        open_game = make_game_with_open_seat(owner)
        self.token = seats.invitation_token(open_seat(open_game))
        self.lobby_token = seats.lobby_token(make_lobby(owner))
        account = Account.objects.create(player=new_person("Nora").player, name="Nora", key="nora")
        self.email = EmailAddress.objects.create(
            account=account, address="nora@boards.example", pending="new@boards.example"
        )
        own_games.publish_player(player=opponent.player, public=True)
        self.public_id = opponent.player.public_id
        self.bot = bots.make_bot(owner=owner.player, name="Bo", about="", kinds=all_rules())
        kind = next(rules for rules in all_rules().values() if rules.pack)
        made = make_pack(owner, kind)
        self.pack = packs.share_pack(player=owner.player, pack_id=made.pk, shared=True)
        self.puzzle = catalogue.entries(catalogue.kinds_with_puzzles()[0])[0]
        self.game_import = begin_import(player=owner.player, files={"a.txt": b"games"})
        self.pupils = pupils.make_class(exercise=next(all_exercises())[1].slug)
        self.device_token = devices.device_token(devices.offer_device(player=owner.player))

    def address(self, name: str) -> str:
        slug = next(iter(all_rules()))
        parts = {
            "new": [slug],
            "quick_start": [slug],
            "rules": [slug],
            "rules_picture": [slug],
            "rules_sprite": [slug, "other"],
            "sprite": [self.game.id, "other"],
            "join": [self.token],
            "join_code": [self.token],
            "invite": [self.lobby_token],
            "invite_code": [self.lobby_token],
            "at_ply": [self.game.id, 0],
            "picture": [self.game.id, 0],
            "practise_mistake": [self.game.id, 1],
            "kept": [self.game.id, "other"],
            "kept_embed": [self.game.id, "other"],
            "hide_kept": [self.game.id, "other"],
            "remove_kept": [self.game.id, "other"],
            "publish": [],
            "player_page": [self.public_id],
            "device": [self.device_token],
            "device_code": [self.device_token],
            "packs": [],
            "new_pack": [next(rules.slug for rules in all_rules().values() if rules.pack)],
            "pack": [self.pack.pk],
            "delete_pack": [self.pack.pk],
            "share_pack": [self.pack.pk],
            "shared_pack": [packs.pack_token(self.pack)],
            "account": [],
            "create_account": [],
            "sign_in": [],
            "recover": [],
            "change_password": [],
            "recovery_codes": [],
            "offer_passkey": [],
            "add_passkey": [],
            "remove_passkey": [],
            "ask_passkey": [],
            "sign_in_by_passkey": [],
            "my_data": [],
            "set_hook": [],
            "notice_kinds": [],
            "ask": [],
            "answer_challenge": [],
            "test_notices": [],
            "set_email": [],
            "set_digests": [],
            "ask_recovery": [],
            "confirm_email": [emails.email_token(self.email, emails.CONFIRM)],
            "recover_by_email": [emails.email_token(self.email, emails.PASSWORD)],
            "unsubscribe": [emails.email_token(self.email, emails.DIGESTS)],
            "delete_account": [],
            "devices": [],
            "my_games": [],
            "report": [],
            "read_warning": [],
            "turns_again": [],
            "next_game": [],
            "finished_games": [],
            "offer_device": [],
            "sign_out_device": [],
            "push": [],
            "home": [],
            "seek": [],
            "settings": [],
            "classes": [],
            "classes_sources": [],
            "classes_wheel": [],
            "exercise": [next(exercise.slug for _rules, exercise in all_exercises())],
            "class_board": [next(exercise.slug for _rules, exercise in all_exercises())],
            "class_move": [next(exercise.slug for _rules, exercise in all_exercises())],
            "new_class": [],
            **{name: [pupils.token_of(self.pupils, "hand_in")] for name in HAND_IN},
            **{name: [pupils.token_of(self.pupils, "results")] for name in RESULTS},
            "puzzles": [],
            "puzzles_of": [self.puzzle.rules.slug],
            "day_word": [next(rules.slug for rules in all_rules().values() if rules.word_task)],
            "day_board": [next(rules.slug for rules in all_rules().values() if rules.day_board)],
            "puzzle_run": [self.puzzle.rules.slug],
            "course": [next(slug for slug in all_rules() if catalogue.course(slug))],
            "puzzle": [self.puzzle.id],
            "puzzle_picture": [self.puzzle.id],
            "puzzle_embed": [self.puzzle.id],
            "puzzle_feed": [],
            "today": [],
            "today_of": [timezone.localdate().isoformat()],
            "open_seats_feed": [],
            "open_seats_json": [],
            "puzzle_sheet": [],
            "export": [self.game.id, "txt"],
            "svg_picture": [self.game.id, 0],
            "animation": [self.game.id],
            "embed": [self.game.id],
            "oembed": [],
            "api_documentation": [],
            "access": [],
            "api_tokens": [],
            "bots": [],
            "new_bot": [],
            "bot": [self.bot.pk],
            "bring_in": [],
            "keep_all": [],
            "game_import": [self.game_import.pk],
            "own_games": [],
            "game_schema": [],
            "robots": [],
            "manifest": [],
            "service_worker": [],
            "share_picture": [],
            "set_language": [],
        }
        return reverse(name, args=parts.get(name, [self.game.id]))

    def form(self) -> dict[str, str]:
        seat, move = next_legal_move(self.game)
        return {
            "seat": seat,
            "move": move,
            "ply": "0",
            "agree": "no",
            "language": "en",
            "name": "Olive",
            "exercise": next(all_exercises())[1].slug,
        }

    def client(self, role: str) -> Client:
        """Return a browser that holds the cookies of a role, and keeps none for the next test."""
        client = Client()
        client.cookies = deepcopy(self.clients[role].cookies)
        return client


@pytest.fixture
def scene(db: None) -> Scene:
    return Scene()


@contextmanager
def rolled_back() -> Iterator[None]:
    """Roll back all changes of a request; nothing of them may stay in a cache."""
    clear_all()
    with transaction.atomic(), translation.override(settings.LANGUAGE_CODE):
        yield
        transaction.set_rollback(True)
    clear_all()


def status(scene: Scene, role: str, method: str, name: str) -> str:
    """Return the status of the answer to a role."""
    if role == "shut out":
        Game.objects.filter(pk=scene.game.pk).update(closed=True)
        clear_all()
    client, address = scene.client(role), scene.address(name)
    response = client.get(address) if method == "GET" else client.post(address, scene.form())
    return str(response.status_code)


@pytest.mark.services
@pytest.mark.django_db
@pytest.mark.parametrize("role", ROLES)
def test_the_site_follows_the_access_table(role, scene, monkeypatch):
    monkeypatch.setattr(settings, "PUSH_KEY", new_key())
    faults = []
    for method, name, *statuses in access_rows():
        expected = dict(zip(ROLES, statuses, strict=True))[role]
        with rolled_back():
            if (found := status(scene, role, method, name)) != expected:
                faults.append(f"{method} {name}: {found} instead of {expected}")
    assert faults == []
