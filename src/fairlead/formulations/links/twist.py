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

from .arrays import (
    BLOCK_DATA, BLOCK_FIRST, BLOCK_INTS, BLOCK_SIZE, CHAIN_COUNT, CHAIN_FIRST, CHAIN_INTS, CHAIN_TWIST, I_BLOCKS,
    I_CHAINS, N_BLOCKS, N_CHAINS, N_LINKS, N_TWIST, R_MODES, R_TWIST, W_PROPAGATOR, W_TWIST, WORK_DAMPING, WORK_DRIVES,
    Y_LEDGER, Y_LINKS, Y_TWIST, vector_of,
)  # fmt: skip
from .point_loads import torques_on

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

    def packed(self) -> np.ndarray:
        """Λ, gain, joint damping and shapes as one flat array, as the kernels read it."""
        return np.concatenate(
            [self.stiffness, self.gain, np.zeros(self.size), self.damping.ravel(), self.shapes.ravel(),
             self.moments.ravel()]
        )  # fmt: skip


@kernel
def twist_torque(t, ints, reals, y):
    """Torque about its axis on the last link of the chain that twists."""
    for c in range(ints[N_CHAINS]):
        chain = ints[I_CHAINS] + CHAIN_INTS * c
        if ints[chain + CHAIN_TWIST] == 1:
            last = ints[chain + CHAIN_FIRST] + ints[chain + CHAIN_COUNT] - 1
            return dot(torques_on(t, last, ints, reals), vector_of(y, ints[Y_LINKS] + 6 * last))
    return 0.0


@kernel
def twist_energies(ints, reals, y):
    """Kinetic and elastic energy of the twist [J], and the twist a torque at the end works on [rad]."""
    modes = ints[N_TWIST] // 2
    kinetic, elastic, end = 0.0, 0.0, 0.0
    for m in range(modes):
        z, dz = y[ints[Y_TWIST] + 2 * m], y[ints[Y_TWIST] + 2 * m + 1]
        kinetic += 0.5 * dz * dz
        elastic += 0.5 * reals[ints[R_TWIST] + m] * z * z
        end += reals[ints[R_TWIST] + modes + m] * z
    return kinetic, elastic, end


@kernel
def twist_step(t, ints, reals, y, work):
    """One step of all blocks; what energy is neither kept nor given by the torque was damped."""
    if ints[N_TWIST] == 0:
        return
    torque = twist_torque(t, ints, reals, y)
    kinetic, elastic, end = twist_energies(ints, reals, y)
    for b in range(ints[N_BLOCKS]):
        block = ints[I_BLOCKS] + BLOCK_INTS * b
        first, size = ints[Y_TWIST] + ints[block + BLOCK_FIRST], ints[block + BLOCK_SIZE]
        at = ints[W_PROPAGATOR] + ints[block + BLOCK_DATA]
        for i in range(size):
            total = work[at + size] * torque
            for k in range(size):
                total += work[at + k] * y[first + k]
            work[ints[W_TWIST] + i] = total
            at += size + 1
        for i in range(size):
            y[first + i] = work[ints[W_TWIST] + i]
    after_kinetic, after_elastic, after_end = twist_energies(ints, reals, y)
    given = torque * (after_end - end)
    y[ints[Y_LEDGER] + WORK_DRIVES] += given
    y[ints[Y_LEDGER] + WORK_DAMPING] += after_kinetic + after_elastic - kinetic - elastic - given


@kernel
def twist_rates(t, ints, reals, y, dy):
    """ż and z̈ of all modes, for Runge–Kutta methods; returns the powers of damping and torque."""
    modes = ints[N_TWIST] // 2
    if modes == 0:
        return 0.0, 0.0
    torque = twist_torque(t, ints, reals, y)
    damped, driven = 0.0, 0.0
    for m in range(modes):
        at = ints[Y_TWIST] + 2 * m
        gain = reals[ints[R_TWIST] + modes + m]
        drag = 0.0
        for k in range(modes):
            drag += reals[ints[R_TWIST] + 3 * modes + modes * m + k] * y[ints[Y_TWIST] + 2 * k + 1]
        dy[at] = y[at + 1]
        dy[at + 1] = gain * torque - reals[ints[R_TWIST] + m] * y[at] - drag
        damped -= drag * y[at + 1]
        driven += gain * torque * y[at + 1]
    return damped, driven


@kernel
def twist_of(j, ints, reals, y):
    """Twist of link j [rad] and torque in the joint above it [N m]."""
    modes = ints[N_TWIST] // 2
    angle, moment = 0.0, 0.0
    for m in range(modes):
        z = y[ints[Y_TWIST] + 2 * m]
        angle += reals[ints[R_MODES] + modes * j + m] * z
        moment += reals[ints[R_MODES] + modes * (ints[N_LINKS] + j) + m] * z
    return angle, moment
