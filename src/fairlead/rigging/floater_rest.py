"""Floaters by coefficients at rest: a state without memory of a motion, and the mass of coupled hubs."""

from __future__ import annotations

import math

import numpy as np

from fairlead.algebra.angles import angles_of
from fairlead.algebra.records import Rows, Tables
from fairlead.algebra.turns import rotations
from fairlead.rigging.cummins import levelled

SAME = 1e-6
"""rad: a floater that is turned by less than this has the heading of the file."""
ALIGNED = 1e-10
"""rad: axes that are off a heading by less than this have it."""


def settle_floaters(tables: Tables, hubs: Rows, at_rest: bool = True) -> None:
    """No memory of a motion, slow filters where the floaters are, no work booked.

    The axes of their coefficients are turned to the headings at which they rest. Where they do not rest yet, only those
    that follow the yaw are turned.
    """
    if not tables.floaters:
        return
    for name in ("radiation", "past", "past_width", "past_ring", "water_work", "pto_work"):
        tables.block(name)[:] = 0.0
    for k, (hub, yaw) in enumerate(zip(tables.floater.hub, yaws(tables, hubs), strict=True)):
        place = (hubs.position[hub] - tables.hull.rest[k])[:2]
        tables.slow.place[k] = tables.slow.ahead[k] = place
        turned = abs(yaw) > SAME and (at_rest or tables.hull.turns[k])
        tables.slow.yaw[k] = tables.slow.ahead_yaw[k] = yaw if turned else 0.0


def is_aligned(tables: Tables, hubs: Rows) -> bool:
    """Whether the axes of all floaters have the headings at which these are."""
    found = zip(yaws(tables, hubs), tables.slow.yaw, strict=True)
    return all((abs(yaw) <= SAME and axes == 0.0) or abs(yaw - axes) <= ALIGNED for yaw, axes in found)


def yaws(tables: Tables, hubs: Rows) -> list[float]:
    """By how much all floaters are turned from their headings in the file [rad]."""
    turns = rotations(hubs.turn)
    found = []
    for hub, heading in zip(tables.floater.hub, tables.hull.heading, strict=True):
        turn = levelled.py_func(math.cos(heading), math.sin(heading), turns[hub].ravel())
        found.append(float(angles_of.py_func(turn)[2]))
    return found


def hub_matrix(blocks: np.ndarray, hubs: int, tables: Tables) -> np.ndarray:
    """Matrix of all hubs, (hubs b, hubs b), from its blocks: diagonal ones (lower triangle), then coupled ones."""
    b = blocks.shape[-1]
    whole = np.zeros((hubs, b, hubs, b))
    for h in range(hubs):
        lower = np.tril(blocks[h])
        whole[h, :, h] = lower + np.tril(lower, -1).T
    own = tables.floater.hub
    for k in range(tables.floaters, tables.water_blocks):
        of = tables.block("water_block")[k]
        row, column, slot, turned = own[of[0]], own[of[1]], of[2], of[3]
        block = blocks[slot].T if turned else blocks[slot]
        whole[row, :, column], whole[column, :, row] = block, block.T
    return whole.reshape(hubs * b, hubs * b)


def water_mass(tables: Tables, hubs: Rows, count: int, omega: float) -> np.ndarray:
    """A(ω) − A∞ of all floaters as a matrix of the freedoms of all hubs, (6 count, 6 count): Im K(iω)/ω."""
    poles = tables.memory.re + 1j * tables.memory.im
    of, values = tables.residue_of, tables.residue.re + 1j * tables.residue.im
    pole = poles[of.memory]
    kernel = 0.5 * (values / (1j * omega - pole) + values.conj() / (1j * omega - pole.conj()))
    whole = np.zeros((6 * tables.floaters, 6 * tables.floaters))
    np.add.at(whole, (of.freedom, tables.memory_of.freedom[of.memory]), kernel.imag / omega)
    if tables.pasts:  # Im K/ω = ∫ L cos ωτ dτ
        ages = float(tables.lag_grid.spacing[0]) * np.arange(tables.lag_rows)
        rise = tables.lag.rise.reshape(tables.lag_rows, tables.lag_pairs)
        felt = np.trapezoid(rise * np.cos(omega * ages)[:, None], ages, axis=0)
        np.add.at(whole, (tables.lag_of.freedom, tables.lag_of.speed), felt)
    move = np.zeros((6 * tables.floaters, 6 * count))  # V of the floaters by the speeds of the hubs
    turns = rotations(hubs.turn)
    for k, (hub, yaw) in enumerate(zip(tables.floater.hub, tables.slow.yaw, strict=True)):
        psi = tables.hull.heading[k] + yaw
        c, s = math.cos(psi), math.sin(psi)
        level = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
        move[6 * k : 6 * k + 3, 6 * hub : 6 * hub + 3] = level
        move[6 * k + 3 : 6 * k + 6, 6 * hub + 3 : 6 * hub + 6] = level @ turns[hub]
    return np.asarray(move.T @ whole @ move)
