"""The water round floating and submerged bodies: one right-hand side, one Runge–Kutta step.

A stage at time t does, in this order:

1. where the hulls and the free surface are, and the influence of their panels on each other;
2. first boundary-value problem: p on the surface and p_n = U·n − ∇φ_I·n on the hulls give p_n on the surface, p on
   the hulls;
3. how the surface's η and p change, and with them p_t there;
4. second boundary-value problem, for p_t, with the same matrix. On a hull p_tn depends on its acceleration
   (`hull_conditions`), which depends on the pressure, which depends on p_t: the implicit condition. One right-hand side
   for what is known and one for each acceleration of a hull give the water's force f = f₀ − A [a; ω̇], and
   (H + JᵀAJ) x = force + Jᵀ(f₀ − A drift) the accelerations of the mechanism.

Pressure: P = −ρ(φ_t + ½|∇φ|² + gz), φ = φ_I + p; n points out of the fluid, into a body, whose force is ∫ P n dS.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .gradients import Along, Stencils
from .hull_conditions import (
    EVEN,
    Known,
    directions,
    known_at_rest,
    known_without_acceleration,
    motion_field,
    seen_from_another,
)  # fmt: skip
from .hydrostatics import static_load
from .mechanism import Mechanism, Motion
from .panels import Floats, Panels
from .solver import BoundarySolver, Direct, Frozen, Influences, Iterative
from .stage import Boundary, Hull, Rigid, Stage
from .subcycling import foresee, glide, through
from .surface import FreeSurface, Wave
from .vectors import crosses

__all__ = ["MATRICES", "RK4_LIMIT", "Rigid", "Stage", "Water"]

MATRICES = ("stage", "iterative", "step")
RK4_LIMIT = 2.83
"""RK4 is stable for oscillations up to ω dt = 2√2."""


class Water:
    """A free surface, hulls and the mechanism that carries them, advanced together in time.

    The state is one vector: η (m,), p (m,), then the mechanism's. `rates(t, y)` is the right-hand side, `step` one
    Runge–Kutta step, `stage` everything that is known at a moment.
    """

    def __init__(
        self,
        surface: FreeSurface,
        hulls: Sequence[Hull],
        mechanism: Mechanism,
        wave: Wave,
        *,
        density: float = 1025.0,
        depth: float | None = None,
        matrices: str = "stage",
        smoothing: float = 0.0,
        restoring: Sequence[Floats] | None = None,
        walls: Panels | None = None,
        substeps: int = 0,
    ) -> None:
        """depth: m, None for deep water. Linear mode and the plane of symmetry are the free surface's.

        matrices: `stage`, LU at every stage; `iterative`, LU at the first stage of a step and GMRES with it after
        that; `step`, matrices of the first stage kept over the step.
        smoothing: share of sawteeth in η and p that a filter takes away after each step (0 for none, 1 at most).
        restoring: of each hull, in linear mode, the force lost to a unit displacement from the start (6, 6).
        walls: further panels the water cannot flow through.
        substeps: steps that the mechanism makes in each step of the water (see `subcycling`); 0: it takes part in the
        stages of the water's step.
        """
        if matrices not in MATRICES:
            raise ValueError(f"matrices: '{matrices}'; there are: {', '.join(MATRICES)}")
        self.surface, self.hulls, self.mechanism, self.wave = surface, list(hulls), mechanism, wave
        self.density, self.gravity, self.depth = density, surface.gravity, depth
        self.linear, self.symmetric = surface.linear, surface.symmetric
        self.matrices, self.smoothing, self.substeps = matrices, smoothing, substeps
        self.walls = walls if walls is not None else Panels(np.zeros((0, 3)), np.zeros((0, 4), dtype=np.int64))
        self.n_surface = len(surface)
        self.n_states = 2 * self.n_surface + mechanism.n_states
        self.start = mechanism.motions(0.0, mechanism.initial_state())
        if len(self.start) != len(self.hulls):
            raise ValueError(f"{len(self.hulls)} hulls, but the mechanism moves {len(self.start)}")
        self.restoring = [np.zeros((6, 6))] * len(self.hulls) if restoring is None else list(restoring)
        rest = [
            hull.placed(motion.place, motion.rotation)[0] for hull, motion in zip(self.hulls, self.start, strict=True)
        ]
        self.n_panels = self.n_surface + sum(map(len, rest)) + len(self.walls)
        in_body = [
            panels.moved(-m.place @ m.rotation, m.rotation.T) for panels, m in zip(rest, self.start, strict=True)
        ]
        self._stencils = [Stencils.of(panels, self.symmetric) for panels in in_body]
        self._rigid = [
            None if hull.piercing else stencils.on(panels)
            for hull, stencils, panels in zip(self.hulls, self._stencils, in_body, strict=True)
        ]
        self._finer = [hull.finer() for hull in self.hulls]
        self._static = [self._static_load(k, panels, self.start[k], None) for k, panels in enumerate(rest)]
        self._mean: Boundary | None = None
        self._opened: tuple[tuple[float, bytes, bytes], Boundary, Stage] | None = None
        self._iterative = Iterative()
        self._filter = surface.along.filter(surface.rest.areas)

    # ---- state

    def initial_state(self) -> Floats:
        """Undisturbed water, the mechanism at its start."""
        return np.concatenate([np.zeros(2 * self.n_surface), self.mechanism.initial_state()])

    def split(self, y: Floats) -> tuple[Floats, Floats, Floats]:
        """η, p and the mechanism's part of a state."""
        n = self.n_surface
        return y[:n], y[n : 2 * n], y[2 * n :]

    # ---- one stage

    def rates(self, t: float, y: Floats) -> Floats:
        """dy/dt, with matrices of this very moment."""
        return self.stage(t, y).rates

    def stage(self, t: float, y: Floats) -> Stage:
        """Everything at time t in state y; kept, for the step from there starts with it."""
        return self._opening(t, y)[1]

    def _opening(self, t: float, y: Floats) -> tuple[Boundary, Stage]:
        key = (t, y.tobytes(), self.mechanism.inputs().tobytes())
        if self._opened is None or self._opened[0] != key:
            boundary = self.boundary(t, y)
            self._opened = (key, boundary, self._stage(t, y, boundary))
        return self._opened[1:]

    def boundary(self, t: float, y: Floats) -> Boundary:
        """Where everything is at t, and its solver (LU)."""
        return self._boundary(t, self.mechanism.motions(t, self.split(y)[2]), None)

    def _boundary(self, t: float, motions: list[Motion], solver: BoundarySolver | str | None) -> Boundary:
        if self.linear:
            if self._mean is None:
                self._mean = self._placed(t, self.start, "frozen")
            return self._mean
        return self._placed(t, motions, solver)

    def _placed(self, t: float, motions: list[Motion], solver: BoundarySolver | str | None) -> Boundary:
        """The boundary for these motions; `solver`: None for LU, `frozen`, `iterative`, or one to be kept."""
        level = None if self.linear else self._level(t)
        hulls, lines = [], []
        for hull, motion in zip(self.hulls, motions, strict=True):
            panels, line = (
                hull.placed(motion.place, motion.rotation) if level is None
                else hull.placed(motion.place, motion.rotation, level)
            )  # fmt: skip
            hulls.append(panels)
            lines.append(line)
        line = np.concatenate(lines) if lines else np.zeros((0, 3))
        surface = self.surface.panels(t, self.wave, line if len(line) and not self.linear else None)
        along = [
            rigid if rigid is not None else stencils.on(panels.moved(-m.place @ m.rotation, m.rotation.T))
            for rigid, stencils, panels, m in zip(self._rigid, self._stencils, hulls, motions, strict=True)
        ]
        if solver is None or isinstance(solver, str):
            solids = Panels.joined(*hulls, self.walls) if hulls else self.walls
            influences = Influences.of(surface, solids, self.depth, self.symmetric)
            if solver is None:
                solver = Direct(influences)
            else:
                solver = Frozen(influences) if solver == "frozen" else self._iterative.on(influences)
        speeds = self.surface.speeds(self._waterline_velocities(t, motions, line))
        return Boundary(surface, hulls, along, speeds, solver)

    def _level(self, t: float) -> Any:
        return lambda x, y: self.wave.surface(t, x, y)[0]

    def _waterline_velocities(self, t: float, motions: list[Motion], line: Floats) -> Floats | None:
        """Of all points of the waterlines (points, 3), m/s: by moving the hulls on for a very short time."""
        if self.linear or not len(line):
            return None
        short = 1e-5
        moved = []
        for hull, m in zip(self.hulls, motions, strict=True):
            if hull.piercing:
                turned = m.rotation + short * crosses(m.spin, m.rotation.T).T
                moved.append(hull.placed(m.place + short * m.velocity, turned, self._level(t + short))[1])
        return np.asarray((np.concatenate(moved) - line) / short)

    def momentum(self, t: float, y: Floats) -> Floats:
        """ρ ∫ p [n, r × n] dS (hulls, 6): what the hulls' motion through the incident wave gives the water, p = 0 on
        the surface."""
        boundary = self.boundary(t, y)
        motions = self.mechanism.motions(t, self.split(y)[2])
        if not motions:
            return np.zeros((0, 6))
        normals = self._normal_speeds(t, boundary.hulls, motions, motions)[1]
        _, p = boundary.solver.solve(np.zeros(self.n_surface), self._on_solids(normals))
        return np.array(
            [
                self.density * self._force(panels, directions(panels, motion.place, self.symmetric), part)
                for panels, motion, part in zip(boundary.hulls, motions, self._by_hull(p, boundary.hulls), strict=True)
            ]
        )

    def _normal_speeds(
        self, t: float, hulls: list[Panels], motions: list[Motion], where: list[Motion]
    ) -> tuple[list[dict[str, Floats]], list[Floats]]:
        """The incident wave at the panels of each hull, and p_n = (U − ∇φ_I)·n there."""
        flows = [self.wave.flow(t, *panels.centres.T) for panels in hulls]
        normals = [
            np.einsum(
                "ij,ij->i",
                motion.velocity + crosses(motion.spin, panels.centres - at.place) - flow["grad"],
                panels.normals,
            )
            for panels, motion, at, flow in zip(hulls, motions, where, flows, strict=True)
        ]
        return flows, normals

    def _stage(self, t: float, y: Floats, boundary: Boundary) -> Stage:
        eta, f, own = self.split(y)
        motions = self.mechanism.motions(t, own)
        where = self.start if self.linear else motions
        hulls = boundary.hulls
        flows, normals = self._normal_speeds(t, hulls, motions, where)
        p_n, p = boundary.solver.solve(f, self._on_solids(normals))
        potentials = self._by_hull(p, hulls)
        change = self.surface.change(t, self.wave, boundary.surface, eta, f, p_n, boundary.speeds)
        known = [
            self._known(*hull)
            for hull in zip(hulls, motions, where, flows, potentials, normals, boundary.along, strict=True)
        ]

        ways = [directions(panels, at.place, self.symmetric) for panels, at in zip(hulls, where, strict=True)]
        active = self._active(motions)
        bases = 1 if self.linear else len(hulls)
        right = np.zeros((self.n_panels - self.n_surface, bases + len(active)))
        top = np.zeros((self.n_surface, bases + len(active)))
        for k in range(bases if hulls else 0):
            top[:, k] = change.potential_t
            if self.linear:
                right[:, k] = self._on_solids([one.normal for one in known])
            else:
                U = motion_field(motions[k], boundary.surface.centres)
                top[:, k] += np.einsum("ij,ij->i", U, change.gradient)
                right[:, k] = self._on_solids(self._seen_from(k, hulls, motions, known, boundary))
        right[:, bases:] = self._columns(hulls, ways, active)
        solved = self._by_hull(boundary.solver.solve(top, right)[1], hulls) if hulls else []
        p_t = [
            np.column_stack([part[:, 0 if self.linear else k] - one.carried, part[:, bases:]])
            for k, (part, one) in enumerate(zip(solved, known, strict=True))
        ]

        base, A = np.zeros(6 * len(hulls)), np.zeros((6 * len(hulls), 6 * len(hulls)))
        for k, panels in enumerate(hulls):
            rows = slice(6 * k, 6 * k + 6)
            base[rows] = self._force(panels, ways[k], known[k].pressure - self.density * p_t[k][:, 0])
            A[rows, active] = self.density * self._force(panels, ways[k], p_t[k][:, 1:])
            if self.linear:
                base[rows] += self._static[k] - self.restoring[k] @ self._displacement(k, motions[k])
            else:
                at_centres = -self.density * self.gravity * panels.centres[:, 2]
                base[rows] += self._static_load(k, panels, motions[k], t) - self._force(panels, ways[k], at_centres)

        x, hull_accelerations = self._accelerations(t, own, motions, base, A)
        forces = base - A @ hull_accelerations
        carried = [part[:, 0] + part[:, 1:] @ hull_accelerations[active] for part in p_t]
        pressures = [one.pressure - self.density * part for one, part in zip(known, carried, strict=True)]
        rates = np.concatenate([change.elevation, change.potential, self.mechanism.rates(t, own, x)])
        return Stage(
            t, motions, boundary.surface, hulls, eta, f, p_n, potentials, normals, carried,
            [one.velocity for one in known], pressures, base, forces.reshape(-1, 6), A, x, rates,
        )  # fmt: skip

    def _known(
        self, panels: Panels, motion: Motion, at: Motion, flow: dict[str, Floats], p: Floats, p_n: Floats, along: Along
    ) -> Known:
        """What is known on one hull before accelerations are."""
        if self.linear:
            return known_at_rest(panels, flow, at.rotation, p, p_n, along, self.density)
        return known_without_acceleration(panels, motion, flow, p, p_n, along, self.density, self.gravity)

    def _seen_from(
        self, k: int, hulls: list[Panels], motions: list[Motion], known: list[Known], boundary: Boundary
    ) -> list[Floats]:
        """Normal derivative on every hull of the ψ that belongs to hull k."""
        return [
            known[j].normal
            if j == k
            else seen_from_another(panels, motions[j], known[j], motions[k], boundary.along[j])
            for j, panels in enumerate(hulls)
        ]

    def _accelerations(
        self, t: float, own: Floats, motions: list[Motion], base: Floats, A: Floats
    ) -> tuple[Floats, Floats]:
        """x of the mechanism and [a; ω̇] of all hulls, by the Schur complement on the accelerations."""
        n = self.mechanism.n_accelerations
        J = np.concatenate([m.jacobian for m in motions]) if motions else np.zeros((0, n))
        drift = np.concatenate([m.drift for m in motions]) if motions else np.zeros(0)
        if n == 0:
            return np.zeros(0), drift
        H, force = self.mechanism.equations(t, own)
        x = np.asarray(np.linalg.solve(H + J.T @ A @ J, force + J.T @ (base - A @ drift)), dtype=np.float64)
        return x, J @ x + drift

    def _active(self, motions: list[Motion]) -> NDArray[np.int64]:
        """Which of the 6 accelerations of each hull there may be."""
        moving = [np.any(m.jacobian != 0.0, axis=1) | (m.drift != 0.0) for m in motions]
        allowed = [one & EVEN if self.symmetric else one for one in moving]
        return np.flatnonzero(np.concatenate(allowed)) if allowed else np.zeros(0, dtype=np.int64)

    def _columns(self, hulls: list[Panels], ways: list[Floats], active: NDArray[np.int64]) -> Floats:
        """p_tn on all solids (panels, c) for each of the `active` unit accelerations alone."""
        columns = np.zeros((self.n_panels - self.n_surface, len(active)))
        starts = np.cumsum([0, *map(len, hulls)])
        for c, number in enumerate(active):
            k, dof = divmod(int(number), 6)
            columns[starts[k] : starts[k + 1], c] = ways[k][:, dof]
        return columns

    def _on_solids(self, values: list[Floats]) -> Floats:
        """Values on the hulls, then nothing on the walls."""
        return np.concatenate([*values, np.zeros(len(self.walls))])

    def _by_hull(self, values: Floats, hulls: list[Panels]) -> list[Floats]:
        return np.split(values, np.cumsum([len(panels) for panels in hulls]))[: len(hulls)]

    def _force(self, panels: Panels, ways: Floats, pressure: Floats) -> Floats:
        """Force and moment (6,) or (6, c) of a pressure (m,) or (m, c) on a hull, both halves of it."""
        return np.asarray((2.0 if self.symmetric else 1.0) * (ways.T * panels.areas) @ pressure)

    def _static_load(self, k: int, panels: Panels, motion: Motion, t: float | None) -> Floats:
        """Force and moment (6,) of the hydrostatic pressure on hull k, both halves of it; t: None in still water.

        A curved side is divided finely for it: its few panels would lose or win volume as the water rises.
        """
        if self._finer[k] is not self.hulls[k]:
            level = () if t is None else (self._level(t),)
            panels = self._finer[k].placed(motion.place, motion.rotation, *level)[0]
        load = static_load(panels, motion.place, self.density, self.gravity)
        return np.asarray(2.0 * load * EVEN) if self.symmetric else load

    def still_load(self, k: int, motion: Motion) -> Floats:
        """Force and moment (6,) of still water on hull k at rest; raises `HullError` where it leaves the water."""
        if self.linear:
            return np.asarray(self._static[k] - self.restoring[k] @ self._displacement(k, motion))
        return self._static_load(k, self.hulls[k].placed(motion.place, motion.rotation)[0], motion, None)

    def _displacement(self, k: int, motion: Motion) -> Floats:
        """Small displacement and turn (6) of a hull from its start."""
        turn = motion.rotation @ self.start[k].rotation.T
        angles = 0.5 * np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
        return np.concatenate([motion.place - self.start[k].place, angles])

    # ---- in time

    def step(self, t: float, y: Floats, dt: float) -> Floats:
        """State at t + dt: the classical Runge–Kutta method of fourth order, then the filter if there is one."""
        first, opening = self._opening(t, y)
        kept: BoundarySolver | str | None = None
        if self.matrices == "step":
            kept = first.solver
        elif self.matrices == "iterative" and isinstance(first.solver, Direct):
            self._iterative = Iterative()
            self._iterative.factors = first.solver.factors
            kept = "iterative"

        def stage(t: float, y: Floats) -> Stage:
            return self._stage(t, y, self._boundary(t, self.mechanism.motions(t, self.split(y)[2]), kept))

        advance = self._together if self.substeps == 0 else self._gliding
        after = advance(t, y, dt, opening, stage)
        n = self.n_surface
        if self.smoothing > 0.0:
            after[:n] -= self.smoothing * (self._filter @ after[:n])
            after[n : 2 * n] -= self.smoothing * (self._filter @ after[n : 2 * n])
        return after

    @staticmethod
    def _together(t: float, y: Floats, dt: float, first: Stage, stage: Callable[[float, Floats], Stage]) -> Floats:
        """Water and mechanism as one."""
        k1 = first.rates
        k2 = stage(t + 0.5 * dt, y + 0.5 * dt * k1).rates
        k3 = stage(t + 0.5 * dt, y + 0.5 * dt * k2).rates
        k4 = stage(t + dt, y + dt * k3).rates
        return y + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)

    def _gliding(self, t: float, y: Floats, dt: float, s1: Stage, stage: Callable[[float, Floats], Stage]) -> Floats:
        """The water in four stages, the mechanism in steps of its own under the force found in them."""
        n, half = 2 * self.n_surface, 0.5 * dt
        few = -(-self.substeps // 2)

        def force(s: Stage) -> tuple[Floats, Floats]:
            return s.still_forces, s.added_mass

        def ahead(span: float, substeps: int, *values: tuple[Floats, Floats]) -> Floats:
            return foresee(self.mechanism, t, y[n:], span, substeps, through(t, dt, *values))

        k1, f1 = s1.rates[:n], force(s1)
        s2 = stage(t + half, np.concatenate([y[:n] + half * k1, ahead(half, few, f1)]))
        k2, f2 = s2.rates[:n], force(s2)
        s3 = stage(t + half, np.concatenate([y[:n] + half * k2, ahead(half, few, f1, f2)]))
        k3, f3 = s3.rates[:n], force(s3)
        s4 = stage(t + dt, np.concatenate([y[:n] + dt * k3, ahead(dt, self.substeps, f1, f3)]))
        middle = 0.5 * (f2[0] + f3[0]), 0.5 * (f2[1] + f3[1])
        end = glide(self.mechanism, t, y[n:], dt, self.substeps, through(t, dt, f1, middle, force(s4)))
        return np.concatenate([y[:n] + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + s4.rates[:n]), end])
