"""Notices of events go once to those whom they concern, if they want them and still need them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from games.contract import Rules
from games.core.clocks import DAY
from games.core.registry import all_rules
from games.models import Game, NoticeKind, Outgoing, WebHook
from games.notices import channels, events, texts
from games.notices.events import Notice
from games.services import lobby, questions, rematch
from games.state.questions import DRAW, UNDO
from tests.support.game_factory import make_finished_game, make_game, make_lobby
from tests.support.game_requests import post_move
from tests.support.letters import claim_notices, let_all_be_due
from tests.support.players import Person, new_person

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def hooks(owner: Person, opponent: Person) -> None:
    """Give owner and opponent a channel."""
    for person in (owner, opponent):
        channels.set_hook(player=person.player, url="https://hooks.example/", site="https://x/")


def rules_with_draws() -> Rules:
    return next(rules for rules in all_rules().values() if rules.draws)


def told(person: Person) -> list[str]:
    """Return the kinds of the events of which a player gets notices now, turns left out."""
    let_all_be_due()
    found = claim_notices(person.player.pk)
    return [notice.event for notice in found if notice.event != NoticeKind.TURN]


def test_a_host_is_told_of_the_first_seat_taken(owner: Person, opponent: Person) -> None:
    rules = next(rules for rules in all_rules().values() if len(rules.seats(rules.clean({}))) > 2)
    game = make_lobby(owner, rules=rules)
    free = game.seats.filter(players=None).first()
    lobby.sit_down(game_id=game.pk, seat_key=free.key, player=opponent.player)
    assert told(owner) == [NoticeKind.SEAT_TAKEN]
    assert told(opponent) == []


def test_players_are_told_that_the_lobby_is_full(owner: Person, opponent: Person) -> None:
    rules = next(rules for rules in all_rules().values() if len(rules.seats(rules.clean({}))) > 2)
    game = make_lobby(owner, rules=rules)
    people = [opponent, *(new_person(f"P{n}") for n in range(9))]
    for seat, person in zip(game.seats.filter(players=None), people, strict=False):
        lobby.sit_down(game_id=game.pk, seat_key=seat.key, player=person.player)
    assert NoticeKind.LOBBY_FULL in told(owner)


def test_a_beginning_game_is_told_to_those_who_are_not_to_move(
    owner: Person, opponent: Person
) -> None:
    game = make_lobby(opponent)
    free = game.seats.filter(players=None).first()
    lobby.sit_down(game_id=game.pk, seat_key=free.key, player=owner.player)
    game.refresh_from_db()
    first_is_owner = free.key in game.to_move
    assert told(opponent) == ([NoticeKind.BEGUN] if first_is_owner else [])
    assert told(owner) == []


def test_a_host_is_told_that_an_invited_friend_has_come(owner: Person, opponent: Person) -> None:
    game = make_game(opponent, owner)
    assert game.begun
    post_move(opponent, game)
    assert told(opponent) == [NoticeKind.LOBBY_FULL]


def test_an_offered_draw_is_told_until_it_is_answered(owner: Person, opponent: Person) -> None:
    game = make_game(owner, opponent, rules=rules_with_draws())
    questions.ask(DRAW, game_id=game.pk, player=owner.player, ply=0)
    assert told(opponent) == [NoticeKind.DRAW_OFFERED]
    assert told(opponent) == []
    Outgoing.objects.all().delete()
    questions.answer(DRAW, game_id=game.pk, player=owner.player, agree=False, ply=0)
    questions.ask(DRAW, game_id=game.pk, player=owner.player, ply=0)
    questions.answer(DRAW, game_id=game.pk, player=opponent.player, agree=False, ply=0)
    assert told(opponent) == []


def test_a_draw_that_is_offered_again_on_the_same_board_is_told_once(
    owner: Person, opponent: Person
) -> None:
    game = make_game(owner, opponent, rules=rules_with_draws())
    for _ in range(2):
        questions.ask(DRAW, game_id=game.pk, player=owner.player, ply=0)
        questions.answer(DRAW, game_id=game.pk, player=owner.player, agree=False, ply=0)
    assert Outgoing.objects.filter(kind=NoticeKind.DRAW_OFFERED).count() == 1


def test_an_asked_undo_is_told(owner: Person, opponent: Person) -> None:
    game = make_game(owner, opponent)
    post_move(owner, game)
    Outgoing.objects.all().delete()
    questions.ask(UNDO, game_id=game.pk, player=owner.player, ply=1)
    assert told(opponent) == [NoticeKind.UNDO_ASKED]
    assert told(owner) == []


def test_the_end_and_an_offered_rematch_are_told_to_the_others(
    owner: Person, opponent: Person
) -> None:
    game = make_finished_game(owner, opponent)
    rematch.rematch(game_id=game.pk, player=owner.player)
    assert told(opponent) == [NoticeKind.OVER, NoticeKind.REMATCH_OFFERED]
    assert told(owner) == []


def test_the_end_of_a_game_of_one_person_is_told_to_nobody(owner: Person) -> None:
    make_finished_game(owner)
    assert told(owner) == []


def set_clock(game: Game, control: str, left: int) -> None:
    """Give a game a running clock on which the side to move has ``left`` milliseconds."""
    now = round(timezone.now().timestamp() * 1000)
    sides = {spec.key: spec.side for spec in game.specs}
    running = [sides[key] for key in game.to_move]
    clock = {
        "control": control,
        "left": dict.fromkeys(sides.values(), left),
        "running": running,
        "since": now,
    }
    flag = timezone.now() + timedelta(milliseconds=left)
    Game.objects.filter(pk=game.pk).update(clock=clock, flag_at=flag, version=game.version + 1)


@pytest.mark.parametrize(
    ("control", "left", "notices"),
    [
        ("1d", 2 * DAY // 24, [NoticeKind.LITTLE_TIME]),
        ("1d", 20 * DAY // 24, []),
        ("30+0", 3 * 60_000, [NoticeKind.LITTLE_TIME]),
        ("5+0", 20_000, []),
    ],
)
def test_little_time_is_told_once_in_games_that_are_long_enough(
    control: str, left: int, notices: list[str], owner: Person, opponent: Person
) -> None:
    game = make_game(owner, opponent)
    game.refresh_from_db()
    set_clock(game, control, left)
    for _ in range(2):
        events.note_little_time()
    assert told(owner) == notices
    events.note_little_time()
    assert told(owner) == []
    assert told(opponent) == []


def test_a_muted_kind_is_not_told(owner: Person, opponent: Person) -> None:
    wanted = [kind for kind in NoticeKind.values if kind != NoticeKind.OVER]
    opponent.client.post("/me/devices/kinds/", {"kind": wanted})
    make_finished_game(owner, opponent)
    assert told(opponent) == []
    assert "checked" in opponent.client.get("/me/devices/").text


def test_muted_turns_are_not_told(owner: Person, opponent: Person) -> None:
    events.choose_kinds(player=owner.player, wanted=[NoticeKind.OVER])
    game = make_game(owner, opponent)
    Game.objects.filter(pk=game.pk).update(updated=timezone.now() - timedelta(minutes=5))
    assert list(claim_notices(owner.player.pk)) == []


def test_a_player_without_a_channel_has_no_stored_notices(owner: Person, opponent: Person) -> None:
    WebHook.objects.all().delete()
    make_finished_game(owner, opponent)
    assert not Outgoing.objects.exists()


def test_an_event_waits_for_players_at_the_board(owner: Person, opponent: Person) -> None:
    make_finished_game(owner, opponent)
    assert list(claim_notices(opponent.player.pk)) == []


def test_a_test_is_sent_at_once_to_every_channel(owner: Person) -> None:
    assert "Send a test" in owner.client.get("/me/devices/").text
    owner.client.post("/me/devices/test/")
    (notice,) = claim_notices(owner.player.pk)
    assert str(texts.title(notice)) == "This is a test"
    assert texts.path(notice) == "/me/devices/"


@pytest.mark.parametrize("kind", list(NoticeKind))
@pytest.mark.parametrize("slug", list(all_rules()))
def test_a_notice_names_the_kind_and_the_people_alone(slug: str, kind: str) -> None:
    rules = all_rules()[slug]
    notice = Notice("bcdfg", slug, kind, "Otto", ("Otto", ""))
    assert str(texts.about(notice)) == f"{rules.name} with Otto, Guest"
    assert "%" not in str(texts.title(notice))


def test_names_in_notices_have_no_markup_of_chat_programs() -> None:
    assert texts.plain_name("[Otto](https://x.example) @here") == "Otto https x example here"
    assert texts.plain_name("Anne-Marie O’Neil") == "Anne-Marie O’Neil"
