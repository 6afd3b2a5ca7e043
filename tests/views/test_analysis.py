"""Hints and the look back at a game, with the real computers, in this process."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace

import pytest

from games import services, worker
from games.contract import MoveValue, Rules, Text, ntext, text
from games.models import Evaluation, Game, Move
from games.presentation.analysis import Line, Report
from games.registry import all_rules
from games.worker import run_one_job
from tests.support.game_factory import make_game
from tests.support.players import Person
from tests.support.posts import next_legal_move, post_move
from tests.support.snapshots import ask_evaluations, report_of

pytestmark = pytest.mark.django_db

ANALYSED = [slug for slug, rules in all_rules().items() if rules.analysis]
each_kind = pytest.mark.parametrize("slug", ANALYSED)


def a_short_game(owner: Person, slug: str, *, plies: int, hints: bool = False) -> Game:
    game = make_game(owner, rules=all_rules()[slug])
    Game.objects.filter(pk=game.pk).update(hints=hints)
    for _ in range(plies):
        post_move(owner, game)
    game.refresh_from_db()
    return game


def resign(owner: Person, game: Game) -> None:
    seat, _ = next_legal_move(game)
    owner.client.post(f"/g/{game.id}/resign/", {"seat": seat, "ply": game.ply})
    game.refresh_from_db()


def think() -> None:
    while run_one_job():
        pass


@each_kind
def test_every_move_of_a_finished_game_gets_a_value(slug, owner):
    game = a_short_game(owner, slug, plies=4)
    resign(owner, game)
    owner.client.post(f"/g/{game.id}/analysis/")
    think()
    page = owner.client.get(f"/g/{game.id}/analysis/").text
    assert not Evaluation.objects.filter(done=False).exists()
    assert "<polyline" in page
    assert "to go." not in page
    for move in game.moves.exclude(text="resign"):
        row = page.split(f"{move.ply}. {move.text}</a>")[1].split("</tr>")[0]
        assert "–" not in row.split("<td>")[2]


@each_kind
def test_a_repeated_request_is_one_request(slug, owner):
    game = a_short_game(owner, slug, plies=2)
    resign(owner, game)
    for _ in range(2):
        owner.client.post(f"/g/{game.id}/analysis/")
    assert Evaluation.objects.filter(game=game).count() == game.ply + 1


@each_kind
def test_a_running_game_of_two_players_is_not_analysed(slug, owner, opponent, stranger):
    game = make_game(owner, opponent, rules=all_rules()[slug])
    post_move(owner, game)
    for somebody in (owner, opponent, stranger):
        response = somebody.client.post(f"/g/{game.id}/analysis/")
        assert response.status_code == 422
        assert f"/g/{game.id}/analysis/" not in somebody.client.get(f"/g/{game.id}/").text
    assert not Evaluation.objects.exists()


@each_kind
def test_a_solo_player_may_analyse_a_running_game(slug, owner, stranger):
    game = a_short_game(owner, slug, plies=2)
    assert f"/g/{game.id}/analysis/" in owner.client.get(f"/g/{game.id}/").text
    assert stranger.client.post(f"/g/{game.id}/analysis/").status_code == 422
    assert owner.client.post(f"/g/{game.id}/analysis/").status_code == 302
    think()
    assert report_of(game).complete
    assert all(line.shown for line in report_of(game).lines)


def test_a_running_game_with_an_open_seat_is_not_analysed(owner):
    rules = all_rules()[ANALYSED[0]]
    first, second = (spec.key for spec in rules.seats(rules.clean({})))
    game = make_game(owner, rules=rules, seating={first: "me", second: "invite"})
    post_move(owner, game)
    assert owner.client.post(f"/g/{game.id}/analysis/").status_code == 422


def legal(game: Game) -> list[str]:
    from tests.support.snapshots import position_at

    position = position_at(game, game.ply)
    return list(position.legal_moves(min(position.to_move())))


@each_kind
def test_the_page_of_a_ply_shows_the_values_of_its_moves(slug, owner):
    game = a_short_game(owner, slug, plies=3)
    resign(owner, game)
    ask_evaluations(game, [1])
    think()
    assert "What each move was worth here" in owner.client.get(f"/g/{game.id}/1/").text


def analysed(owner: Person, slug: str) -> Game:
    """A game of four moves that was given up and then analysed."""
    game = a_short_game(owner, slug, plies=4)
    resign(owner, game)
    owner.client.post(f"/g/{game.id}/analysis/")
    think()
    return game


def look(who: Person, game: Game, ply: object) -> str:
    return who.client.get(f"/g/{game.id}/analysis/", {"ply": ply}).text


@each_kind
def test_an_analysis_reuses_the_values_of_a_hint(slug, owner):
    game = a_short_game(owner, slug, plies=2, hints=True)
    owner.client.post(f"/g/{game.id}/hint/")
    think()
    resign(owner, game)
    assert "Analyse this game" in owner.client.get(f"/g/{game.id}/analysis/").text
    owner.client.post(f"/g/{game.id}/analysis/")
    assert "Analyse this game" not in owner.client.get(f"/g/{game.id}/analysis/").text


@each_kind
def test_each_move_is_shown_beside_the_board_after_it(slug, owner, stranger):
    game = analysed(owner, slug)
    for move in game.moves.exclude(text="resign"):
        page = look(stranger, game, move.ply)
        assert f'aria-current="true">{move.ply}. {move.text}</a>' in page
        assert f'href="?ply={move.ply + 1}"' in page
        assert board_of(page) == board_of(stranger.client.get(f"/g/{game.id}/{move.ply}/").text)


def board_of(page: str) -> str:
    return page.split("<tbody>")[1].split("</tbody>")[0]


@each_kind
def test_the_first_position_has_a_page_of_the_analysis(slug, owner):
    page = look(owner, analysed(owner, slug), 0)
    assert 'aria-current="true"' not in page
    assert 'href="?ply=1"' in page


@each_kind
def test_an_unknown_ply_has_no_page_of_the_analysis(slug, owner):
    game = analysed(owner, slug)
    usual = look(owner, game, "").split('id="analysis"')[1]
    for ply in ("99", "-1", "x", "1e3", "٣"):
        assert look(owner, game, ply).split('id="analysis"')[1] == usual, ply


def line(ply: int, seat: str = "", *, mistake: bool = False) -> Line:
    return Line(Move(ply=ply, seat=seat), text("Black"), mistake=mistake)


def report_with(*lines: Line) -> Report:
    graph = {0: (0.0, 80.0), 1: (10.0, 20.0)}
    return Report(lines, [], graph, text("Black"), text("White"), 0, True)


def test_an_analysis_opens_at_the_first_mistake():
    assert report_with(line(1), line(2, mistake=True), line(3, mistake=True)).worth_a_look == 2


def test_an_analysis_without_mistakes_opens_at_the_last_move():
    assert report_with(line(1), line(2)).worth_a_look == 2


def test_a_mistake_is_marked_at_the_position_after_it():
    assert report_with(line(1, mistake=True), line(2)).mistakes[0][1:] == (10.0, 20.0)


def test_a_mistake_that_ended_the_game_is_marked_at_the_position_before_it():
    assert report_with(line(1), line(2, mistake=True)).mistakes[0][1:] == (10.0, 20.0)


def evaluated(owner: Person, *values: tuple[int, str], unknown: Sequence[int] = ()) -> Report:
    """The report of one move, which is the second best of these, each a value and its words;
    those in ``unknown`` were not really valued. A loss of 3 is a mistake."""
    game = make_game(owner)
    _, played = next_legal_move(game)
    entries = [
        {"move": name, "value": value, "shown": text(words).to_json(), "why": None}
        for name, (value, words) in zip(("another", played), values, strict=True)
    ]
    for index in unknown:
        entries[index]["known"] = False
    seat = next_legal_move(game)[0]
    post_move(owner, game)
    values_row = {"seat": seat, "mistake": 3, "moves": entries, "regions": []}
    Evaluation.objects.create(game=game, ply=0, move_id=0, done=True, values=values_row)
    game.refresh_from_db()
    return report_of(game)


def test_a_move_of_the_same_shown_value_has_no_better_one(owner):
    assert evaluated(owner, (2, "+2"), (1, "+2")).lines[0].better == ""


def test_a_better_move_is_named(owner):
    assert evaluated(owner, (2, "+2"), (1, "+1")).lines[0].better == "another"


@pytest.mark.parametrize("unknown", [(0,), (1,), (0, 1)])
def test_a_move_is_no_mistake_without_known_values(unknown, owner):
    found = evaluated(owner, (9, "+9"), (0, "not solved"), unknown=unknown).lines[0]
    assert (found.mistake, found.better) == (False, "")


@pytest.mark.parametrize("known", [True, False])
def test_stored_values_tell_whether_they_are_exact(known):
    value = MoveValue(value=0.0, shown=text("+0"), known=known)
    assert worker._as_json("a1", value)["known"] is known


@pytest.mark.parametrize("hint", [True, False])
def test_analysis_of_regions_gets_the_time_of_moves(hint, owner, monkeypatch):
    given = {}
    timed = SimpleNamespace(
        MISTAKE=1,
        evaluate=lambda position, *, seconds: given.update(moves=seconds) or {},
        regions=lambda position, *, seconds=None: given.update(regions=seconds) or [],
    )
    monkeypatch.setattr(worker, "computer_module", lambda kind: timed)
    ask_evaluations(make_game(owner), [0], hint=hint)
    think()
    assert given["regions"] == given["moves"]


def test_mistakes_are_counted_by_seat(owner):
    game = make_game(owner)
    for ply, best in enumerate((0, 12, 0, 12)):
        post_move(owner, game)
        keep(game, ply, best=best)
    assert tallied(report_of(game)) == [
        (str(game.specs[0].name), str(text_of(0))),
        (str(game.specs[1].name), str(text_of(2))),
    ]


def keep(game: Game, ply: int, *, best: float) -> None:
    """Keep an evaluation of the move after ``ply``: worth 0, the best one ``best``."""
    move = game.moves.get(ply=ply + 1)
    entries = [
        {"move": name, "value": value, "shown": text(f"{value}").to_json(), "why": None}
        for name, value in (("another", best), (move.text, 0))
    ]
    values = {"seat": move.seat, "mistake": 3, "moves": entries, "regions": []}
    before = game.moves.filter(ply=ply).first()
    move_id = before.id if before else 0
    Evaluation.objects.create(game=game, ply=ply, move_id=move_id, done=True, values=values)


def tallied(found: Report) -> list[tuple[str, str]]:
    return [(str(tally.seat), str(tally.mistakes)) for tally in found.tallies]


def heights(found: Report) -> list[float]:
    return [y for _, y in found.graph.values()]


def test_the_graph_is_high_for_the_first_seat_and_low_for_the_second(owner):
    game = make_game(owner)
    for ply in (0, 1):
        post_move(owner, game)
        keep(game, ply, best=12)
    assert heights(report_of(game)) == [40.0, 120.0]


def test_the_graph_is_in_the_middle_where_neither_is_ahead(owner):
    game = make_game(owner)
    post_move(owner, game)
    keep(game, 0, best=0)
    assert heights(report_of(game)) == [80.0]


@pytest.mark.parametrize(("best", "height"), [(24, 0.0), (99, 0.0), (-99, 160.0)])
def test_the_graph_stays_within_its_edges(best, height, owner):
    game = make_game(owner)
    post_move(owner, game)
    keep(game, 0, best=best)
    assert heights(report_of(game)) == [height]


@pytest.fixture
def without_the_first(owner):
    """A game of three in which the first was out before the others made a move, each of which
    cost half of what reaches the edge of the graph."""
    rules, players = three_seats()
    game = make_game(owner, rules=rules, **players)
    resign(owner, game)
    for ply in (1, 2):
        post_move(owner, game)
        keep(game, ply, best=12)
    return game


def three_seats() -> tuple[Rules, dict[str, int]]:
    """A kind of game that can be analysed and has three seats with these options."""
    return next(
        (rules, {option.name: number})
        for rules in all_rules().values()
        for option in rules.options
        for number in range(option.low, option.high + 1)
        if rules.analysis
        and option.kind == "number"
        and len(rules.seats({**rules.clean({}), option.name: number})) == 3
    )


def test_the_graph_of_a_game_without_its_first_seat_compares_the_two_others(without_the_first):
    found = report_of(without_the_first)
    _, second, third = without_the_first.specs
    assert (str(found.first), str(found.second)) == (str(second.name), str(third.name))
    assert heights(found) == [40.0, 120.0]


def test_a_seat_without_a_valued_move_is_in_no_tally(without_the_first):
    _, second, third = without_the_first.specs
    assert tallied(report_of(without_the_first)) == [
        (str(second.name), str(text_of(1))),
        (str(third.name), str(text_of(1))),
    ]


def test_the_graph_names_no_side_without_values_in_a_game_of_three(owner):
    rules, players = three_seats()
    game = make_game(owner, rules=rules, **players)
    resign(owner, game)
    found = report_of(game)
    assert (found.first, found.second) == (None, None)


def answered(owner: Person, *, all_of_them: bool = True) -> str:
    """The page of an analysis in which no position could be valued, or not the last one yet."""
    game = a_short_game(owner, ANALYSED[0], plies=2)
    resign(owner, game)
    ask_evaluations(game, range(game.ply + 1))
    for evaluation in game.evaluations.order_by("ply")[: None if all_of_them else game.ply]:
        services.store_evaluation(evaluation=evaluation, values=None)
    return owner.client.get(f"/g/{game.id}/analysis/").text


def test_an_analysis_without_any_value_says_so(owner):
    assert "could not value any position" in answered(owner)


def test_a_pending_analysis_does_not_report_missing_values(owner):
    assert "could not value any position" not in answered(owner, all_of_them=False)


def text_of(mistakes: int) -> Text:
    return ntext("%(n)s mistake", "%(n)s mistakes", n=mistakes)
