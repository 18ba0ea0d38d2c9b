"""A system compiled to chains of rigid links: the contract's face of the kernels."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from fairlead.algebra.records import Schema
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.formulations.kernel_compiled import NOTHING, OK, KernelCompiled, Places
from fairlead.model import System
from fairlead.rigging.axial_waves import axial_wave_notes
from fairlead.rigging.commands import controlled_points
from fairlead.rigging.first_velocity import node_velocities, turning_rates
from fairlead.rigging.observation_shape import file_arcs, observation_shape
from fairlead.rigging.slack import unstretched_notes
from fairlead.shape.layout import Geometry

from .build import build
from .linearised import LinearisedChain
from .observe import RIGHT, SIGNALS, STEPS, run
from .schema import SCHEMA
from .step import APART, RANGE, SINGULAR, SPEED_LIMIT

EARLY = 1e-4
"""s: over so short a time the first acceleration of a command is measured."""


class CompiledChain(KernelCompiled):
    """See `KernelCompiled`."""

    formulation: ClassVar[str] = "chain"
    supports: ClassVar[frozenset[str]] = frozenset({"free_bodies", "controlled_points", "loads", "current", "waves"})
    schemes: ClassVar[tuple[str, ...]] = ("rk4",)
    kinds: ClassVar[dict[str, int]] = {"rk4": STEPS}
    statuses: ClassVar[tuple[int, ...]] = (RANGE, SINGULAR, APART)
    schema: ClassVar[Schema] = SCHEMA

    def __init__(self, system: System, geometry: Geometry) -> None:
        tables, inputs = build(system, geometry)
        self._hold(system, tables, inputs, observation_shape(system, file_arcs(system)), run)
        self._start()

    def _start(self) -> None:
        """Controlled points start where and as fast as they are commanded to be; links have their exact lengths."""
        tables = self.tables(self._y0)
        places = np.zeros((3, tables.controlled, 3))
        for k in range(3):
            self._run(k * EARLY, self._y0, 0, 1.0, self.initial_inputs(), SIGNALS, places[k].ravel())
        tables.controls.position = places[0]
        held = tables.held.control
        tables.position.xyz[held >= 0] = places[0][held[held >= 0]]
        self._accelerations = (places[2] - 2.0 * places[1] + places[0]) / EARLY**2
        self._y0 = self.under_way(self._y0)

    def under_way(self, y: np.ndarray) -> np.ndarray:
        """See `Compiled`; of the velocities of nodes what would stretch the links is taken out."""
        y = y.copy()
        tables = self.tables(y)
        starts = [command.at_start() for command in controlled_points(self.system).values()]
        tables.controls.velocity, tables.controls.acceleration = [start[1] for start in starts], self._accelerations
        v, x, at = node_velocities(self.system, self.shape), tables.position.xyz, 0
        for nodes in self.shape.nodes_per_cable:
            here, arms = slice(at, at + nodes), np.diff(x[at : at + nodes], axis=0)
            lengths = np.linalg.norm(arms, axis=1)
            over = v[at + nodes - 1] - v[at]
            rates = turning_rates(np.diff(v[here], axis=0), over, lengths, arms / lengths[:, None])
            v[at + 1 : at + nodes] = v[at] + np.cumsum(lengths[:, None] * rates, axis=0)
            at += nodes
        tables.velocity.xyz = v
        status = self._run(0.0, y, 0, 1.0, self.initial_inputs(), RIGHT, NOTHING)
        if status != OK:
            raise UnsupportedSystem(str(self.failure(status, 0.0, y)))
        return y

    def initial_state(self) -> np.ndarray:
        return self._y0.copy()

    def linearised(self, t: float = 0.0, u: np.ndarray | None = None) -> LinearisedChain:
        return LinearisedChain(self, float(t), self.initial_inputs() if u is None else u)

    def start_notes(self, h: float) -> tuple[str, ...]:
        return axial_wave_notes(self.system)

    def peak_notes(self, tension: float) -> tuple[str, ...]:
        return unstretched_notes(self.system, tension)

    def places(self, status: int) -> Places:
        return self.places_on_cables("node", first=0) if status == RANGE else self.places_by_cable()

    def words(self, status: int, time: float) -> tuple[str, str, str]:
        cure = f"use a smaller step than {self.system.simulation.step:g} s"
        if status == APART:
            cause = "the ends move further apart than the chain is long, or too large a step"
            return "the links cannot be brought to their lengths", cause, f"check the motion of the ends, or {cure}"
        if status == SINGULAR:
            return "the forces in the links cannot be found", "a chain pulled straight, or no longer finite", cure
        what = f"speed beyond {SPEED_LIMIT:g} m/s or not a number"
        return what, "too large a step, or ends that move further apart than the chain is long", cure
