"""Cables of any formulation on hulls: a mechanism that carries them, and the two in turns.

A system of cables is compiled by its own formulation; its ends on hulls are controlled points that the hulls lead. In
each small step of the mechanism the ends follow the paths that the present acceleration leads to, and the mean pull of
the cables over the step acts on the hulls. Where a hull has then gone another way, the ends are led there by the next
paths, and nothing is lost: the impulse put on the hulls is that of the cables, to the last digit.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from fairlead.formulations.contract import Compiled, Failure
from fairlead.model.points import ControlledPoint
from fairlead.results.observation import END_FORCE_END, END_FORCE_START

from .mechanism import Mechanism, Motion
from .panels import Floats
from .subcycling import WaterForce, accelerations, settle, substep

TRIAL, CRAWL = 40.0, 1e-3
"""The trial that measures the lag of led points: its length in radians of their filter, its speed in m/s."""


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
        self.lag = self._lag(list(points))
        """By how much the led points are late, s."""
        self.seen_lag = max(self.lag, math.sqrt(2.0) / self.cutoff)
        """The same for the force on them, that of the filter's acceleration under the command of the moment."""

    def _lag(self, points: list[str]) -> float:
        """From a short trial at a crawl, all points led the same way."""
        compiled, h, cutoff = self.compiled, self.step, self.cutoff
        u, y = compiled.initial_inputs(), compiled.initial_state()
        start = np.array([compiled.system.points[point].position for point in points])
        for k in range(1, round(TRIAL / (cutoff * h)) + 1):
            for led, place in zip(self.led, start, strict=True):
                u[led] = place + CRAWL * k * h * np.eye(3)[0]
            if compiled.advance((k - 1) * h, y, 1, h, u, compiled.scheme) is not None:
                return math.sqrt(2.0) / cutoff
        compiled.observe(k * h, y, u, h, self._row)
        return float(u[self.led[0]][0] - self._row[compiled.shape.point(points[0])][0]) / CRAWL

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

    def pulls(self, t: float, y: Floats) -> Floats:
        """See `Cables`."""
        self.compiled.observe(t, y, self.u, self.step, self._row)
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
        self.command(paths, self.seen_lag)
        last, impulse = self.pulls(t, y), np.zeros((len(paths), 3))
        for k in range(n):
            self.command(paths, (k + 1) * h + self.lag)
            failure = self.compiled.advance(t + k * h, y, 1, h, self.u, self.compiled.scheme)
            if failure is not None:
                raise CableFailed(failure)
            self.command(paths, (k + 1) * h + self.seen_lag)
            pulls = self.pulls(t + (k + 1) * h, y)
            impulse += 0.5 * h * (last + pulls)
            last = pulls
        return y, impulse


def _cutoff(compiled: Compiled, name: str) -> float:
    """Of the filter of a controlled point, rad/s."""
    point = compiled.system.points[name]
    assert isinstance(point, ControlledPoint)
    return point.cutoff


class WithCables:
    """A mechanism whose hulls carry cables, the two in turns in every small step; see the head of the file.

    A small step must be short against the bounce of what hangs on the cables (a tenth of its period); the cables' own
    shorter vibrations are their formulation's affair. State: the mechanism's, the cables', and the latest mean pull on
    each fastening (ends, 3).
    """

    def __init__(self, mechanism: Mechanism, cables: Cables, fastenings: Sequence[Fastening]) -> None:
        self.mechanism, self.cables, self.fastenings = mechanism, cables, list(fastenings)
        self.n_accelerations = mechanism.n_accelerations
        own, hung = mechanism.n_states, cables.n_states
        self.parts = slice(0, own), slice(own, own + hung), slice(own + hung, own + hung + 3 * len(self.fastenings))
        """Where the mechanism's state, the cables' and the pulls are."""
        self.n_states = self.parts[2].stop

    def initial_state(self) -> Floats:
        """See `Mechanism`."""
        hung = self.cables.initial_state()
        return np.concatenate([self.mechanism.initial_state(), hung, self.cables.pulls(0.0, hung).ravel()])

    def motions(self, t: float, y: Floats) -> list[Motion]:
        """See `Mechanism`."""
        return self.mechanism.motions(t, y[self.parts[0]])

    def equations(self, t: float, y: Floats) -> tuple[Floats, Floats]:
        """With the latest mean pulls of the cables."""
        H, force = self.mechanism.equations(t, y[self.parts[0]])
        for motion, load in zip(self.motions(t, y), self.loads(t, y), strict=True):
            force = force + motion.jacobian.T @ load
        return H, force

    def loads(self, t: float, y: Floats) -> Floats:
        """Force and moment of the cables' latest mean pulls on each hull (hulls, 6), about its body's origin."""
        motions = self.motions(t, y)
        total = np.zeros((len(motions), 6))
        for fastening, pull in zip(self.fastenings, y[self.parts[2]].reshape(-1, 3), strict=True):
            arm = motions[fastening.hull].rotation @ fastening.place
            total[fastening.hull] += np.concatenate([pull, np.cross(arm, pull)])
        return total

    def rates(self, t: float, y: Floats, accelerations: Floats) -> Floats:
        """Of the mechanism; cables move in `glide` alone."""
        own = self.mechanism.rates(t, y[self.parts[0]], accelerations)
        return np.concatenate([own, np.zeros(self.n_states - len(own))])

    def inputs(self) -> Floats:
        """Of the mechanism; those of the cables act in `glide` alone."""
        return self.mechanism.inputs()

    def glide(self, t: float, y: Floats, dt: float, substeps: int, force: WaterForce) -> Floats:
        """Small steps of cables and mechanism in turn."""
        own, hung, pulls = self.parts
        h = dt / substeps
        y = y.copy()
        for k in range(substeps):
            now = t + k * h
            paths = self.paths(now, y, accelerations(self, now, y, *force(now)))
            y[hung], impulses = self.cables.advance(now, y[hung], h, paths)
            y[pulls] = impulses.ravel() / h
            y = substep(self, now, y, h, force)
            settle(self.mechanism, now + h, y[own], h)
        return y

    def paths(self, t: float, y: Floats, x: Floats) -> list[EndPath]:
        """Of the fastenings, under the accelerations x."""
        motions = self.motions(t, y)
        paths = []
        for fastening in self.fastenings:
            motion = motions[fastening.hull]
            arm, w = motion.rotation @ fastening.place, motion.spin
            acceleration = motion.jacobian @ x + motion.drift
            a = acceleration[:3] + np.cross(acceleration[3:], arm) + np.cross(w, np.cross(w, arm))
            paths.append(EndPath(motion.place + arm, motion.velocity + np.cross(w, arm), a))
        return paths
