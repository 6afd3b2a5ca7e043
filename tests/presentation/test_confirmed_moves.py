"""With the setting that confirms every move, no other button makes one."""

from __future__ import annotations

import re

import pytest

from games.contract import Rules
from games.core.registry import all_rules
from tests.support.game_factory import make_game
from tests.support.game_requests import post_move
from tests.support.players import Person
from tests.support.snapshots import current_position

HTMX = {"HX-Request": "true"}
MOVE_BUTTON = re.compile(r'<button[^>]* name="move"[^>]*>')
CONFIRMING = re.compile('id="(b-confirm|b-reveal|c-[0-9]+-[0-9]+)"')

each_game = pytest.mark.parametrize("rules", all_rules().values(), ids=lambda rules: rules.slug)


@each_game
@pytest.mark.django_db
def test_only_the_button_that_confirms_makes_a_move(rules: Rules, owner: Person) -> None:
    owner.client.cookies["preferences"] = "confirm=always"
    game = make_game(owner, rules=rules)
    confirmed = 0
    for _ in range(6):
        if game.over:
            break
        seat = min(game.to_move)
        steps = list(current_position(game).legal_moves(seat))[-1].split()
        for number in range(len(steps) + 1):
            query = {"seat": seat, "chosen": " ".join(steps[:number])}
            page = owner.client.get(f"/g/{game.id}/board/", query, headers=HTMX).text
            buttons = MOVE_BUTTON.findall(page)
            assert all(CONFIRMING.search(button) for button in buttons)
            assert bool(buttons) == ('id="b-confirm"' in page or 'id="b-reveal"' in page)
            confirmed += bool(buttons)
        post_move(owner, game, move=" ".join(steps))
        game.refresh_from_db()
    assert confirmed
