"""The moves of an imported game."""

from __future__ import annotations

from games.contract import (
    BadNotation,
    BadSetup,
    BadTranscript,
    MoveError,
    Position,
    Rules,
    Setup,
    Text,
    plain_signs,
    text,
)


def read_transcript(
    rules: Rules, setup: Setup, transcript: str
) -> tuple[list[tuple[str, str]], Position]:
    """Return the moves of a transcript, each with its seat, and the position after them. Raises
    BadSetup."""
    position = rules.start(setup)
    if not transcript.strip():
        return [], position
    if rules.transcript is None:
        raise BadSetup("transcript", text("You can’t import moves for this game."))
    moves = []
    try:
        for move in rules.transcript.read(rules.start(setup), plain_signs(transcript)[0]):
            seat = min(position.to_move(), default="")
            position.play(seat, move)
            moves.append((seat, move))
    except MoveError as error:
        reason = _not_moves(rules) if _nothing_is_read(error) else error.text
        raise BadSetup("transcript", reason) from error
    if not moves:
        # The text has no moves: some transcript formats read a JSON object as a comment.
        raise BadSetup("transcript", _not_moves(rules))
    return moves, position


def _nothing_is_read(error: MoveError) -> bool:
    """Return whether even the first move of a transcript is not in the game's notation."""
    first = isinstance(error, BadTranscript) and error.number == 1
    return first and isinstance(error.__cause__, BadNotation)


def _not_moves(rules: Rules) -> Text:
    example = rules.transcript.example if rules.transcript else ""
    return text(
        "That’s not a list of moves of %(game)s. You can paste moves like these: %(example)s",
        game=rules.name,
        example=example,
    )
