"""Figures of the rate limits, which `games.core.rate_limits` counts by these names."""

from __future__ import annotations

from boardsite.environment import env_bool

# Off for benchmarks.
RATE_LIMITS = env_bool("BOARDSITE_RATE_LIMITS", default=True)

_HOUR = 3600.0
_MINUTE = 60.0

# The hits of a key that are allowed in a time, and the seconds of that time.
RATES = {
    # Pages of all kinds: enough for a school class behind one address.
    "PAGES_PER_ADDRESS": (1_800, _MINUTE),
    "GAMES_PER_PLAYER": (100, _HOUR),
    "GAMES_PER_ADDRESS": (600, _HOUR),
    "SEATS_PER_PLAYER": (200, _HOUR),
    "SEATS_PER_ADDRESS": (1_200, _HOUR),
    "PICTURES_PER_ADDRESS": (1_000, _HOUR),
    # Files with all games of the player.
    "EXPORTS_PER_PLAYER": (30, _HOUR),
    # Requests of programs.
    "API_PER_TOKEN": (1_200, 60.0),
    # Texts in which games are looked for.
    "IMPORTS_PER_ADDRESS": (600, _HOUR),
    # Hints and analyses, which cost computing time.
    "HINTS_PER_PLAYER": (300, _HOUR),
    # New games between computers alone. A browser without cookies is a new player each time.
    "COMPUTER_GAMES_PER_ADDRESS": (60, _HOUR),
    # Analyses of finished games, open to everybody, each of which is hundreds of positions.
    "ANALYSES_PER_ADDRESS": (200, _HOUR),
    # Positions for which the reader of an analysis waits, such as those after tried moves.
    "POSITIONS_PER_PLAYER": (600, _HOUR),
    "POSITIONS_PER_ADDRESS": (1_800, _HOUR),
    # Moves tried in puzzles that are recorded; further ones are answered and not recorded.
    "PUZZLES_PER_ADDRESS": (1_800, _HOUR),
    # Marked moves, each of which is sent to everybody at the board.
    "MARKS_PER_PLAYER": (60, _MINUTE),
    # Messages to the other players.
    "MESSAGES_PER_PLAYER": (6, _MINUTE),
    # Tests of the channels of a player.
    "TESTS_PER_PLAYER": (10, _HOUR),
    # A new name appears in all games of the player.
    "NAMES_PER_PLAYER": (30, _HOUR),
    # Packs that are made, changed, copied or shared.
    "PACKS_PER_PLAYER": (120, _HOUR),
    "PACKS_PER_ADDRESS": (600, _HOUR),
    # Links for another device, made or opened.
    "DEVICES_PER_PLAYER": (60, _HOUR),
    # Logins of staff, successful or not. They are not counted by name alone, since anybody could
    # lock the owner out by guessing. A browser that has logged in before is not counted with
    # others of its address.
    "LOGINS_PER_ADDRESS": (30, _HOUR),
    "LOGINS_PER_NAME_AND_ADDRESS": (20, _HOUR),
    "LOGINS_PER_KNOWN_BROWSER": (20, _HOUR),
    # Attempts with passwords and recovery codes, as for staff. Those of a signed-in device are
    # counted by its player.
    "SIGN_INS_PER_ADDRESS": (60, _HOUR),
    "SIGN_INS_PER_NAME_AND_ADDRESS": (20, _HOUR),
    "SIGN_INS_PER_KNOWN_DEVICE": (20, _HOUR),
    # With more attempts at one name, of players or staff, a stranger guesses from many addresses.
    # Each of them then has only a few: that slows the guesses and locks nobody out.
    "GUESSES_PER_NAME": (60, _HOUR),
    "GUESSES_PER_NAME_AND_ADDRESS": (3, _HOUR),
    # Requests to sign in with a passkey, two for each time. Nobody can guess one.
    "PASSKEYS_PER_ADDRESS": (120, _HOUR),
    "PASSWORDS_PER_PLAYER": (20, _HOUR),
    "EMAILS_PER_PLAYER": (10, _HOUR),
    "EMAILS_PER_ADDRESS": (30, _HOUR),
    # Links requested by e-mail. The worker counts those to one e-mail address and silently drops
    # any beyond the limit, because a refusal would reveal which addresses are in use.
    "EMAILS_PER_EMAIL_ADDRESS": (6, _HOUR),
}

# How many there may be at the same time.
AT_ONCE = {
    # Running games between computers alone.
    "COMPUTER_GAMES_PER_PLAYER": 3,
    # Running games of a host in which a computer is to move, beyond which the host begins no more.
    "WAITING_GAMES_PER_PLAYER": 5,
    # The same of an address, beyond which the players of a new game are told that it waits.
    "WAITING_GAMES_PER_ADDRESS": 5,
    # Games whose analyses an address waits for.
    "WAITING_ANALYSES_PER_ADDRESS": 5,
    # Open streams: enough for a school class, as a browser has few visible tabs.
    "STREAMS_PER_PLAYER": 60,
    "STREAMS_PER_ADDRESS": 300,
}
