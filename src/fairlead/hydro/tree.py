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
from fairlead.formulations.multibody import CompiledMultibody
from fairlead.formulations.multibody import arrays as a
from fairlead.formulations.multibody.linearised import LinearisedMultibody
from fairlead.formulations.multibody.mass_matrix import record_of
from fairlead.model.hydro import FREEDOMS, Spring

from .held_angles import HeldAngles, spin_of_angle_rates
from .live_loads import LiveLoads
from .mechanism import Motion
from .panels import Floats, Integers
from .vectors import cross, skew

LINEAR = ("surge", "sway", "heave")
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
    """A compiled `multibody` system with hulls; see `Mechanism`. Its state is the formulation's own vector.

    `u` holds the inputs of the running simulation.
    """

    def __init__(
        self,
        compiled: CompiledMultibody,
        hulls: Sequence[str],
        held: Sequence[tuple[str, ...]] = (),
        springs: Sequence[Spring] = (),
    ) -> None:
        """hulls: names of bodies; held: freedoms held of each, for free roots only."""
        self.compiled, self.hulls, self.springs = compiled, list(hulls), list(springs)
        self._loads = LiveLoads(compiled)
        self.u = self.initial_inputs()
        self.n_states = compiled.layout.size
        size = int(compiled.ints[a.N_V])
        self.held = [(compiled.speeds_of(name), freedoms)
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
        self._named = [compiled._named(name) for name in self.hulls]
        self._dy = np.zeros(self.n_states)
        self._kept: tuple[Any, tuple[Floats, Floats, Floats, list[Motion]]] | None = None
        self._turns: list[HeldAngles] = []
        self._size = size
        first = self.motions(0.0, compiled.initial_state())
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
        """Inputs by name, and where they are in `u`: those of the formulation, then named loads."""
        return {**self.compiled.inputs, **self._loads.places}

    def linearised(self, t: float) -> LinearisedMultibody:
        """The tree alone, held still at t under the inputs of the running simulation."""
        self._loads.act(t, self.u)
        found = self.compiled.linearised(t, self._own_u)
        assert isinstance(found, LinearisedMultibody)
        return found

    def initial_inputs(self) -> Floats:
        """Inputs that all follow the file."""
        return np.concatenate([self.compiled.initial_inputs(), np.full(self._loads.size, np.nan)])

    @property
    def tree_inputs(self) -> Floats:
        """The formulation's part of the inputs."""
        return self._own_u

    @property
    def _own_u(self) -> Floats:
        """The formulation's part of the inputs."""
        return self.u[: len(self.u) - self._loads.size]

    @property
    def full_jacobians(self) -> list[Floats]:
        """∂(velocity, angular velocity)/∂(all speeds) (6, speeds) of every hull, in the state last asked for."""
        return self._full

    def turn_of(self, speeds: slice) -> slice:
        """Where the quaternion of a free body is in the state; speeds: its six."""
        c = self.compiled
        rows = c.ints[c.ints[a.I_BODIES] : c.ints[a.I_CABLES]].reshape(-1, a.BODY_INTS)
        row = rows[rows[:, a.AT_V] - c.ints[a.Y_V] == speeds.start][0]
        return slice(int(row[a.AT_Q]) + 3, int(row[a.AT_Q]) + 7)

    # ---- what the water asks for

    def initial_state(self) -> Floats:
        """See `Mechanism`."""
        return self.compiled.initial_state()

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
        for turn in self._turns:
            force = force - H[:, turn.speeds] @ turn.drift
        return self._freed(self._freed(H).T), self._freed(force)

    def rates(self, t: float, y: Floats, accelerations: Floats) -> Floats:
        """See `Mechanism`. The work of water and springs goes to the formulation's ledger as that of drives."""
        H, C, torques, _ = self._solved(t, y)
        c = self.compiled
        c.rhs(float(t), y.copy(), self._own_u, c.ints, c.reals, c.work, self._dy)
        dy = self._dy.copy()
        first = int(c.ints[a.Y_V])
        full = self._of_all_speeds(accelerations)
        dy[first : first + self._size] = full
        speeds = y[first : first + self._size]
        dy[int(c.ints[a.Y_LEDGER]) + a.WORK_DRIVES] += float(speeds @ (H @ full - torques + C))
        return dy

    def inputs(self) -> Floats:
        """See `Mechanism`."""
        return self.u

    def _solved(self, t: float, y: Floats) -> tuple[Floats, Floats, Floats, list[Motion]]:
        """H, C, τ of all speeds, and the motions of the hulls; kept, since a stage asks for them three times."""
        key = (t, y.tobytes(), self.u.tobytes())
        if self._kept is not None and self._kept[0] == key:
            return self._kept[1]
        c = self.compiled
        self._loads.act(t, self.u)
        H, C, torques = c.mass_and_bias(t, y, self._own_u)
        torques[self._idle(y)] = 0.0
        speeds = y[int(c.ints[a.Y_V]) :][: self._size]
        motions, self._full = [], []
        self._turns = self._held_angles(speeds)
        for record, offset in self._named:
            kept = record_of(c.ints, c.work, record)
            R, w = kept[:9].reshape(3, 3).copy(), kept[a.SPIN : a.SPIN + 3].copy()
            arm = R @ offset
            J = self._jacobian(record, arm)
            alpha = kept[a.ACCELERATION + 3 : a.ACCELERATION + 6]
            drift = kept[a.ACCELERATION : a.ACCELERATION + 3] + cross(alpha, arm) + cross(w, cross(w, arm))
            self._full.append(J)
            motions.append(
                Motion(
                    kept[a.POSITION : a.POSITION + 3] + arm, R, kept[a.VELOCITY : a.VELOCITY + 3] + cross(w, arm), w,
                    self._freed(J.T).T,
                    np.concatenate([drift, alpha]) + sum(J[:, turn.speeds] @ turn.drift for turn in self._turns),
                )
            )  # fmt: skip
        self._kept = (key, (H, C, torques, motions))
        return self._kept[1]

    def _held_angles(self, speeds: Floats) -> list[HeldAngles]:
        """Of hulls with one or two angles held; of the bodies as the formulation last found them."""
        turns = []
        for (own, freedoms), (record, _) in zip(self.held, self._named, strict=True):
            loose = [k for k, name in enumerate(FREEDOMS[3:]) if name not in freedoms]
            if len(loose) in (1, 2):
                R = record_of(self.compiled.ints, self.compiled.work, record)[:9].reshape(3, 3)
                turning = slice(own.start + 3, own.start + 6)
                E, rate = spin_of_angle_rates(R, speeds[turning])
                columns = np.searchsorted(self.moving, own.start + 3 + np.array(loose))
                rates = np.linalg.lstsq(E[:, loose], speeds[turning], rcond=None)[0]
                turns.append(HeldAngles(turning, columns, E[:, loose], rate[:, loose] @ rates))
        return turns

    def _freed(self, rows: Floats) -> Floats:
        """Sᵀ times an array with a row for each speed."""
        free = rows[self.moving]
        for turn in self._turns:
            free[turn.columns] = turn.spins.T @ rows[turn.speeds]
        return free

    def lacking(self, t: float, y: Floats, accelerations: Floats) -> Floats:
        """H v̇ + C − τ (speeds,): what must act from outside for these accelerations of the free speeds."""
        H, C, torques, _ = self._solved(t, y)
        return np.asarray(H @ self._of_all_speeds(accelerations) + C - torques)

    def kick(self, x: Floats) -> Floats:
        """Changes of all speeds (speeds,) for sudden changes x of the free ones, in the state last asked for."""
        full = np.zeros(self._size)
        full[self.moving] = x
        for turn in self._turns:
            full[turn.speeds] = turn.spins @ x[turn.columns]
        return full

    def speeds_in(self, y: Floats) -> Floats:
        """All speeds of a state of the formulation (speeds,), a view."""
        first = int(self.compiled.ints[a.Y_V])
        return y[first : first + self._size]

    def booked(self, y: Floats, work: float) -> None:
        """Add work [J] to the ledger of the drives of a state of the formulation, in place."""
        y[int(self.compiled.ints[a.Y_LEDGER]) + a.WORK_DRIVES] += work

    def forget(self) -> None:
        """What was kept of the last state: after the tree's own numbers have changed."""
        self._kept = None

    def _of_all_speeds(self, accelerations: Floats) -> Floats:
        """v̇ = S x + d."""
        full = np.zeros(self._size)
        full[self.moving] = accelerations
        for turn in self._turns:
            full[turn.speeds] = turn.spins @ accelerations[turn.columns] + turn.drift
        return full

    def _idle(self, y: Floats) -> Integers:
        """Speeds of nodes that are still on a drum: they have no motion of their own."""
        ints = self.compiled.ints
        idle: list[int] = []
        for c, row in enumerate(self.compiled._cable_rows()):
            for slot in range(int(row[a.CABLE_COUNT]) - int(y[int(ints[a.Y_ACTIVE]) + c])):
                body = int(ints[a.I_BODIES]) + a.BODY_INTS * (int(row[a.CABLE_BODY]) + slot)
                first = int(ints[body + a.AT_V] - ints[a.Y_V])
                idle += range(first, first + 3)
        return np.array(idle, dtype=np.int64)

    def _jacobian(self, record: int, arm: Floats) -> Floats:
        """∂(velocity, angular velocity)/∂(all speeds) of a place `arm` (3,) from a body's origin, (6, speeds).

        Speed k of an ancestor with the axis (s, w) at p_k moves a place p by (s + w × (p − p_k), w).
        """
        ints, work = self.compiled.ints, self.compiled.work
        J = np.zeros((6, self._size))
        place = record_of(ints, work, record)[a.POSITION : a.POSITION + 3] + arm
        while record >= ints[a.N_BASES]:
            row = ints[ints[a.I_BODIES] + a.BODY_INTS * (record - int(ints[a.N_BASES])) :][: a.BODY_INTS]
            kept, at, count = record_of(ints, work, record), int(row[a.AT_V] - ints[a.Y_V]), a.SPEEDS[row[a.KIND]]
            axes = kept[a.AXES : a.AXES + 6 * count].reshape(count, 6)
            lever = skew(place - kept[a.POSITION : a.POSITION + 3])
            J[:3, at : at + count] = (axes[:, :3] + axes[:, 3:] @ lever).T
            J[3:, at : at + count] = axes[:, 3:].T
            record = int(row[a.PARENT])
        return J

    # ---- springs

    def spring_forces(self, motions: Sequence[Motion]) -> list[SpringForce]:
        """Of every spring, for these motions of the hulls."""
        found = []
        for spring, rest in zip(self.springs, self._rest, strict=True):
            motion = motions[self.hulls.index(spring.body)]
            arm = motion.rotation @ np.array(spring.at)
            velocity = motion.velocity + cross(motion.spin, arm)
            if spring.anchor is None:
                along = np.eye(3)[LINEAR.index(spring.dof or "")]
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
        c = self.compiled
        return int(c.settle(float(t), y, self._own_u, float(h), c.ints, c.reals, c.work))

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
