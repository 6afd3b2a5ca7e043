"""The stored rows: players, games, seats, moves and more. Only services write them.

A foreign key that begins a unique constraint has no index of its own, since every index is one more
page to write with each move."""

from games.models.accounts import (
    LOOK_LENGTH,
    Account,
    Passkey,
    PasskeyChallenge,
    RecoveryCode,
    SecurityEvent,
)
from games.models.channels import (
    EMAIL_LENGTH,
    Channel,
    EmailAddress,
    NoticeKind,
    Outgoing,
    PushSubscription,
    WebHook,
)
from games.models.evaluations import Analysis, Evaluation, PositionValues, Thought
from games.models.games import (
    ID_ALPHABET,
    SENTENCE_LENGTH,
    VARIATION_NAME_LENGTH,
    Game,
    GameImport,
    Heartbeat,
    ImportPiece,
    KeptVariation,
    Move,
    new_game_id,
)
from games.models.players import (
    ABOUT_LENGTH,
    NAME_LENGTH,
    PACK_NAME_LENGTH,
    REPORT_LENGTH,
    ApiToken,
    Bot,
    Device,
    DeviceLink,
    Pack,
    Player,
    Report,
)
from games.models.pupils import NICKNAME_LENGTH, PupilRow, SchoolClass
from games.models.puzzles import (
    WORD_LENGTH,
    DayPuzzle,
    DayWord,
    GivenWord,
    PuzzleAttempt,
    PuzzleRating,
    PuzzleRecord,
    PuzzleRun,
)
from games.models.seats import Holder, Insight, Seat, Sighting
