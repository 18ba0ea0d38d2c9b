"""Forces, stiffness and mass of the splines at rest, for statics, modes and the first state.

Degrees of freedom are the positions of the free nodes. The tensions kept in the state are unknowns of their own beside
the shape: a step of Newton's method moves both, T ← T(e) + T′(e) ∂e·δx with T = EA ε/s, and the string stiffness comes
from them, so that stiff cables are as easy as soft ones. Elasticity is treated analytically, the torque's stiffness and
that of the loads by central differences.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from fairlead.algebra.records import Tables
from fairlead.formulations.held_still import NodesAtRest
from fairlead.sea.water import bed_gaps

from .run import FORCES, LOADS, MASSES, TORQUES
from .schema import FREE

if TYPE_CHECKING:
    from .compiled_spline import CompiledSpline

DIFFERENCE = 1e-5
"""Half width of the differences, m."""


class LinearisedSpline(NodesAtRest):
    """See `fairlead.formulations.contract.Linearised`."""

    _reach = 4
    """Loads at a node are taken to depend on the nodes up to four away, through the tangent."""

    def __init__(self, compiled: CompiledSpline, t: float, u: np.ndarray, held: bool = False) -> None:
        """`held`: free points stay where they are too."""
        super().__init__(compiled, t)
        self._compiled, fixed = compiled, self._tables(compiled._y0)
        self._calm(fixed.sea)
        self._commands, twists = compiled.signals(t, u)
        moved = np.concatenate([self._commands.ravel(), twists[compiled.twisted]])
        self._inputs = np.concatenate([moved, u[len(moved) :]])  # loads as they are set
        free = fixed.held.control == FREE
        if held:
            free[np.ravel(compiled.spans)] = False
        self._set_free(free)
        self._shapes = [compiled.cable_shape(c) for c in range(len(compiled.spans))]

    def _forces(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """All forces (nodes·3,), the tensions of the strains (elements,) and the curvatures (nodes, 3)."""
        y = y.copy()
        well = self._run(FORCES, y)
        t = self._tables(y)
        force = t.force.xyz.ravel().copy()
        if not well:
            force[:] = np.nan
        return force, t.tension.value.copy(), t.curvature.xyz.copy()

    def _modulus(self, pulling: np.ndarray) -> np.ndarray:
        """How what acts on the Green strain of an element grows with it, (elements,) [N]: EA/s³, 1/s = 1 − T/EA."""
        ea = np.concatenate([shape.ea for shape in self._shapes])
        return np.asarray(ea * (1.0 - pulling / ea) ** 3)

    def _gradient(self, y: np.ndarray, curvature: np.ndarray) -> sp.csr_matrix:
        """∂e/∂r of all elements, (elements, nodes·3)."""
        x = self._tables(y).position.xyz
        parts = []
        for shape, (first, last) in zip(self._shapes, self._compiled.spans, strict=True):
            nodes = slice(first, last + 1)
            parts.append(shape.strain_gradient(x[nodes], curvature[nodes]))
        return sp.block_diag(parts, format="csr")

    # --- forces -------------------------------------------------------------------------------------------------------
    def _outside(self, y: np.ndarray, sticking: bool = False) -> np.ndarray:
        state = self._tables(y)
        state.sea.bed_friction = self._friction if sticking else 0.0
        self._run(LOADS, y)
        state.sea.bed_friction = 0.0
        return np.array(state.force.xyz).ravel()

    def residual(self, y: np.ndarray) -> np.ndarray:
        """Force left over with the tensions of the strains, (size,)."""
        return np.asarray(self._forces(y)[0][self._dofs])

    def imbalance(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Force left over under the kept tensions, (size,), and how far the elements are from these [m]."""
        force, tension, curvature = self._forces(y)
        excess = tension - self._tables(y).tension.value
        lengths = np.concatenate([shape.lengths for shape in self._shapes])
        ea = np.concatenate([shape.ea for shape in self._shapes])
        x, along = self._tables(y).position.xyz, lengths * excess
        for c, (shape, (first, last)) in enumerate(zip(self._shapes, self._compiled.spans, strict=True)):
            nodes = slice(first, last + 1)
            pull = shape.pulled(x[nodes], curvature[nodes], along[first - c : last - c])
            force[3 * first : 3 * (last + 1)] += pull.ravel()
        return np.asarray(force[self._dofs]), np.asarray(excess / ea * lengths)

    # --- stiffness and mass -------------------------------------------------------------------------------------------
    def tangent(self, y: np.ndarray, sticking: bool = False) -> sp.csc_matrix:
        """Stiffness −∂residual/∂x with the string stiffness of the kept tensions, (size, size)."""
        _, pulling, curvature = self._forces(y)
        lengths = np.concatenate([shape.lengths for shape in self._shapes])
        gradient = self._gradient(y, curvature)
        stiffness = gradient.T @ sp.diags(self._modulus(pulling) * lengths) @ gradient
        parts = []
        kept = self._tables(y).tension.value
        for c, (shape, (first, last)) in enumerate(zip(self._shapes, self._compiled.spans, strict=True)):
            parts.append(shape.bending_stiffness + shape.string_stiffness(kept[first - c : last - c]))
        stiffness = stiffness + sp.kron(sp.block_diag(parts), sp.identity(3))
        if len(self._compiled.twisted):  # whose twist depends on the whole of a cable
            stiffness = stiffness + self._by_differences(self._torque_forces, y, self._nodes, DIFFERENCE)
        if self._tables(y).water or self._tables(y).bed:
            stiffness = stiffness + self._load_stiffness(y, DIFFERENCE, sticking)
        return self._among_free(stiffness)

    def _torque_forces(self, y: np.ndarray) -> np.ndarray:
        """−Q ∂Φ/∂r of the cables that hold their twist, (nodes·3,)."""
        torques, out, t = np.zeros(len(self._shapes)), np.zeros((self._nodes, 3)), self._tables(y)
        self._run(TORQUES, y, out=torques)
        for c in self._compiled.twisted.tolist():
            shape, (first, last) = self._shapes[c], self._compiled.spans[c]
            whole = shape.sloping.T @ t.twist_element.xyz[first - c : last - c]
            out[first : last + 1] = -torques[c] * (whole + shape.curving.T @ t.twist_node.xyz[first : last + 1])
        return out.ravel()

    def mass(self, y: np.ndarray) -> sp.csc_matrix:
        """Mass matrix with added mass, (size, size)."""
        own = sp.block_diag([self._compiled.mass_matrix(c) for c in range(len(self._shapes))])
        masses = np.zeros((self._nodes, 2))
        self._run(MASSES, y, out=masses.ravel())
        tangents = self._tables(y).tangent.xyz
        added = masses[:, :1, None] * np.eye(3)
        added = added + (masses[:, 1] - masses[:, 0])[:, None, None] * np.einsum("ni,nj->nij", tangents, tangents)
        whole = sp.kron(own, sp.identity(3)) + sp.block_diag(list(added))
        return self._among_free(whole)

    # --- states -------------------------------------------------------------------------------------------------------
    def _rested(self, y: np.ndarray) -> np.ndarray:
        y = super()._rested(y)
        self._tables(y).acceleration.xyz = 0.0
        return y

    def displaced(self, y: np.ndarray, dx: np.ndarray, share: float = 1.0) -> np.ndarray:
        """The state at rest after `share` of a step dx (size,) of the nodes and of the tensions with it."""
        _, tension, curvature = self._forces(y)
        moves = self._moves(dx)
        goal = tension + self._modulus(tension) * (self._gradient(y, curvature) @ moves.ravel())
        y = self._rested(y)
        state = self._tables(y)
        state.position.xyz += share * moves
        state.tension.value += share * (goal - state.tension.value)
        return y

    def settled(self, y: np.ndarray) -> np.ndarray:
        """The state as a run starts from it: tensions of the strains, friction unstrained, ledgers at zero."""
        y = self._rested(y)
        t = self._tables(y)
        t.tension.value = self._forces(y)[1]
        t.block("power")[:] = t.block("ledger")[:] = 0.0
        if t.bed:
            self._anchor(t)
        return self._compiled.refreshed(self.t, y, self._inputs)

    def _anchor(self, t: Tables) -> None:
        """Friction memory of nodes that rest on the bed: anchored where they are, under the force they press with."""
        gaps = bed_gaps(t.position.xyz, t.node.radius, self._reals)
        t.contact.anchor = t.position.xyz
        t.contact.normal_force = t.node.bed_stiffness * np.maximum(0.0, -np.array(gaps))
