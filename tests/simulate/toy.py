"""A formulation for tests: point masses on springs between the two ends of one cable, written in plain loops.

It obeys the contract in full (state vector, inputs, observation row, `rhs`, `settle`) and counts its settled steps in
the state, so that checkpoints and integrators can be tested without a real formulation.
"""

from __future__ import annotations

import numpy as np

from fairlead.algebra.compiled import entry
from fairlead.formulations.contract import Compiled, Failure, Layout
from fairlead.model import System
from fairlead.results import Extra, ObservationShape

BROKEN = 7
"""Status of a kernel that found a spring stretched beyond all measure."""


@entry
def _rhs(t, y, u, ints, reals, work, dy):
    n = ints[0]
    stiffness, mass, rest, gravity = reals[0], reals[1], reals[2], reals[3]
    for i in range(3 * n):
        dy[i] = y[3 * n + i]
        dy[3 * n + i] = 0.0
    for i in range(n):
        dy[3 * n + 3 * i + 2] = -gravity
    for spring in range(n + 1):
        square = 0.0
        for k in range(3):
            low = reals[4 + k] if spring == 0 else y[3 * (spring - 1) + k]
            high = (u[k] if u[k] == u[k] else reals[7 + k]) if spring == n else y[3 * spring + k]
            work[k] = high - low
            square += work[k] * work[k]
        length = np.sqrt(square)
        if length > 1e3 * rest:
            return BROKEN
        for k in range(3):
            force = stiffness * (1.0 - rest / length) * work[k]
            if spring > 0:
                dy[3 * n + 3 * (spring - 1) + k] += force / mass
            if spring < n:
                dy[3 * n + 3 * spring + k] -= force / mass
    return 0


@entry
def _settle(t, y, u, h, ints, reals, work):
    y[6 * ints[0]] += 1.0
    return 0


@entry
def _semi_implicit(t, y, n, h, u, ints, reals, work, dy):
    free = ints[0]
    for step in range(n):
        status = _rhs(t + step * h, y, u, ints, reals, work, dy)
        if status != 0:
            return status, step
        for i in range(3 * free):
            y[3 * free + i] += h * dy[3 * free + i]
            y[i] += h * y[3 * free + i]
        y[6 * free] += 1.0
    return 0, n


class Toy(Compiled):
    """The first cable of a system as masses and springs; input `<end point>.position`."""

    formulation = "toy"
    schemes = ("semi_implicit",)
    rhs = staticmethod(_rhs)
    settle = staticmethod(_settle)

    def __init__(self, system: System):
        name, cable = next(iter(system.cables.items()))
        kind = system.types[cable.type]
        n = cable.elements - 1
        self.system = system
        self._ends = tuple(np.array(system.points[end.point].position, dtype=float) for end in (cable.start, cable.end))
        rest = cable.length / cable.elements
        self._mass = kind.mass_per_metre * rest
        self._stiffness = kind.ea / rest
        self._rest = rest
        self.layout = Layout.of(
            ("position", 3 * n, "m", 1.0),
            ("velocity", 3 * n, "m/s", 1.0),
            ("steps", 1, "1", 0.0),
            ("adaptive_step", 1, "s", 0.0),
        )
        arc = tuple(rest * i for i in range(n + 2))
        points = (cable.start.point, cable.end.point)
        self.shape = ObservationShape(
            (name,), (n + 2,), points, (arc,), (Extra("toy_steps", "1", "steps taken so far"),)
        )
        self.inputs = {f"{cable.end.point}.position": slice(0, 3), "brake": slice(3, 4)}
        self.ints = np.array([n])
        physical = [self._stiffness, self._mass, rest, system.environment.gravity]
        self.reals = np.array([*physical, *self._ends[0], *self._ends[1]])
        self.work = np.zeros(3)
        self._dy = np.zeros(self.layout.size)

    def initial_state(self):
        n = int(self.ints[0])
        along = np.linspace(0.0, 1.0, n + 2)[1:-1, None]
        nodes = (1 - along) * self._ends[0] + along * self._ends[1]
        y = np.zeros(self.layout.size)
        y[: 3 * n] = nodes.ravel()
        return y

    def advance(self, t, y, n, h, u, scheme):
        assert scheme in self.schemes
        status, done = _semi_implicit(t, y, n, h, u, self.ints, self.reals, self.work, self._dy)
        return None if status == 0 else self.failure(status, t + done * h, y)

    def observe(self, t, y, u, h, out):
        n = int(self.ints[0])
        end = np.where(np.isnan(u[:3]), self._ends[1], u[:3])
        nodes = np.vstack([self._ends[0], y[: 3 * n].reshape(n, 3), end])
        speed = np.vstack([np.zeros(3), y[3 * n : 6 * n].reshape(n, 3), np.zeros(3)])
        spans = np.diff(nodes, axis=0)
        lengths = np.linalg.norm(spans, axis=1)
        tension = self._stiffness * (lengths - self._rest)
        table = self.shape.node_table(out, 0)
        table[:] = 0.0
        table[:, 0:3], table[:, 3:6] = nodes, speed
        table[:, 6] = np.append(tension, tension[-1])
        pull = tension[:, None] * spans / lengths[:, None]
        out[self.shape.end_block] = np.concatenate([pull[0], -pull[-1]])
        out[self.shape.point_block] = np.concatenate([nodes[0], speed[0], nodes[-1], speed[-1]])
        out[self.shape.total_block] = 0.0
        out[self.shape.column("energy_kinetic")] = 0.5 * self._mass * np.sum(speed**2)
        out[self.shape.column("energy_gravity")] = self._mass * self.reals[3] * np.sum(y[: 3 * n].reshape(n, 3)[:, 2])
        out[self.shape.column("energy_elastic")] = 0.5 * self._stiffness * np.sum((lengths - self._rest) ** 2)
        out[self.shape.column("tension_max")] = tension.max()
        out[self.shape.column("toy_steps")] = y[6 * n]

    def failure(self, status, t, y):
        assert status == BROKEN
        return Failure(t, "cable 'chain'", "a spring is torn", "it was pulled too far", "pull it less")

    def start_notes(self, h):
        return (f"toy: the step is {h:g} s",)

    def end_notes(self, y, h):
        return ("toy: it is over",)


def chain(elements: int = 8, **simulation) -> System:
    """A soft chain 10 m long between two points 10 m apart, in air; `B` can be moved."""
    settings = {"duration": 4.0, "step": 0.01, "output_every": 0.1} | simulation
    return System(
        title="a toy chain",
        environment={"water_density": 0.0},
        types={"cord": {"diameter": 0.02, "mass_per_length": 1.0, "axial_stiffness": 2e3}},
        points={
            "A": {"kind": "fixed", "position": [0, 0, 0]},
            "B": {"kind": "controlled", "position": [9.9, 0, 0]},
        },
        cables={"chain": {"type": "cord", "length": 10, "elements": elements, "start": "A", "end": "B"}},
        simulation=settings,
    )
