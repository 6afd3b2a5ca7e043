"""The clues of Codenames: their notation, and the words on the table that they must differ from."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.codenames.clues import Clue, fault_beside
from games.codenames.rules import RULES
from games.contract import BadNotation, IllegalMove
from games.models import Game, Move
from games.services.play import resign
from games.services.setup import NewGame, Plan, start_game
from games.state.replay import verify
from games.state.snapshot import Standing
from tests.games.codenames.test_rules import BLUE_SPY, RED, RED_SPY, free, refusal, setup
from tests.support.game_factory import make_game
from tests.support.kinds import seat_keys
from tests.support.players import Person


@pytest.mark.parametrize(
    ("clue", "reason"),
    [
        ("water", "for how many cards"),
        ("water fall 2", "one word, without spaces"),
        ("water  2", "one word, without spaces"),
        ("water fall", "0 to 9 or unlimited"),
        ("water 10", "0 to 9 or unlimited"),
        ("water -1", "0 to 9 or unlimited"),
        ("water ٣", "0 to 9 or unlimited"),
        ("water Unlimited", "0 to 9 or unlimited"),
        ("w" * 31 + " 2", "at most 30 letters"),
        ("w4ter 2", "can’t contain “4”"),
        ("<b>sea</b> 2", "can’t contain “<”"),
        ("wa\u202eter 2", r"can’t contain “U\+202E”"),
        ("wa\u200bter 2", r"can’t contain “U\+200B”"),
        ("wa\u200cter 2", r"can’t contain “U\+200C”"),
        ("wa\u200dter 2", r"can’t contain “U\+200D”"),
        ("wa\u3164ter 2", r"can’t contain “U\+3164”"),
        ("wa\x07ter 2", r"can’t contain “U\+0007”"),
        ("-water 2", "only allowed between letters"),
        ("water' 2", "only allowed between letters"),
    ],
    ids=ascii,
)
def test_an_invalid_clue_is_refused_with_the_reason(clue: str, reason: str) -> None:
    error = refusal(free(), RED_SPY, f"clue {clue}")
    assert isinstance(error, BadNotation)
    with pytest.raises(BadNotation, match=reason):
        raise error


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("ANCHOR", "“anchor” is one of the cards on the table"),
        ("café", "“café” is one of the cards on the table"),
        ("cafe\u0301", "“café” is one of the cards on the table"),
        ("cafe", "“café” is one of the cards on the table"),
        ("an-chor", "“anchor” is one of the cards on the table"),
        ("ＡＮＣＨＯＲ", "“anchor” is one of the cards on the table"),  # full-width letters
        ("ice", "“ice” is part of “ice cream”"),
        ("icecream", "“ice cream” is one of the cards on the table"),
        ("anchored", "“anchored” is a form of “anchor”, one of the cards on the table"),
        ("lifeboat", "“lifeboat” contains “boat”"),
    ],
)
def test_a_clue_differs_from_the_words_on_the_table(word: str, reason: str) -> None:
    error = refusal(free(), RED_SPY, f"clue {word} 2")
    assert isinstance(error, IllegalMove)
    assert reason in str(error)


@pytest.mark.parametrize("word", ["water", "Océan", "rock-'n'-roll", "вода", "水", "चाय", "l’eau"])
def test_one_word_of_any_script_is_a_clue(word: str) -> None:
    position = free().play(RED_SPY, f"clue {word} 2")
    assert position.view(None)["clue"] == {"word": word, "number": "2"}


def test_the_word_of_a_selected_card_is_a_legal_clue() -> None:
    assert free().play(RED, "a1").play(RED_SPY, "clue anchor 2").to_move() == {RED}


def test_any_word_is_a_legal_clue_beside_pictures() -> None:
    position = RULES.start(setup(pictures=True, cards=RULES.examples["start"].setup["cards"]))
    assert position.play(RED_SPY, "clue anchor 2").to_move() == {RED}


@given(st.lists(st.sampled_from("abcdefghijklmnopqrstuvwxyzé鼎"), min_size=20, max_size=20))
def test_there_is_a_legal_clue_beside_any_words(cards: list[str]) -> None:
    position = RULES.start(setup(cards=[*cards[:18], "hint", "word clue"]))
    for clue in position.legal_moves(RED_SPY):
        position.copy().play(RED_SPY, clue)


@pytest.mark.parametrize(
    ("language", "word", "card"),
    [
        ("en", "spring", "ring"),
        ("en", "walking", "king"),
        ("en", "hair", "chair"),
        ("en", "carpet", "car"),
        ("en", "corner", "corn"),
        ("en", "season", "sea"),
        ("nl", "kasteel", "kast"),
        ("nl", "haring", "haar"),
        ("nl", "tram", "trampoline"),
    ],
)
def test_a_clue_that_shares_only_letters_is_given(language: str, word: str, card: str) -> None:
    assert fault_beside(Clue(word, "1"), [card], language) is None


@pytest.mark.parametrize(
    ("language", "word", "card", "reason"),
    [
        ("en", "rings", "ring", "a form of"),
        ("en", "kings", "king", "a form of"),
        ("en", "running", "run", "a form of"),
        ("en", "mice", "mouse", "a form of"),
        ("en", "knives", "knife", "a form of"),
        ("en", "farmer", "farm", "a form of"),
        ("en", "actress", "actor", "a form of"),
        ("en", "armchair", "chair", "contains"),
        ("en", "boat", "lifeboat", "part of"),
        ("nl", "bomen", "boom", "a form of"),
        ("nl", "huizen", "huis", "a form of"),
        ("nl", "eieren", "ei", "a form of"),
        ("nl", "actrice", "acteur", "a form of"),
        ("nl", "boomhut", "boom", "contains"),
        ("nl", "machine", "naaimachine", "part of"),
        ("nl", "zonnebril", "zon", "contains"),
    ],
)
def test_a_form_or_a_compound_of_a_card_is_refused(
    language: str, word: str, card: str, reason: str
) -> None:
    assert reason in str(fault_beside(Clue(word, "1"), [card], language))


@pytest.mark.parametrize(
    ("language", "word", "card"),
    [("nl", "ijs", "ĳs"), ("de", "kaese", "Käse"), ("fr", "oeuf", "Œuf"), ("tr", "ırmak", "IRMAK")],
)
def test_a_clue_is_compared_in_the_spelling_of_its_language(
    language: str, word: str, card: str
) -> None:
    assert "one of the cards" in str(fault_beside(Clue(word, "1"), [card], language))


def test_a_game_of_the_first_version_still_refuses_shared_letters() -> None:
    cards = ["ring", *setup()["cards"][1:]]
    older = RULES.older[1].start
    assert older is not None
    error = refusal(older(setup(cards=cards)), RED_SPY, "clue spring 2")
    assert "“spring” contains “ring”" in str(error)
    assert RULES.start(setup(cards=cards)).play(RED_SPY, "clue spring 2").to_move() == {RED}


def test_a_stored_clue_is_not_judged_again() -> None:
    cards = ["kool", *setup()["cards"][1:]]
    given = setup(cards=cards, language="nl")
    assert "a form of" in str(refusal(RULES.start(given), RED_SPY, "clue kolen 2"))
    stored = RULES.start(given).replay(RED_SPY, "clue kolen 2")
    assert stored.view(None)["clue"]["word"] == "kolen"


def test_a_new_clue_after_a_stored_one_is_judged() -> None:
    cards = ["kool", *setup()["cards"][1:]]
    position = RULES.start(setup(cards=cards, language="nl", clues_required=False))
    position.replay(RED_SPY, "clue kolen 2").play(RED, "stop")
    assert "a form of" in str(refusal(position, BLUE_SPY, "clue kolen 2"))


@pytest.mark.django_db
def test_a_stored_game_with_a_clue_of_earlier_days_is_shown_and_sound(owner: Person) -> None:
    words = "\n".join(["kool", *setup()["cards"][1:]])
    own = {"cards": "own", "own_words": words, "rows": 4, "columns": 5, "language": "nl"}
    game = make_game(owner, rules=RULES, clues="typed", **own)
    (spymaster,) = game.to_move
    clue = "clue kolen 2"
    position = RULES.start(game.setup).replay(spymaster, clue)
    Move.objects.create(game=game, ply=1, seat=spymaster, text=clue)
    Game.objects.filter(pk=game.pk).update(ply=1, to_move=sorted(position.to_move()))
    assert "kolen" in owner.client.get(f"/g/{game.pk}/").text
    game.refresh_from_db()
    assert verify(game).fault is None


# --- games of earlier days, from their own export and from files of others ---

REFUSED = {1: ("ring", "clue spring 2", "en"), 2: ("kool", "clue kolen 2", "nl")}
"""By the version of the rules, a card and a clue that a game had beside it in earlier days."""


@pytest.fixture(params=REFUSED)
def game(owner: Person, request: pytest.FixtureRequest) -> Game:
    """Return a finished game with a clue that the rules of its version refuse today."""
    card, clue, language = REFUSED[request.param]
    dealt = setup(cards=[card, *setup()["cards"][1:]], language=language)
    start = RULES.older[1].start if request.param == 1 else RULES.start
    assert start
    position = start(dealt).replay(RED_SPY, clue)
    seating, chosen = (
        dict.fromkeys(seat_keys(RULES), "me"),
        {"rows": 4, "columns": 5, "language": language},
    )
    new = NewGame(rules=RULES, options=RULES.clean(chosen), seating=seating)
    plan = Plan(
        new=new,
        setup=dealt,
        levels=dict.fromkeys(seating),
        moves=[(RED_SPY, clue)],
        standing=Standing.of(position),
        version=request.param,
    )
    begun = start_game(player=owner.player, plan=plan)
    resign(game_id=begun.pk, seat=RED_SPY, player=owner.player, ply=1)
    return Game.objects.get(pk=begun.pk)


def exported(person: Person, game: Game, slug: str) -> str:
    response = person.client.get(f"/g/{game.pk}/export.{slug}")
    assert response.status_code == 200
    return str(response.text)


def bring_in(person: Person, written: str) -> Any:
    page = person.client.post("/import/", {"text": written})
    if page.status_code != 200:
        return page
    chosen = {"text": written, "create": "0-device", "seen": page.context["seen"]}
    return person.client.post("/import/", chosen)


@pytest.mark.django_db
@pytest.mark.parametrize("slug", ["json", "txt"])
def test_a_game_of_earlier_days_comes_back_from_its_own_export(owner, stranger, game, slug):
    written = exported(owner, game, slug)
    assert bring_in(stranger, written).status_code == 302
    again = Game.objects.exclude(pk=game.pk).get()
    assert (again.rules_version, again.setup) == (game.rules_version, game.setup)
    moves = [[*played.moves.values_list("seat", "text")] for played in (game, again)]
    assert moves[0] == moves[1]
    assert verify(again).fault is None
    assert stranger.client.get(again.get_absolute_url()).status_code == 200


@pytest.mark.django_db
def test_all_own_games_come_back_as_one_does(owner, game):
    lines = b"".join(owner.client.get("/me/games.jsonl").streaming_content).decode()
    assert bring_in(owner, lines).status_code == 302


@pytest.mark.django_db
@pytest.mark.parametrize("change", ["no seal", "a seal of another game", "another move"])
def test_a_file_that_this_site_has_not_written_is_judged(owner, game, change):
    document = json.loads(exported(owner, game, "json"))
    if change == "another move":
        document["moves"].insert(1, {"seat": "red-operatives", "move": "stop"})
    else:
        document["seal"] = "" if change == "no seal" else "0" * len(document["seal"])
    refused = bring_in(owner, json.dumps(document))
    assert refused.status_code == 422
    assert Game.objects.count() == 1


@pytest.mark.django_db
def test_a_game_by_rules_that_never_were_is_refused(owner, game):
    document = json.loads(exported(owner, game, "json")) | {"rules_version": 99}
    refused = bring_in(owner, json.dumps(document))
    assert refused.status_code == 422
    assert "rules of this game have changed" in refused.text
