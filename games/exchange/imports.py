"""Files whose games are all kept for an account. A worker stores them in portions, each game in a
transaction of its own, so that no move waits long for the write lock."""

from __future__ import annotations

import gc
import hashlib
import json
import logging
import time
from collections.abc import Iterator, Mapping
from datetime import timedelta
from io import BytesIO
from itertools import islice
from typing import Any
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile

from django.db import Error as DatabaseFault
from django.db.models import Q
from django.utils import timezone

from games.contract import text
from games.core.refusals import Refusal
from games.exchange.admission import ImportedGame, create_imported
from games.exchange.reading import Unread, check_packed, games_of_files
from games.models import Game, GameImport, ImportPiece, Player
from games.services.plans import DEVICE
from games.storage.write_lock import write_transaction

logger = logging.getLogger(__name__)

MOST_BYTES = 20 * 2**20
MOST_GAMES = 10_000
PIECE = 2**20
"""Bytes of the archive that are stored at once."""
MOST_FAULTS = 100
"""Faulty games after which a file is given up: it is another kind of file, or a damaged one."""
SHOWN_FAULTS = 20
PORTION_SECONDS = 0.1
"""Seconds after which a portion ends, since a computer player may be waited for."""
LEASE = timedelta(seconds=60)
LOOK_SECONDS = 1.0


class CannotImport(Refusal):
    """Raised for files that are not kept."""


def begin_import(*, player: Player, files: Mapping[str, bytes]) -> GameImport:
    """Store files for the worker. Raises CannotImport."""
    if not any(content.strip() for content in files.values()):
        raise CannotImport(text("There is no game in this text."))
    if sum(map(len, files.values())) > MOST_BYTES:
        raise CannotImport(text("At most %(most)s MB can be kept at once.", most=MOST_BYTES >> 20))
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in files.items():
            try:
                check_packed(content)
            except Unread as error:
                raise CannotImport(error.text) from error
            archive.writestr(name, content)
    with write_transaction():
        if GameImport.objects.filter(player=player, ended=None).exists():
            raise CannotImport(text("Another file of yours is still being read."))
        claimed, name = timezone.now() + LEASE, ", ".join(files)[:100]
        row = GameImport.objects.create(player=player, name=name, claimed=claimed)
    packed.seek(0)
    while piece := packed.read(PIECE):
        with write_transaction():
            ImportPiece.objects.create(whole=row, content=piece)
    with write_transaction():
        GameImport.objects.filter(pk=row.pk).update(claimed=None)
    return row


def cancel_import(*, player: Player, import_id: str) -> None:
    """End an import; its games so far stay. Raises GameImport.DoesNotExist."""
    row = import_of(player, import_id)
    with write_transaction():
        open_row = GameImport.objects.filter(pk=row.pk, ended=None)
        open_row.update(ended=timezone.now(), cancelled=True)
    _remove_pieces(row)


def _remove_pieces(row: GameImport) -> None:
    for piece_id in [*row.pieces.values_list("pk", flat=True)]:
        with write_transaction():
            ImportPiece.objects.filter(pk=piece_id).delete()


def import_of(player: Player, import_id: str) -> GameImport:
    """Return an import of a player. Raises GameImport.DoesNotExist."""
    return GameImport.objects.get(pk=import_id, player=player)


def keep_in_portions() -> Iterator[bool]:
    """Keep the games of waiting files: yield True after each portion, and False while there is
    none."""
    looked = 0.0
    while True:
        if time.monotonic() - looked >= LOOK_SECONDS:
            looked = time.monotonic()
            while row := _claim():
                # A full garbage collection, which may come under the write lock, takes 50 ms of all
                # that a worker has loaded, and 1 ms of the rest.
                gc.freeze()
                yield from _portions(row)
                gc.unfreeze()
        yield False


def _claim() -> GameImport | None:
    """Claim the oldest file that no worker has, so that a killed worker's is taken up again."""
    now = timezone.now()
    free = GameImport.objects.filter(Q(claimed=None) | Q(claimed__lt=now), ended=None)
    if not free.exists():
        return None
    with write_transaction():
        row = free.order_by("created").select_for_update().first()
        if row:
            row.claimed = now + LEASE
            row.save(update_fields=["claimed"])
    return row


def _portions(row: GameImport) -> Iterator[bool]:
    """Keep the games of a file, beginning after those of a worker that has ended."""
    games = islice(games_of_files(_files(row)), row.read, MOST_GAMES)
    kept = Game.objects.filter(created_by=row.player, imported__isnull=False)
    imported = kept.values_list("imported", flat=True).iterator()
    known = {about.get("digest") for about in imported if about}
    ended = False
    while not ended:
        until = time.monotonic() + PORTION_SECONDS
        while True:
            ended = not _keep_next(row, games, known) or row.faulty >= MOST_FAULTS
            if ended or time.monotonic() >= until:
                break
        values: dict[str, Any] = {
            name: getattr(row, name) for name in ("read", "kept", "known", "faulty", "faults")
        }
        values |= {"claimed": timezone.now() + LEASE, "ended": timezone.now() if ended else None}
        with write_transaction():
            ended = not GameImport.objects.filter(pk=row.pk, ended=None).update(**values) or ended
        yield True
    _remove_pieces(row)


def _files(row: GameImport) -> dict[str, bytes]:
    """Return the files of an import by their names; none if they are not all there."""
    packed = BytesIO(b"".join(row.pieces.values_list("content", flat=True)))
    try:
        with ZipFile(packed) as archive:
            return {name: archive.read(name) for name in archive.namelist()}
    except BadZipFile:
        return {}


def _keep_next(
    row: GameImport, games: Iterator[ImportedGame | Unread], known: set[str | None]
) -> bool:
    """Keep the next game; return False if there is none, or the reading of the file fails."""
    try:
        if (game := next(games, None)) is not None:
            _keep(row, game, known)
    except DatabaseFault:
        raise
    except Exception:
        logger.exception("import %s fails after %s games", row.pk, row.read)
        row.faulty += 1
        return False
    return game is not None


def _keep(row: GameImport, game: ImportedGame | Unread, known: set[str | None]) -> None:
    """Keep a game, unless the player has it, and count it in ``row`` without saving that."""
    row.read += 1
    if isinstance(game, Unread):
        row.faulty += 1
        if len(row.faults) < SHOWN_FAULTS:
            fault = {"line": game.line, "column": game.column, "text": game.text.to_json()}
            row.faults.append(fault)
        return
    digest = digest_of(game)
    if digest in known:
        row.known += 1
        return
    source = {"digest": digest, "file": row.pk}
    create_imported(player=row.player, game=game, opponent=DEVICE, source=source)
    known.add(digest)
    row.kept += 1


def digest_of(game: ImportedGame) -> str:
    """Return a digest of the content of a game, by which it is found again in another file."""
    record = game.record
    values = [game.rules.slug, game.version, record.setup, [*record.moves], record.result]
    values += [{**record.names}, record.day, record.event, record.place]
    return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:32]


def games_of(row: GameImport) -> list[Game]:
    """Return the first games that were kept of a file, as many as its page shows."""
    later = Game.objects.filter(created_by=row.player_id, created__gte=row.created)
    found = later.filter(imported__file=row.pk).order_by("created", "pk")
    return [*found[:SHOWN_FAULTS]]
