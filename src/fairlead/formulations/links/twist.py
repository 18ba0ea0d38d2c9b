"""Twist of the links about their own axes: linear, apart from the rest, and propagated exactly.

I θ̈ + C θ̇ + K θ = τ e_end, in the undamped modes θ = Φ z with ΦᵀIΦ = 1 and ΦᵀKΦ = Λ. Where the damping is proportional
to the stiffness every mode goes by itself, in 2×2 blocks and O(n); otherwise all go together in one block. A block's
propagator is the matrix exponential over a step, with the answer to a torque that is constant in it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eigh, expm

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import dot
from fairlead.rigging.rows import Collected

from .link import torques_on

PROPORTIONAL = 1e-12
"""Off-diagonal modal damping, in parts of the largest, up to which damping counts as proportional."""


@dataclass(frozen=True)
class TwistModes:
    """Undamped modes of the twist of all links.

    stiffness (mode,) Λ; damping (mode, mode) ΦᵀCΦ; gain (mode,) answer to a torque at the end of a chain;
    shapes (link, mode) Φ; moments (link, mode): torque in the joint above each link
    """

    stiffness: np.ndarray
    damping: np.ndarray
    gain: np.ndarray
    shapes: np.ndarray
    moments: np.ndarray
    inertia: np.ndarray

    @classmethod
    def of(cls, inertia: np.ndarray, damping: np.ndarray, stiffness: np.ndarray, torque: np.ndarray,
           moments: np.ndarray) -> TwistModes:  # fmt: skip
        """From the matrices I, C, K (links, links), where a torque acts (links,), and joint torques per θ."""
        values, shapes = eigh(stiffness, inertia)
        values = np.where(values < 1e-12 * values.max(initial=0.0), 0.0, values)
        return cls(values, shapes.T @ damping @ shapes, shapes.T @ torque, shapes, moments @ shapes, inertia)

    @property
    def size(self) -> int:
        """Number of modes."""
        return len(self.stiffness)

    @property
    def proportional(self) -> bool:
        """Whether every mode is damped by itself."""
        beside = self.damping - np.diag(np.diag(self.damping))
        return bool(np.abs(beside).max(initial=0.0) <= PROPORTIONAL * np.abs(self.damping).max(initial=0.0))

    def blocks(self) -> list[tuple[int, int]]:
        """(first state, number of states) of each block."""
        if self.proportional:
            return [(2 * m, 2) for m in range(self.size)]
        return [(0, 2 * self.size)] if self.size else []

    def collect(self, rows: Collected) -> int:
        """Rows of the modes and of the blocks of their propagators; how many numbers these have."""
        room = 0
        for first, size in self.blocks():
            rows.twist_block.append({"first": first, "size": size, "data": room})
            room += size * (size + 1)
        rows.mode = list(np.stack([self.stiffness, self.gain], axis=1))
        rows.mode_damping = list(self.damping.ravel())
        rows.shape = list(np.stack([self.shapes.ravel(), self.moments.ravel()], axis=1))
        return room

    def state_of(self, angles: np.ndarray, rates: np.ndarray) -> np.ndarray:
        """Modal state of twists θ and θ̇ (links,)."""
        z, dz = self.shapes.T @ (self.inertia @ angles), self.shapes.T @ (self.inertia @ rates)
        return np.stack([z, dz], axis=1).ravel()

    def propagators(self, h: float) -> np.ndarray:
        """All blocks over a step h, row by row, each row ending with the answer to a unit torque."""
        n = self.size
        whole = np.zeros((n, 2, n, 2))
        index = np.arange(n)
        whole[index, 0, index, 1] = 1.0
        whole[index, 1, index, 0] = -self.stiffness
        whole[:, 1, :, 1] = -self.damping
        rate = whole.reshape(2 * n, 2 * n)
        drive = np.stack([np.zeros(n), self.gain], axis=1).ravel()
        parts = []
        for first, size in self.blocks():
            inner = slice(first, first + size)
            grown = np.zeros((size + 1, size + 1))
            grown[:size, :size] = rate[inner, inner]
            grown[:size, size] = drive[inner]
            parts.append(expm(h * grown)[:size].ravel())
        return np.concatenate(parts) if parts else np.empty(0)


@kernel
def twist_torque(t, sys):
    """Torque about its axis on the last link of the chain that twists."""
    for c in range(sys.chains):
        chain = sys.chain[c]
        if chain.twists == 1:
            last = chain.first + chain.count - 1
            return dot(torques_on(t, last, sys), sys.link_state[last].direction)
    return 0.0


@kernel
def twist_energies(sys):
    """Kinetic and elastic energy of the twist [J], and the twist a torque at the end works on [rad]."""
    kinetic, elastic, end = 0.0, 0.0, 0.0
    for m in range(sys.modes):
        z, dz = sys.twist[m].amplitude, sys.twist[m].rate
        kinetic += 0.5 * dz * dz
        elastic += 0.5 * sys.mode[m].stiffness * z * z
        end += sys.mode[m].gain * z
    return kinetic, elastic, end


@kernel
def twist_step(t, sys):
    """One step of all blocks."""
    if sys.modes > 0:
        twist_on(twist_torque(t, sys), sys)


@kernel
def twist_on(torque, sys):
    """One step of all blocks under a torque; what energy is neither kept nor given by it was damped."""
    kinetic, elastic, end = twist_energies(sys)
    y, propagator = sys.y, sys.propagator
    for b in range(sys.twist_blocks):
        block = sys.twist_block[b]
        first, at = sys.twist.start + block.first, block.data
        for i in range(block.size):
            total = propagator[at + block.size].number * torque
            for k in range(block.size):
                total += propagator[at + k].number * y[first + k]
            sys.twist_next[i].number = total
            at += block.size + 1
        for i in range(block.size):
            y[first + i] = sys.twist_next[i].number
    after_kinetic, after_elastic, after_end = twist_energies(sys)
    given = torque * (after_end - end)
    sys.ledger.drives += given
    sys.ledger.damping += after_kinetic + after_elastic - kinetic - elastic - given


@kernel
def twist_rates(t, sys, rates):
    """ż and z̈ of all modes, for Runge–Kutta methods; returns the powers of damping and torque."""
    modes = sys.modes
    if modes == 0:
        return 0.0, 0.0
    torque = twist_torque(t, sys)
    damped, driven = 0.0, 0.0
    for m in range(modes):
        state, mode, drag = sys.twist[m], sys.mode[m], 0.0
        for k in range(modes):
            drag += sys.mode_damping[modes * m + k].number * sys.twist[k].rate
        rates.twist[m].amplitude = state.rate
        rates.twist[m].rate = mode.gain * torque - mode.stiffness * state.amplitude - drag
        damped -= drag * state.rate
        driven += mode.gain * torque * state.rate
    return damped, driven


@kernel
def twist_of(j, sys):
    """Twist of link j [rad] and torque in the joint above it [N m]."""
    angle, moment = 0.0, 0.0
    for m in range(sys.modes):
        shape, z = sys.shape[sys.modes * j + m], sys.twist[m].amplitude
        angle += shape.angle * z
        moment += shape.moment * z
    return angle, moment
