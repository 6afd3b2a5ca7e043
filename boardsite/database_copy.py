"""Moving everything to another database, row by row, and checking that it arrived.

Rows keep their keys, so addresses and links keep working. Sessions and the admin's own log stay
behind: staff log in again. So do evaluations of moves that were taken back: numbers go on after
the highest that arrives, and a new move with the number of such a move must not get its evaluation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import zip_longest
from typing import Any

from django.contrib.auth.models import Group, User
from django.core import serializers
from django.core.management.color import no_style
from django.db import connections, models, transaction

from games.models import Evaluation, Game, Holder, Move, Player, Seat

AT_ONCE = 2_000
MODELS: tuple[type[models.Model], ...] = (Player, Game, Seat, Holder, Move, Evaluation)
ACCOUNTS: tuple[type[models.Model], ...] = (Group, User)

_LED_THERE = Move.objects.filter(
    pk=models.OuterRef("move_id"), game=models.OuterRef("game"), ply=models.OuterRef("ply")
)
_OF_THIS_HISTORY = models.Q(move_id=0) | models.Exists(_LED_THERE)

Progress = Callable[[str, int, int], None]
"""Called with the name of a table, the rows done and the rows there are."""


class NotEmpty(Exception):
    """The database that is moved to has rows already."""


class Differs(Exception):
    """What arrived is not what was sent; the message names the table."""


def move_all(source: str, target: str, progress: Progress) -> dict[str, int]:
    """Copy all rows between two configured connections and compare them; rows by table.

    All in one transaction of the target. Raises NotEmpty or Differs, then it is as it was.
    """
    for model in (*ACCOUNTS, *MODELS):
        if model.objects.using(target).exists():
            raise NotEmpty(model._meta.verbose_name_plural)
    counts = {}
    with transaction.atomic(using=target):
        for model in ACCOUNTS:
            counts[str(model._meta.label)] = _copy_accounts(model, source, target)
        for model in MODELS:
            counts[str(model._meta.label)] = _copy(model, source, target, progress)
        _compare(source, target)
        _continue_numbers(target)
    return counts


def _rows(model: type[models.Model], database: str) -> models.QuerySet[models.Model]:
    """The rows that are moved."""
    manager: models.Manager[models.Model] = model._default_manager
    rows = manager.using(database).order_by("pk")
    return rows.filter(_OF_THIS_HISTORY) if model is Evaluation else rows


def _copy(model: type[models.Model], source: str, target: str, progress: Progress) -> int:
    """Copy one table as it is, dates that fill themselves in included."""
    total, done = _rows(model, source).count(), 0
    batch: list[models.Model] = []
    with _dates_as_they_are(model):
        for row in _rows(model, source).iterator(chunk_size=AT_ONCE):
            batch.append(row)
            if len(batch) == AT_ONCE:
                done += _write(model, target, batch)
                progress(str(model._meta.verbose_name_plural), done, total)
        done += _write(model, target, batch)
    progress(str(model._meta.verbose_name_plural), done, total)
    return done


def _write(model: type[models.Model], target: str, batch: list[models.Model]) -> int:
    manager: models.Manager[models.Model] = model._default_manager
    written = len(manager.using(target).bulk_create(batch))
    batch.clear()
    return written


class _dates_as_they_are:  # noqa: N801  (used like a function)
    """Keeps Django from putting today into `created` and `updated` of rows that are copied."""

    def __init__(self, model: type[models.Model]) -> None:
        dates = [f for f in model._meta.fields if isinstance(f, models.DateTimeField)]
        self.before = [(field, field.auto_now, field.auto_now_add) for field in dates]

    def __enter__(self) -> None:
        for field, _, _ in self.before:
            field.auto_now = field.auto_now_add = False

    def __exit__(self, *error: object) -> None:
        for field, now, added in self.before:
            field.auto_now, field.auto_now_add = now, added


def _copy_accounts(model: type[models.Model], source: str, target: str) -> int:
    """Accounts with their permissions, which have other numbers there: by name. Not as JSON, in
    which Django cuts times to milliseconds."""
    rows = list(serializers.deserialize("python", _accounts(model, source), using=target))
    for row in rows:
        row.save(using=target)
    return len(rows)


def _accounts(model: type[models.Model], database: str) -> list[dict[str, Any]]:
    named = serializers.serialize("python", _rows(model, database), use_natural_foreign_keys=True)
    return list(named)


def _compare(source: str, target: str) -> None:
    for model in (*ACCOUNTS, *MODELS):
        values = _account_values if model in ACCOUNTS else _values
        if not same(values(model, source), values(model, target)):
            raise Differs(str(model._meta.verbose_name_plural))


def same(sent: Iterable[object], arrived: Iterable[object]) -> bool:
    """Whether rows are equal, one by one: as values, for PostgreSQL keeps the keys of JSON in an
    order of its own, and writes some numbers otherwise."""
    return all(one == other for one, other in zip_longest(sent, arrived))


def _values(model: type[models.Model], database: str) -> Iterator[object]:
    """Every field of every row, in order of keys."""
    fields = [field.attname for field in model._meta.concrete_fields]
    return _rows(model, database).values_list(*fields).iterator(chunk_size=AT_ONCE)


def _account_values(model: type[models.Model], database: str) -> Iterator[object]:
    """Every field of every account, with its groups and permissions by name, in one order."""
    for row in _accounts(model, database):
        values = row["fields"].items()
        named = {key: sorted(value) if isinstance(value, list) else value for key, value in values}
        yield row["pk"], named


def _continue_numbers(target: str) -> None:
    """Databases that number by sequences go on after the copied keys."""
    connection = connections[target]
    commands = connection.ops.sequence_reset_sql(no_style(), [*ACCOUNTS, *MODELS])
    with connection.cursor() as cursor:
        for command in commands:
            cursor.execute(command)
