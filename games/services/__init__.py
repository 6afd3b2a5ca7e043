"""The only writers: everything that changes a player, a game, a seat or a move is here."""

from games.services.accounts import (
    CODES,
    account_key,
    account_of,
    change_password,
    check_owner,
    create_account,
    new_codes,
    recover,
    sign_in,
)
from games.services.channels import channels_of, hook_of, note_sent, players_after, set_hook
from games.services.clocks import HEARTBEAT, SILENCE, beat, due_flags, return_downtime
from games.services.computers import (
    ask_evaluations,
    look_at,
    mark_seen,
    next_evaluation,
    next_turn,
    release_lease,
    release_seats,
    store_evaluation,
)
from games.services.devices import (
    LinkSpent,
    claim_device,
    device_token,
    devices_of,
    link_of_token,
    offer_device,
    open_device_link,
    register_device,
    sign_out,
    withdraw_device,
)
from games.services.draws import answer_draw, offer_draw
from games.services.forgetting import forget_player
from games.services.giving_up import claim_win, give_up_seat, remind_absent, replace_absent
from games.services.levels import change_level
from games.services.lobby import (
    begin,
    game_of_lobby,
    hand_over_host,
    is_free,
    shuffle,
    sit_down,
    stand_up,
)
from games.services.marks import mark_move
from games.services.personal_data import player_data
from games.services.play import fall_flag, play_move, resign
from games.services.play_on import plan_continuation
from games.services.players import clean_name, name_seats, new_player, remove_names, rename, suspend
from games.services.quick_start import (
    COMPUTER,
    DEVICE,
    FRIEND,
    OPPONENTS,
    default_level,
    first_seat,
    opponents,
    plan_quick_game,
)
from games.services.rematch import rematch
from games.services.sayings import SAYINGS, say
from games.services.seats import (
    check_listed_seat,
    claim_seat,
    invitation_token,
    offer_move,
    seat_of_token,
    seat_taken_with,
    take_listed_seat,
    withdraw_move,
)
from games.services.setup import (
    INVITE,
    LISTED,
    ME,
    Plan,
    SeatChoices,
    create_game,
    plan_game,
    start_game,
)
from games.services.staff import end_game, free_game
from games.services.start import lobby_token
from games.services.telling import claim_notices
from games.services.tokens import hash_token
from games.services.undo import answer_undo, ask_undo
from games.services.verification import mark_fault
from games.services.watchers import close_to_watchers

__all__ = [
    "CODES",
    "COMPUTER",
    "DEVICE",
    "FRIEND",
    "HEARTBEAT",
    "INVITE",
    "LISTED",
    "ME",
    "OPPONENTS",
    "SAYINGS",
    "SILENCE",
    "LinkSpent",
    "Plan",
    "SeatChoices",
    "account_key",
    "account_of",
    "answer_draw",
    "answer_undo",
    "ask_evaluations",
    "ask_undo",
    "beat",
    "begin",
    "change_level",
    "change_password",
    "channels_of",
    "check_listed_seat",
    "check_owner",
    "claim_device",
    "claim_notices",
    "claim_seat",
    "claim_win",
    "clean_name",
    "close_to_watchers",
    "create_account",
    "create_game",
    "default_level",
    "device_token",
    "devices_of",
    "due_flags",
    "end_game",
    "fall_flag",
    "first_seat",
    "forget_player",
    "free_game",
    "game_of_lobby",
    "give_up_seat",
    "hand_over_host",
    "hash_token",
    "hook_of",
    "invitation_token",
    "is_free",
    "link_of_token",
    "lobby_token",
    "look_at",
    "mark_fault",
    "mark_move",
    "mark_seen",
    "name_seats",
    "new_codes",
    "new_player",
    "next_evaluation",
    "next_turn",
    "note_sent",
    "offer_device",
    "offer_draw",
    "offer_move",
    "open_device_link",
    "opponents",
    "plan_continuation",
    "plan_game",
    "plan_quick_game",
    "play_move",
    "player_data",
    "players_after",
    "recover",
    "register_device",
    "release_lease",
    "release_seats",
    "rematch",
    "remind_absent",
    "remove_names",
    "rename",
    "replace_absent",
    "resign",
    "return_downtime",
    "say",
    "seat_of_token",
    "seat_taken_with",
    "set_hook",
    "shuffle",
    "sign_in",
    "sign_out",
    "sit_down",
    "stand_up",
    "start_game",
    "store_evaluation",
    "suspend",
    "take_listed_seat",
    "withdraw_device",
    "withdraw_move",
]
