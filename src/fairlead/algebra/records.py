"""Named records in flat memory: what kernels see of `ints`, `reals`, `y` and `work`.

A formulation declares its tables once, in its `schema.py`:

    SCHEMA = Schema(
        "toy",
        "nodes points",  # counts
        "law",  # settings
        Table("node", REALS, "mass drag", per="nodes"),
        Table("state", Y, "position:3 velocity:3", per="nodes", unit="m, m/s", weight=1.0),
        Table("step", WORK, "size fault_time"),
    )
    system = SCHEMA.view

In a kernel `sys = system(ints, reals, y, work)`; then `sys.nodes` is a count, `sys.node[i]` a row, `sys.node[i].mass` a
number and `sys.state[i].position` three numbers, a tuple, both read and written by name; a table without `per` is one
row, `sys.step.size`. Nothing is copied or allocated: a row is one pointer. A row is known by its fields alone: a kernel
takes, and a variable holds, a row of any table that has the same ones. For kernels that take an array and an offset,
`row_start(sys.node[i], sys.reals)` says where a row begins and `sys.node.start` where a table does; runs of numbers are
slices of that array. In Python `SCHEMA.tables(ints, reals, y, work)` shows the same names as numpy views.

From the declaration follow the offsets (they stand in the head of `ints`), the table of contents of `y`, an index check
against a table's own length when bounds checks are on, and who owns a table when many members of one system run.
Indices count from 0: unlike numpy's, a negative one is no way to count from the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

import numpy as np

from .recorded import blank

INTS, REALS, Y, WORK = PLACES = ("ints", "reals", "y", "work")
SHARED, MEMBER, SCRATCH = "shared", "member", "scratch"
"""Who owns a table when many members of one system run together: all of them, each its own, or nobody between steps."""
OWNERS = {INTS: SHARED, REALS: MEMBER, Y: MEMBER, WORK: SCRATCH}


@dataclass(frozen=True)
class Field:
    """Where a field stands in its row, how many numbers it has, and whether it is seen as a tuple or as a number."""

    start: int
    count: int
    vector: bool

    @property
    def columns(self) -> slice | int:
        return slice(self.start, self.start + self.count) if self.vector else self.start


def fields_of(words: str) -> dict[str, Field]:
    """Fields written as `mass drag position:3`; a number after the colon makes a tuple of so many."""
    found: dict[str, Field] = {}
    start = 0
    for word in words.split():
        name, _, count = word.partition(":")
        if name in found or not name.isidentifier():
            raise ValueError(f"{name!r} cannot be a field: it is there twice, or no name")
        found[name] = Field(start, int(count or 1), bool(count))
        start += int(count or 1)
    return found


@dataclass(frozen=True)
class Table:
    """Rows of named numbers.

    name    as kernels and Python call it
    place   the array it lies in: `INTS` (int64), `REALS`, `Y` or `WORK` (float64)
    columns the fields of a row, `mass drag position:3`
    per     name of the count in the head that says how many rows there are; None for a single row
    each    rows a count, such as 2 ends a cable
    unit, weight   of the state, for tables in `Y`: units, and the weight in the error norm of adaptive integrators
    owner   who owns it in an ensemble; by default what its place says
    """

    name: str
    place: str
    columns: str
    per: str | None = None
    each: int = 1
    unit: str = "1"
    weight: float = 0.0
    owner: str | None = None

    @cached_property
    def fields(self) -> dict[str, Field]:
        return fields_of(self.columns)

    @cached_property
    def width(self) -> int:
        """Numbers a row."""
        return sum(field.count for field in self.fields.values())

    @property
    def owned_by(self) -> str:
        return self.owner or OWNERS[self.place]

    @property
    def whole(self) -> bool:
        """Whether its numbers are whole ones."""
        return self.place == INTS

    def rows(self, counts: Mapping[str, int]) -> int:
        return 1 if self.per is None else self.each * int(counts[self.per])


class Schema:
    """All tables of a formulation.

    The head of `ints` holds the counts, the settings (whole numbers that kernels read by name) and then where each
    table begins in its array.
    """

    def __init__(self, name: str, counts: str, settings: str, *tables: Table) -> None:
        self.name = name
        self.counts, self.settings = tuple(counts.split()), tuple(settings.split())
        self.table: dict[str, Table] = {table.name: table for table in tables}
        self.head = {word: i for i, word in enumerate((*self.counts, *self.settings))}
        words = [*self.head, *self.table, *PLACES]
        twice = sorted({word for word in words if words.count(word) > 1})
        missing = sorted({t.per for t in tables if t.per is not None and t.per not in self.counts})
        if twice or missing or len(self.table) != len(tables):
            raise ValueError(f"schema {name}: names used twice: {twice}; tables per unknown counts: {missing}")
        self.offset = {table.name: len(self.head) + i for i, table in enumerate(tables)}
        self.head_size = len(self.head) + len(tables)
        self.view: Any = self.knowing()
        self.pack: Any = self.pack_knowing()
        """The view of eight systems side by side (`packs`)."""

    def knowing(self, in_eights: bool = False, /, **heads: int) -> Any:
        """The view of systems in which these counts and settings have these values: what hangs on them is decided when
        a kernel is compiled, and what they do not have is left out of it. Whether rows may be taken eight at a time
        (`eights`) is part of it."""
        return Lazy(lambda types: types.view_of(self, heads, in_eights))

    def pack_knowing(self, **heads: int) -> Any:
        """The same of eight such systems side by side."""
        return Lazy(lambda types: types.view_of_pack(self, heads), "pack_types")

    def sizes(self, counts: Mapping[str, int]) -> dict[str, int]:
        """Numbers in each of the four arrays."""
        offsets = self._offsets(counts)
        return {place: max(offsets[place], 1) for place in PLACES}

    def _offsets(self, counts: Mapping[str, int]) -> dict[str, int]:
        """Where each table begins, and under the names of the arrays where each array ends."""
        ends = {INTS: self.head_size, REALS: 0, Y: 0, WORK: 0}
        found: dict[str, int] = {}
        for table in self.table.values():
            found[table.name] = ends[table.place]
            ends[table.place] += table.width * table.rows(counts)
        return found | ends

    def allocate(self, counts: Mapping[str, int], **settings: int) -> Tables:
        """The four arrays for so many rows, all zero but the head; filled by the names of the tables."""
        unknown = sorted({*counts, *settings} ^ {*self.counts, *self.settings})
        if unknown:
            raise ValueError(f"schema {self.name}: counts and settings that are missing or unknown: {unknown}")
        sizes, offsets = self.sizes(counts), self._offsets(counts)
        ints = np.zeros(sizes[INTS], dtype=np.int64)
        for name, index in self.head.items():
            ints[index] = counts[name] if name in counts else settings[name]
        for name, index in self.offset.items():
            ints[index] = offsets[name]
        return self.tables(ints, blank(sizes[REALS]), np.zeros(sizes[Y]), np.zeros(sizes[WORK]))

    def tables(self, ints: np.ndarray, reals: np.ndarray, y: np.ndarray, work: np.ndarray) -> Tables:
        """The same arrays by the names that kernels use."""
        return Tables(self, ints, reals, y, work)

    def state_parts(self, counts: Mapping[str, int]) -> tuple[tuple[str, int, str, float], ...]:
        """Table of contents of `y`: name, size, unit, error weight."""
        states = [table for table in self.table.values() if table.place == Y]
        return tuple((table.name, table.width * table.rows(counts), table.unit, table.weight) for table in states)


class Tables:
    """The arrays of a compiled system as numpy views: `tables.node.mass` (node,), `tables.state.position` (node, 3)."""

    def __init__(self, schema: Schema, ints: np.ndarray, reals: np.ndarray, y: np.ndarray, work: np.ndarray) -> None:
        self.schema = schema
        self.ints, self.reals, self.y, self.work = ints, reals, y, work

    def __getattr__(self, name: str) -> Any:
        schema: Schema = self.__dict__["schema"]
        if name in schema.head:
            return int(self.ints[schema.head[name]])
        if name in schema.table:
            return Rows(schema.table[name], self.block(name))
        raise AttributeError(f"schema {schema.name} has no table or count '{name}'; it has {', '.join(schema.table)}")

    def block(self, name: str) -> np.ndarray:
        """A whole table as (row, column)."""
        table, head = self.schema.table[name], self.schema.head
        start = int(self.ints[self.schema.offset[name]])
        known = {} if table.per is None else {table.per: int(self.ints[head[table.per]])}  # all counts would cost more
        flat: np.ndarray = getattr(self, table.place)[start : start + table.width * table.rows(known)]
        return flat.reshape(-1, table.width)

    @property
    def counts(self) -> dict[str, int]:
        """How many there are of what tables have rows for."""
        return {count: int(self.ints[self.schema.head[count]]) for count in self.schema.counts}


class Rows:
    """One table: its fields are arrays over the rows, or over the numbers of the only row."""

    def __init__(self, table: Table, block: np.ndarray) -> None:
        self.__dict__.update(_table=table, _block=block)

    def __len__(self) -> int:
        return len(self._block)

    def __getattr__(self, name: str) -> Any:
        table: Table = self.__dict__["_table"]
        field = table.fields.get(name)
        if field is None:
            raise AttributeError(f"table {table.name} has no field '{name}'; it has {', '.join(table.fields)}")
        columns = self._block[:, field.columns]
        return columns[0] if table.per is None else columns

    def __setattr__(self, name: str, value: Any) -> None:
        field = self._table.fields.get(name)
        if field is None:
            getattr(self, name)
        elif len(self._block) or np.size(value) > 1:  # a list of nothing fits a table without rows
            self._block[:, field.columns] = value

    def fill(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Write all rows, each given by the names of its fields; a field that is not named stays as it is."""
        for one, values in zip(self._block, rows, strict=True):
            Rows(self._table, one[None, :])._write(values)

    def _write(self, values: Mapping[str, Any]) -> None:
        for name, value in values.items():
            setattr(self, name, value)


class Lazy:
    """A compiled function that `record_types` or `pack_types` has: numba asks for it when it compiles a caller."""

    def __init__(self, get: Callable[[Any], Any], module: str = "record_types") -> None:
        self._get, self._module = get, module

    @cached_property
    def _numba_type_(self) -> Any:
        return self._get(import_module(f".{self._module}", __package__))


row_start: Any = Lazy(lambda types: types.ROW_START)
"""In a kernel `row_start(row, array)`: where a row begins in its array."""
with_state: Any = Lazy(lambda types: types.WITH_STATE)
"""In a kernel `with_state(sys, y)`: the same system in another state."""
expected: Any = Lazy(lambda types: types.EXPECTED)
"""In a kernel `expected(sys.node.mass, i, n)`: n numbers of row i, from this column on, are about to be read. A GPU,
which waits long for its memory, asks for them then; a core, which guesses as much by itself, does nothing."""
fetch: Any = Lazy(lambda types: types.FETCH)
"""In a kernel `fetch(sys.node.mass, i, n, kept)`: the same of a row that is read by `fetched` with the same numbers, of
which the latest `kept` rows are kept apart."""
arrived: Any = Lazy(lambda types: types.ARRIVED)
"""In a kernel `arrived(sys)`: wait for all rows but those asked for by `fetch` since the last such call."""
fetched: Any = Lazy(lambda types: types.FETCHED)
"""In a kernel `fetched(sys.node.mass, i, n, kept)`: such a row, as it was when it was asked for; for a core the row."""
taken: Any = Lazy(lambda types: types.TAKEN)
"""In a kernel `taken(sys.node[i])`: the row to be read from, as it is now. A GPU reads what is used of it here, all at
once, and not where it is used, before which it may have written elsewhere; for a core it is the row."""
