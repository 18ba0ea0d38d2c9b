"""Rows of tables before they are written, by the names of their fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fairlead.algebra.records import Schema, Tables
from fairlead.model import Environment
from fairlead.sea import water
from fairlead.sea.tables import SEA_HEAD

Row = dict[str, Any]
"""A row of a table by the names of its fields."""


class Collected:
    """Rows collected while a system is compiled, by the names of the tables they are for: `rows.cable.append(...)`.

    A row is given by the names of its fields, as the array of all its numbers, or as its only number; a table of very
    many rows by its columns. What is under a name that no table has is for whoever collects it.
    """

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found: list[Any] = []
        self.__dict__[name] = found
        return found

    def __setattr__(self, name: str, value: Any) -> None:
        self.__dict__[name] = value

    def tables(self, schema: Schema, environment: Environment, counts: Mapping[str, int], **settings: int) -> Tables:
        """The tables of a schema with the sea and all rows.

        A table has as many rows as were collected for it. Counts that no rows tell are given; what is told by neither
        is 0.
        """
        sea = water.pack(environment)
        known = {**dict.fromkeys(schema.counts, 0), "sea_rows": len(sea) - SEA_HEAD}
        for name, rows in vars(self).items():
            table = schema.table.get(name)
            if table is not None and table.per is not None and len(rows):
                count = len(next(iter(rows.values()))) if isinstance(rows, Mapping) else len(rows)
                known[table.per] = count // table.each
        tables = schema.allocate({**known, **counts}, **settings)
        tables.reals[: len(sea)] = sea
        self.fill(tables)
        return tables

    def fill(self, tables: Tables) -> None:
        """Write all rows that are for a table: column by column where they have the same fields, which is quick."""
        for name, rows in vars(self).items():
            if name not in tables.schema.table or not len(rows):
                continue
            table = getattr(tables, name)
            if isinstance(rows, Mapping):
                for field, column in rows.items():
                    setattr(table, field, column)
            elif not isinstance(rows[0], Mapping):
                block = tables.block(name)
                block[:] = rows if block.shape[1] > 1 else [[row] for row in rows]
            elif all(row.keys() == rows[0].keys() for row in rows):
                for field in rows[0]:
                    setattr(table, field, [row[field] for row in rows])
            else:
                table.fill(rows)
