"""SQL of the statements behind a move and its boards, compiled once by the ORM.

All other queries use the ORM directly; for these few, compiling took longer than executing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, connections, models
from django.db.models.options import Options

Row = TypeVar("Row", bound=models.Model)

PLAIN = {int, str, bool}


class CompiledQuery:
    """A query that is executed often with other parameters.

    ``make`` returns the queryset, with any value in the place of each parameter. `rows` takes the
    parameters in the order of the SQL, in the database's own types."""

    def __init__(self, make: Callable[[], models.QuerySet[Any]]) -> None:
        self._make = make
        self._compiled = cache(self._compile)

    def rows(self, *parameters: Any) -> list[Any]:
        """Execute the query and return its rows, as tuples of the queryset's columns."""
        compiler, sql, converters = self._compiled(connection.vendor)
        with connection.cursor() as cursor:
            cursor.execute(sql, parameters)
            rows = cursor.fetchall()
        return list(compiler.apply_converters(rows, converters)) if converters else rows

    def _compile(self, _vendor: str) -> tuple[Any, str, Any]:
        compiler: Any = self._make().query.get_compiler(connection=connection)
        sql, _ = compiler.as_sql()
        selected = compiler.select[: compiler.col_count]
        return compiler, sql, compiler.get_converters([column for column, *_ in selected])


def as_instance(model: type[Row], values: Sequence[Any]) -> Row:
    """Return the instance of a row that has the values of all columns of ``model``."""
    names = [field.attname for field in model._meta.concrete_fields]
    return model.from_db(connection.alias, names, values)


def lock_row(model: type[models.Model], key: Any, name: str) -> Any:
    """Lock a row by its primary key, where the database locks rows, and return its field ``name``;
    None when there is no such row. The caller holds a transaction."""
    with connection.cursor() as cursor:
        cursor.execute(_select(model._default_manager, name, connection.vendor), [key])
        row = cursor.fetchone()
    return None if row is None else row[0]


def insert_row(row: models.Model) -> None:
    """Insert a row, whose primary key the database generates."""
    fields = _inserted(row._meta)
    with connection.cursor() as cursor:
        cursor.execute(_insert(row._meta), _values(row, fields, adding=True))
        row.pk = cursor.fetchone()[0]
    row._state.adding, row._state.db = False, connection.alias


def update_row(row: models.Model, names: tuple[str, ...]) -> None:
    """Update the fields ``names`` of a stored row."""
    fields = _fields(row._meta, names)
    with connection.cursor() as cursor:
        cursor.execute(_update(row._meta, names), [*_values(row, fields, adding=False), row.pk])


def _values(row: models.Model, fields: Sequence[Any], *, adding: bool) -> list[Any]:
    return [_value(field, field.pre_save(row, adding)) for field in fields]


def _value(field: models.Field[Any, Any], value: Any) -> Any:
    # Preparing values that drivers take as they are took as long as the statement.
    if value is None or (type(value) in PLAIN and not isinstance(field, models.JSONField)):
        return value
    return field.get_db_prep_save(value, connections[DEFAULT_DB_ALIAS])


def _inserted(meta: Options[Any]) -> list[Any]:
    return [field for field in meta.concrete_fields if not field.primary_key]


def _fields(meta: Options[Any], names: Sequence[str]) -> list[models.Field[Any, Any]]:
    by_name = {field.name: field for field in meta.concrete_fields}
    return [by_name[name] for name in names]


@cache
def _select(manager: models.Manager[Any], name: str, _vendor: str) -> str:
    query = manager.select_for_update().filter(pk="").values_list(name).query
    sql: str = query.get_compiler(connection=connection).as_sql()[0]
    return sql


# The two statements below are made of names of tables and columns alone, which the models give.
@cache
def _insert(meta: Options[Any]) -> str:
    columns = [field.column for field in _inserted(meta)]
    names, places = ", ".join(columns), ", ".join(["%s"] * len(columns))
    return f"INSERT INTO {meta.db_table} ({names}) VALUES ({places}) RETURNING {meta.pk.column}"  # noqa: S608


@cache
def _update(meta: Options[Any], names: tuple[str, ...]) -> str:
    changes = ", ".join(f"{field.column} = %s" for field in _fields(meta, names))
    return f"UPDATE {meta.db_table} SET {changes} WHERE {meta.pk.column} = %s"  # noqa: S608
