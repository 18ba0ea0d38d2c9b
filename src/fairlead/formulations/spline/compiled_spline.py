"""A system compiled to splines: the contract's face of the kernels."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import eigsh, splu

from fairlead.algebra.newton import Scale, newton
from fairlead.formulations.kernel_compiled import NOTHING, KernelCompiled, Places
from fairlead.model import System
from fairlead.rigging.commands import controlled_points
from fairlead.rigging.first_velocity import node_velocities
from fairlead.rigging.observation_shape import file_arcs, observation_shape
from fairlead.shape.layout import Geometry

from .build import build
from .forces import FRAME, NEWTON, RANGE, STRAIN
from .linearised import LinearisedSpline
from .run import ACCELERATIONS, MIDPOINT, SIGNALS, VERLET, run
from .schema import SCHEMA
from .shape_matrices import CableShape
from .verlet import SPEED_LIMIT

PATIENCE = 100
"""Iterations without halving the merit after which no equilibrium of the first state is looked for any longer."""
SAFETY = 0.9
"""Steps of Störmer–Verlet are at most this part of their bound."""


def damped_bound(ratio: float) -> float:
    """Longest stable ωh of the Verlet step of `verlet` on ẍ = −ω²x − 2ζωẋ; 2 without damping.

    The force takes the velocity v + h a as it would be after the step, so that place, velocity and acceleration are a
    state of their own: the spectral radius of their map must not exceed one.
    """
    low, high = 0.0, 2.0
    if ratio == 0.0:
        return high
    for _ in range(40):
        s = 0.5 * (low + high)
        c = 2.0 * ratio * s
        place = np.array([1.0, 1.0, 0.5])  # x + h v + h² a/2, in units of h = 1
        force = -s * s * place - c * np.array([0.0, 1.0, 1.0])
        step = np.array([place, np.array([0.0, 1.0, 0.5]) + 0.5 * force, force])
        low, high = (s, high) if np.abs(np.linalg.eigvals(step)).max() <= 1.0 + 1e-12 else (low, s)
    return low


class CompiledSpline(KernelCompiled):
    """See `KernelCompiled`."""

    formulation: ClassVar[str] = "spline"
    schema = SCHEMA
    supports: ClassVar[frozenset[str]] = frozenset(
        {
            "bending", "torsion", "damping", "clamps", "free_bodies", "controlled_points", "loads", "current", "waves",
            "seabed", "friction",
        }
    )  # fmt: skip
    schemes: ClassVar[tuple[str, ...]] = ("verlet", "midpoint")
    kinds: ClassVar[dict[str, int]] = {"verlet": VERLET, "midpoint": MIDPOINT}
    statuses: ClassVar[tuple[int, ...]] = (RANGE, STRAIN, NEWTON, FRAME)
    derived: ClassVar[tuple[str, ...]] = ("_bound",)

    def __init__(self, system: System, geometry: Geometry) -> None:
        self._hold(system, *build(system, geometry), observation_shape(system, file_arcs(system)), run)
        cables = self.tables(self._y0).cable
        self.twisted = np.flatnonzero(cables.twisted)
        """Cables that hold their twist."""
        self.spans = tuple(zip(cables.first.tolist(), (cables.first + cables.count).tolist(), strict=True))
        """First and last node of each cable."""
        self._y0, self._rests = self._at_rest()
        self.tables(self._y0).controls.position = self.signals(0.0, self.initial_inputs())[0]
        self._y0 = self.under_way(self._y0)
        self._bound = self.step_bound()

    def _at_rest(self) -> tuple[np.ndarray, bool]:
        """The first state, and whether it was found: each cable in its own discrete equilibrium between its ends.

        A catenary is not enough: what it lacks in stretch and bend would ring through the cable for ever, since nothing
        damps it. Free points stay where they are laid out; they are let go when the run begins.
        """
        system = LinearisedSpline(self, 0.0, self.initial_inputs(), held=True)
        y = system.placed(self._y0)
        if system.size == 0:
            return system.settled(y), True
        attempt = newton(system, y, Scale.of(system, y), PATIENCE)
        return system.settled(attempt.y) if attempt.held else attempt.y, attempt.held

    def under_way(self, y: np.ndarray) -> np.ndarray:
        y = y.copy()
        t = self.tables(y)
        t.controls.velocity = [command.at_start()[1] for command in controlled_points(self.system).values()]
        t.velocity.xyz = node_velocities(self.system, self.shape)
        return self.refreshed(0.0, y, self.initial_inputs())

    def refreshed(self, t: float, y: np.ndarray, u: np.ndarray) -> np.ndarray:
        """The state with all that Verlet's first kick reads in accord with it: accelerations, end forces, torques."""
        y = y.copy()
        self._run(t, y, 0, 1.0, u, ACCELERATIONS, NOTHING)
        tables = self.tables(y)
        tables.reaction.xyz = tables.force.xyz[np.ravel(self.spans)]
        return y

    def signals(self, t: float, u: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Commands of the controlled points (controlled, 3) and twists of the cables (cables,) at time t."""
        count = 3 * self.tables(self._copy).controlled
        out = np.zeros(count + len(self.spans))
        self._run(t, self._copy, 0, 1.0, u, SIGNALS, out)
        return out[:count].reshape(-1, 3), out[count:]

    def initial_state(self) -> np.ndarray:
        return self._y0.copy()

    def linearised(self, t: float = 0.0, u: np.ndarray | None = None) -> LinearisedSpline:
        return LinearisedSpline(self, float(t), self.initial_inputs() if u is None else u)

    # --- the cables as matrices ---------------------------------------------------------------------------------------
    def cable_shape(self, c: int) -> CableShape:
        """The stiffness of cable c as matrices."""
        t, (first, last) = self.tables(self._y0), self.spans[c]
        of = slice(first - c, last - c)
        clamps = (bool(t.cable.clamp_start[c]), bool(t.cable.clamp_end[c]))
        return CableShape(t.element.length[of].copy(), clamps, t.element.ea[of].copy(), t.element.ei[of].copy())

    def mass_matrix(self, c: int) -> sp.csr_matrix:
        """Mass of cable c and of the bodies at its ends without added mass, (nodes, nodes)."""
        t = self.tables(self._y0)
        n, half, start = int(t.cable.count[c]) + 1, int(t.cable.half[c]), int(t.cable.band[c])
        band = t.band.entry[start : start + n * (2 * half + 1)].reshape(n, -1)
        offsets = range(-half, half + 1)
        diagonals = [band[max(0, -k) : n - max(0, k), k + half] for k in offsets]
        return sp.diags(diagonals, list(offsets), shape=(n, n)).tocsr()

    def step_bound(self) -> float:
        """Longest step of Störmer–Verlet [s]: 2/ω of the stiffest motion about the first state, less with damping."""
        system = self.linearised()
        if system.size == 0:
            return math.inf
        stiffness, mass = system.tangent(self._y0), system.mass(self._y0)
        stiffness = 0.5 * (stiffness + stiffness.T)
        if system.size <= 12:
            square = float(np.linalg.eigvals(np.linalg.solve(mass.toarray(), stiffness.toarray())).real.max())
        else:
            inverse = splu(mass.tocsc())
            start = np.random.default_rng(0).normal(size=system.size)
            square = float(
                eigsh(
                    stiffness, k=1, M=mass, which="LA", v0=start, tol=1e-6, return_eigenvectors=False,
                    Minv=sp.linalg.LinearOperator(mass.shape, inverse.solve),
                )[0]
            )  # fmt: skip
        if not square > 0.0:
            return math.inf
        omega = math.sqrt(square)
        pieces = {piece for cable in self.system.cables.values() for piece in cable.segments()}
        kinds = [(self.system.types[piece.type_name], piece.length) for piece in pieces]
        times = [max(k.damping_axial(length), k.damping_bending, k.damping_torsion) for k, length in kinds]
        return damped_bound(0.5 * omega * max(times, default=0.0)) / omega

    def parts(self, h: float, scheme: str = "verlet") -> int:
        """Störmer–Verlet takes several steps where one would be too long for it."""
        return max(1, math.ceil(h / (SAFETY * self._bound) - 1e-9)) if scheme == "verlet" else 1

    # --- what people are told -----------------------------------------------------------------------------------------
    def places(self, status: int) -> Places:
        if status in (FRAME, NEWTON):
            return self.places_by_cable()
        return self.places_on_cables("element") if status == STRAIN else self.places_on_cables("node", first=0)

    def words(self, status: int, time: float) -> tuple[str, str, str]:
        step = self.system.simulation.step
        if status == FRAME:
            return (
                "the cable runs along the direction its twist is counted against",
                "the reference of the twist lies in the plane of the motion",
                f"give simulation.spline.twists.{self.shape.cables[self.fault()[1]]}.reference a direction across the "
                "motion",
            )
        if status == NEWTON:
            cure = f"use a smaller step than {step:g} s, or integrator: verlet"
            return "Newton's method did not converge", "the step is too long for what happens in it", cure
        what = f"speed beyond {SPEED_LIMIT:g} m/s or not a number"
        if status == STRAIN:
            what = "an element twice as long as it should be, or not a number"
        cure = f"use a smaller step than {step:g} s, or look at the type, the length and the loads of the cable"
        return what, "the motion grew without bound", cure

    def start_notes(self, h: float) -> tuple[str, ...]:
        notes = []
        if not self._rests:
            notes.append(
                "simulation.start: no discrete equilibrium was found between the ends; the run starts from the "
                "catenary and rings; use start: statics"
            )
        if self.scheme == "verlet" and self.parts(h) > 1:
            notes.append(
                f"simulation.step: {h:g} s is divided into {self.parts(h)} steps of integrator 'verlet', whose bound "
                f"is {self._bound:.3g} s"
            )
        return tuple(notes)

    def report(self, y: np.ndarray) -> dict[str, str]:
        if self.scheme != "verlet":
            return {}
        return {"verlet_bound": f"{self._bound:.6g} s", "verlet_parts": str(self.parts(self.system.simulation.step))}
