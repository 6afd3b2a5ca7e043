"""The pages of word packs: making, changing, sharing, and playing with one."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from games.contract import Rules
from games.core.rate_limits import PACKS_PER_PLAYER
from games.core.registry import all_rules
from games.models import Game, Pack
from games.services import lobby
from games.services.packs import delete_pack, pack_token, share_pack
from tests.support.game_factory import make_lobby
from tests.support.kinds import seat_keys
from tests.support.packs import deal_from, dealt_words, make_pack, pack_options
from tests.support.players import Person
from tests.support.staff import log_in_staff

pytestmark = pytest.mark.django_db


@pytest.fixture
def rules() -> Rules:
    return next(rules for rules in all_rules().values() if rules.pack)


def share(owner: Person, pack: Pack) -> str:
    """Return the address of a pack's new link."""
    shared = share_pack(player=owner.player, pack_id=pack.pk, shared=True)
    return f"/pack/{pack_token(shared)}/"


def test_a_new_visitor_makes_a_pack(client: Client, rules: Rules) -> None:
    sent = {"name": "Holidays", "words": "sun\r\nsea, sand", "language": "nl"}
    page = client.post(f"/me/packs/new/{rules.slug}/", sent, follow=True).text
    assert "Holidays" in page
    assert "3 words" in page
    assert Pack.objects.get().language == "nl"


def test_a_refused_pack_shows_the_reason_and_the_typed_words(client: Client, rules: Rules) -> None:
    sent = {"name": "<b>Holidays</b>", "words": "sun\n<script>"}
    response = client.post(f"/me/packs/new/{rules.slug}/", sent)
    assert response.status_code == 422
    assert "can’t contain “&lt;”" in response.text
    assert "sun\n&lt;script&gt;</textarea>" in response.text
    assert 'value="&lt;b&gt;Holidays&lt;/b&gt;"' in response.text
    assert not Pack.objects.exists()


def test_a_paste_of_a_megabyte_is_refused_with_a_sentence(client: Client, rules: Rules) -> None:
    sent = {"name": "Holidays", "words": "sun\n" * 250_000}
    response = client.post(f"/me/packs/new/{rules.slug}/", sent)
    assert response.status_code == 413
    assert "more than this site accepts" in response.text


def test_a_kind_without_packs_has_no_page_for_them(client: Client) -> None:
    slug = next(slug for slug, rules in all_rules().items() if not rules.pack)
    assert client.get(f"/me/packs/new/{slug}/").status_code == 404


def test_a_pack_is_changed_and_deleted(owner: Person, rules: Rules) -> None:
    pack = make_pack(owner, rules)
    address = f"/me/packs/{pack.pk}/"
    page = owner.client.post(address, {"name": "Seaside", "words": "sun sea"}, follow=True).text
    assert "Seaside" in page
    assert "1 word " in re.sub(r"\s+", " ", page)
    page = owner.client.post(f"{address}delete/", follow=True).text
    assert "has been deleted" in page
    assert not Pack.objects.exists()


def test_a_link_shows_the_name_and_the_number_but_no_word(
    owner: Person, stranger: Person, rules: Rules
) -> None:
    page = stranger.client.get(share(owner, make_pack(owner, rules))).text
    assert "Holidays" in page
    assert "30 words" in re.sub(r"\s+", " ", page)
    assert "word 7" not in page
    assert "Keep a copy" in page
    assert not stranger.player.packs.exists()


def test_a_repeated_request_makes_one_copy(owner: Person, stranger: Person, rules: Rules) -> None:
    link = share(owner, make_pack(owner, rules))
    for _ in range(2):
        page = stranger.client.post(link, follow=True).text
    assert page.count("<strong>Holidays</strong>") == 1
    assert stranger.player.packs.count() == 1


def test_a_withdrawn_link_is_explained_in_a_sentence(owner: Person, rules: Rules) -> None:
    pack = make_pack(owner, rules)
    link = share(owner, pack)
    owner.client.post(f"/me/packs/{pack.pk}/share/", {"cancel": "1"})
    response = Client().get(link)
    assert response.status_code == 410
    assert "no longer valid" in response.text


def test_play_with_it_leads_to_the_set_up_with_the_copy_chosen(
    owner: Person, stranger: Person, rules: Rules
) -> None:
    link = share(owner, make_pack(owner, rules))
    page = stranger.client.post(link, {"play": "1"}, follow=True).text
    copy = stranger.player.packs.get()
    assert f'<option value="{copy.pk}" selected>Holidays (30 of 30 words left)' in page


def start(person: Person, rules: Rules, **sent: str) -> Game:
    seats = {f"seat-{key}": "me" for key in seat_keys(rules)}
    response = person.client.post(f"/new/{rules.slug}/", {**seats, **sent})
    assert response.status_code == 302
    return Game.objects.get(pk=response["Location"].split("/")[2])


def test_a_game_is_dealt_from_the_chosen_pack(owner: Person, rules: Rules) -> None:
    pack = make_pack(owner, rules)
    game = start(owner, rules, **pack_options(pack))
    assert dealt_words(game)
    pack.refresh_from_db()
    assert pack.left == 30 - len(dealt_words(game))


def test_the_pack_is_remembered_as_the_last_choice(owner: Person, rules: Rules) -> None:
    make_pack(owner, rules, name="Airports")
    pack = make_pack(owner, rules, name="Zoo")
    start(owner, rules, **pack_options(pack))
    assert f'value="{pack.pk}" selected' in owner.client.get(f"/new/{rules.slug}/").text
    owner.client.post(f"/new/{rules.slug}/start/", {"with": "device"})
    assert all(dealt_words(game) for game in Game.objects.all())


def test_a_remembered_pack_that_is_gone_keeps_nobody_from_a_quick_game(
    owner: Person, rules: Rules
) -> None:
    pack = make_pack(owner, rules)
    start(owner, rules, **pack_options(pack))
    delete_pack(player=owner.player, pack_id=pack.pk)
    response = owner.client.post(f"/new/{rules.slug}/start/", {"with": "device"})
    assert response.status_code == 302


def test_the_set_up_refuses_the_pack_of_another_player(
    owner: Person, stranger: Person, rules: Rules
) -> None:
    pack = make_pack(owner, rules)
    sent = {f"seat-{key}": "me" for key in seat_keys(rules)} | pack_options(pack)
    response = stranger.client.post(f"/new/{rules.slug}/", sent)
    assert response.status_code == 422
    assert "no longer exists" in response.text


def test_the_set_up_without_a_pack_leads_to_a_new_one(client: Client, rules: Rules) -> None:
    page = client.get(f"/new/{rules.slug}/").text
    assert f'href="/me/packs/new/{rules.slug}/"' in page
    sent = {f"seat-{key}": "me" for key in seat_keys(rules)}
    sent |= dict([rules.pack.only_with]) if rules.pack and rules.pack.only_with else {}
    assert "Choose a word pack" in client.post(f"/new/{rules.slug}/", sent).text


def test_the_page_of_the_game_says_that_a_pack_begins_anew(owner: Person, rules: Rules) -> None:
    pack = make_pack(owner, rules)
    first, second = (deal_from(pack, owner) for _ in range(2))
    sentence = "All words of this pack have been played"
    assert sentence not in owner.client.get(f"/g/{first.pk}/").text
    assert sentence in owner.client.get(f"/g/{second.pk}/").text


def test_the_lobby_says_that_a_pack_begins_anew_until_the_first_move(
    owner: Person, opponent: Person, rules: Rules
) -> None:
    options = pack_options(make_pack(owner, rules))
    make_lobby(owner, rules=rules, **options)
    game = make_lobby(owner, rules=rules, **options)
    address, sentence = f"/g/{game.pk}/", "All words of this pack have been played"

    def told(event: str = sentence) -> bool:
        page = owner.client.get(address, follow=True).text
        assert event in page
        return page.count(sentence) == 1

    assert told()
    free = seat_keys(rules)[1]
    lobby.sit_down(game_id=game.pk, seat_key=free, player=opponent.player)
    assert told("Otto joined")
    lobby.shuffle(game_id=game.pk, player=owner.player)
    assert told("The seats were shuffled.")
    lobby.stand_up(game_id=game.pk, player=opponent.player)
    assert told()
    lobby.begin(game_id=game.pk, player=owner.player)
    assert told("board")


def test_new_packs_are_rate_limited(
    owner: Person, rules: Rules, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(PACKS_PER_PLAYER, "limit", 2)
    sent = {"name": "P", "words": "sun"}
    address = f"/me/packs/new/{rules.slug}/"
    assert [owner.client.post(address, sent).status_code for _ in range(3)] == [302, 302, 429]


def test_staff_delete_a_pack(owner: Person, rules: Rules) -> None:
    pack = make_pack(owner, rules)
    client = log_in_staff("view_pack", "delete_pack")
    page = client.get(f"/admin/games/pack/{pack.pk}/change/").text
    assert "word 7" in page
    sent = {"action": "delete_packs", "_selected_action": str(pack.pk), "post": "1"}
    client.post("/admin/games/pack/", sent)
    assert not Pack.objects.exists()


def test_staff_without_the_permission_delete_no_pack(owner: Person, rules: Rules) -> None:
    pack, clerk = make_pack(owner, rules), log_in_staff("view_pack")
    sent = {"action": "delete_packs", "_selected_action": str(pack.pk), "post": "1"}
    clerk.post("/admin/games/pack/", sent)
    assert Pack.objects.exists()
