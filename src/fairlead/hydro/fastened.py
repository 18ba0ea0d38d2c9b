"""Cables of any formulation on hulls: a mechanism that carries them, and the two in turns.

A system of cables is compiled by its own formulation; its ends on hulls are controlled points that the hulls lead. In
each small step of the mechanism

1. the pulls of the step before give accelerations a₀ of the ends, and the cables a mean pull p₀ along these paths;
2. part of it is the inertia, the damping and the stiffness of what hangs at the end, against the very acceleration it
   is to give: with p = p₀ − K (a − a₀), K = −∂p₀/∂a₀ (3, 3) of each end by trial, the hulls' equations give a₁;
3. the cables make their step along the paths of a₁, and the hulls theirs under the mean pull p₁.

So a hull may be as light as the chain at its fairlead, and the impulse that it takes is the one that the cables give.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from fairlead.formulations.contract import Compiled, Failure
from fairlead.model.points import ControlledPoint
from fairlead.results.observation import END_FORCE_END, END_FORCE_START

from .mechanism import Mechanism, Motion
from .panels import Floats
from .subcycling import WaterForce, accelerations, settle, substep
from .vectors import cross, skew

TRIAL, CRAWL = 40.0, 1e-3
"""The trial that measures the lag of led points: its length in radians of their filter, its speed in m/s."""
PUSH = 0.1
"""Additional acceleration of an end in the trial of what resists it, m/s²."""


@dataclass(frozen=True)
class EndPath:
    """How the end of a cable moves over a short time: with constant acceleration (all (3,), m, m/s, m/s²)."""

    place: Floats
    velocity: Floats
    acceleration: Floats

    def after(self, time: float) -> Floats:
        """Place (3,) that time later, m."""
        return np.asarray(self.place + time * self.velocity + 0.5 * time**2 * self.acceleration)


@dataclass(frozen=True)
class Fastening:
    """Where an end of a cable is fastened: to which hull, and where in its body's frame (3,), m."""

    hull: int
    place: Floats


class Cables(Protocol):
    """Cables some of whose ends are led by hulls."""

    n_states: int

    def initial_state(self) -> Floats:
        """State at the start (n_states,)."""

    def pulls(self, t: float, y: Floats) -> Floats:
        """Force on the support of each led end (ends, 3), N."""

    def advance(self, t: float, y: Floats, dt: float, paths: Sequence[EndPath]) -> tuple[Floats, Floats]:
        """State after a step of dt with the ends on these paths, and the impulses (ends, 3) on their supports, N s."""

    def trial(self, t: float, y: Floats, dt: float, paths: Sequence[EndPath]) -> Floats:
        """K (ends, 3, 3) [kg]: how much less an end pulls in a step of dt for each m/s² more of its acceleration."""


class CableFailed(RuntimeError):
    """The cables could not go on; `failure` says where and why."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(str(failure))
        self.failure = failure


class LedCables:
    """A compiled system, some of whose controlled points are led; see `Cables`.

    A controlled point follows its command through a filter of second order, which lags by √2/cutoff and by up to a
    step, as the formulation has it. The lag is measured, and the command is where the end will be by then: so it is
    made up for up to changes of the acceleration. All led points have the same filter.
    """

    def __init__(self, compiled: Compiled, points: Sequence[str], step: float) -> None:
        """points: controlled points at which cables of the system end; step: longest step of the cables, s."""
        self.compiled, self.step = compiled, step
        self.led = [compiled.inputs[f"{point}.position"] for point in points]
        self.columns = [self._columns(point) for point in points]
        self.n_states = compiled.layout.size
        self.u = compiled.initial_inputs()
        """Inputs of the running simulation; those of the led points are written here."""
        self._row = np.zeros(compiled.shape.size)
        self.cutoff = _cutoff(compiled, points[0])
        self._late = self._steps_late(list(points))

    def lag(self, h: float) -> float:
        """By how much the led points are late in steps of h, s."""
        return math.sqrt(2.0) / self.cutoff + self._late * h

    def seen_lag(self, h: float) -> float:
        """The same for the force on them, that of the filter's acceleration under the command of the moment."""
        return max(self.lag(h), math.sqrt(2.0) / self.cutoff)

    def _steps_late(self, points: list[str]) -> float:
        """By how many steps led points are later than their filter: from a short trial at a crawl."""
        compiled, h = self.compiled, self.step
        u, y = compiled.initial_inputs(), compiled.initial_state()
        start = np.array([compiled.system.points[point].position for point in points])
        for k in range(1, round(TRIAL / (self.cutoff * h)) + 1):
            for led, place in zip(self.led, start, strict=True):
                u[led] = place + CRAWL * k * h * np.eye(3)[0]
            if compiled.advance((k - 1) * h, y, 1, h, u, compiled.scheme) is not None:
                return 0.0
        compiled.observe(k * h, y, u, h, self._row)
        behind = float(u[self.led[0]][0] - self._row[compiled.shape.point(points[0])][0])
        return (behind / CRAWL - math.sqrt(2.0) / self.cutoff) / h

    def _columns(self, point: str) -> list[int]:
        """Where an observation holds the forces of the cables on a point."""
        compiled = self.compiled
        found = [
            compiled.shape.cable_ends(name).start + column
            for name, cable in compiled.system.cables.items()
            for end, column in ((cable.start, END_FORCE_START), (cable.end, END_FORCE_END))
            if end.point == point
        ]
        if not found:
            raise ValueError(f"no cable ends at '{point}'; lead a controlled point that a cable starts or ends at")
        return found

    def initial_state(self) -> Floats:
        """The compiled system's."""
        return self.compiled.initial_state()

    def pulls(self, t: float, y: Floats, h: float | None = None) -> Floats:
        """See `Cables`; h: the step they are in, s."""
        self.compiled.observe(t, y, self.u, self.step if h is None else h, self._row)
        return np.array([sum(self._row[first : first + 3] for first in columns) for columns in self.columns])

    def command(self, paths: Sequence[EndPath], time: float) -> None:
        """Lead the ends to where they will be, `time` [s] after the start of their paths."""
        for led, path in zip(self.led, paths, strict=True):
            self.u[led] = path.after(time)

    def advance(self, t: float, y: Floats, dt: float, paths: Sequence[EndPath]) -> tuple[Floats, Floats]:
        """See `Cables`: the impulse is that of the pulls by the trapezoidal rule over its own steps."""
        y = y.copy()
        n = max(1, math.ceil(dt / self.step * (1.0 - 1e-9)))
        h = dt / n
        lag, seen_lag = self.lag(h), self.seen_lag(h)
        self.command(paths, seen_lag)
        last, impulse = self.pulls(t, y, h), np.zeros((len(paths), 3))
        for k in range(n):
            self.command(paths, (k + 1) * h + lag)
            failure = self.compiled.advance(t + k * h, y, 1, h, self.u, self.compiled.scheme)
            if failure is not None:
                raise CableFailed(failure)
            self.command(paths, (k + 1) * h + seen_lag)
            pulls = self.pulls(t + (k + 1) * h, y, h)
            impulse += 0.5 * h * (last + pulls)
            last = pulls
        return y, impulse

    def trial(self, t: float, y: Floats, dt: float, paths: Sequence[EndPath]) -> Floats:
        """See `Cables`: the symmetric part that resists."""
        _, asked = self.advance(t, y, dt, paths)
        found = np.zeros((len(paths), 3, 3))
        for end, path in enumerate(paths):
            for axis in range(3):
                pushed = list(paths)
                pushed[end] = replace(path, acceleration=path.acceleration + PUSH * np.eye(3)[axis])
                _, impulse = self.advance(t, y, dt, pushed)
                found[end, :, axis] = (asked[end] - impulse[end]) / (dt * PUSH)
        sizes, axes = np.linalg.eigh(0.5 * (found + found.transpose(0, 2, 1)))
        return np.asarray(np.einsum("eik,ek,ejk->eij", axes, np.maximum(sizes, 0.0), axes))


def _cutoff(compiled: Compiled, name: str) -> float:
    """Of the filter of a controlled point, rad/s."""
    point = compiled.system.points[name]
    assert isinstance(point, ControlledPoint)
    return point.cutoff


class WithCables:
    """A mechanism whose hulls carry cables, the two in turns in every small step; see the head of the file.

    A small step must be short against the bounce of what hangs on the cables (a tenth of its period); the cables' own
    shorter vibrations are their formulation's affair. State: the mechanism's, the cables', and of each end p₀ + K a₀
    (3) and K (3, 3).
    """

    def __init__(self, mechanism: Mechanism, cables: Cables, fastenings: Sequence[Fastening], step: float) -> None:
        """step: length of a small step, for the first of them, s."""
        self.mechanism, self.cables, self.fastenings, self.step = mechanism, cables, list(fastenings), step
        self.n_accelerations = mechanism.n_accelerations
        own, hung = mechanism.n_states, cables.n_states
        self.parts = slice(0, own), slice(own, own + hung), slice(own + hung, own + hung + 12 * len(self.fastenings))
        """Where the mechanism's state, the cables' and the ends' are."""
        self.n_states = self.parts[2].stop

    def initial_state(self) -> Floats:
        """See `Mechanism`."""
        y = np.zeros(self.n_states)
        y[self.parts[0]], y[self.parts[1]] = self.mechanism.initial_state(), self.cables.initial_state()
        self.hang_up(0.0, y)
        return y

    def hang_up(self, t: float, y: Floats) -> None:
        """Let the cables of a state at rest pull at the hulls, in place."""
        hung, rest = y[self.parts[1]], np.zeros(self.n_accelerations)
        paths = [replace(path, acceleration=np.zeros(3)) for path in self.paths(t, y, rest)]
        pulls = self.cables.pulls(t, hung)
        self._keep(y, pulls, self.cables.trial(t, hung, self.step, paths))

    def _keep(self, y: Floats, pulls: Floats, resistance: Floats) -> None:
        """Put p₀ + K a₀ and K of all ends into a state."""
        y[self.parts[2]] = np.concatenate([pulls, resistance.reshape(-1, 9)], axis=1).ravel()

    def kept(self, y: Floats) -> tuple[Floats, Floats]:
        """p₀ + K a₀ (ends, 3) and K (ends, 3, 3) of a state."""
        rows = y[self.parts[2]].reshape(-1, 12)
        return rows[:, :3], rows[:, 3:].reshape(-1, 3, 3)

    def motions(self, t: float, y: Floats) -> list[Motion]:
        """See `Mechanism`."""
        return self.mechanism.motions(t, y[self.parts[0]])

    def ends(self, t: float, y: Floats) -> list[tuple[EndPath, Floats]]:
        """Of each fastening: place, velocity and the acceleration when all of x are zero, and ∂a/∂x (3, n)."""
        motions = self.motions(t, y)
        found = []
        for fastening in self.fastenings:
            motion = motions[fastening.hull]
            arm, w = motion.rotation @ fastening.place, motion.spin
            J = motion.jacobian[:3] - skew(arm) @ motion.jacobian[3:]
            a = motion.drift[:3] + cross(motion.drift[3:], arm) + cross(w, cross(w, arm))
            found.append((EndPath(motion.place + arm, motion.velocity + cross(w, arm), a), J))
        return found

    def paths(self, t: float, y: Floats, x: Floats) -> list[EndPath]:
        """Of the fastenings, under the accelerations x."""
        return [replace(end, acceleration=end.acceleration + J @ x) for end, J in self.ends(t, y)]

    def equations(self, t: float, y: Floats) -> tuple[Floats, Floats]:
        """With the pulls p₀ + K a₀ − K a of the cables."""
        H, force = self.mechanism.equations(t, y[self.parts[0]])
        for (end, J), pull, K in zip(self.ends(t, y), *self.kept(y), strict=True):
            H = H + J.T @ K @ J
            force = force + J.T @ (pull - K @ end.acceleration)
        return H, force

    def rates(self, t: float, y: Floats, accelerations: Floats) -> Floats:
        """Of the mechanism; cables move in `glide` alone."""
        own = self.mechanism.rates(t, y[self.parts[0]], accelerations)
        return np.concatenate([own, np.zeros(self.n_states - len(own))])

    def inputs(self) -> Floats:
        """Of the mechanism; those of the cables act in `glide` alone."""
        return self.mechanism.inputs()

    def glide(self, t: float, y: Floats, dt: float, substeps: int, force: WaterForce) -> Floats:
        """Small steps of cables and mechanism in turn; K is that of the first of them."""
        own, hung, _ = self.parts
        h = dt / substeps
        y = y.copy()
        for k in range(substeps):
            now, water = t + k * h, force(t + k * h)
            paths = self.paths(now, y, accelerations(self, now, y, *water))
            if k == 0:
                K = self.cables.trial(now, y[hung], h, paths)
            _, impulses = self.cables.advance(now, y[hung], h, paths)
            self._keep(y, impulses / h + _times(K, paths), K)
            paths = self.paths(now, y, accelerations(self, now, y, *water))
            y[hung], impulses = self.cables.advance(now, y[hung], h, paths)
            self._keep(y, impulses / h, np.zeros_like(K))
            y = substep(self, now, y, h, force)
            settle(self.mechanism, now + h, y[own], h)
            self._keep(y, impulses / h + _times(K, paths), K)
        return y


def _times(K: Floats, paths: Sequence[EndPath]) -> Floats:
    """K a of all ends (ends, 3)."""
    return np.asarray(np.einsum("eij,ej->ei", K, np.array([path.acceleration for path in paths])))
