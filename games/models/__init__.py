"""The stored rows: players, games, seats, moves and more. Only services write them.

A foreign key that begins a unique constraint has no index of its own, since every index is one more
page to write with each move."""

from games.models.accounts import LOOK_LENGTH as LOOK_LENGTH
from games.models.accounts import Account as Account
from games.models.accounts import Passkey as Passkey
from games.models.accounts import PasskeyChallenge as PasskeyChallenge
from games.models.accounts import RecoveryCode as RecoveryCode
from games.models.accounts import SecurityEvent as SecurityEvent
from games.models.bots import ABOUT_LENGTH as ABOUT_LENGTH
from games.models.bots import ApiToken as ApiToken
from games.models.bots import Bot as Bot
from games.models.channels import EMAIL_LENGTH as EMAIL_LENGTH
from games.models.channels import Channel as Channel
from games.models.channels import EmailAddress as EmailAddress
from games.models.channels import PushSubscription as PushSubscription
from games.models.channels import WebHook as WebHook
from games.models.evaluations import Analysis as Analysis
from games.models.evaluations import Evaluation as Evaluation
from games.models.evaluations import PositionValues as PositionValues
from games.models.games import ID_ALPHABET as ID_ALPHABET
from games.models.games import SENTENCE_LENGTH as SENTENCE_LENGTH
from games.models.games import VARIATION_NAME_LENGTH as VARIATION_NAME_LENGTH
from games.models.games import Game as Game
from games.models.games import Heartbeat as Heartbeat
from games.models.games import KeptVariation as KeptVariation
from games.models.games import Move as Move
from games.models.games import new_game_id as new_game_id
from games.models.imports import GameImport as GameImport
from games.models.imports import ImportPiece as ImportPiece
from games.models.notices import NoticeKind as NoticeKind
from games.models.notices import Outgoing as Outgoing
from games.models.packs import PACK_NAME_LENGTH as PACK_NAME_LENGTH
from games.models.packs import Pack as Pack
from games.models.players import NAME_LENGTH as NAME_LENGTH
from games.models.players import Device as Device
from games.models.players import DeviceLink as DeviceLink
from games.models.players import Player as Player
from games.models.puzzles import PuzzleAttempt as PuzzleAttempt
from games.models.puzzles import PuzzleRecord as PuzzleRecord
from games.models.seats import Holder as Holder
from games.models.seats import Insight as Insight
from games.models.seats import Seat as Seat
from games.models.seats import Sighting as Sighting
