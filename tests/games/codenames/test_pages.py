"""The pages of Codenames as HTML: cards, key, clues and permissions."""

from __future__ import annotations

import gzip
import re
from typing import Any

import pytest
from django.test import Client
from django.utils import translation
from django.utils.html import escape

from games.codenames.rules import RULES
from games.contract import text
from games.models import Game, Move, Player
from games.presentation.move_list import display_move
from games.services.marks import mark_move
from games.services.play import play_move
from games.services.setup import NewGame, create_game
from tests.support.html import only, select, text_of
from tests.support.players import Person

pytestmark = pytest.mark.django_db

RED, BLUE = "red-operatives", "blue-operatives"
RED_SPY, BLUE_SPY = "red-spymaster", "blue-spymaster"
SEATS = (RED_SPY, RED, BLUE_SPY, BLUE)
KEY = "RRBBBRBRRBB-XR-B-RR-"
WORDS = [
    *("anchor", "bicycle", "castle", "cactus", "guitar"),
    *("rocket", "crown", "boat", "lemon", "snail"),
    *("key", "umbrella", "piano", "owl", "volcano"),
    *("bridge", "scissors", "clock", "bread", "candle"),
]
HTMX = {"HX-Request": "true"}


def start(people: dict[str, Person], **options: Any) -> Game:
    """Return a game of twenty cards with these people, with own words in the order above."""
    game = create_game(
        player=people[RED_SPY].player,
        new=NewGame(
            rules=RULES,
            options={"rows": 4, "columns": 5, "own_key": KEY, "cards": "own"}
            | {"own_words": ",".join(WORDS), "clues": "typed", **options},
            seating=dict.fromkeys(SEATS, "invite"),
        ),
    )
    if game.options["cards"] == "own":
        game.setup["cards"] = WORDS
        game.save()
    for seat, person in people.items():
        game.seats.get(key=seat).holders.create(player=person.player)
    return game


def play(people: dict[str, Person], game: Game, *moves: tuple[str, str]) -> None:
    for seat, move in moves:
        game.refresh_from_db()
        player = people[seat].player
        play_move(game_id=game.id, seat=seat, text=move, ply=game.ply, player=player)
    game.refresh_from_db()


def page(person: Person | Client, game: Game, query: str = "", language: str = "en") -> str:
    client = person.client if isinstance(person, Person) else person
    address = game.get_absolute_url() + query
    return client.get(address, headers={"Accept-Language": language}).text  # type: ignore[no-any-return]


def cards(html: str) -> dict[str, set[str]]:
    """Return the classes of the card on each cell, by the cell's name."""
    found = re.findall(r'data-cell="(\w+)".*?<span class="([^"]*)"', html)
    return {name: set(classes.split()) for name, classes in found}


def test_a_whole_clue_in_the_address_leaves_the_spymaster_a_page(people):
    game = start(people)
    shown = page(people[RED_SPY], game, f"?seat={RED_SPY}&chosen=clue+hint+3")
    assert "Give your team a clue" in shown
    assert 'id="b-confirm"' not in shown


def post(person: Person, game: Game, seat: str, *steps: str, htmx: bool = True, **more: Any) -> Any:
    sent = {"seat": seat, "move": list(steps), "ply": game.ply, **more}
    headers = HTMX if htmx else {}
    return person.client.post(f"{game.get_absolute_url()}move/", sent, headers=headers)


# --- the cards ----------------------------------------------------------------------------


def test_operatives_and_spectators_see_no_square_before_it_is_found(people):
    game = start(people)
    for person in (people[RED], people[BLUE], Client()):
        assert not any(classes & set("RBNX") for classes in cards(page(person, game)).values())


def test_a_spymaster_sees_every_square_as_a_letter(people):
    shown = cards(page(people[BLUE_SPY], start(people)))
    letters = ["".join(classes & set("RBNX")) for classes in shown.values()]
    assert "".join(letters).replace("N", "-") == KEY
    assert all("key" in classes and "out" not in classes for classes in shown.values())


def test_a_selected_card_is_covered_for_everybody(people):
    game = start(people)
    play(people, game, (RED_SPY, "clue sea 2"), (RED, "a1"), (RED, "b3"))
    for person in (*people.values(), Client()):
        shown = cards(page(person, game))
        assert {"out", "R"} <= shown["a1"]
        assert {"out", "N"} <= shown["b3"]


def test_the_last_card_is_marked_and_named_as_the_last_move(people):
    game = start(people)
    play(people, game, (RED_SPY, "clue sea 2"), (RED, "a1"))
    html = page(people[BLUE], game)
    assert html.count('class="cell last"') == 1
    assert "a1, anchor: a red spy, last move" in html


def test_everybody_sees_the_key_at_the_end(people):
    game = start(people)
    play(people, game, (RED_SPY, "clue sea 2"), (RED, "c3"))
    shown = cards(page(Client(), game))
    assert {"out", "X"} <= shown["c3"]
    assert sum("key" in classes for classes in shown.values()) == 19


def test_each_clue_is_told_at_the_end_with_the_cards_meant_and_found(people):
    game = start(people)
    play(people, game, (RED_SPY, "clue sea 2"), (RED, "a1"), (RED, "stop"))
    note = text("%(told)s Better.", told=text("Meant: %(cards)s.", cards="boat")).to_json()
    Move.objects.filter(text="clue sea 2").update(note=note)
    play(people, game, (BLUE_SPY, "clue sour 1"))
    assert not select(page(Client(), game), "table", class_="recap")
    play(people, game, (BLUE, "c3"))
    [_head, *rows] = select(only(page(Client(), game), "table", class_="recap"), "tr")
    cells = [[text_of(cell) for cell in select(row, "td")] for row in rows]
    assert cells == [
        ["sea 2", "Red \u2068Red-Spymaster\u2069", "boat", "anchor"],
        ["sour 1", "Blue \u2068Blue-Spymaster\u2069", "–", "piano"],
    ]


def test_a_name_is_escaped_in_the_table_of_turns(people):
    Player.objects.filter(pk=people[RED_SPY].player.pk).update(name="<b>Eve</b>")
    game = start(people)
    play(people, game, (RED_SPY, "clue sea 2"), (RED, "c3"))
    html = page(Client(), game)
    assert "<bdi>&lt;b&gt;Eve&lt;/b&gt;</bdi>" in html
    assert "<b>Eve" not in html


def test_a_card_is_escaped_in_the_list_of_moves(people):
    game = start(people)
    game.setup["cards"] = ["R&B", *WORDS[1:]]
    game.save()
    play(people, game, (RED_SPY, "clue sea 2"), (RED, "a1"))
    assert ">R&amp;B</a>" in page(Client(), game)


def test_spoken_clues_leave_the_cards_of_each_turn_to_the_table(people):
    game = start(people, clues="spoken")
    play(people, game, (RED, "a1"), (RED, "c3"))
    [_head, row] = select(only(page(Client(), game), "table", class_="recap"), "tr")
    cells = [text_of(cell) for cell in select(row, "td")]
    assert [cells[0], *cells[2:]] == ["–", "–", "anchor piano"]


def test_the_content_of_a_card_is_in_the_name_of_its_button(people):
    game = start(people)
    play(people, game, (RED_SPY, "clue sea 2"))
    label = "c3, piano, unknown; Reveal"
    assert select(page(people[RED], game), "button", data_step="Reveal “piano”", aria_label=label)
    assert 'aria-label="c3, piano: the assassin, not revealed"' in page(people[RED_SPY], game)


def test_words_declare_their_language_to_screen_readers(people):
    game = start(people, cards="words", language="nl")
    assert page(people[RED], game).count('<span class="card" lang="nl"><b') == 20


def test_pictures_come_from_one_file_and_are_named_on_their_buttons(people):
    game = start(people, cards="pictures")
    html = page(people[RED], game)
    drawings = re.findall(r'<use href="([^"#]+)#([a-z-]+)"/>', html)
    assert [name for _file, name in drawings] == game.setup["cards"]
    (address,) = {file for file, _name in drawings}
    answer = people[RED].client.get(address)
    assert answer["Content-Type"] == "image/svg+xml"
    assert "immutable" in answer["Cache-Control"]
    assert set(re.findall('<symbol id="([a-z-]+)"', answer.text)) == set(game.setup["cards"])
    assert len(re.findall(r'aria-label="[a-e][1-4], [a-zA-Z ]+, unknown', html)) == 20


def test_the_file_of_the_pictures_has_no_other_address(people):
    words, drawn = start(people), start(people, cards="pictures")
    (address,) = set(re.findall(r'<use href="([^"#]+)#', page(people[RED], drawn)))
    for wrong in (address.replace(drawn.id, words.id), address.replace(".svg", "0.svg")):
        assert people[RED].client.get(wrong).status_code == 404


# --- clues --------------------------------------------------------------------------------


def test_only_the_spymaster_to_move_can_give_a_clue(people):
    game = start(people)
    for seat in SEATS:
        assert ('id="clue-word"' in page(people[seat], game)) == (seat == RED_SPY)
    play(people, game, (RED_SPY, "clue sea 2"))
    for seat in SEATS:
        assert 'id="clue-word"' not in page(people[seat], game)


def test_a_clue_is_sent_in_parts(people):
    game = start(people)
    html = page(people[RED_SPY], game)
    assert select(html, "input", name="move", value="clue", form="more")
    assert len(select(html, "input", name="move", form="more")) >= 12
    assert post(people[RED_SPY], game, RED_SPY, "clue", "ocean", "3").status_code == 200
    assert game.moves.get().text == "clue ocean 3"


def test_a_typed_clue_is_kept_in_the_spelling_of_its_game(people):
    game = start(people)
    sent = {"seat": RED_SPY, "move": "Clue Zzz 2", "ply": 0, "typed": "1"}
    people[RED_SPY].client.post(f"{game.get_absolute_url()}move/", sent, headers=HTMX)
    assert [move.text for move in game.moves.all()] == ["clue Zzz 2"]


def test_the_clue_and_the_guesses_left_are_beside_the_board(people):
    game = start(people)
    assert "Waiting for the clue" in page(people[RED], game)
    assert "Waiting for the clue" in page(people[BLUE_SPY], game)
    assert "Waiting for the clue" not in page(people[RED_SPY], game)
    play(people, game, (RED_SPY, "clue ocean 2"), (RED, "a1"))
    html = page(people[RED], game)
    assert '<b class="said" lang="en">ocean</b>' in html
    assert "2 guesses left" in html
    assert ">7</b> spies left" in html


def test_an_unlimited_clue_says_so_in_words_too(people):
    game = start(people)
    play(people, game, (RED_SPY, "clue ocean unlimited"))
    html = page(people[RED], game)
    assert "∞" in html
    assert ">unlimited<" in html
    assert "Unlimited guesses" in html


def test_the_turns_are_listed_with_their_clues_and_cards(people):
    game = start(people)
    play(
        people, game, (RED_SPY, "clue ocean 2"), (RED, "a1"), (RED, "b3"), (BLUE_SPY, "clue sky 1")
    )
    listed = page(Client(), game).split('<div class="move-list">')[1].split("</table>")[0]
    red, blue = listed.split("<tbody>")[1].split("</td><td>")
    address = game.get_absolute_url()
    assert f'<a href="{address}1/" class="given" lang="en">ocean 2</a>' in red
    assert f'<a href="{address}2/" class="R" lang="en">anchor</a>' in red
    assert f'<a href="{address}3/" class="N" lang="en">umbrella</a>' in red
    assert "sky 1" in blue


@pytest.mark.parametrize(
    ("word", "number", "sentence"),
    [
        ("piano", "2", "“piano” is one of the cards on the table."),
        ("PIANO", "2", "“piano” is one of the cards on the table."),
        ("volcanoes", "1", "“volcanoes” is a form of “volcano”, one of the cards on the table."),
        ("two words", "2", "A clue is one word, without spaces."),
        ("", "2", "Type a word for your clue."),
        ("", "", "A clue is one word and a number, e.g. “clue ocean 3”."),
        ("ocean", "ten", "The number of a clue is 0 to 9 or unlimited."),
        ("oc3an", "2", "A clue can’t contain “3”, only letters."),
        ("x" * 31, "2", "A clue can have at most 30 letters."),
    ],
)
def test_a_bad_clue_is_refused_in_a_sentence(people, word, number, sentence):
    game = start(people)
    answer = post(people[RED_SPY], game, RED_SPY, "clue", word, number)
    assert answer.status_code == 422
    assert escape(sentence) in answer.text.split('class="refused"')[1].split("</p>")[0]
    assert 'id="clue-word"' in answer.text
    assert game.moves.count() == 0


def test_a_refusal_stands_below_the_board_beside_what_was_sent(people):
    game = start(people)
    html = post(people[RED_SPY], game, RED_SPY, "clue", "piano", "2").text
    assert html.index("</table>") < html.index('class="refused"') < html.index('id="clue-word"')


def test_guesses_end_at_the_number_of_a_required_clue(people):
    game = start(people)
    play(people, game, (RED_SPY, "clue sea 1"), (RED, "a1"), (RED, "b1"))
    html = page(people[BLUE_SPY], game)
    assert "Red has no guesses left." in html
    assert 'id="clue-word"' in html
    assert post(people[RED], game, RED, "a2").status_code == 422


def test_the_team_can_stop_after_a_guess(people):
    game = start(people)
    play(people, game, (RED_SPY, "clue sea 2"))
    assert 'id="b-stop"' not in page(people[RED], game)
    play(people, game, (RED, "a1"))
    assert 'id="b-stop"' in page(people[RED], game)
    assert 'id="b-stop"' not in page(people[BLUE], game)


# --- pages around the game --------------------------------------------------------------------


def test_the_pages_are_in_dutch_for_a_dutch_reader(people, client):
    game = start(people)
    play(people, game, (RED_SPY, "clue ocean 2"), (RED, "a1"))
    html = page(people[RED], game, language="nl")
    for words in ("7</b> te gaan", "Nog 2 keer raden", "anchor: een rode spion"):
        assert words in html
    rules = client.get("/rules/codenames/", headers={"Accept-Language": "nl"}).text
    assert "spionnenmeester" in rules
    assert "spymaster" not in rules.split("<article")[1].split("</article>")[0]


def test_in_dutch_a_team_is_guessing_whether_one_person_or_several(people):
    game = start(people)
    play(people, game, (RED_SPY, "clue sea 2"))
    found = page(people[BLUE], game, language="nl")
    assert "Rood is aan het raden…" in found


def test_the_rules_show_every_example(client):
    html = client.get("/rules/codenames/").text
    for example in RULES.examples.values():
        assert escape(str(example.caption)) in html
    for move in ("clue ocean 3", "clue ocean unlimited", "c3", "stop"):
        assert f"<kbd>{move}</kbd>" in html


def test_an_earlier_position_shows_its_own_clue(people):
    game = start(people)
    play(people, game, (RED_SPY, "clue ocean 2"), (RED, "b3"), (BLUE_SPY, "clue sky 1"))
    html = page(people[RED], game, "1/")
    assert '<b class="said" lang="en">ocean</b>' in html
    assert '<b class="said" lang="en">sky</b>' not in html
    assert "key" not in cards(html)


@pytest.mark.parametrize("kind", ["own", "pictures"])
def test_the_answer_to_a_move_is_small(people, kind):
    game = start(people, cards=kind, clues="spoken")
    play(people, game, *[(RED, f"{column}{row}") for column, row in ("a1", "b1", "d3", "d4", "c4")])
    mark_move(game_id=game.id, seat=RED, move="a2", player=people[RED].player, ply=5)
    number = Game.objects.get(pk=game.pk).marks[0]["number"]
    answer = post(people[RED], game, RED, "a2", mark=number)
    assert answer.status_code == 200
    assert len(gzip.compress(answer.content)) < 4000


def test_the_set_up_page_calls_each_language_by_its_own_name() -> None:
    page = Client(headers={"Accept-Language": "nl"}).get("/new/codenames/").text
    assert '<html lang="nl"' in page
    assert ">English</span>" in page
    assert ">Nederlands</span>" in page


@pytest.mark.parametrize(
    ("move", "listed"),
    [
        ("clue stop 3", "hint stop 3"),
        ("clue unlimited unlimited", "hint unlimited onbeperkt"),
        ("c3", "c3"),
        ("stop", "stop"),
    ],
)
def test_clues_are_listed_in_dutch(move: str, listed: str) -> None:
    with translation.override("nl"):
        assert display_move(move, RULES) == listed
    with translation.override("en"):
        assert display_move(move, RULES) == move
