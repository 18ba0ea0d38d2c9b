"""A chain of rigid links beside an elastic cable of as many rods, both moved as in Escalante et al., Example 1."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from fairlead.model import System
from fairlead.simulate import Simulation
from fairlead.studies.verification.record import Record

SOURCE = "hinged elastic rods by Stoermer-Verlet, a few lines of numpy"
LENGTH, ELEMENTS, EA, MASS, GRAVITY = 47.0, 32, 1.3397e8, 5.0078, 9.81  # m, 1, N, kg/m, m/s2
STEP = 1.25e-4  # s


def end(t: float) -> np.ndarray:
    """Where the moved end is at time t, m."""
    across, up = 26.16 + 2.12 * math.cos(0.5 * t), 18.0 + 2.0 * math.cos(0.75 * t)
    return np.array([across, across, up])


def chain(duration: float) -> np.ndarray:
    """Places of the chain's nodes every second, (time, node, 3) m."""
    system = System.model_validate(
        {
            "environment": {"water_density": 0.0, "gravity": GRAVITY},
            "types": {"rod": {"diameter": 0.0285, "mass_per_length": MASS, "axial_stiffness": EA, "drag": "none"}},
            "points": {
                "A": {"kind": "fixed", "position": [0, 0, 0]},
                "B": {
                    "kind": "controlled",
                    "position": [26.16, 26.16, 18.0],
                    "motion": {
                        "harmonics": [
                            {"amplitude": [2.12, 2.12, 0], "period": 4 * math.pi, "phase_deg": 90, "ramp": 0},
                            {"amplitude": [0, 0, 2.0], "period": 2 * math.pi / 0.75, "phase_deg": 90, "ramp": 0},
                        ]
                    },
                },
            },
            "cables": {"cable": {"type": "rod", "length": LENGTH, "elements": ELEMENTS, "start": "A", "end": "B"}},
            "simulation": {
                "start": "catenary",
                "formulation": "chain",
                "duration": duration,
                "step": 0.005,
                "output_every": 1.0,
            },
        }
    )
    return np.asarray(Simulation(system).run()["position"].values[:, 0])


class ElasticRods:
    """Hinged uniform rods with the Green strain e = (|d|^2 - 1)/2 and the tension EA e, both ends held."""

    def __init__(self) -> None:
        self.h = LENGTH / ELEMENTS
        whole = np.diag(np.full(ELEMENTS + 1, 2 / 3)) + np.diag(np.full(ELEMENTS, 1 / 6), 1)
        whole += np.diag(np.full(ELEMENTS, 1 / 6), -1)
        whole *= MASS * self.h
        self.inverse = np.linalg.inv(whole[1:-1, 1:-1])
        self.far = whole[1:-1, -1]

    def forces(self, x: np.ndarray) -> np.ndarray:
        """On the inner nodes, (n-1, 3) N."""
        d = np.diff(x, axis=0) / self.h
        pull = (0.5 * EA * (np.einsum("ni,ni->n", d, d) - 1.0))[:, None] * d
        force = np.diff(pull, axis=0)
        force[:, 2] -= MASS * self.h * GRAVITY
        return np.asarray(force)

    def rest(self, x: np.ndarray) -> np.ndarray:
        """The equilibrium near x: Newton's method on places and tensions together."""
        x = x.copy()
        d = np.diff(x, axis=0) / self.h
        tension = np.full(ELEMENTS, MASS * GRAVITY * LENGTH)
        size = 3 * (ELEMENTS - 1)
        for _ in range(60):
            d = np.diff(x, axis=0) / self.h
            strain = 0.5 * (np.einsum("ni,ni->n", d, d) - 1.0)
            stiffness = np.zeros((size + 6, size + 6))
            for e in range(ELEMENTS):
                block = (EA * np.outer(d[e], d[e]) + tension[e] * np.eye(3)) / self.h
                both = slice(3 * e, 3 * e + 6)
                stiffness[both, both] += np.block([[block, -block], [-block, block]])
            dx = np.zeros((ELEMENTS + 1, 3))
            dx[1:-1] = np.linalg.solve(stiffness[3:-3, 3:-3], self.forces(x).ravel()).reshape(-1, 3)
            tension = EA * (strain + np.einsum("ni,ni->n", d, np.diff(dx, axis=0) / self.h))
            x += dx
        return x

    def run(self, x: np.ndarray, duration: float) -> np.ndarray:
        """Places of the nodes every second, (time, node, 3) m."""
        rows, v = [x.copy()], np.zeros_like(x[1:-1])
        a = self.inverse @ self.forces(x)
        each = round(1.0 / STEP)
        before = np.zeros(3)
        for k in range(round(duration) * each):
            t = (k + 1) * STEP
            goal = end(t)
            half = (goal - x[-1]) / STEP
            v += 0.5 * STEP * a - np.outer(self.inverse @ self.far, half - before)
            x[1:-1] += STEP * v
            x[-1] = goal
            a = self.inverse @ self.forces(x)
            after = (end(t + 0.5 * STEP) - end(t - 0.5 * STEP)) / STEP
            v += 0.5 * STEP * a - np.outer(self.inverse @ self.far, after - half)
            before = after
            if (k + 1) % each == 0:
                rows.append(x.copy())
        return np.array(rows)


def difference(duration: float) -> float:
    """Largest distance of a node of the chain from that of the elastic rods, m."""
    rigid = chain(duration)
    rods = ElasticRods()
    elastic = rods.run(rods.rest(rigid[0]), duration)
    return float(np.linalg.norm(rigid - elastic, axis=2).max())


def check(duration: float = 10.0) -> Iterator[Record]:
    """32 links over 10 s, or over another whole number of seconds."""
    name = f"chain beside the elastic cable, 32 links, {duration:g} s [m]"
    yield Record.absolute(name, SOURCE, difference(duration), 0.0, 2e-3)
