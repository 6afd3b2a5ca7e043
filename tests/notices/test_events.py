"""Notices of events go once to those whom they concern, if they want them and still need them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from games.contract import Rules
from games.core.clocks import DAY
from games.core.registry import all_rules
from games.models import Game, NoticeKind, Outgoing, PuzzleAttempt, Sighting, WebHook
from games.notices import channels, events, outgoing, texts
from games.notices.channels import Attempt, Outcome
from games.notices.senders import hook_message
from games.services import lobby, play, questions, rematch, staff
from games.state.questions import DRAW, UNDO
from tests.support.emails import deliver, subscribe
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


@pytest.mark.services
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
    off = {NoticeKind.OVER, NoticeKind.DAY}
    wanted = [kind for kind in NoticeKind.values if kind not in off]
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
    notice = events.Notice("bcdfg", slug, kind, "Otto", ("Otto", "Piet", ""))
    assert str(texts.about(notice)) == f"{rules.name} with Piet, Guest"
    assert "%" not in str(texts.title(notice))


def sentence_of_the_end(person: Person) -> str:
    let_all_be_due()
    (notice,) = claim_notices(person.player.pk)
    return texts.sentence(notice)


def test_a_notice_of_the_end_says_who_has_won_and_a_name_once(
    owner: Person, opponent: Person
) -> None:
    game = make_finished_game(owner, opponent)
    assert sentence_of_the_end(opponent) == f"You won: {game.rules.name} with Olive"
    Outgoing.objects.all().delete()
    game = make_game(owner, opponent)
    game.refresh_from_db()
    set_clock(game, "30+0", -5_000)
    play.fall_flag(game_id=game.pk)
    Outgoing.objects.exclude(player=owner.player, kind=NoticeKind.OVER).delete()
    assert sentence_of_the_end(owner) == f"Otto won: {game.rules.name}"


def test_a_notice_of_a_draw_says_so(owner: Person, opponent: Person) -> None:
    game = make_game(owner, opponent, rules=rules_with_draws())
    questions.ask(DRAW, game_id=game.pk, player=owner.player, ply=0)
    Outgoing.objects.all().delete()
    questions.answer(DRAW, game_id=game.pk, player=opponent.player, agree=True, ply=0)
    assert sentence_of_the_end(owner) == f"The game is a draw: {game.rules.name} with Otto"


def see(person: Person, game: Game, ago: timedelta = timedelta(0)) -> None:
    """Let a person have had the page of a game on the screen some time ago."""
    seen = timezone.now() - ago
    Sighting.objects.update_or_create(game=game, player=person.player, defaults={"seen": seen})


def let_be_created(ago: timedelta) -> None:
    created = timezone.now() - ago
    Outgoing.objects.update(created=created, due=timezone.now())


def sent(person: Person) -> list[str]:
    outgoing.put_off()
    return [notice.event for notice in claim_notices(person.player.pk)]


def ask_for_undo(owner: Person, opponent: Person) -> Game:
    game = make_game(owner, opponent)
    post_move(owner, game)
    Outgoing.objects.all().delete()
    questions.ask(UNDO, game_id=game.pk, player=owner.player, ply=1)
    return game


def test_a_notice_waits_while_its_game_is_on_the_screen(owner: Person, opponent: Person) -> None:
    game = ask_for_undo(owner, opponent)
    let_be_created(timedelta(minutes=9))
    see(opponent, game)
    assert sent(opponent) == []
    let_all_be_due()
    see(opponent, game, ago=timedelta(minutes=1))
    assert sent(opponent) == [NoticeKind.UNDO_ASKED]


def test_a_notice_waits_no_longer_than_ten_minutes(owner: Person, opponent: Person) -> None:
    game = ask_for_undo(owner, opponent)
    let_be_created(timedelta(minutes=11))
    see(opponent, game)
    assert sent(opponent) == [NoticeKind.UNDO_ASKED]


def test_a_notice_does_not_wait_for_the_screen_of_another(owner: Person, opponent: Person) -> None:
    game = ask_for_undo(owner, opponent)
    let_be_created(timedelta(minutes=1))
    see(owner, game)
    see(opponent, make_game(owner, opponent))
    assert sent(opponent) == [NoticeKind.UNDO_ASKED]


@pytest.mark.parametrize(("left", "waits"), [(9 * 60_000, True), (60_000, False)])
def test_a_notice_waits_only_until_a_flag_is_near(
    left: int, waits: bool, owner: Person, opponent: Person
) -> None:
    game = ask_for_undo(owner, opponent)
    game.refresh_from_db()
    set_clock(game, "10+0", left)
    let_be_created(timedelta(minutes=1))
    see(opponent, game)
    assert sent(opponent) == ([] if waits else [NoticeKind.UNDO_ASKED])


def test_who_sees_the_end_gets_no_notice_of_it(owner: Person, opponent: Person) -> None:
    game = make_finished_game(owner, opponent)
    page = opponent.client.get(game.get_absolute_url())
    assert page.status_code == 200
    assert told(opponent) == []


def test_a_page_in_a_hidden_tab_is_not_on_the_screen(owner: Person, opponent: Person) -> None:
    game = make_game(owner, opponent)
    opponent.client.get(f"/g/{game.pk}/board/?hidden=1")
    assert not Sighting.objects.filter(game=game, player=opponent.player).exists()
    opponent.client.get(f"/g/{game.pk}/board/")
    assert Sighting.objects.filter(game=game, player=opponent.player).exists()


def test_a_game_against_a_computer_alone_has_no_notices(owner: Person) -> None:
    staff.end_game(game_id=make_game(owner).pk)
    assert not Outgoing.objects.exists()


@pytest.mark.services
def test_notices_come_together_through_a_channel_if_its_owner_wants_it(
    owner: Person, opponent: Person
) -> None:
    owner.client.post("/me/devices/kinds/", {"kind": NoticeKind.values, "gathered": ["hook"]})
    assert WebHook.objects.get(player=owner.player).has_digests
    games = [make_finished_game(opponent, owner) for _ in range(2)]
    let_all_be_due()
    Outgoing.objects.exclude(player=owner.player).delete()
    letters = outgoing.claim(WebHook.kind, [])
    notices = [notice for letter in letters if (notice := events.notice_of(letter))]
    text = hook_message(WebHook.objects.get(player=owner.player), notices)["text"]
    assert [f"/g/{game.pk}/" in str(text) for game in games] == [True, True]
    outgoing.note_sent(
        letters,
        channel=WebHook.objects.get(player=owner.player),
        attempt=Attempt(Outcome.ARRIVED),
    )
    rests_until = WebHook.objects.get(player=owner.player).rests_until
    assert rests_until and rests_until > timezone.now() + timedelta(minutes=50)


def test_an_address_may_get_e_mails_at_once(owner: Person, opponent: Person) -> None:
    WebHook.objects.all().delete()
    subscribe(owner)
    owner.client.post("/me/devices/kinds/", {"kind": [NoticeKind.OVER]})
    for _ in range(2):
        make_finished_game(opponent, owner)
    let_all_be_due()
    assert len(deliver()) == 2
    assert "each at once" in owner.client.get("/me/account/").text


def test_names_in_notices_have_no_markup_of_chat_programs() -> None:
    assert texts.plain_name("[Otto](https://x.example) @here") == "Otto https x example here"
    assert texts.plain_name("Anne-Marie O’Neil") == "Anne-Marie O’Neil"


def at_hour(monkeypatch: pytest.MonkeyPatch, hour: int) -> None:
    """Let the letters be written at an hour of today."""
    now = timezone.localtime().replace(hour=hour, minute=59)
    monkeypatch.setattr(timezone, "localtime", lambda value=None, _zone=None: value or now)


def test_the_puzzles_of_the_day_are_told_once_to_those_who_ask(
    owner: Person, opponent: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    at_hour(monkeypatch, 23)
    owner.client.post("/me/devices/kinds/", {"kind": [NoticeKind.DAY]})
    for _ in range(3):
        for person in (owner, opponent):
            events.note_turns(person.player.pk)
    assert told(opponent) == []
    assert [*claim_notices(owner.player.pk)] == [events.Notice("", "", NoticeKind.DAY)]
    events.note_turns(owner.player.pk)
    assert told(owner) == []


def test_the_puzzles_of_the_day_are_not_told_at_night_or_after_a_try(
    owner: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    events.choose_kinds(player=owner.player, wanted=NoticeKind.values)
    at_hour(monkeypatch, 7)
    events.note_turns(owner.player.pk)
    assert not Outgoing.objects.exists()
    at_hour(monkeypatch, 9)
    events.note_turns(owner.player.pk)
    assert Outgoing.objects.exists()
    # A letter that has become pointless is deleted, and no other one follows.
    puzzle = PuzzleAttempt(player=owner.player, puzzle="x", mistakes=1, day=timezone.localdate())
    puzzle.save()
    assert told(owner) == []
    events.note_turns(owner.player.pk)
    assert not Outgoing.objects.exists()


def test_the_notice_of_the_day_leads_to_its_puzzles() -> None:
    notice = events.Notice("", "", NoticeKind.DAY)
    message = hook_message(WebHook(site="https://x/", url="https://y/", language="nl"), [notice])
    assert "https://x/puzzles/today/" in str(message["text"])
    assert "van vandaag" in str(message["text"])
