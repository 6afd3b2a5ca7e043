"""SQL for the queries behind a move and its boards, compiled by the ORM once.

All other queries use the ORM directly; for these few, compiling took longer than executing."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, TypeVar

from django.db import connection, models
from django.db.models import QuerySet
from django.db.models.options import Options

Row = TypeVar("Row", bound=models.Model)

NOTHING = {type(None)}
PLAIN = {int, str, bool, type(None)}
"""Types of values that drivers accept unchanged; in a JSON column only None."""


class CompiledQuery:
    """A query that is executed often with different parameters.

    ``make`` returns the queryset, with any value in place of each parameter. `rows` takes the
    parameters in the order of the SQL, in the types of the database."""

    def __init__(self, make: Callable[[], models.QuerySet[Any]]) -> None:
        self._make = make
        self._compiled = cache(self._compile)

    def rows(self, *parameters: Any) -> list[Any]:
        """Execute the query and return its rows, as tuples of the queryset's columns."""
        compiler, sql, converters = self._compiled(connection.vendor)
        rows = fetch_rows(sql, *parameters)
        return list(compiler.apply_converters(rows, converters)) if converters else rows

    def _compile(self, _vendor: str) -> tuple[Any, str, Any]:
        compiler: Any = self._make().query.get_compiler(connection=connection)
        sql, _ = compiler.as_sql()
        selected = compiler.select[: compiler.col_count]
        return compiler, sql, compiler.get_converters([column for column, *_ in selected])


def any_of(make: Callable[[], models.QuerySet[Any]]) -> Callable[[], bool]:
    """Return a function that tells whether a queryset has rows, for a worker that polls. Its
    conditions are null or not, and true or false, which need no parameters."""
    query = CompiledQuery(lambda: make().order_by().values_list("pk")[:1])
    return lambda: bool(query.rows())


def fetch_rows(sql: str, *parameters: Any) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return list(cursor.fetchall())


def as_instance(model: type[Row], values: Sequence[Any]) -> Row:
    names = [field.attname for field in model._meta.concrete_fields]
    return model.from_db(connection.alias, names, values)


def insert_row(row: models.Model) -> None:
    columns = _inserted(row._meta)
    with connection.cursor() as cursor:
        cursor.execute(_insert(row._meta), columns.values(row, cursor.db, adding=True))
        row.pk = cursor.fetchone()[0]
        row._state.adding, row._state.db = False, cursor.db.alias


def update_row(row: models.Model, names: tuple[str, ...]) -> None:
    columns = _columns(row._meta, names)
    with connection.cursor() as cursor:
        values = columns.values(row, cursor.db, adding=False)
        cursor.execute(_update(row._meta, names), [*values, row.pk])


class _Columns:
    """Columns of a table, and a row's values in them as a driver accepts them."""

    def __init__(self, fields: Sequence[models.Field[Any, Any]]) -> None:
        self.names = [str(field.column) for field in fields]
        # Only these compute a value as a row is stored.
        self._times = [field for field in fields if isinstance(field, models.DateField)]
        self._fields = [
            (field, field.attname, NOTHING if isinstance(field, models.JSONField) else PLAIN)
            for field in fields
        ]

    def values(self, row: models.Model, database: Any, *, adding: bool) -> list[Any]:
        for field in self._times:
            field.pre_save(row, adding)
        # Preparing values that drivers accept unchanged took as long as the statement.
        return [
            value
            if (value := getattr(row, name)).__class__ in plain
            else field.get_db_prep_save(value, database)
            for field, name, plain in self._fields
        ]


@cache
def _inserted(meta: Options[Any]) -> _Columns:
    return _Columns([field for field in meta.concrete_fields if not field.primary_key])


@cache
def _columns(meta: Options[Any], names: tuple[str, ...]) -> _Columns:
    by_name = {field.name: field for field in meta.concrete_fields}
    return _Columns([by_name[name] for name in names])


# The two statements below consist only of names of tables and columns, which come from the models.
@cache
def _insert(meta: Options[Any]) -> str:
    columns = _inserted(meta).names
    names, places = ", ".join(columns), ", ".join(["%s"] * len(columns))
    return f"INSERT INTO {meta.db_table} ({names}) VALUES ({places}) RETURNING {meta.pk.column}"  # noqa: S608


@cache
def _update(meta: Options[Any], names: tuple[str, ...]) -> str:
    changes = ", ".join(f"{column} = %s" for column in _columns(meta, names).names)
    return f"UPDATE {meta.db_table} SET {changes} WHERE {meta.pk.column} = %s"  # noqa: S608


logger = logging.getLogger(__name__)
AT_ONCE = 100
"""Rows that are in memory at the same time."""


def keys_in_portions(rows: QuerySet[Any], size: int = AT_ONCE) -> Iterator[list[Any]]:
    """Yield the keys in order. No cursor stays open, so a slow reader holds up no writer."""
    rows = rows.order_by("pk")
    keys = [*rows.values_list("pk", flat=True)[:size]]
    while keys:
        yield keys
        keys = [*rows.filter(pk__gt=keys[-1]).values_list("pk", flat=True)[:size]]


def in_portions(rows: QuerySet[Any]) -> Iterator[list[Any]]:
    """Yield the rows in the order of their keys, as `keys_in_portions` does."""
    return (readable_rows(rows.filter(pk__in=keys)) for keys in keys_in_portions(rows))


def readable_rows(rows: QuerySet[Any]) -> list[Any]:
    """Return the rows with readable values, and log others: SQLite stores a 13th month."""
    try:
        return [*rows]
    except (TypeError, ValueError):
        found = []
        for key in rows.values_list("pk", flat=True):
            try:
                found += rows.model._default_manager.filter(pk=key)
            except (TypeError, ValueError) as error:
                logger.warning("%s %s is unreadable: %s", rows.model._meta.model_name, key, error)
        return found
