"""Word packs: their words, their deals, their links, and their end with their player."""

from __future__ import annotations

from random import Random
from uuid import uuid4

import pytest

from games.codenames.rules import RULES
from games.contract import BadSetup, Deck, Rules, Text
from games.core.refusals import Refusal
from games.models import Game, Pack, Player
from games.people import forgetting
from games.people.merging import merge_players
from games.people.personal_data import player_data
from games.services import packs as packs_services
from games.services import rematch
from games.services.packs import (
    ANEW,
    MOST_PACKS,
    MOST_TEXTS,
    BadPack,
    copy_pack,
    delete_pack,
    edit_pack,
    pack_of_token,
    pack_token,
    packs_of,
    share_pack,
)
from games.services.seats import claim_seat, invitation_token
from tests.support.game_factory import make_game
from tests.support.game_requests import post_resign
from tests.support.kinds import seat_keys
from tests.support.packs import deal_from, dealt_words, make_pack, pack_options, words
from tests.support.players import Person

pytestmark = pytest.mark.django_db


@pytest.fixture
def rules() -> Rules:
    return RULES


# --- the words of a pack ---------------------------------------------------------------


def texts_of(rules: Rules, owner: Person, pasted: str) -> list[str]:
    return list(
        packs_services.make_pack(player=owner.player, rules=rules, name="P", pasted=pasted).texts
    )


def test_a_pack_has_each_word_once_from_lines_and_commas(rules: Rules, owner: Person) -> None:
    assert texts_of(rules, owner, "sun,moon\r\nSUN\r\n\r\n , ice cream ;\tsun") == [
        *("sun", "moon", "ice cream"),
    ]


@pytest.mark.parametrize(
    ("pasted", "sentence"),
    [
        ("", "at least one word"),
        (" \r\n,,; ", "at least one word"),
        ("sun, <b>moon</b>", "can’t contain “<”"),
        ("sun\u202emoon", "U\\+202E"),
        ("sun\x07", "U\\+0007"),
        ("sun 🌞", "can’t contain"),
        ("x" * 60_000, "too long"),
        ("!!", "can’t contain"),
    ],
)
def test_words_that_fit_on_no_card_are_refused_with_a_sentence(
    rules: Rules, owner: Person, pasted: str, sentence: str
) -> None:
    with pytest.raises(BadPack, match=sentence):
        texts_of(rules, owner, pasted)
    assert not Pack.objects.exists()


@pytest.mark.parametrize(
    "pasted",
    [
        "# fruit\napple\n  # and more\nice cream\n",
        "1\tapple\t12,345\n2\tice cream\t77\n",
        "apple\t0.5\r\nice cream\t3\r\n",
        '["apple", "ice cream"]\n',
        '\ufeff[\n "apple",\n "ice cream"\n]',
    ],
)
def test_words_are_read_from_lists_as_others_keep_them(
    rules: Rules, owner: Person, pasted: str
) -> None:
    assert texts_of(rules, owner, pasted) == ["apple", "ice cream"]


def test_a_list_of_5000_words_is_sent_by_the_form_and_comes_back_in_it(owner: Person) -> None:
    pasted = words(5_000)
    sent = {"name": "many", "words": pasted, "language": "en"}
    assert owner.client.post("/me/packs/new/codenames/", sent).status_code == 302
    pack = Pack.objects.get()
    assert owner.client.get(f"/me/packs/{pack.pk}/").context["pasted"] == "\n".join(pack.texts)
    assert len(pack.texts) == 5_000


def test_a_pack_has_a_limited_number_of_words(rules: Rules, owner: Person) -> None:
    assert len(texts_of(rules, owner, words(MOST_TEXTS))) == MOST_TEXTS
    with pytest.raises(BadPack, match=f"at most {MOST_TEXTS} words"):
        texts_of(rules, owner, words(MOST_TEXTS + 1))


@pytest.mark.parametrize("name", ["", " \t", "a\u202eb", "n" * 31])
def test_a_pack_needs_a_name_that_can_be_shown(rules: Rules, owner: Person, name: str) -> None:
    with pytest.raises(Refusal):
        packs_services.make_pack(player=owner.player, rules=rules, name=name, pasted="sun")


def test_a_player_has_a_limited_number_of_packs(rules: Rules, owner: Person) -> None:
    for _ in range(MOST_PACKS):
        pack = make_pack(owner, rules)
    with pytest.raises(BadPack, match="Delete one"):
        make_pack(owner, rules)
    delete_pack(player=owner.player, pack_id=pack.pk)
    assert make_pack(owner, rules)


def test_nobody_deletes_the_pack_of_another_player(
    rules: Rules, owner: Person, stranger: Person
) -> None:
    pack = make_pack(owner, rules)
    delete_pack(player=stranger.player, pack_id=pack.pk)
    assert Pack.objects.filter(pk=pack.pk).exists()


def test_a_pack_has_a_language_of_the_rules_or_none(rules: Rules, owner: Person) -> None:
    packs = [
        packs_services.make_pack(
            player=owner.player, rules=rules, name=language, pasted="sun", language=language
        )
        for language in ("nl", "xx")
    ]
    assert [pack.language for pack in packs] == ["nl", ""]


# --- deals -----------------------------------------------------------------------------


def test_no_word_comes_twice_until_too_few_are_left(rules: Rules, owner: Person) -> None:
    pack = make_pack(owner, rules, number=80)
    games = [deal_from(pack, owner) for _ in range(3)]
    dealt = [word for game in games for word in dealt_words(game)]
    assert len(set(dealt)) == len(dealt) == 75
    assert set(dealt) <= set(pack.texts)
    assert not any(game.banner for game in games)


def test_a_pack_that_is_used_up_begins_anew_after_its_last_words(
    rules: Rules, owner: Person
) -> None:
    pack = make_pack(owner, rules, number=30)
    first, second = deal_from(pack, owner), deal_from(pack, owner)
    assert set(dealt_words(first)) | set(dealt_words(second)) == set(pack.texts)
    assert Text.from_json(second.banner) == ANEW
    pack.refresh_from_db()
    assert set(pack.used) == set(dealt_words(second))


def test_the_used_words_of_a_deck_are_in_the_order_of_the_pack() -> None:
    deck = Deck([f"w{number}" for number in range(40)])
    drawn = deck.deal(20, Random(1))
    assert deck.used == [word for word in deck.texts if word in drawn] != drawn


def test_a_pack_of_too_few_words_is_refused_and_none_is_used(rules: Rules, owner: Person) -> None:
    pack = make_pack(owner, rules, number=10)
    with pytest.raises(BadSetup, match="Add 15 more"):
        deal_from(pack, owner)
    pack.refresh_from_db()
    assert pack.used == []
    assert not Game.objects.exists()


def test_a_game_keeps_its_words_when_its_pack_is_changed_or_deleted(
    rules: Rules, owner: Person
) -> None:
    pack = make_pack(owner, rules, number=30)
    game = deal_from(pack, owner)
    before = dealt_words(game)
    edit_pack(player=owner.player, pack_id=pack.pk, name="Other", pasted="sun")
    delete_pack(player=owner.player, pack_id=pack.pk)
    assert dealt_words(Game.objects.get(pk=game.pk)) == before
    assert owner.client.get(f"/g/{game.pk}/").status_code == 200


def test_words_that_stay_in_an_edited_pack_stay_played(rules: Rules, owner: Person) -> None:
    pack = make_pack(owner, rules, number=30)
    played = dealt_words(deal_from(pack, owner))
    pasted = "\n".join([*played[:3], "sun", "moon"])
    edited = edit_pack(player=owner.player, pack_id=pack.pk, name="P", pasted=pasted)
    assert set(edited.used) == set(played[:3])
    assert edited.left == 2


def test_nobody_plays_with_the_pack_of_another_player(
    rules: Rules, owner: Person, stranger: Person
) -> None:
    pack = make_pack(owner, rules)
    with pytest.raises(BadSetup, match="no longer exists"):
        deal_from(pack, stranger)
    for strange in (str(uuid4()), pack.name):
        with pytest.raises(BadSetup):
            make_game(stranger, rules=rules, **{**pack_options(pack), rules.pack.name: strange})
    pack.refresh_from_db()
    assert pack.used == []


def test_a_rematch_goes_on_with_the_words_that_are_left(
    rules: Rules, owner: Person, opponent: Person
) -> None:
    pack = make_pack(owner, rules, number=60)
    seats = seat_keys(rules)
    seating = {key: "me" if key == seats[1] else "invite" for key in seats}
    game = deal_from(pack, owner, seating=seating)
    join_everybody(game, opponent)
    post_resign(owner, game)
    new = rematch.rematch(game_id=game.pk, player=opponent.player)
    assert len({*dealt_words(game), *dealt_words(new)}) == 50


def join_everybody(game: Game, person: Person) -> None:
    """Seat a person on the seat of the other team that sees the same as the owner's."""
    seat = game.seats.get(key=seat_keys(game.rules)[3])
    claim_seat(token=invitation_token(seat), player=person.player)


def test_a_rematch_without_its_pack_is_refused_with_a_sentence(rules: Rules, owner: Person) -> None:
    pack = make_pack(owner, rules)
    game = deal_from(pack, owner)
    post_resign(owner, game)
    delete_pack(player=owner.player, pack_id=pack.pk)
    with pytest.raises(Refusal, match="no longer exists"):
        rematch.rematch(game_id=game.pk, player=owner.player)


# --- links and copies ------------------------------------------------------------------


def test_a_copy_has_the_words_and_counts_by_itself(
    rules: Rules, owner: Person, stranger: Person
) -> None:
    pack = make_pack(owner, rules, number=30)
    deal_from(pack, owner)
    copy = copy_pack(player=stranger.player, pack=pack)
    assert (copy.texts, copy.used, copy.player) == (pack.texts, [], stranger.player)
    deal_from(copy, stranger)
    assert copy_pack(player=stranger.player, pack=pack) == copy


def test_a_withdrawn_link_leads_nowhere_and_the_next_one_is_another(
    rules: Rules, owner: Person
) -> None:
    pack = make_pack(owner, rules)
    tokens = []
    for _ in range(2):
        shared = share_pack(player=owner.player, pack_id=pack.pk, shared=True)
        tokens.append(pack_token(shared))
        assert pack_of_token(tokens[-1]) == pack
        share_pack(player=owner.player, pack_id=pack.pk, shared=False)
        assert pack_of_token(tokens[-1]) is None
    assert len(set(tokens)) == 2


# --- the player of a pack --------------------------------------------------------------


def test_the_data_of_a_player_have_the_packs(rules: Rules, owner: Person) -> None:
    pack = make_pack(owner, rules, number=30)
    deal_from(pack, owner)
    [exported] = player_data(owner.player)["packs"]
    assert (exported["name"], exported["words"], exported["played"]) == (pack.name, pack.texts, 25)


def test_a_deleted_player_leaves_no_pack_but_the_games(rules: Rules, owner: Person) -> None:
    game = deal_from(make_pack(owner, rules), owner)
    forgetting.forget_player(player=owner.player)
    assert not Pack.objects.exists()
    assert Game.objects.filter(pk=game.pk).exists()


def test_a_merged_player_has_the_packs_of_both(
    rules: Rules, owner: Person, stranger: Person
) -> None:
    packs = {make_pack(owner, rules).pk, make_pack(stranger, rules).pk}
    merge_players(source=stranger.player, target=owner.player)
    target = Player.objects.get(pk=owner.player.pk)
    assert {pack.pk for pack in packs_of(target)} == packs
