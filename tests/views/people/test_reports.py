"""Words of players are reported from every page that shows them, and staff act upon the reports."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse

from games.core.rate_limits import REPORTS_PER_ADDRESS
from games.core.registry import all_rules
from games.models import Game, KeptVariation, Pack, Player, Report, SecurityEvent
from games.people import bots, forgetting, own_games
from games.services import packs, seats
from tests.support.emails import create_account
from tests.support.game_factory import make_game, make_game_with_open_seat, make_lobby, open_seat
from tests.support.game_requests import post_resign
from tests.support.packs import make_pack
from tests.support.players import Person, new_person
from tests.support.staff import log_in_staff

pytestmark = pytest.mark.django_db

INBOX = "/admin/games/report/"
RULES = next(rules for rules in all_rules().values() if rules.analysis)


@pytest.fixture
def game(owner: Person, opponent: Person) -> Game:
    game = make_game(owner, opponent, rules=RULES)
    post_resign(owner, game)
    return game


@pytest.fixture
def kept(game: Game, opponent: Person) -> KeptVariation:
    create_account(opponent, "Otto")
    return KeptVariation.objects.create(
        game=game, player=opponent.player, ply=0, line=_first_move(game), name="Rude words"
    )


@pytest.fixture
def staff(db: None) -> Client:
    names = ("view_report", "suspend_player", "view_game", "view_pack", "view_player")
    return log_in_staff(*names)


def _first_move(game: Game) -> str:
    return str(game.moves.values_list("text", flat=True).first() or "") or next(
        iter(game.rules.start(game.setup).legal_moves(game.specs[0].key))
    )


def report_link(client: Client, address: str) -> str:
    """Return the address to which the link of a page leads."""
    response = client.get(address)
    assert response.status_code == 200, address
    [link] = re.findall(r'href="(/report/[^"]*)">', response.text)
    return unescape(link)


def send(client: Client, of: str, **changes: str) -> int:
    sent = {"of": of, "reason": "abuse", "words": "  Look at   the name. ", **changes}
    return client.post("/report/", sent).status_code


def act(client: Client, name: str, reason: str = "", report: Report | None = None) -> str:
    row = report or Report.objects.get()
    sent = {"action": name, "_selected_action": row.pk, "post": "yes", "reason": reason}
    return client.post(INBOX, sent, follow=True).text


def shared_pack(person: Person) -> Pack:
    kind = next(rules for rules in all_rules().values() if rules.pack)
    made = make_pack(person, kind)
    return packs.share_pack(player=person.player, pack_id=made.pk, shared=True)


def public_page(player: Player) -> str:
    own_games.publish_player(player=player, public=True)
    player.refresh_from_db()
    return reverse("player_page", args=[player.public_id])


def test_every_page_with_words_of_others_leads_to_a_report_of_them(game, kept, owner, opponent):
    visitor, address = new_person("Vera").client, game.get_absolute_url()
    for name in ("game", "analysis", "take_away", "print"):
        assert report_link(visitor, reverse(name, args=[game.id])) == f"/report/?of={address}"
    assert report_link(visitor, reverse("at_ply", args=[game.id, 0])) == f"/report/?of={address}"
    variation = reverse("kept", args=[game.id, kept.pk])
    assert report_link(visitor, variation) == f"/report/?of={variation}"
    open_game, lobby = make_game_with_open_seat(owner), make_lobby(owner)
    token = seats.invitation_token(open_seat(open_game))
    of = f"/report/?of={open_game.get_absolute_url()}"
    assert report_link(visitor, reverse("join", args=[token])) == of
    of = f"/report/?of={lobby.get_absolute_url()}"
    assert report_link(visitor, reverse("invite", args=[seats.lobby_token(lobby)])) == of
    assert report_link(visitor, lobby.get_absolute_url()) == of
    pack = shared_pack(owner)
    assert report_link(visitor, reverse("shared_pack", args=[packs.pack_token(pack)])) == (
        f"/report/?of=/me/packs/{pack.pk}/"
    )
    page = public_page(opponent.player)
    assert report_link(visitor, page) == f"/report/?of={page}"
    # A list names no one thing: the form asks for the page.
    for name in ("home", "bots", "my_games", "finished_games"):
        assert report_link(visitor, reverse(name)) == "/report/"


@pytest.mark.parametrize("language", ["en", "nl"])
def test_a_report_is_sent_without_scripts_in_both_languages(game, stranger, language):
    stranger.client.post("/language/", {"language": language})
    page = stranger.client.get(f"/report/?of={game.get_absolute_url()}")
    assert f'lang="{language}"' in page.text
    assert ("Wat is er mis?" if language == "nl" else "What is wrong?") in page.text
    assert send(stranger.client, game.get_absolute_url()) == 200
    row = Report.objects.get()
    assert (row.address, row.reason) == (game.get_absolute_url(), "abuse")
    assert (row.text, row.reporter) == ("Look at the name.", stranger.player)


def test_a_report_of_a_game_names_the_only_other_player(game, owner, opponent, stranger):
    for person in (owner, stranger):
        send(person.client, game.get_absolute_url())
    by = dict(Report.objects.values_list("reporter", "about"))
    assert by == {owner.player.pk: opponent.player.pk, stranger.player.pk: None}


def test_an_equal_report_that_waits_is_counted_and_the_same_person_counts_once(game, stranger):
    for client in (stranger.client, stranger.client, Client(), new_person("Vic").client):
        assert send(client, game.get_absolute_url()) == 200
    assert Report.objects.get().times == 3
    Report.objects.update(act="close")
    send(stranger.client, game.get_absolute_url())
    assert Report.objects.count() == 2


@pytest.mark.parametrize(
    ("changes", "status"),
    [
        ({"reason": "else"}, 422),
        ({"words": "x" * 301}, 422),
        ({"of": "/rules/"}, 422),
        ({"of": ""}, 422),
        ({"of": "//["}, 422),
        ({"of": "/g/unknown/"}, 404),
        ({"of": "/players/unknown/"}, 404),
        ({"of": "/me/packs/6f9619ff-8b86-4011-b42d-00c04fc964ff/"}, 404),
    ],
)
def test_a_report_that_says_nothing_is_refused(game, stranger, changes, status):
    assert send(stranger.client, **{"of": game.get_absolute_url(), **changes}) == status
    assert not Report.objects.exists()


def test_a_private_game_is_reported_by_its_players_alone(game, owner, opponent, stranger):
    Game.objects.update(closed=True)
    statuses = [send(who.client, game.get_absolute_url()) for who in (owner, opponent, stranger)]
    assert statuses == [200, 200, 403]


def test_reports_are_limited_by_address(game, monkeypatch):
    monkeypatch.setattr(REPORTS_PER_ADDRESS, "limit", 1)
    assert [send(Client(), game.get_absolute_url()) for _ in range(2)] == [200, 429]


def test_staff_are_told_on_their_first_page_how_many_reports_wait(game, staff, stranger):
    send(stranger.client, game.get_absolute_url())
    assert "1 report waits" in staff.get("/admin/").text
    act(staff, "close")
    assert "0 reports wait" in staff.get("/admin/").text
    assert "wait" not in log_in_staff("view_game", name="other").get("/admin/").text


def test_the_reports_that_wait_come_first_with_a_link_to_the_page(game, kept, staff, stranger):
    address = reverse("kept", args=[game.id, kept.pk])
    send(stranger.client, game.get_absolute_url())
    act(staff, "close")
    send(stranger.client, address)
    page = staff.get(INBOX).text
    assert page.index(f'href="{address}"') < page.index(f"/admin/games/game/{game.pk}/change/")


def test_a_hidden_variation_is_shown_to_its_owner_alone(
    game, kept, staff, owner, opponent, stranger
):
    address = reverse("kept", args=[game.id, kept.pk])
    send(stranger.client, address)
    act(staff, "hide")
    seen = [who.client.get(address).status_code for who in (opponent, owner, stranger)]
    assert seen == [200, 422, 422]
    assert Client().get(f"{address}embed/").status_code == 404
    assert owner.client.post(f"{address}hide/", {"back": "1"}).status_code == 422
    act(staff, "close")
    assert owner.client.post(f"{address}hide/", {"back": "1"}).status_code == 302
    assert stranger.client.get(address).status_code == 200


def test_a_hidden_game_is_closed_to_watchers_and_its_host_cannot_open_it(
    game, staff, owner, stranger
):
    send(stranger.client, game.get_absolute_url())
    act(staff, "hide")
    assert owner.client.get(game.get_absolute_url()).status_code == 200
    assert stranger.client.get(game.get_absolute_url()).status_code == 403
    opened = owner.client.post(f"/g/{game.id}/watchers/", {"watchers": "open"})
    game.refresh_from_db()
    assert (opened.status_code, game.closed) == (422, True)


def test_a_hidden_lobby_leaves_the_list_of_open_seats(owner, staff, stranger):
    game = make_game_with_open_seat(owner)
    game.seats.filter(holders=None).update(listed=True)
    assert game.id in stranger.client.get("/").text
    send(stranger.client, game.get_absolute_url())
    act(staff, "hide")
    assert game.id not in stranger.client.get("/").text


def test_a_hidden_pack_loses_its_link_for_good(owner, staff, stranger):
    pack = shared_pack(owner)
    address = reverse("shared_pack", args=[packs.pack_token(pack)])
    send(stranger.client, f"/me/packs/{pack.pk}/")
    act(staff, "hide")
    assert Client().get(address).status_code == 410
    assert owner.client.post(f"/me/packs/{pack.pk}/share/").status_code == 422


def test_a_hidden_page_of_a_player_is_off_and_a_hidden_bot_is_not_listed(owner, staff, stranger):
    page = public_page(owner.player)
    create_account(owner, "Olive")
    bot = bots.make_bot(owner=owner.player, name="Rude", about="", kinds=all_rules())
    bot_page = reverse("player_page", args=[bot.player.public_id])
    assert bot_page in Client().get("/bots/").text
    for address in (page, bot_page):
        send(stranger.client, address)
        act(staff, "hide", report=Report.objects.get(address=address))
        assert Client().get(address).status_code == 404
    assert "Rude" not in Client().get("/bots/").text
    assert {row.about for row in Report.objects.all()} == {owner.player}
    assert owner.client.get(f"/me/bots/{bot.pk}/").status_code == 200


def test_a_warned_player_reads_the_reason_until_it_is_read(game, staff, owner, opponent):
    send(owner.client, game.get_absolute_url())
    act(staff, "warn", "Mind <your> words.")
    page = opponent.client.get("/me/").text
    assert "A warning by the staff of this site: Mind &lt;your&gt; words." in page
    assert "A warning" not in owner.client.get("/me/").text
    assert opponent.client.post("/me/warning/").status_code == 302
    assert "A warning" not in opponent.client.get("/me/").text
    assert opponent.client.post("/me/public/").status_code == 302


@pytest.mark.parametrize("name", ["warn", "suspend"])
def test_an_act_against_nobody_is_refused_with_a_sentence(game, staff, stranger, name):
    send(stranger.client, game.get_absolute_url())
    assert "The report names no player." in act(staff, name, "Why")
    assert Report.objects.get().act == ""
    assert not LogEntry.objects.exists()


def test_a_suspended_author_reads_why(game, staff, owner, opponent):
    send(owner.client, game.get_absolute_url())
    act(staff, "suspend", "Insults")
    assert "Reason: Insults" in opponent.client.get("/me/").text


@pytest.mark.parametrize(
    ("name", "noted"), [("hide", 1), ("warn", 1), ("suspend", 1), ("close", 0)]
)
def test_acts_of_staff_are_logged_and_the_author_sees_them(
    game, staff, owner, opponent, caplog, name, noted
):
    send(owner.client, game.get_absolute_url())
    caplog.set_level("INFO")
    act(staff, name, "Insults")
    assert LogEntry.objects.count() == 1
    assert any(line.startswith("security: staff, user") for line in caplog.messages)
    events = SecurityEvent.objects.filter(player=opponent.player, kind="staff")
    assert events.count() == noted
    row = Report.objects.get()
    assert row.act == name and row.handled is not None


def test_staff_without_the_permission_only_look(game, owner, opponent):
    send(owner.client, game.get_absolute_url())
    act(log_in_staff("view_report"), "suspend", "Insults")
    opponent.player.refresh_from_db()
    assert not opponent.player.suspended and Report.objects.get().act == ""


def test_nothing_of_a_deleted_player_is_left_in_reports(game, owner, opponent):
    send(owner.client, game.get_absolute_url(), words="Otto said it to me, Olive.")
    assert owner.download()["reports"][0]["text"] == "Otto said it to me, Olive."
    forgetting.forget_player(player=owner.player)
    row = Report.objects.get()
    assert (row.reporter, row.text, row.about) == (None, "", opponent.player)
    forgetting.forget_player(player=opponent.player)
    assert not Report.objects.exists()
