"""What all formulations on kernels share: the arrays of a compiled system, its one entry, and what is made of both.

A formulation declares its tables (`schema.py`), fills them (`build.py`), writes one entry kernel and says in words what
may go wrong (`compiled_*.py`). Steps and their parts, observations, inputs, faults and what another program needs to
run the kernel without Python (`exportable`) follow from these here.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np

from fairlead.algebra.records import WORK, Schema, Tables
from fairlead.model import System
from fairlead.results.observation import ObservationShape
from fairlead.rigging.first_velocity import FirstVelocities
from fairlead.rigging.hubs import hub_names
from fairlead.shape.growth import with_growth

from .contract import ADAPTIVE_STEP, Compiled, Exportable, Failure, Layout, UnsupportedSystem

if TYPE_CHECKING:
    from fairlead.shape.layout import Geometry

    from .first_state import LaidCable, Still
    from .phases import Phases

NOTHING = np.empty(0)
"""For an entry that is to observe nothing."""
OK = 0
"""The status of an entry that went well."""
Places = tuple[tuple[str, ...], ...]


def places_along(
    cables: Sequence[str], elements: Iterable[int], word: str, turned: Iterable[bool] | None = None, first: int = 1
) -> Places:
    """`cable 'left', element 3 of 50`: every element of each cable (or, from `first` = 0 on, every node).

    elements  how many each cable has
    turned    whether a cable is stored against the direction of the file
    """
    found = []
    for name, count, back in zip(cables, elements, [False] * len(cables) if turned is None else turned, strict=True):
        row = [f"cable '{name}', {word} {k} of {count}" for k in range(first, int(count) + 1)]
        found.append(tuple(row[::-1] if back else row))
    return tuple(found)


class KernelCompiled(Compiled):
    """A system compiled to the tables of a schema, which one kernel advances and observes.

    A formulation gives, beside what `Compiled` asks for,

    schema    its tables. Two of them have a meaning here: `fault` in `WORK`, in which a kernel leaves time, place and
              part of a fault in this order (what is left out counts as 0), and with `rhs` the block `adaptive_step`
    kinds     the integrators its entry knows, by the number it knows them by
    statuses  every status but `OK` that its entry may return
    entry     the kernel `run(t, y, n, h, u, ints, reals, work, kind, copy, out) -> status`: n steps of size h from t in
              place, then, when `out` has room for it, one observation of the state reached (n = 0 observes alone).
              `kind` is one of `kinds` or a task of the formulation's own, `copy` scratch of the size of `y`. It may
              write to `ints` and `reals`; what lives in them it finds again from `y` at the start of each call
    words     what a status means; `places`, what people call the places it may name
    """

    schema: ClassVar[Schema]
    kinds: ClassVar[Mapping[str, int]] = {}
    statuses: ClassVar[tuple[int, ...]]
    exports: ClassVar[bool] = False
    """Whether its entry is all that a run needs, so that another program can run it without Python."""
    derived: ClassVar[tuple[str, ...]] = ()
    """Attributes beside `reals` that follow from physical properties."""
    entry: Callable[..., int]
    steps: Callable[..., int] | None = None
    """Kernel `steps(t, n, h, u, kind, sys) -> status` that takes steps and does nothing else, for ensembles."""
    watched: Callable[..., int] | None = None
    """Kernel `watched(t, n, h, u, kind, seen, sys) -> status` that takes samples on the way as well, as
    `rigging.watching` says."""
    phases: Phases | None = None
    """The same in phases, each for many members at once: what a GPU takes where it is there and no waves are felt."""
    lone: Callable[..., int] | None = None
    """Entry of steps with samples on the way for one member, for systems that no pack carries; None: there is none."""
    pack: Callable[..., int] | None = None
    """Entry of eight members side by side (`fairlead.algebra.packs`), with what is kept of samples; None: there is
    none."""

    def no_pack(self) -> str | None:
        """Why this system cannot run in packs; None where it can."""
        return None if self.pack is not None else f"formulation '{self.formulation}' has no packs"

    def no_watch(self) -> str | None:
        """Why samples of this system cannot be taken on the way, as a GPU takes them; None where they can."""
        return None if self.watched is not None else f"formulation '{self.formulation}' has no steps for a GPU"

    def structure(self, constants: np.ndarray) -> np.ndarray:
        """Those of its constants that decide what is computed, not with which numbers: alike in all of a pack."""
        return np.empty(0)

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        tables = cls.schema.table
        if "fault" not in tables or tables["fault"].place != WORK:
            raise TypeError(f"{cls.__name__}: its schema has no table 'fault' in WORK, where a fault is left")
        if cls.rhs is not None and ADAPTIVE_STEP not in tables:
            raise TypeError(f"{cls.__name__}: it has `rhs`, and its schema no table '{ADAPTIVE_STEP}' in Y")

    def _hold(
        self,
        system: System,
        tables: Tables,
        inputs: dict[str, slice],
        shape: ObservationShape,
        entry: Callable[..., int],
    ) -> None:
        """Take what was built: first of all in a formulation's `__init__`."""
        self.system, self.inputs, self.shape, self.entry = system, inputs, shape, entry
        self.ints, self.reals, self.work, self._y0 = tables.ints, tables.reals, tables.work, tables.y
        self.layout = Layout.of(*self.schema.state_parts(tables.counts))
        self._keep_extremes()
        self._copy = self._y0.copy()
        self._first_ints = self.ints.copy()

    @property
    def first_steps(self) -> float:
        """Until when [s] a fault is put down to how the run began."""
        return 2.0 * self.system.simulation.step

    @property
    def kind(self) -> int:
        """The integrator the settings ask for, as the entry counts them."""
        return self.kinds.get(self.scheme, 0)

    @cached_property
    def starts_at_rest(self) -> bool:
        """Whether nothing moves at the start."""
        return FirstVelocities(self.system).none

    def initial_state(self) -> np.ndarray:
        return self.under_way(self._y0)

    def prepare(self, h: float) -> None:
        """Bring up to date what kernels keep in `work` for steps of h [s]; called before they are taken."""

    def advance(self, t: float, y: np.ndarray, n: int, h: float, u: np.ndarray, scheme: str) -> Failure | None:
        parts = self.parts(h, scheme)
        return self.advance_parts(t, y, n * parts, h / parts, u, scheme)

    def advance_parts(self, t: float, y: np.ndarray, n: int, h: float, u: np.ndarray, scheme: str) -> Failure | None:
        self.prepare(h)
        status = self._run(t, y, n, h, u, self.kinds.get(scheme, 0), NOTHING)
        return None if status == OK else self.failure(status, t, y)

    def observe(self, t: float, y: np.ndarray, u: np.ndarray, h: float, out: np.ndarray) -> None:
        if self._run(t, y, 0, h / self.parts(h, self.scheme), u, self.kind, out) != OK:
            out[self.shape.end_block.start :] = np.nan  # what cannot be solved must not look like an answer

    def _run(self, t: float, y: np.ndarray, n: int, h: float, u: np.ndarray, kind: int, out: np.ndarray) -> int:
        """The entry on the system's arrays."""
        return self.entry(float(t), y, int(n), float(h), u, self.ints, self.reals, self.work, kind, self._copy, out)

    def rebuilt(self, system: System) -> Self:
        """The same of a system with other properties, from the same first shape."""
        if self.geometry is None:
            raise UnsupportedSystem("the shape it was compiled from is not known")
        return type(self)(with_growth(system, self.geometry), self.geometry)  # type: ignore[call-arg]

    def align(self, y: np.ndarray) -> None:
        if self.geometry is None or not any(body.kind == "floating" for body in self.system.bodies.values()):
            return
        tables, names = self.tables(y), hub_names(self.system)
        own = zip(tables.floater.hub, tables.hull.turns, tables.slow.yaw, strict=True)
        axes = {names[hub]: float(yaw) for hub, turns, yaw in own if not turns and yaw}
        if axes == self.geometry.axes:
            return
        before, self.geometry = self.geometry, replace(self.geometry, axes=axes)
        other = self.rebuilt(self.system)
        if not np.array_equal(other._first_ints, self._first_ints) or len(other.reals) != len(self.reals):
            self.geometry = before
            raise UnsupportedSystem(
                "the coefficients of a floater cannot be turned to the heading it rests at; set its orientation_deg to "
                "that heading, or follow_yaw: true"
            )
        self.reals[:] = other.reals

    def take_properties(self, system: System) -> bool:
        other = self.rebuilt(system)
        same = other.layout == self.layout and np.array_equal(other._first_ints, self._first_ints)
        if not same or len(other.reals) != len(self.reals):
            raise UnsupportedSystem("it would change what the compiled system is made of; start a new simulation")
        self.system = system
        self.reals[:] = other.reals
        whole = all(_alike(getattr(self, name), getattr(other, name)) for name in self.derived)
        for name in self.derived:
            setattr(self, name, getattr(other, name))
        return whole

    # --- faults -------------------------------------------------------------------------------------------------------
    @abstractmethod
    def words(self, status: int, time: float) -> tuple[str, str, str]:
        """What a status at a time [s] means: what happened, its likely cause, and what to do.

        Of the time it may matter whether it is among the `first_steps`, and nothing else."""

    @abstractmethod
    def places(self, status: int) -> Places:
        """What people call the places a status may name, by place and part as the kernel leaves them in `fault`.

        Where a place has one name only, its parts do not matter."""

    def failure(self, status: int, t: float, y: np.ndarray) -> Failure:
        time, place, part = self.fault()
        names = self.places(status)[place]
        what, cause, cure = self.words(status, time)
        return Failure(time, names[min(part, len(names) - 1)], what, cause, cure)

    def places_on_cables(self, word: str, first: int = 1) -> Places:
        """`places_along` of all elements or, from `first` = 0 on, nodes, as they are observed."""
        return places_along(self.shape.cables, [n - 1 for n in self.shape.nodes_per_cable], word, first=first)

    def places_by_cable(self) -> Places:
        """Cables alone."""
        return tuple((f"cable '{name}'",) for name in self.shape.cables)

    def node_name(self, node: int) -> str:
        """What people call a node, counted through all cables as they are observed."""
        ends = np.cumsum(self.shape.nodes_per_cable)
        c = int(np.searchsorted(ends, node, side="right"))
        last = self.shape.nodes_per_cable[c] - 1
        return f"cable '{self.shape.cables[c]}', node {node - int(ends[c]) + last + 1} of {last}"

    def fault(self) -> tuple[float, int, int]:
        """Time [s], place and part of the latest fault."""
        row = np.zeros(3)
        left = self.tables(self._y0).block("fault")[0]
        row[: len(left)] = left
        return float(row[0]), int(row[1]), int(row[2])

    # --- without Python -----------------------------------------------------------------------------------------------
    def laid(self, geometry: Geometry) -> tuple[LaidCable, ...] | None:
        """Where the first shape of every cable, `geometry`, stands; None where it cannot be laid by a rule."""
        return None

    def still(self) -> Still | None:
        """The system while time stands still, for relaxation to rest; None where there is none."""
        return None

    def exportable(self) -> Exportable:
        if not self.exports:
            return super().exportable()
        return Exportable(
            entry=self.entry,
            kind=self.kind,
            substeps=self.substeps,
            fault=int(self.ints[self.schema.offset["fault"]]),
            statuses=self.statuses,
        )


def _alike(one: object, other: object) -> bool:
    """Whether two values, or all the fields of two records, are the same."""
    if is_dataclass(one) and is_dataclass(other):
        return all(_alike(getattr(one, f.name), getattr(other, f.name)) for f in fields(one))
    return np.array_equal(one, other)  # type: ignore[arg-type]
