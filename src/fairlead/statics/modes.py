"""Natural frequencies and mode shapes about an equilibrium: K φ = ω² M φ, undamped, with added mass.

K is the symmetric part of the stiffness at rest; what lies on a rough seabed sticks to it, as in small motions it does.
Degrees of freedom that nothing holds (spin of a cable without torsional stiffness, the turn of a point without clamps)
are left out; those without mass follow the others statically.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
from scipy.linalg import eigh, qr
from scipy.sparse.linalg import eigsh, splu

from fairlead.algebra.newton import SPIN, Scale, moved_by
from fairlead.formulations.contract import Compiled, InWater, Linearised, UnsupportedSystem
from fairlead.results.shown import Shown
from fairlead.words import number, percentage

SMALL = 500
"""Up to this size all modes are computed at once; of a larger system only the slowest, by shift and invert."""
STILL = 1e-6
"""Stiffness over mass, in those of a pendulum as large as the system, below which a mode has no restoring force."""
ROUNDING = 1e-14
"""The same in those of the stiffest motion."""
EQUAL = 1e-6
"""Relative difference of ω² up to which modes count as equal."""
ROUNDS, CLOSE = 12, 1e-6
"""Most rounds in which a mode finds the water of its own frequency, and the relative change of ω² that ends them."""
FREEDOMS = ("surge", "sway", "heave", "roll", "pitch", "yaw")
AXIS_SHARE = 0.8
"""Share of its motion in one direction that gives a mode the name of that direction."""


@dataclass(frozen=True)
class Modes:
    """Natural modes, slowest first.

    omega     (mode,) rad/s
    shapes    for each cable the displacement of its nodes (mode, node, 3), the largest of each mode being 1; all zero
              in a mode that only twists
    motions   for each mode what it mainly is: "vertical", "in plane" or "out of plane" of the cables' chords,
              "sideways" (cables that hang straight down), "axial", "torsion"; or a motion of a floater, "heave of 'p'"
    effective_mass  (mode, 3): share of the moving mass that follows a shake along x, y, z
    notes     what a user should know
    """

    omega: np.ndarray
    shapes: dict[str, np.ndarray]
    motions: tuple[str, ...]
    effective_mass: np.ndarray
    notes: tuple[str, ...] = ()

    @property
    def frequency(self) -> np.ndarray:
        """(mode,) Hz."""
        return self.omega / (2 * np.pi)

    @property
    def period(self) -> np.ndarray:
        """(mode,) s."""
        return 2 * np.pi / self.omega

    def __len__(self) -> int:
        return len(self.omega)

    def __repr__(self) -> str:
        return self._shown().text()

    def _repr_html_(self) -> str:
        return self._shown().html()

    def _shown(self) -> Shown:
        rows = [["mode", "frequency", "period", "motion", "follows x", "y", "z"]]
        for i, motion in enumerate(self.motions):
            shares = [percentage(float(share)) for share in self.effective_mass[i]]
            numbers = f"{number(self.frequency[i], 5)} Hz", f"{number(self.period[i], 5)} s"
            rows.append([str(i + 1), *numbers, motion, *shares])
        return Shown("Natural modes", "undamped, with added mass, slowest first", rows, self.notes)


def natural_modes(
    compiled: Compiled, y: np.ndarray, count: int = 10, u: np.ndarray | None = None, t: float = 0.0
) -> Modes:
    """The `count` slowest modes about the equilibrium `y` that `settle` gave."""
    if count < 1:
        raise ValueError(f"count must be at least 1, not {count}")
    if compiled.system.hydro is not None:
        raise UnsupportedSystem(
            "hydro: the water about hulls weighs more or less with the frequency, so that they have no modes of this "
            "kind; remove 'hydro' and give the bodies 'added_mass' and a 'shape', or look at the spectrum of a run"
        )
    system = compiled.linearised(t, u)
    mass, spare = system.mass(y), len(compiled.shape.cables) + 6
    tangent = system.tangent(y, sticking=True).tocsr()
    squares, vectors, notes = _eigenpairs(system, y, tangent, mass, count, spare)
    squares, vectors = _in_their_water(system, y, tangent, mass, squares, vectors, spare)
    _align_equals(system, mass, squares, vectors)
    shapes = _node_shapes(compiled, system, y, vectors)
    motions = tuple(
        _of_floater(system, mass, v)
        or _motion({n: shape[i] for n, shape in shapes.items()}, _nodes(compiled, y), _spin_share(system, mass, v))
        for i, v in enumerate(vectors.T)
    )
    return Modes(np.sqrt(squares), shapes, motions, _effective_mass(system, mass, vectors), notes)


def _in_their_water(
    system: Linearised, y: np.ndarray, tangent: sp.csr_matrix, mass: sp.csc_matrix, squares: np.ndarray,
    vectors: np.ndarray, spare: int,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """ω² and vectors where the water about floaters weighs more or less with the frequency.

    Of each mode ω is a fixed point: that of K φ = ω² M(ω) φ, among whose modes it is the one most like itself. For the
    shape it has, ω² = φᵀKφ/φᵀM(ω)φ is found first, which leaves little for the shape to change.
    """
    if not isinstance(system, InWater) or not system.has_water:
        return squares, vectors
    for i in range(len(squares)):
        for _ in range(ROUNDS):
            shape = vectors[:, i]
            stiff, heavy = float(shape @ (tangent @ shape)), float(shape @ (mass @ shape))
            for _ in range(ROUNDS):
                water = system.water_mass(y, float(np.sqrt(squares[i])))
                squares[i] = stiff / (heavy + float(shape @ (water @ shape)))
            if abs(float(shape @ (water @ shape))) < CLOSE * heavy:
                break
            heavier = mass + water
            found, shapes, _ = _eigenpairs(system, y, tangent, heavier, len(squares), spare)
            alike = np.abs(shapes.T @ (mass @ vectors[:, i])) / np.sqrt(np.einsum("im,im->m", shapes, mass @ shapes))
            best = int(alike.argmax())
            step = abs(found[best] / squares[i] - 1.0)
            squares[i], vectors[:, i] = found[best], shapes[:, best]
            if step < CLOSE:
                break
    order = np.argsort(squares)
    return squares[order], vectors[:, order]


def _eigenpairs(
    system: Linearised, y: np.ndarray, tangent: sp.csr_matrix, mass: sp.csc_matrix, count: int, spare: int
) -> tuple[np.ndarray, np.ndarray, tuple[str, ...]]:
    """ω² (mode,), vectors (size, mode) with φᵀMφ = 1, and notes; modes without restoring force are left out."""
    scale = Scale.of(system, y)
    unit = sp.diags(1.0 / system.levers)
    size = np.asarray(abs(unit @ tangent @ unit).max(axis=1).todense()).ravel()
    acting = size > ROUNDING * size.max()  # rows alone: what never answers, whatever moves
    stiffness = (0.5 * (tangent + tangent.T)).tocsr()
    mass = mass.tocsr()
    heavy = mass.diagonal() > 0.0
    moving, following = np.flatnonzero(acting & heavy), np.flatnonzero(acting & ~heavy)
    condensed, follow = _condensed(stiffness, moving, following)
    inertia = mass[moving][:, moving].tocsc()
    squares, reduced = _slowest(condensed, inertia, count + spare)

    moves = moved_by(system)
    weight = float((mass.diagonal() / system.levers**2)[moves].sum()) / 3.0
    pendulum = scale.force / weight / (scale.length * max(1, moves.sum() // 3))
    stiffest = float(np.max(condensed.diagonal() / inertia.diagonal()))
    still = max(STILL * pendulum, ROUNDING * stiffest)
    falling = int((squares < -still).sum())
    notes = (f"the equilibrium is unstable in {falling} directions, which are left out",) if falling else ()
    kept = np.flatnonzero(squares > still)[:count]
    vectors = np.zeros((system.size, len(kept)))
    vectors[moving] = reduced[:, kept]
    vectors[following] = follow @ reduced[:, kept]
    return squares[kept], vectors, notes


def _condensed(
    stiffness: sp.csr_matrix, moving: np.ndarray, following: np.ndarray
) -> tuple[sp.csc_matrix, np.ndarray | sp.csc_matrix]:
    """Stiffness of the moving degrees of freedom alone, and the matrix that gives the massless ones from them."""
    inner = stiffness[moving][:, moving]
    if not len(following):
        return inner.tocsc(), sp.csc_matrix((0, len(moving)))
    across = stiffness[following][:, moving].tocsc()
    touched = np.unique(across.nonzero()[1])  # massless points couple to the few elements that meet there
    answer = splu(stiffness[following][:, following].tocsc()).solve(-across[:, touched].toarray())
    columns = sp.csc_matrix(
        (np.ones(len(touched)), (np.arange(len(touched)), touched)), shape=(len(touched), len(moving))
    )
    follow = (sp.csc_matrix(answer) @ columns).tocsc()
    return (inner + across.T @ follow).tocsc(), follow


def _slowest(stiffness: sp.csc_matrix, mass: sp.csc_matrix, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The lowest eigenvalues and their vectors, ascending."""
    size = stiffness.shape[0]
    if size <= SMALL or count >= size - 1:
        _, vectors = eigh(stiffness.toarray(), mass.toarray(), subset_by_index=(0, min(count, size) - 1))
        return _refined(stiffness, mass, vectors)
    # Just below zero: modes without restoring force neither make the shifted matrix singular nor hide the others.
    below = -1e-9 * float(np.median(stiffness.diagonal() / mass.diagonal()))
    start = np.random.default_rng(0).normal(size=size)  # the same every time, so that results are
    values, vectors = eigsh(stiffness, k=count, M=mass, sigma=below, which="LM", v0=start)
    order = np.argsort(values)
    return values[order], vectors[:, order]


def _refined(stiffness: sp.csc_matrix, mass: sp.csc_matrix, vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues and vectors once more in the space of vectors (size, mode) that are nearly right (Rayleigh, Ritz).

    Full matrices give every ω² to the rounding ε of the largest: a chain of stiff links, whose stretching is eleven
    orders above its swinging, to six digits only. Of their vectors, wrong by ε, the quotients are right to ε².
    """
    values, turn = eigh(vectors.T @ (stiffness @ vectors), vectors.T @ (mass @ vectors))
    return values, vectors @ turn


def _align_equals(system: Linearised, mass: sp.csc_matrix, squares: np.ndarray, vectors: np.ndarray) -> None:
    """Turn modes of equal frequency, any mixture of which is a mode, so that each follows an axis, x first."""
    shakes = np.stack([(system.kinds == axis).astype(float) for axis in range(3)], axis=1)
    first = 0
    for stop in range(1, len(squares) + 1):
        if stop < len(squares) and squares[stop] - squares[first] < EQUAL * squares[first]:
            continue
        if stop - first > 1:
            group = vectors[:, first:stop]
            turn, _, _ = qr(group.T @ (mass @ shakes), pivoting=True)
            group = group @ turn
            along = np.abs(group.T @ (mass @ shakes))
            axis = np.where(along.max(axis=1) > EQUAL * along.max(), along.argmax(axis=1), 3)
            vectors[:, first:stop] = group[:, np.argsort(axis, kind="stable")]
        first = stop


def _nodes(compiled: Compiled, y: np.ndarray) -> dict[str, np.ndarray]:
    """Places of the nodes of each cable, (node, 3) [m]."""
    row = compiled.shape.empty_row()
    compiled.observe(0.0, y, compiled.initial_inputs(), compiled.system.simulation.step, row)
    return {name: compiled.shape.node_table(row, name)[:, :3].copy() for name in compiled.shape.cables}


def _node_shapes(compiled: Compiled, system: Linearised, y: np.ndarray, vectors: np.ndarray) -> dict[str, np.ndarray]:
    """Displacements of all nodes in each mode, from the shape displaced to either side."""
    shapes = {
        name: np.zeros((vectors.shape[1], n, 3))
        for name, n in zip(compiled.shape.cables, compiled.shape.nodes_per_cable, strict=True)
    }
    for i, vector in enumerate(vectors.T):
        step = 1e-4 * vector / np.abs(system.levers * vector).max()
        ahead, behind = _nodes(compiled, system.displaced(y, step)), _nodes(compiled, system.displaced(y, -step))
        moved = {name: ahead[name] - behind[name] for name in shapes}
        largest = max((float(np.linalg.norm(d, axis=1).max()) for d in moved.values()), default=0.0)
        for name, d in moved.items():
            shapes[name][i] = d / largest if largest > 1e-10 else 0.0
    return shapes


def _spin_share(system: Linearised, mass: sp.csc_matrix, vector: np.ndarray) -> float:
    """Share of a mode's kinetic energy that spins cables about their own axes."""
    spin = np.where(system.kinds == SPIN, vector, 0.0)
    return float(spin @ (mass @ spin) / (vector @ (mass @ vector)))


def _of_floater(system: Linearised, mass: sp.csc_matrix, vector: np.ndarray) -> str:
    """Which motion of which floater a mode is, where more than half of its kinetic energy is in it; else nothing."""
    if not isinstance(system, InWater):
        return ""
    share = vector * (mass @ vector) / float(vector @ (mass @ vector))
    for name, first in system.floaters.items():
        own = share[first : first + 6]
        if own.sum() > 0.5:
            return f"{FREEDOMS[int(np.abs(own).argmax())]} of '{name}'"
    return ""


def _effective_mass(system: Linearised, mass: sp.csc_matrix, vectors: np.ndarray) -> np.ndarray:
    shares = np.zeros((vectors.shape[1], 3))
    for axis in range(3):
        shake = (system.kinds == axis).astype(float)
        whole = float(shake @ (mass @ shake))
        norms = np.einsum("im,im->m", vectors, mass @ vectors)
        shares[:, axis] = (vectors.T @ (mass @ shake)) ** 2 / (norms * whole) if whole > 0.0 else 0.0
    return shares


def _motion(shapes: dict[str, np.ndarray], nodes: dict[str, np.ndarray], spin_share: float) -> str:
    """The name of what a mode mainly does."""
    if spin_share > 0.5:
        return "torsion"
    total = along = up = across = hanging = 0.0
    for name, moved in shapes.items():
        tangent = np.gradient(nodes[name], axis=0)
        tangent /= np.maximum(np.linalg.norm(tangent, axis=1, keepdims=True), 1e-300)
        chord = nodes[name][-1] - nodes[name][0]
        level = np.array([chord[0], chord[1], 0.0])
        squares = float(np.sum(moved**2))
        total += squares
        along += float(np.sum(np.einsum("ni,ni->n", moved, tangent) ** 2))
        up += float(np.sum(moved[:, 2] ** 2))
        if np.linalg.norm(level) < 0.05 * np.linalg.norm(np.diff(nodes[name], axis=0), axis=1).sum():
            hanging += squares
        else:
            out = np.cross([0.0, 0.0, 1.0], level / np.linalg.norm(level))
            across += float(np.sum((moved @ out) ** 2))
    if total == 0.0:
        return "torsion"
    if along > AXIS_SHARE * total:
        return "axial"
    if up > AXIS_SHARE * total:
        return "vertical"
    if hanging > 0.5 * total:
        return "sideways"
    return "out of plane" if across > 0.5 * total else "in plane"
