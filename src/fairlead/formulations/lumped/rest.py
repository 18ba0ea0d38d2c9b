"""Springs and bending of a system of point masses at rest, as arrays with one row an element or a node."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fairlead.algebra.records import Tables
from fairlead.rigging.axial import axial_slope, axial_tension

from .schema import CARRIED


class Springs(NamedTuple):
    """All elements that are paid out: their numbers (n,), nodes (n, 2), unstretched lengths [m], EA [N] (n,)."""

    number: np.ndarray
    nodes: np.ndarray
    length: np.ndarray
    stiffness: np.ndarray
    law: int
    slack: np.ndarray
    """Whether an element carries no compression, (n,)."""

    def tension(self, span: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Tension [N] and its slope [N/m] at the lengths `span` (n,), by `rigging.axial`."""
        stretch = span / self.length
        tension = axial_tension.py_func(self.law, stretch, self.stiffness)
        slope = np.maximum(0.0, axial_slope.py_func(self.law, stretch, self.length, self.stiffness))
        acts = ~self.slack | (stretch > 1.0)
        return np.where(acts, tension, 0.0), np.where(acts, slope, 0.0)


class Turns(NamedTuple):
    """All places that resist bending.

    elements before and after (n, 2), counted among those that are paid out, −1 for a clamp, whose direction (n, 3) on
    its prescribed point (n,), −1 elsewhere, stands in for it; stiffness (n,) [N m].
    """

    elements: np.ndarray
    clamp: np.ndarray
    point: np.ndarray
    stiffness: np.ndarray


def springs_of(tables: Tables) -> Springs:
    """The elements of a compiled system."""
    ranges = list(zip(tables.cable.first, tables.cable.count, strict=True))
    none = np.zeros(0, dtype=int)
    index = np.concatenate([none, *(np.arange(first, first + count) for first, count in ranges)])
    firsts = [(first + c, count) for c, (first, count) in enumerate(ranges)]
    nodes = np.concatenate([none, *(np.arange(first, first + count) for first, count in firsts)])
    element = tables.element
    return Springs(
        index, np.stack([nodes, nodes + 1], axis=1), element.length[index], element.stiffness[index],
        int(tables.law), element.pushed[index] != CARRIED,
    )  # fmt: skip


def turns_of(tables: Tables) -> Turns:
    """The nodes and clamps of a compiled system that resist bending."""
    elements, clamps, points, stiffness = [], [], [], []
    live = 0
    length, bending = tables.element.length, tables.element.bending
    half = np.divide(0.5 * length, bending, out=np.full(len(length), np.inf), where=bending > 0)
    clamp, point, direction = tables.joint.clamp, tables.joint.point, tables.end.direction
    for c, (first, count) in enumerate(zip(tables.cable.first, tables.cable.count, strict=True)):
        start, end = 2 * c, 2 * c + 1
        for i in range(count + 1):
            before, after = first + i - 1 if i > 0 else -1, first + i if i < count else -1
            if (before < 0 and not clamp[start]) or (after < 0 and not clamp[end]):
                continue
            give = sum(half[e] for e in (before, after) if e >= 0)
            if np.isfinite(give):
                shift = live - first
                elements.append(tuple(e + shift if e >= 0 else -1 for e in (before, after)))
                points.append(point[start] if before < 0 else point[end] if after < 0 else -1)
                clamps.append(direction[start if before < 0 else end])
                stiffness.append(1.0 / give)
        live += count
    return Turns(
        np.array(elements, dtype=int).reshape(-1, 2), np.array(clamps).reshape(-1, 3), np.array(points, dtype=int),
        np.array(stiffness, dtype=float),
    )  # fmt: skip


class Bent(NamedTuple):
    """Bending in one shape: forces on the elements' vectors d = x₂ − x₁ (n, 2, 3), their stiffness (n, 2, 3, 2, 3)."""

    force: np.ndarray
    stiffness: np.ndarray


def bent(turns: Turns, clamps: np.ndarray, axis: np.ndarray, span: np.ndarray) -> Bent:
    """U = −k t₁·t₂: ∂U/∂d₁ = −k P₁t₂/l₁, and its second derivatives; a clamp does not move."""
    n = len(turns.stiffness)
    force, stiffness = np.zeros((n, 2, 3)), np.zeros((n, 2, 3, 2, 3))
    directions, lengths = [], []
    for side in range(2):
        e = turns.elements[:, side]
        directions.append(np.where((e >= 0)[:, None], axis[e], clamps))
        lengths.append(np.where(e >= 0, span[e], np.inf))
    k = turns.stiffness
    cosine = np.einsum("ni,ni->n", *directions)
    across = [np.eye(3) - np.einsum("ni,nj->nij", t, t) for t in directions]
    for one, other in ((0, 1), (1, 0)):
        t, l, P = directions[one], lengths[one], across[one]
        side = np.einsum("nij,nj->ni", P, directions[other])
        force[:, one] = (k / l)[:, None] * side  # −∂U/∂d
        mixed = np.einsum("ni,nj->nij", side, t)
        own = mixed + mixed.transpose(0, 2, 1) + cosine[:, None, None] * P
        stiffness[:, one, :, one] = (k / l**2)[:, None, None] * own
        cross = np.einsum("nij,njk->nik", P, across[other])
        stiffness[:, one, :, other] = -(k / (l * lengths[other]))[:, None, None] * cross
    return Bent(force, stiffness)
