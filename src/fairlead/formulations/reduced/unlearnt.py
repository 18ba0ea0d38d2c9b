"""How far a run goes beyond what its reduced model has learnt.

The shapes of a reduced model balance all forces along themselves, whatever is asked of the cable; what they cannot
represent they do not miss. So the forces left over are tested with shapes that the model lacks: the slowest shapes of a
string on the same nodes, along x, y and z. The move that those forces would give the cable, δ = K⁻¹f with the stiffness
of its tension, of its bending and of its full axial stiffness, is how far it would leave the span of the model at that
moment. The measure is the root mean square of δ over that of the cable's own motion, over all nodes and samples.

It is what the forces would do at rest, and so on the low side where the unlearnt shapes swing along: a slack cable of
the paper driven out of the plane it was trained in is off by six times as much. What the model shows on the run it was
made of, which `reduce` notes with it, counts as learnt. It costs the run nothing but a look at some of its samples.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fairlead.model import System
from fairlead.shape.layout import Geometry

from .assembly import Assembly
from .build import Built, build
from .model_file import ReducedModel
from .observe import LEFT_OVER, SIGNALS, run
from .schema import FIXED, SCHEMA
from .step import OK

Floats = NDArray[np.float64]
_NOTHING = np.empty(0)
TESTS = 6
"""Shapes along each axis that forces left over are tested with."""
APART = 0.1
"""s: samples are looked at no nearer than that, so that runs live in a loop pay nothing."""
BEAT = 0.01
"""s: over so short a time the acceleration of the ends is measured."""
FLOOR = 1e-9
"""Least stiffness believed, as a part of the largest."""
MUCH, TIMES, UNKNOWN = 0.01, 3.0, 0.01
"""A run is marked above `MUCH` and `TIMES` what the model shows on its training (`UNKNOWN` where that is not noted)."""


def slow_shapes(assembly: Assembly, count: int) -> Floats:
    """(node, 3, 3·count): the slowest shapes of a string through the nodes that move, along x, y and z."""
    spread = assembly.spread
    string = np.zeros((len(assembly.moving),) * 2)
    for part, own in zip(assembly.parts, assembly.nodes, strict=True):
        string[own, own] = part.slopes.T @ (part.lengths[:, None] * part.slopes)
    lower = np.linalg.cholesky(spread.T @ assembly.mass() @ spread)
    half = np.linalg.solve(lower, np.linalg.solve(lower, spread.T @ string @ spread).T)
    shapes = spread @ np.linalg.solve(lower.T, np.linalg.eigh(0.5 * (half + half.T))[1][:, :count])
    return np.concatenate([np.einsum("nk,i->nik", shapes, axis) for axis in np.eye(3)], axis=2)


def widened(model: ReducedModel, assembly: Assembly) -> ReducedModel:
    """The model with the slow shapes beside its own."""
    own = model.modes.reshape(-1, model.modes.shape[2])
    tests = slow_shapes(assembly, TESTS).reshape(len(own), -1)
    tests = tests - own @ np.linalg.lstsq(own, tests, rcond=None)[0]
    left, values, _ = np.linalg.svd(tests, full_matrices=False)
    whole = np.hstack([own, left[:, values > 1e-6 * values[0]]])
    return replace(model, modes=whole.reshape(*model.modes.shape[:2], -1))


class Unlearnt:
    """Watches a run. `share` is the measure so far."""

    def __init__(self, system: System, geometry: Geometry, model: ReducedModel, built: Built) -> None:
        self._make: Callable[[], Built] = lambda: build(system, geometry, widened(model, built.assembly))
        self._own = built
        self._wide: Built | None = None
        self._modes = model.modes.shape[2]
        self._trained = float(model.notes.get("unlearnt", UNKNOWN))
        self._begin()

    def _begin(self) -> None:
        self._last, self._samples, self._missed = -np.inf, 0, 0.0
        self._sum = np.zeros(self._own.shapes.shape[:2])
        self._squares = 0.0

    @property
    def bound(self) -> float:
        """The share above which the run has left what was learnt."""
        return MUCH + TIMES * self._trained

    @property
    def share(self) -> float:
        """Root mean square of the move beyond the model over that of the motion; 0 where nothing moves."""
        if self._samples < 2:
            return 0.0
        motion = self._squares - float((self._sum**2).sum()) / self._samples
        least = 1e-12 * self._squares
        return float(np.sqrt(self._missed / motion)) if motion > least else 0.0

    def look(self, t: float, y: np.ndarray, u: np.ndarray) -> None:
        """Take the state at t into account, unless it is too near to the last one."""
        if t < self._last:
            self._begin()
        if t <= 0.0 or t < self._last + APART * (1.0 - 1e-9):
            return
        self._last = t
        places, missed = self.missed(t, y, u)
        if not np.isfinite(missed).all():
            return
        self._samples += 1
        self._sum += places
        self._squares += float((places**2).sum())
        self._missed += float((missed**2).sum())

    def missed(self, t: float, y: np.ndarray, u: np.ndarray) -> tuple[Floats, Floats]:
        """Places of the nodes (node, 3) in the state at t, and how far the forces left over would move them away."""
        if self._wide is None:
            self._prepare()
        wide = self._wide
        assert wide is not None
        to, fixed = wide.tables, self._own.tables
        own, k = SCHEMA.tables(fixed.ints, fixed.reals, y, fixed.work), to.modes
        to.y[:] = 0.0
        for name in ("coordinate", "rate", "acceleration"):
            to.block(name)[:, 0] = self._onto @ own.block(name)[:, 0]
        for name in ("ends", "end_rate", "tension"):
            to.block(name)[:] = own.block(name)
        out = np.zeros(to.state)
        out[k:-1] = self._end_accelerations(t, u)
        if run(float(t), to.y, 0, 1.0, u, to.ints, to.reals, to.work, LEFT_OVER, _NOTHING, out) != OK:
            return np.zeros(0), np.full(1, np.nan)
        z = np.concatenate([to.coordinate.value, to.ends.xyz.ravel(), [1.0]])
        force = out[:k] - self._balancing @ out[:k]
        pulled = self._forms @ z
        stiffness = self._stiffness + pulled[:, :k].T @ (self._axial[:, None] * pulled[:, :k])
        shapes = wide.shapes
        return shapes @ z, shapes[:, :, :k] @ np.linalg.solve(stiffness, force)

    def _prepare(self) -> None:
        """What is fixed of the wider model: how the own coordinates lie in it, its mass and its stiffness."""
        wide = self._wide = self._make()
        t, k, m = wide.tables, wide.tables.modes, wide.tables.state
        flat = wide.shapes[:, :, :k].reshape(-1, k)
        self._onto = np.linalg.lstsq(flat, self._own.shapes[:, :, : self._modes].reshape(len(flat), -1), rcond=None)[0]
        mass, stiff = (matrix.reshape(m, m)[:k, :k] for matrix in (t.mass.value, t.stiffness.value))
        # M A (AᵀM A)⁻¹ Aᵀ f: what the accelerations of the model's own shapes take of the forces
        carried = mass @ self._onto
        self._balancing = carried @ np.linalg.solve(self._onto.T @ carried, self._onto.T)
        self._stiffness = stiff + FLOOR * np.abs(stiff).max() * np.eye(k)
        self._forms = wide.assembly.strain_forms(wide.shapes)
        self._axial = wide.assembly.stiffnesses**2

    def _end_accelerations(self, t: float, u: np.ndarray) -> Floats:
        """Of all held ends, (3 each,) m/s²; those of live inputs count as none."""
        own = self._own.tables
        commands = np.zeros((3, 3 * own.controlled))
        for j in range(3):
            run(t + (j - 1) * BEAT, _NOTHING, 0, 1.0, u, own.ints, own.reals, own.work, SIGNALS, _NOTHING, commands[j])
        swift = ((commands[0] - 2.0 * commands[1] + commands[2]) / BEAT**2).reshape(-1, 3)
        return np.array([swift[c] if c != FIXED else np.zeros(3) for c in own.end.control]).ravel()
