"""A system compiled to chains of rigid links: the contract's face of the kernels."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from fairlead.algebra.records import Schema
from fairlead.formulations.contract import Compiled, Failure, Layout, UnsupportedSystem
from fairlead.loads.end_motion import first_controls
from fairlead.formulations.first_velocity import node_velocities
from fairlead.model import System
from fairlead.results.observation import ObservationShape
from fairlead.shape.layout import Geometry

from .build import build
from .linearised import LinearisedChain
from .observe import RIGHT, SIGNALS, STEPS, run
from .schema import SCHEMA
from .step import APART, OK, SINGULAR, SPEED_LIMIT

_NOTHING = np.empty(0)
EARLY = 1e-4
"""s: over so short a time the first acceleration of a command is measured."""


def compile_system(system: System, geometry: Geometry) -> CompiledChain:
    """Compile `system` as laid out."""
    return CompiledChain(system, geometry)


class CompiledChain(Compiled):
    """See `Compiled`."""

    formulation: ClassVar[str] = "chain"
    supports: ClassVar[frozenset[str]] = frozenset({"free_bodies", "controlled_points", "loads", "current", "waves"})
    schemes: ClassVar[tuple[str, ...]] = ("rk4",)
    schema: ClassVar[Schema] = SCHEMA

    def __init__(self, system: System, geometry: Geometry) -> None:
        tables = build(system, geometry)
        self.system = system
        self.ints, self.reals, self.work, self._y0 = tables.ints, tables.reals, tables.work, tables.y
        self.layout = Layout.of(*SCHEMA.state_parts(tables.counts))
        lengths = [[s.length for s in cable.segments(system)] for cable in system.cables.values()]
        self.shape = ObservationShape(
            cables=tuple(system.cables),
            nodes_per_cable=tuple(len(row) + 1 for row in lengths),
            points=tuple(system.points),
            arc_length=tuple(tuple(np.concatenate(([0.0], np.cumsum(row)))) for row in lengths),
        )
        self._keep_extremes()
        controlled = [name for name, point in system.points.items() if point.kind == "controlled"]
        self.inputs = {f"{name}.position": slice(3 * k, 3 * k + 3) for k, name in enumerate(controlled)}
        self._start()

    def _start(self) -> None:
        """Controlled points start where and as fast as they are commanded to be; links have their exact lengths."""
        tables = self.tables(self._y0)
        places = np.zeros((3, tables.controlled, 3))
        for k in range(3):
            self._run(SIGNALS, k * EARLY, self._y0, 0, 1.0, self.initial_inputs(), places[k].ravel())
        tables.control_state.x = places[0]
        held = tables.held.control
        tables.position.x[held >= 0] = places[0][held[held >= 0]]
        self._accelerations = (places[2] - 2.0 * places[1] + places[0]) / EARLY**2
        self._y0 = self.under_way(self._y0)

    def under_way(self, y: np.ndarray) -> np.ndarray:
        """See `Compiled`; of the velocities of nodes what would stretch the links is taken out."""
        y = y.copy()
        tables = self.tables(y)
        names = [name.removesuffix(".position") for name in self.inputs]
        tables.control_state.v = first_controls(self.system, names)[:, 3:]
        tables.control_state.a = self._accelerations
        tables.velocity.v = node_velocities(self.system, self.shape)
        status = self._run(RIGHT, 0.0, y, 0, 1.0, self.initial_inputs(), _NOTHING)
        if status != OK:
            raise UnsupportedSystem(str(self.failure(status, 0.0, y)))
        return y

    def initial_state(self) -> np.ndarray:
        return self._y0.copy()

    def advance(self, t: float, y: np.ndarray, n: int, h: float, u: np.ndarray, scheme: str) -> Failure | None:
        status = self._run(STEPS, t, y, n, h, u, _NOTHING)
        return None if status == OK else self.failure(status, t, y)

    def observe(self, t: float, y: np.ndarray, u: np.ndarray, h: float, out: np.ndarray) -> None:
        if self._run(STEPS, t, y, 0, h, u, out) != OK:
            out[self.shape.end_block.start :] = np.nan  # what cannot be solved must not look like an answer

    def _run(self, task: int, t: float, y: np.ndarray, n: int, h: float, u: np.ndarray, out: np.ndarray) -> int:
        return run(  # type: ignore[no-any-return]
            task, float(t), y, int(n), float(h), u, self.ints, self.reals, self.work, out
        )

    def linearised(self, t: float = 0.0, u: np.ndarray | None = None) -> LinearisedChain:
        return LinearisedChain(self, float(t), self.initial_inputs() if u is None else u)

    def failure(self, status: int, t: float, y: np.ndarray) -> Failure:
        fault = self.tables(y).fault
        time, cable, node = float(fault.time), int(fault.cable), int(fault.node)
        place = f"cable '{self.shape.cables[cable]}'"
        cure = f"use a smaller step than {self.system.simulation.step:g} s"
        if status == APART:
            return Failure(
                time, place, "the links cannot be brought to their lengths",
                "the ends move further apart than the chain is long, or too large a step",
                f"check the motion of the ends, or {cure}",
            )  # fmt: skip
        if status == SINGULAR:
            what, cause = "the forces in the links cannot be found", "a chain pulled straight, or no longer finite"
            return Failure(time, place, what, cause, cure)
        count = self.shape.nodes_per_cable[cable] - 1
        what = f"speed beyond {SPEED_LIMIT:g} m/s or not a number"
        cause = "too large a step, or ends that move further apart than the chain is long"
        return Failure(time, f"{place}, node {node} of {count}", what, cause, cure)
