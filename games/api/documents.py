"""The JSON of the API. Names and descriptions are those of the OpenAPI file."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from ninja import Field, Schema
from pydantic import ConfigDict

from games.contract.transcript import LONGEST
from games.presentation.documents import GameValues, ResultDocument


class OptionDocument(Schema):
    """An option of a kind of game."""

    name: str
    label: str
    kind: str = Field(description="number, choice, flag, text or pack")
    default: bool | int | str
    low: int
    high: int
    step: int
    choices: list[str]


class SeatKindDocument(Schema):
    """A seat of a game with default options."""

    key: str
    name: str
    side: str
    secret: bool = Field(description="whether it sees what others must not see")
    shared: bool = Field(description="whether several people may hold it together")


class ComputerDocument(Schema):
    """A computer player."""

    level: int
    name: str


class KindDocument(Schema):
    """A kind of game."""

    kind: str
    name: str
    levels: int = Field(description="the number of its computer players; 0 without any")
    computers: list[ComputerDocument] = Field(description="from the easiest to the strongest")
    undo: bool
    options: list[OptionDocument]
    seats: list[SeatKindDocument]


class _Sent(Schema):
    """The body of a request. Fields that it does not have are refused."""

    model_config = ConfigDict(extra="forbid")


class NewGameDocument(_Sent):
    """A new game."""

    kind: str = Field(max_length=40)
    options: dict[str, bool | int | str] = {}
    seating: dict[str, str] = Field(
        {},
        description="for each seat me, invite, listed (open to all people), listed-bots (to bots "
        "too), or computer-<level>; invite by default",
    )
    hints: bool = False
    time: str = Field(
        "", max_length=10, description="5+3 (minutes and seconds a turn), 3d a move, 90s a turn"
    )
    closed: bool = Field(False, description="whether only its players may watch")
    moves: str = Field("", max_length=LONGEST, description="its first moves, as a transcript")
    setup: dict[str, Any] | None = Field(
        None, description="the first position, as the setup of a game; not with secrets"
    )


class JoinDocument(_Sent):
    """The invitation to a seat."""

    token: str = Field(max_length=64, description="the last part of the invitation’s address")


class HandOverDocument(_Sent):
    """The one of you and your bots that plays on from a seat."""

    to: str = Field(max_length=16, description="the end of the address of your bot’s page; or me")


class PlayedMoveDocument(_Sent):
    """A move. The same move sent twice is played once."""

    seat: str = Field(max_length=40)
    move: str = Field(max_length=100)
    ply: int = Field(ge=0, description="the number of moves that the program has seen")
    undone: int = Field(0, ge=0, description="the number of undos that it has seen")


class ResignDocument(_Sent):
    """A resignation."""

    seat: str = Field(max_length=40)
    ply: int = Field(ge=0)
    undone: int = Field(0, ge=0)


class UndoDocument(_Sent):
    """A request to take back."""

    ply: int = Field(ge=0)
    undone: int = Field(0, ge=0)


class AskDocument(UndoDocument):
    """A question to the other players."""

    kind: str = Field(max_length=40, description="undo, draw, void, or seat for a stand-in")
    seat: str = Field("", max_length=40, description="that of the absent player, for a stand-in")
    computer: bool = Field(False, description="whether a computer is to stand in")


class AnswerDocument(UndoDocument):
    """The answer to a question, or its end by the one who has asked."""

    kind: str = Field(max_length=40, description="that of the question; or newcomer")
    agree: bool
    asker: str | None = Field(None, max_length=40, description="the seat that has asked")


class AbsentDocument(UndoDocument):
    """An act of a player who has waited for days."""

    do: Literal["remind", "claim", "free", "computer"]


class InvitationDocument(Schema):
    """A link to an open seat, for the host."""

    seat: str
    token: str


class ClockDocument(Schema):
    """The clock of a game."""

    control: str = Field(description="as time of a new game")
    left: dict[str, int] = Field(description="milliseconds of each side at the moment since")
    running: list[str] = Field(description="the sides whose time passes")
    since: int = Field(description="milliseconds since 1970; 0 before the first move")


class QuestionDocument(Schema):
    """An open question, which the seats waiting have to answer."""

    kind: str
    asker: str = Field(description="a seat; empty for a newcomer")
    waiting: list[str]
    agreed: list[str]
    seat: str | None = Field(description="the seat for which a stand-in is asked")


class RematchDocument(Schema):
    """The next game of the same players."""

    id: str
    host: str
    begun: bool


class GameState(GameValues):
    """A game as the program’s player may see it."""

    version: int = Field(description="counts every change")
    ply: int
    undone: int
    begun: bool = Field(description="false while players gather in the lobby")
    seat: str | None = Field(description="whose view it is; null for the view of spectators")
    to_move: list[str]
    legal_moves: dict[str, list[str]] = Field(
        description="of your seats that are to move; one specimen stands for all free texts"
    )
    view: dict[str, Any] = Field(
        description="the position, by the schema of its kind; {} in a lobby"
    )
    undo_asked_by: str | None = Field(description="as in questions")
    questions: list[QuestionDocument]
    free_seats: list[str] = Field(
        description="the seats that you may take, your own that was given to others included"
    )
    clock: ClockDocument | None = Field(description="null without one")
    rematch: RematchDocument | None
    away: list[str] = Field(description="the seats of players who are away just now")
    absent: list[str] = Field(description="the seats whose move it has awaited for days")
    news: str | None = Field(
        description="a sentence of the site on the game, such as its end by staff"
    )
    suspended: str | None = Field(description="that staff suspended you, and why; null if not")


class OpenGameDocument(Schema):
    """A game with open seats."""

    id: str
    kind: str
    address: str
    seats: list[str]
    host: str = Field(description="the name of its host")
    time: str = Field(description="the time control; empty without a clock")


class ListedGameDocument(Schema):
    """A game in the list of one’s own."""

    id: str
    kind: str
    address: str
    your_seats: list[str]
    to_move: list[str]
    over: bool
    result: ResultDocument | None


class FinishedDocument(Schema):
    """A page of finished games, the last ended first."""

    games: list[ListedGameDocument]
    older: str | None = Field(description="send it as before for the next page; null on the last")
    now: datetime = Field(description="send it as since the next time")
