"""A net of springs that pull but do not push, in the sea: the coarse stand-in for a network of cables.

Weight grows where a node leaves the water; the seabed pushes. The energy of all that is convex, so damped Newton steps
find its minimum from any start. The springs are stiffened in stages: a rigid net is found faster from a soft one.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fairlead.shape.plane import Plane

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
STAGES = ((0.1, 1e-4), (0.01, 1e-4), (0.001, 1e-7))  # strain of a spring under all the weight; residual over the weight
SMOOTH = 0.1  # extension over which a spring goes from slack to taut, relative to that under all the weight


@dataclass(frozen=True)
class Net:
    """Nodes joined by springs.

    nodes: (m, 3) where they start [m]; free: indices of those that move; tail, head: (s,) nodes of each spring;
    lengths: (s,) at rest [m]; dry, wet: (m,) weight in air and in water [N]; force: (m, 3) [N]; bed: where nodes come
    to rest; size: of the net [m].
    """

    nodes: Floats
    free: Ints
    tail: Ints
    head: Ints
    lengths: Floats
    dry: Floats
    wet: Floats
    force: Floats
    bed: Plane | None
    size: float

    @cached_property
    def pull(self) -> float:
        """The largest force any spring may have to carry [N]."""
        return float(np.maximum(np.abs(self.dry), np.abs(self.wet))[self.free].sum() + np.abs(self.force).sum())

    def relaxed(self) -> Floats:
        """Nodes (m, 3) near the minimum of the energy; the start where nothing pulls."""
        nodes = self.nodes.copy()
        if self.pull > 0.0:
            for strain, tolerance in STAGES:
                nodes = self._descended(nodes, strain, tolerance)
        if self.bed is not None:
            nodes[self.free, 2] += np.maximum(0.0, -self.bed.height(nodes[self.free]))
        return nodes

    def _descended(self, nodes: Floats, strain: float, tolerance: float, rounds: int = 200) -> Floats:
        """Newton steps with a damping that follows how well they keep what they promise (Nielsen's rule)."""
        unit = self.pull / self.size
        rows, columns, held = self._pattern()
        energy, gradient, blocks = self._energy(nodes, strain)
        damping, growth = 1e-2 * unit, 2.0
        for _ in range(rounds):
            residual = gradient[self.free].ravel()
            if np.abs(residual).max() <= tolerance * self.pull or damping > 1e12 * unit:
                break
            step = _solve(rows, columns, blocks[held].ravel(), damping, -residual)
            trial = nodes.copy()
            trial[self.free] += step.reshape(-1, 3)
            found = self._energy(trial, strain)
            promised = 0.5 * float(step @ (damping * step - residual))
            gain = (energy - found[0]) / promised
            if gain > 0.0:
                nodes, (energy, gradient, blocks) = trial, found
                damping, growth = damping * max(0.1, 1.0 - (2.0 * gain - 1.0) ** 3), 2.0
            else:
                damping, growth = damping * growth, 2.0 * growth
        return nodes

    def _pattern(self) -> tuple[Ints, Ints, NDArray[np.bool_]]:
        """Rows and columns of the entries of the blocks of `_energy`, and which blocks lie between free nodes."""
        place = np.full(len(self.nodes), -1)
        place[self.free] = np.arange(len(self.free))
        everywhere = np.arange(len(self.nodes))
        first = place[np.concatenate((self.tail, self.head, self.tail, self.head, everywhere))]
        second = place[np.concatenate((self.tail, self.head, self.head, self.tail, everywhere))]
        held = (first >= 0) & (second >= 0)
        shape = (int(held.sum()), 3, 3)
        axis = np.arange(3)
        rows = np.broadcast_to(3 * first[held][:, None, None] + axis[:, None], shape).ravel()
        columns = np.broadcast_to(3 * second[held][:, None, None] + axis, shape).ravel()
        return rows, columns, held

    def _energy(self, nodes: Floats, strain: float) -> tuple[float, Floats, Floats]:
        """Energy [J], its gradient (m, 3) [N] and its second derivative as blocks (4 s + m, 3, 3) [N/m].

        Blocks (tail, tail), (head, head), (tail, head), (head, tail) of the springs, then those of the nodes.
        """
        across = nodes[self.head] - nodes[self.tail]
        chord = np.sqrt((across**2).sum(axis=1) + (1e-3 * self.lengths) ** 2)
        excess, soft = chord - self.lengths, SMOOTH * strain * self.lengths
        root = np.hypot(excess, soft)
        extension = 0.5 * (excess + root)
        full = self.pull / strain / self.lengths
        stiffness = full * extension / root
        unit = across / chord[:, None]
        tension = full * extension
        energy = 0.25 * float(full @ (excess**2 + excess * root + soft**2 * np.arcsinh(excess / soft)))
        gradient = -self.force
        np.add.at(gradient, self.head, tension[:, None] * unit)
        np.add.at(gradient, self.tail, -tension[:, None] * unit)
        along = unit[:, :, None] * unit[:, None, :]
        sideways = tension / chord
        spring = stiffness[:, None, None] * along + sideways[:, None, None] * (np.eye(3) - along)

        z = nodes[:, 2]
        band = 0.2 * strain * self.size  # height over which a node leaves the water
        emerged = np.clip(z / band + 0.5, 0.0, 1.0)
        buoyancy = self.dry - self.wet
        risen = np.where(emerged < 1.0, 0.5 * band * emerged**2, z)
        energy += float(self.wet @ z + buoyancy @ risen) - float((self.force * nodes).sum())
        gradient[:, 2] += self.wet + buoyancy * emerged
        own = np.zeros((len(nodes), 3, 3))
        own[:, 2, 2] = np.where((emerged > 0.0) & (emerged < 1.0), buoyancy / band, 0.0)

        if self.bed is not None:
            normal = self.bed.normal
            depth = np.maximum(0.0, -self.bed.height(nodes) * normal[2])
            firmness = self.pull / (strain * self.size)
            energy += 0.5 * firmness * float(depth @ depth)
            gradient -= firmness * depth[:, None] * normal
            own += np.where(depth > 0.0, firmness, 0.0)[:, None, None] * np.outer(normal, normal)
        return energy, gradient, np.concatenate((spring, spring, -spring, -spring, own))


def _solve(rows: Ints, columns: Ints, entries: Floats, damping: float, right: Floats) -> Floats:
    """x of (matrix + damping I) x = right, the matrix given by its entries, which add up where they coincide.

    Sparse also for small nets: dense solvers use threads, and then the last digits depend on their number.
    """
    from scipy.sparse import coo_matrix
    from scipy.sparse.linalg import splu

    n = len(right)
    diagonal = np.arange(n)
    values = np.concatenate((entries, np.full(n, damping)))
    places = (np.concatenate((rows, diagonal)), np.concatenate((columns, diagonal)))
    matrix = coo_matrix((values, places), shape=(n, n)).tocsc()
    return np.asarray(splu(matrix, permc_spec="MMD_AT_PLUS_A", options={"SymmetricMode": True}).solve(right))
