"""Rows of tables before they are written, by the names of their fields."""

from __future__ import annotations

from typing import Any

from fairlead.algebra.records import Tables

Row = dict[str, Any]
"""A row of a table by the names of its fields."""


class Collected:
    """Rows collected while a system is compiled, by the names of the tables they are for: `rows.cable.append(...)`.

    What is under a name that no table has is for whoever collects it.
    """

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found: list[Any] = []
        self.__dict__[name] = found
        return found

    def __setattr__(self, name: str, value: Any) -> None:
        self.__dict__[name] = value

    def fill(self, tables: Tables) -> None:
        """Write all rows that are for a table: column by column where they have the same fields, which is quick."""
        for name, rows in vars(self).items():
            if name not in tables.schema.table or not rows:
                continue
            table = getattr(tables, name)
            if all(row.keys() == rows[0].keys() for row in rows):
                for field in rows[0]:
                    setattr(table, field, [row[field] for row in rows])
            else:
                table.fill(rows)
