"""The files of a game that a viewer may take away."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from games.contract import CannotWrite, Text, text
from games.exchange import site_text
from games.presentation.documents import GameDocument, record_of, transcript_of
from games.state.snapshot import GameSnapshot

TEXT, JSON, TRANSCRIPT = "txt", "json", "transcript"
MEDIA_TYPES = {JSON: "application/json"}
PLAIN = "text/plain; charset=utf-8"


@dataclass(frozen=True)
class GameFile:
    """A file of a game: the ``slug`` in its address, its name for readers, the ending of its file
    name, and its content."""

    slug: str
    name: Text
    ending: str
    content: str

    @property
    def media_type(self) -> str:
        """The media type of the content."""
        return MEDIA_TYPES.get(self.slug, PLAIN)


def files_of(snapshot: GameSnapshot, document: GameDocument) -> Iterator[GameFile]:
    """Yield the files of a game, made of a document that the viewer may see."""
    yield GameFile(TEXT, text("Text"), "txt", site_text.write(document))
    yield GameFile(JSON, text("JSON"), "json", document.model_dump_json(indent=1) + "\n")
    transcript = transcript_of(snapshot, snapshot.game.ply)
    if transcript:
        yield GameFile(TRANSCRIPT, text("Transcript"), "transcript.txt", transcript + "\n")
    record = None if snapshot.fault else record_of(document)
    for form in snapshot.rules.formats if record else ():
        if form.write is None or record is None:
            continue
        try:
            yield GameFile(form.slug, form.name, form.ending, form.write(record))
        except CannotWrite:
            continue
