"""Named records over flat arrays: kernels and Python see the same numbers under the same names."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from typing import Any, NamedTuple

import numba
import numpy as np
import pytest

from fairlead.algebra.compiled import kernel, quick_compilation
from fairlead.algebra.eights import in_eights
from fairlead.algebra.records import (
    INTS,
    REALS,
    SHARED,
    WORK,
    Rows,
    Schema,
    Table,
    Tables,
    Y,
    expected,
    fields_of,
    row_start,
    with_state,
)  # fmt: skip
from fairlead.algebra.tested_numba import is_tested
from fairlead.formulations import NAMES

SCHEMA = Schema(
    "toy",
    "nodes cables samples",
    "law",
    Table("cable", INTS, "first count", per="cables"),
    Table("node", REALS, "mass drag axis:3", per="nodes"),
    Table("sample", REALS, "value", per="samples", owner=SHARED),
    Table("state", Y, "position:3 velocity:3", per="nodes", unit="m, m/s", weight=1.0),
    Table("ledger", Y, "drag drives", unit="J"),
    Table("step", WORK, "size fault_time"),
    Table("end", WORK, "force:3", per="cables", each=2),
    Table("mark", WORK, "position:3 velocity:3", per="cables"),
)
system = SCHEMA.view


@numba.njit
def drift(h, ints, reals, y, work):
    """Every node moves on; forces at the ends of each cable are the masses there times its velocity."""
    sys = system(ints, reals, y, work)
    sys.step.size = h
    for c in range(sys.cables):
        cable = sys.cable[c]
        for i in range(cable.first, cable.first + cable.count):
            expected(sys.state.velocity, i + 1, 3)  # on a core nothing, even behind the last row
            node, state = sys.node[i], sys.state[i]
            x, v = state.position, state.velocity
            state.position = (x[0] + h * v[0], x[1] + h * v[1], x[2] + h * v[2])
            sys.ledger.drag += node.mass * node.axis[sys.law]
        for side in range(2):
            at = cable.first + side * (cable.count - 1)
            m, v = sys.node[at].mass, sys.state[at].velocity
            sys.end[2 * c + side].force = (m * v[0], m * v[1], m * v[2])
    return sys.reals[sys.sample.start] + sys.sample[1].value


@numba.njit
def at_end(sys, c, last):
    """State of the first or last node of a cable, or of a mark that stands for it: one of two tables."""
    if last:
        return sys.state[sys.cable[c].first + sys.cable[c].count - 1]
    return sys.mark[c]


@numba.njit
def ends_of(ints, reals, y, work):
    sys = system(ints, reals, y, work)
    total = 0.0
    for c in range(sys.cables):
        for last in range(2):
            row = at_end(sys, c, last == 1)
            total += row.position[0]
            row.velocity = (1.0, 0, 3.0)
    node = sys.node[2]
    at = row_start(node, sys.reals)
    return total, at, sys.reals[at], row_start(sys.ledger, sys.y)


first_law = SCHEMA.knowing(law=1)
together = SCHEMA.knowing(True)


@numba.njit
def law_and_place(sys):
    return sys.law, sys.state[0].position[0]


@numba.njit
def known_law(ints, reals, y, work, other):
    """The law as it is and as it is known to be, and the first place, here and in another state."""
    known = first_law(ints, reals, y, work)
    return law_and_place(system(ints, reals, y, work)), law_and_place(known), law_and_place(with_state(known, other))


def filled():
    tables = SCHEMA.allocate({"nodes": 5, "cables": 2, "samples": 2}, law=2)
    tables.cable.first, tables.cable.count = [0, 3], [3, 2]
    tables.node.mass = np.arange(1.0, 6.0)
    tables.node.axis = np.arange(15.0).reshape(5, 3)
    tables.state.velocity = 0.1 * np.arange(15.0).reshape(5, 3)
    tables.sample.value[:] = [7.0, 11.0]
    return tables


def test_kernels_and_python_see_the_same_numbers():
    tables = filled()
    sum_of_samples = drift(0.5, tables.ints, tables.reals, tables.y, tables.work)
    assert sum_of_samples == 18.0
    assert np.array_equal(tables.state.position, 0.5 * tables.state.velocity)
    assert tables.ledger.drag == pytest.approx(np.dot(tables.node.mass, tables.node.axis[:, 2]))
    assert tables.step.size == 0.5
    ends = [0, 2, 3, 4]
    assert np.array_equal(tables.end.force, tables.node.mass[ends, None] * tables.state.velocity[ends])
    assert tables.ledger.drives == 0.0
    assert np.array_equal(tables.node.drag, np.zeros(5))


def test_a_row_is_known_by_its_fields_and_knows_its_place():
    tables = filled()
    tables.mark.position = [[5.0, 0, 0], [7.0, 0, 0]]
    tables.state.position = np.arange(15.0).reshape(5, 3)
    total, at, mass, ledger = ends_of(tables.ints, tables.reals, tables.y, tables.work)
    assert total == 5.0 + 7.0 + tables.state.position[2, 0] + tables.state.position[4, 0]
    assert np.array_equal(tables.mark.velocity, [[1, 0, 3], [1, 0, 3]])
    assert np.array_equal(tables.state.velocity[[2, 4]], [[1, 0, 3], [1, 0, 3]])
    assert (at, mass) == (10, tables.node.mass[2])
    assert ledger == 30


def test_what_is_known_of_a_system_is_part_of_its_kernels():
    tables = filled()
    other = tables.y + 5.0
    found = known_law(tables.ints, tables.reals, tables.y, tables.work, other)
    assert found == ((2, 0.0), (1, 0.0), (1, 5.0))


def test_what_a_system_is_known_not_to_have_is_not_compiled():
    """A branch that would not compile is no harm where it is known that it is never taken, and is one elsewhere."""

    @kernel
    def by_law(sys):
        if sys.law == 2 and sys.nodes > 0:
            return sys.state[0].no_such_field
        return sys.state[0].position[0]

    @numba.njit
    def known(ints, reals, y, work):
        return by_law(first_law(ints, reals, y, work))

    @numba.njit
    def unknown(ints, reals, y, work):
        return by_law(system(ints, reals, y, work))

    tables = filled()
    arrays = tables.ints, tables.reals, tables.y, tables.work
    with quick_compilation():
        assert known(*arrays) == tables.state.position[0, 0]
        with pytest.raises(numba.TypingError, match="no_such_field"):
            unknown(*arrays)


class Case(NamedTuple):
    """A system and a number, handed over as one."""

    sys: Any
    factor: float


def test_a_kernel_is_compiled_once_for_all_systems_it_cannot_tell_apart():
    """Neither a place nor its double hangs on the law; the law itself does, and what is taken eight at a time on that.
    A system that is given back is of the type it had: its law is still known."""

    @kernel
    def place(sys):
        return sys.state[0].position[0]

    @kernel
    def doubled(case):
        return case.factor * place(case.sys)

    @kernel
    def law(sys):
        return sys.law

    @kernel
    def moved(sys, y):
        return with_state(sys, y)

    @kernel
    def at_a_time(sys):
        rows = in_eights(sys)
        if rows is not None:
            return 8
        return 1

    @kernel
    def told(sys, other):
        return law(sys), doubled(Case(sys, 2.0)), law(moved(sys, other)), place(moved(sys, other)), at_a_time(sys)

    @numba.njit
    def all_told(ints, reals, y, work, other):
        return (
            told(system(ints, reals, y, work), other),
            told(first_law(ints, reals, y, work), other),
            told(together(ints, reals, y, work), other),
        )

    tables = filled()
    tables.state.position[0, 0] = 3.0
    with quick_compilation():
        found = all_told(tables.ints, tables.reals, tables.y, tables.work, tables.y + 1.0)
    assert found == ((2, 6.0, 2, 4.0, 1), (1, 6.0, 1, 4.0, 1), (2, 6.0, 2, 4.0, 8))
    if is_tested():
        kernels = (place, doubled, law, moved, at_a_time, told)
        assert [len(one.dispatcher.overloads) for one in kernels] == [1, 1, 2, 3, 2, 3]


def test_rows_are_filled_by_name():
    tables = filled()
    tables.node.fill({"mass": k, "axis": (k, 0, 0)} for k in range(5))
    assert np.array_equal(tables.node.mass, np.arange(5.0))
    assert np.array_equal(tables.node.axis[:, 0], np.arange(5.0))
    tables.ledger.fill([{"drives": 2.0}])
    assert tables.ledger.drives == 2.0
    with pytest.raises(AttributeError, match="no field 'maas'"):
        tables.node.fill([{"maas": 1.0}] * 5)
    empty = SCHEMA.allocate({"nodes": 0, "cables": 0, "samples": 0}, law=2)
    empty.state.position, empty.node.mass = [], 1.0
    assert empty.state.position.shape == (0, 3)
    with pytest.raises(ValueError, match="broadcast"):
        empty.state.position = np.zeros((2, 3))
    with pytest.raises(ValueError, match="shorter"):
        tables.node.fill([{"mass": 1.0}])


def test_tables_do_not_overlap_and_fill_their_arrays():
    tables = filled()
    for number, name in enumerate(SCHEMA.table):
        tables.block(name)[:] = number + 100
    for number, name in enumerate(SCHEMA.table):
        assert np.all(tables.block(name) == number + 100)
    head = tables.ints[: SCHEMA.head_size]
    assert not np.any(head == 100)
    for array in (tables.reals, tables.y, tables.work, tables.ints[SCHEMA.head_size :]):
        assert np.all(array >= 100)


def test_the_state_has_a_table_of_contents():
    parts = SCHEMA.state_parts({"nodes": 5, "cables": 2, "samples": 2})
    assert parts == (("state", 30, "m, m/s", 1.0), ("ledger", 2, "J", 0.0))
    assert SCHEMA.table["state"].owned_by == "member"
    assert SCHEMA.table["sample"].owned_by == "shared"
    assert SCHEMA.table["step"].owned_by == "scratch"


def test_slips_of_the_pen_are_told():
    tables = filled()
    with pytest.raises(AttributeError, match="no table or count 'nods'"):
        _ = tables.nods
    with pytest.raises(AttributeError, match="no field 'maas'"):
        _ = tables.node.maas
    with pytest.raises(AttributeError, match="no field 'maas'"):
        tables.node.maas = 3.0
    with pytest.raises(ValueError, match="missing or unknown"):
        SCHEMA.allocate({"nodes": 5, "cables": 2}, law=2)
    with pytest.raises(ValueError, match="twice"):
        Schema("bad", "nodes", "", Table("nodes", REALS, "mass", per="nodes"))
    with pytest.raises(ValueError, match="unknown counts"):
        Schema("bad", "nodes", "", Table("node", REALS, "mass", per="bars"))
    with pytest.raises(ValueError, match="cannot be a field"):
        fields_of("mass mass")


OUTSIDE = """
import numba, numpy as np
from fairlead.algebra.records import REALS, Schema, Table
node, other = Table("node", REALS, "mass", per="nodes"), Table("other", REALS, "mass", per="others")
schema = Schema("toy", "nodes others", "", node, other)
system = schema.view
@numba.njit
def read(i, ints, reals, y, work):
    return system(ints, reals, y, work).node[i].mass
t = schema.allocate({"nodes": 2, "others": 2})
for i in (1, 2, -1):
    try:
        print(i, read(i, t.ints, t.reals, t.y, t.work))
    except IndexError:
        print(i, "outside")
"""


def test_an_index_is_checked_against_its_own_table():
    """Row 2 of `node` lies inside the array, in the next table: only a check of the table's own length sees it."""
    done = subprocess.run(
        [sys.executable, "-c", OUTSIDE], env={**os.environ, "NUMBA_BOUNDSCHECK": "1"}, capture_output=True, text=True
    )
    assert done.stdout.split("\n")[:3] == ["1 0.0", "2 outside", "-1 outside"], done.stderr


@pytest.mark.parametrize("formulation", [*NAMES, "links.paper"])
def test_no_table_of_a_formulation_is_hidden_by_what_tables_can_do(formulation: str) -> None:
    """`tables.block` is a function, whatever a schema calls its tables: a table of that name could not be reached."""
    schema = importlib.import_module(f"fairlead.formulations.{formulation}.schema").SCHEMA
    assert not [name for name in (*schema.counts, *schema.settings, *schema.table) if hasattr(Tables, name)]
    fields = [name for table in schema.table.values() for name in table.fields]
    assert not [name for name in fields if hasattr(Rows, name)]
