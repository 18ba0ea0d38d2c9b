"""The `multibody` formulation as a mechanism in the water: hulls on any body of its trees, springs, held freedoms.

H v̇ = τ − C + Jᵀ(water) of the formulation (`mass_and_bias`), with the forces of springs on the right. Where freedoms
are held the speeds are v = S q̇ of the others, so v̇ = S x + d: SᵀHS x = Sᵀ(τ − C − H d) + (JS)ᵀ(water). Held angles
are roll, pitch and yaw as everywhere, R = Rz(yaw) Ry(pitch) Rx(roll), whose rates are not the body's spins: to hold the
spin about one axis alone would let its angle creep away.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from fairlead.formulations.contract import UnsupportedSystem
from fairlead.model.hydro import FREEDOMS, Spring

from .carrier import AtRest, Carrier
from .held_angles import TURN, free_speeds
from .mechanism import Motion
from .panels import Floats
from .vectors import cross

LINEAR = ("surge", "sway", "heave")
AXES = np.eye(3)
SHORTEST = 1e-6
"""A spring to an anchor starts at least this long, m."""


@dataclass(frozen=True)
class SpringForce:
    """What one spring does at a moment."""

    force: Floats
    """On the body (3,), N, world axes."""
    arm: Floats
    """From the body's origin to where it acts (3,), m."""
    stretch: float
    """m; along its direction for one with a `dof`."""
    rate: float
    """m/s."""
    tension: float
    """N, positive when it pulls."""
    power: float
    """Taken by its damper, W."""


class TreeMechanism:
    """A compiled tree with hulls; see `Mechanism`. Its state is the formulation's own vector.

    `u` holds the inputs of the running simulation.
    """

    def __init__(
        self,
        carrier: Carrier,
        held: Sequence[tuple[str, ...]] = (),
        springs: Sequence[Spring] = (),
    ) -> None:
        """held: freedoms held of each hull, for free roots only."""
        self.carrier, self.hulls, self.springs = carrier, list(carrier.bodies), list(springs)
        self.u = self.initial_inputs()
        self.n_states = carrier.compiled.layout.size
        size = carrier.speeds.stop - carrier.speeds.start
        self.held = [(carrier.speeds_of(name), freedoms)
                     for name, freedoms in zip(self.hulls, held or [()] * len(self.hulls), strict=True)]  # fmt: skip
        fixed = np.zeros(size, dtype=bool)
        for name, (own, freedoms) in zip(self.hulls, self.held, strict=True):
            if freedoms and own.stop - own.start != len(FREEDOMS):
                raise UnsupportedSystem(
                    f"hydro.hulls.{name}.locked: the body hangs from something else and has not all six freedoms; "
                    "remove it, or join the cable the other way round"
                )
            for freedom in freedoms:
                fixed[own.start + FREEDOMS.index(freedom)] = True
        self.moving = np.flatnonzero(~fixed)
        self.n_accelerations = len(self.moving)
        self._kept: tuple[Any, tuple[Floats, Floats, Floats, list[Motion]]] | None = None
        self._size = size
        self._turns = np.array(self._held_angles(), dtype=np.int64).reshape(-1, TURN)
        self._upright = np.zeros((size, self.n_accelerations))
        self._upright[self.moving, np.arange(self.n_accelerations)] = 1.0
        for turn in self._turns:
            self._upright[turn[1] : turn[1] + 3] = 0.0
        self._free, self._drift, self._full = self._upright, np.zeros(size), np.zeros((0, 6, size))
        """S and d of v̇ = S x + d, and the Jacobians of the hulls, in the state last asked for."""
        first = self.motions(0.0, self.initial_state())
        self._rest = [self._rest_of(spring, first[self.hulls.index(spring.body)]) for spring in self.springs]

    def _rest_of(self, spring: Spring, motion: Motion) -> Floats:
        """Where a spring along a direction rests (3,), or the length at which one with an anchor does (1,)."""
        place = motion.place + motion.rotation @ np.array(spring.at)
        if spring.anchor is None:
            return np.asarray(place)
        length = float(np.linalg.norm(place - np.array(spring.anchor)))
        if length < SHORTEST:
            raise UnsupportedSystem(
                f"hydro.springs[{self.springs.index(spring)}].anchor: it is where the spring acts on '{spring.body}', "
                "which it can pull in no direction; move it away, or give a `dof` instead"
            )
        return np.array([length if spring.length is None else spring.length])

    @property
    def input_places(self) -> dict[str, slice]:
        """Inputs by name, and where they are in `u`."""
        return self.carrier.compiled.inputs

    def linearised(self, t: float) -> AtRest:
        """The tree alone, held still at t under the inputs of the running simulation."""
        return self.carrier.linearised(t, self.u)

    def initial_inputs(self) -> Floats:
        """Inputs that all follow the file."""
        return self.carrier.compiled.initial_inputs()

    @property
    def full_jacobians(self) -> list[Floats]:
        """∂(velocity, angular velocity)/∂(all speeds) (6, speeds) of every hull, in the state last asked for."""
        return list(self._full)

    # ---- what the water asks for

    def initial_state(self) -> Floats:
        """See `Mechanism`."""
        return self.carrier.compiled.initial_state()

    def motions(self, t: float, y: Floats) -> list[Motion]:
        """See `Mechanism`."""
        return self._solved(t, y)[3]

    def equations(self, t: float, y: Floats) -> tuple[Floats, Floats]:
        """See `Mechanism`: springs of the hulls are in the force."""
        H, C, torques, motions = self._solved(t, y)
        force = torques - C
        for spring, found in zip(self.springs, self.spring_forces(motions), strict=True):
            J = self._full[self.hulls.index(spring.body)]
            force = force + J.T @ np.concatenate([found.force, cross(found.arm, found.force)])
        S = self._free
        return S.T @ H @ S, S.T @ (force - H @ self._drift)

    def rates(self, t: float, y: Floats, accelerations: Floats) -> Floats:
        """See `Mechanism`. The work of water and springs goes to the formulation's ledger as that of drives."""
        H, C, torques, _ = self._solved(t, y)
        full = self._of_all_speeds(accelerations)
        power = float(self.speeds_in(y) @ (H @ full - torques + C))
        return self.carrier.rates(t, y, self.u, full, power)

    def inputs(self) -> Floats:
        """See `Mechanism`."""
        return self.u

    def _solved(self, t: float, y: Floats) -> tuple[Floats, Floats, Floats, list[Motion]]:
        """H, C, τ of all speeds, and the motions of the hulls; kept, since a stage asks for them three times."""
        key = (t, y.tobytes(), self.u.tobytes())
        if self._kept is not None and self._kept[0] == key:
            return self._kept[1]
        H, C, torques, found, self._full = self.carrier.equations(t, y, self.u)
        self._free, self._drift = self._upright.copy(), np.zeros(self._size)
        free_speeds(found, self.speeds_in(y), self._turns, self._free, self._drift)
        jacobians, drifts = self._full @ self._free, found[:, 18:24] + self._full @ self._drift
        motions = [
            Motion(kept[9:12], kept[:9].reshape(3, 3), kept[12:15], kept[15:18], J, drift)
            for kept, J, drift in zip(found, jacobians, drifts, strict=True)
        ]
        self._kept = (key, (H, C, torques, motions))
        return self._kept[1]

    def _held_angles(self) -> list[list[int]]:
        """Of hulls with one or two angles held: rows for `free_speeds`."""
        turns = []
        for hull, (own, freedoms) in enumerate(self.held):
            loose = [k for k, name in enumerate(FREEDOMS[3:]) if name not in freedoms]
            if len(loose) in (1, 2):
                columns = np.searchsorted(self.moving, own.start + 3 + np.array(loose)).tolist()
                blank = [-1] * (2 - len(loose))
                turns.append([hull, own.start + 3, *loose, *blank, *columns, *blank])
        return turns

    def lacking(self, t: float, y: Floats, accelerations: Floats) -> Floats:
        """H v̇ + C − τ (speeds,): what must act from outside for these accelerations of the free speeds."""
        H, C, torques, _ = self._solved(t, y)
        return np.asarray(H @ self._of_all_speeds(accelerations) + C - torques)

    def kick(self, x: Floats) -> Floats:
        """Changes of all speeds (speeds,) for sudden changes x of the free ones, in the state last asked for."""
        return np.asarray(self._free @ x)

    def speeds_in(self, y: Floats) -> Floats:
        """All speeds of a state of the formulation (speeds,), a view."""
        return y[self.carrier.speeds]

    def booked(self, y: Floats, work: float) -> None:
        """Add work [J] to the ledger of the drives of a state of the formulation, in place."""
        self.carrier.booked(y, work)

    def forget(self) -> None:
        """What was kept of the last state: after the tree's own numbers have changed."""
        self._kept = None

    def _of_all_speeds(self, accelerations: Floats) -> Floats:
        """v̇ = S x + d."""
        return np.asarray(self._free @ accelerations + self._drift)

    # ---- springs

    def spring_forces(self, motions: Sequence[Motion]) -> list[SpringForce]:
        """Of every spring, for these motions of the hulls."""
        found = []
        for spring, rest in zip(self.springs, self._rest, strict=True):
            motion = motions[self.hulls.index(spring.body)]
            arm = motion.rotation @ np.array(spring.at)
            velocity = motion.velocity + cross(motion.spin, arm)
            if spring.anchor is None:
                along = AXES[LINEAR.index(spring.dof or "")]
                stretch, rate = float(along @ (motion.place + arm - rest)), float(along @ velocity)
            else:
                away = motion.place + arm - np.array(spring.anchor)
                length = float(np.linalg.norm(away))
                along = away / length
                stretch, rate = length - float(rest[0]), float(along @ velocity)
            tension = spring.stiffness * stretch + spring.damping * rate
            found.append(SpringForce(-tension * along, arm, stretch, rate, tension, spring.damping * rate**2))
        return found

    # ---- in time

    def settle(self, t: float, y: Floats, h: float) -> int:
        """After a step of h: unit quaternions, drums, frames, contacts; in place. Returns a status."""
        return self.carrier.settle(t, y, self.u, h)

    def external(self, t: float, y: Floats, accelerations: Floats, forces: Floats) -> Floats:
        """Force and torque (hulls, 6), world axes, that with these accelerations act on each hull's body from outside.

        Water (`forces`, hulls × 6), springs, and what holds the held freedoms.
        """
        H, C, torques, motions = self._solved(t, y)
        total = np.array(forces, dtype=float)
        for spring, found in zip(self.springs, self.spring_forces(motions), strict=True):
            total[self.hulls.index(spring.body)] += np.concatenate([found.force, cross(found.arm, found.force)])
        full = self._of_all_speeds(accelerations)
        lacking = H @ full - torques + C - sum(J.T @ f for J, f in zip(self._full, total, strict=True))
        for k, (own, freedoms) in enumerate(self.held):
            if freedoms:
                total[k] += np.concatenate([lacking[own][:3], motions[k].rotation @ lacking[own][3:]])
        return total
