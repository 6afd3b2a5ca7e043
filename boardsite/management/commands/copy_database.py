"""``manage.py copy_database URL``: copies all rows into another database and verifies them.

Rows keep their keys, so addresses and links keep working. Sessions and the admin's own log stay
behind: staff log in again. So do evaluations of moves that were taken back: sequences continue
after the highest copied key, and a new move with the id of such a move must not get its evaluation.

``dumpdata`` and ``loaddata`` are not enough. They save row by row (81 s for 50,000 moves, against
13 s here with every row compared), truncate times to milliseconds, and compare nothing."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from itertools import islice, zip_longest
from typing import Any

import click
from django.apps import apps
from django.contrib.auth.models import Group, User
from django.core import serializers
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.core.management.color import no_style
from django.db import DatabaseError, connections, models, transaction

from boardsite.environment import parse_database_url
from games.management.checks import require_current_tables
from games.models import Evaluation, Game, Move
from games.state.replay import verify

BATCH = 2_000
# In any order: databases check foreign keys at the end of the transaction.
MODELS: tuple[type[models.Model], ...] = tuple(apps.get_app_config("games").get_models())
STAFF: tuple[type[models.Model], ...] = (Group, User)

_EVALUATED_MOVE = Move.objects.filter(
    pk=models.OuterRef("move_id"), game=models.OuterRef("game"), ply=models.OuterRef("ply")
)
_HAS_MOVE = models.Q(move_id=0) | models.Exists(_EVALUATED_MOVE)


class NotEmpty(Exception):
    """The target database has rows already; the message names the table."""


class Differs(Exception):
    """The copied rows differ from the original ones; the message names the table."""


def copy_all(source: str, target: str) -> dict[str, int]:
    """Copy all rows between two configured connections, compare them, and return their numbers.

    It is one transaction of the target. Raises NotEmpty or Differs."""
    for model in (*STAFF, *MODELS):
        if model._default_manager.using(target).exists():
            raise NotEmpty(model._meta.verbose_name_plural)
    counts = {}
    with transaction.atomic(using=target):
        for model in STAFF:
            counts[str(model._meta.label)] = _copy_staff(model, source, target)
        for model in MODELS:
            counts[str(model._meta.label)] = _copy(model, source, target)
        _compare(source, target)
        _reset_sequences(target)
    return counts


def _rows(model: type[models.Model], database: str) -> models.QuerySet[models.Model]:
    rows = model._default_manager.using(database).order_by("pk")
    return rows.filter(_HAS_MOVE) if model is Evaluation else rows


def _copy(model: type[models.Model], source: str, target: str) -> int:
    rows, done = _rows(model, source), 0
    iterator, insert = rows.iterator(chunk_size=BATCH), model._default_manager.using(target)
    name = str(model._meta.verbose_name_plural)
    with _UnchangedDates(model), click.progressbar(length=rows.count(), label=name) as bar:
        while batch := [*islice(iterator, BATCH)]:
            done += len(insert.bulk_create(batch))
            bar.update(len(batch))
    return done


class _UnchangedDates:
    """Suspends ``auto_now`` and ``auto_now_add``, which would date copied rows today."""

    def __init__(self, model: type[models.Model]) -> None:
        dates = [f for f in model._meta.fields if isinstance(f, models.DateTimeField)]
        self.before = [(field, field.auto_now, field.auto_now_add) for field in dates]

    def __enter__(self) -> None:
        for field, _, _ in self.before:
            field.auto_now = field.auto_now_add = False

    def __exit__(self, *error: object) -> None:
        for field, now, added in self.before:
            field.auto_now, field.auto_now_add = now, added


def _copy_staff(model: type[models.Model], source: str, target: str) -> int:
    """Copy groups or staff by natural keys: permissions have other ids in the target.

    The serialization format is Python, since JSON truncates times to milliseconds."""
    rows = list(serializers.deserialize("python", _staff(model, source), using=target))
    for row in rows:
        row.save(using=target)
    return len(rows)


def _staff(model: type[models.Model], database: str) -> list[dict[str, Any]]:
    rows = serializers.serialize("python", _rows(model, database), use_natural_foreign_keys=True)
    return list(rows)


def _compare(source: str, target: str) -> None:
    for model in (*STAFF, *MODELS):
        values = _staff_values if model in STAFF else _values
        if not are_equal(values(model, source), values(model, target)):
            raise Differs(str(model._meta.verbose_name_plural))


def are_equal(sent: Iterable[object], arrived: Iterable[object]) -> bool:
    """Return whether two sequences of rows are equal in Python: databases write JSON
    differently."""
    return all(one == other for one, other in zip_longest(sent, arrived))


def _values(model: type[models.Model], database: str) -> Iterator[object]:
    """Yield every field of every row, by key."""
    fields = [field.attname for field in model._meta.concrete_fields]
    return _rows(model, database).values_list(*fields).iterator(chunk_size=BATCH)


def _staff_values(model: type[models.Model], database: str) -> Iterator[object]:
    """Yield all fields of groups or staff, their groups and permissions as sorted natural keys."""
    for row in _staff(model, database):
        values = row["fields"].items()
        fields = {key: sorted(value) if isinstance(value, list) else value for key, value in values}
        yield row["pk"], fields


def _reset_sequences(target: str) -> None:
    """Continue the sequences of the target after the copied keys."""
    connection = connections[target]
    commands = connection.ops.sequence_reset_sql(no_style(), [*STAFF, *MODELS])
    with connection.cursor() as cursor:
        for command in commands:
            cursor.execute(command)


TARGET = "target"


class Command(BaseCommand):
    """Copies the database. The site must be stopped: moves played meanwhile are not copied."""

    help = (
        "Copy all games, players and accounts into the empty database at URL "
        "(postgres://… or sqlite:///…), with progress, and compare every row. Stop the site first."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("url", help="the empty database, in the form of DATABASE_URL")

    def handle(self, *args: Any, url: str, **options: Any) -> None:
        self._open(url)
        require_current_tables()
        try:
            counts = copy_all("default", TARGET)
        except NotEmpty as error:
            raise CommandError(
                f"There are {error} in that database already, and it has to be empty. If an "
                "earlier copy was interrupted while replaying, it is complete: run verify_games "
                "with that DATABASE_URL."
            ) from error
        except Differs as error:
            raise CommandError(f"The copied {error} differ from the original.") from error
        for label, count in counts.items():
            self.stdout.write(f"{label}: {count}, equal in both")
        self._replay()
        self.stdout.write(self.style.SUCCESS("Done. Set DATABASE_URL and start the site."))

    def _open(self, url: str) -> None:
        """Create the tables of the target. Raises CommandError."""
        try:
            target = parse_database_url(url)
        except ImproperlyConfigured as error:
            raise CommandError(str(error)) from error
        configured = connections.configure_settings({"default": {}, TARGET: target})
        connections.databases[TARGET] = configured[TARGET]
        try:
            call_command("migrate", database=TARGET, verbosity=0, interactive=False)
        except DatabaseError as error:
            raise CommandError(f"That database cannot be used: {error}") from error

    def _replay(self) -> None:
        """Replay every copied game and report faults, which the original has too."""
        games = Game.objects.using(TARGET)
        faults = [(game.pk, fault) for game in games.iterator() if (fault := verify(game).fault)]
        for game_id, fault in faults:
            self.stderr.write(f"game {game_id} does not replay: {fault}")
        self.stdout.write(f"{games.count() - len(faults)} games replay in the copy.")
