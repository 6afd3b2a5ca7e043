"""The statements that a move and its boards need, whose SQL is made once and not every time.

Everything else is asked through the ORM; here making the SQL took longer than carrying it out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, TypeVar

from django.db import connection, models
from django.db.models.options import Options

Row = TypeVar("Row", bound=models.Model)


class CompiledQuery:
    """A query that is asked again and again: ``make`` gives it as a queryset, once, with some
    value for each of its parameters. Those are given in the order of the SQL, as the database has
    them."""

    def __init__(self, make: Callable[[], models.QuerySet[Any]]) -> None:
        self._make = make
        self._compiled = cache(self._compile)

    def rows(self, *parameters: Any) -> list[Any]:
        """The rows, with the values of the queryset's columns."""
        compiler, sql, converters = self._compiled(connection.vendor)
        with connection.cursor() as cursor:
            cursor.execute(sql, parameters)
            found = cursor.fetchall()
        return list(compiler.apply_converters(found, converters)) if converters else found

    def _compile(self, _vendor: str) -> tuple[Any, str, Any]:
        compiler: Any = self._make().query.get_compiler(connection=connection)
        sql, _ = compiler.as_sql()
        shown = compiler.select[: compiler.col_count]
        return compiler, sql, compiler.get_converters([column for column, *_ in shown])


def as_instance(model: type[Row], values: Sequence[Any]) -> Row:
    """A row of all columns of a model, as one of it."""
    names = [field.attname for field in model._meta.concrete_fields]
    found: Row = model.from_db(connection.alias, names, values)
    return found


def lock_row(model: type[models.Model], key: Any, name: str) -> Any:
    """The field ``name`` of a row by its primary key, the row being locked from now on where the
    database locks rows. Raises ``model.DoesNotExist``. The caller holds a transaction."""
    with connection.cursor() as cursor:
        cursor.execute(_select(model._default_manager, name, connection.vendor), [key])
        found = cursor.fetchone()
    if found is None:
        raise model.DoesNotExist
    return found[0]


def insert_row(row: models.Model) -> None:
    """Add a row, whose primary key the database chooses."""
    fields = _inserted(row._meta)
    with connection.cursor() as cursor:
        cursor.execute(_insert(row._meta), _values(row, fields, adding=True))
        row.pk = cursor.fetchone()[0]
    row._state.adding, row._state.db = False, connection.alias


def update_row(row: models.Model, names: tuple[str, ...]) -> None:
    """Write the fields ``names`` of a row that is there."""
    fields = [row._meta.get_field(name) for name in names]
    with connection.cursor() as cursor:
        cursor.execute(_update(row._meta, names), [*_values(row, fields, adding=False), row.pk])


def _values(row: models.Model, fields: Sequence[Any], *, adding: bool) -> list[Any]:
    return [field.get_db_prep_save(field.pre_save(row, adding), connection) for field in fields]


def _inserted(meta: Options) -> list[Any]:
    return [field for field in meta.concrete_fields if not field.primary_key]


@cache
def _select(manager: models.Manager[Any], name: str, _vendor: str) -> str:
    query = manager.select_for_update().filter(pk="").values_list(name).query
    sql: str = query.get_compiler(connection=connection).as_sql()[0]
    return sql


# The names of tables and columns in them are the models' own.
@cache
def _insert(meta: Options) -> str:
    columns = [field.column for field in _inserted(meta)]
    names, places = ", ".join(columns), ", ".join(["%s"] * len(columns))
    return f"INSERT INTO {meta.db_table} ({names}) VALUES ({places}) RETURNING {meta.pk.column}"  # noqa: S608


@cache
def _update(meta: Options, names: tuple[str, ...]) -> str:
    changes = ", ".join(f"{meta.get_field(name).column} = %s" for name in names)
    return f"UPDATE {meta.db_table} SET {changes} WHERE {meta.pk.column} = %s"  # noqa: S608
