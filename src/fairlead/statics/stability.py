"""Whether an equilibrium is stable."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import ArpackNoConvergence, eigs, splu

from fairlead.algebra.newton import LEAST_SHIFT, Scale
from fairlead.formulations.contract import Linearised

SOFT = 10.0 * LEAST_SHIFT
"""Stiffness, in elements hanging in their own weight, that counts as none: what is neutral is not unstable."""
SMALL = 300
"""Up to this size all eigenvalues are computed at once."""
SOFTEST = 8
"""How many of the softest directions of a larger system are looked at."""


def is_stable(system: Linearised, y: np.ndarray, scale: Scale) -> bool:
    """True when the stiffness drives every small displacement back.

    A symmetric matrix has as many negative eigenvalues as negative pivots (Sylvester). Current makes the stiffness
    unsymmetric: then a positive symmetric part is sure proof, and the eigenvalues themselves decide without it.
    """
    root = 1.0 / np.sqrt(scale.shift)
    stiffness = sp.diags(root) @ system.tangent(y) @ sp.diags(root) + SOFT * sp.identity(system.size)
    symmetric = (0.5 * (stiffness + stiffness.T)).tocsc()
    ordering = {"permc_spec": "MMD_AT_PLUS_A", "diag_pivot_thresh": 0.0, "options": {"SymmetricMode": True}}
    if (splu(symmetric, **ordering).U.diagonal() > 0.0).all():
        return True
    if abs(stiffness - stiffness.T).max() <= 1e-9 * abs(stiffness).max():
        return False
    return bool((_softest(stiffness.tocsc()).real > 0.0).all())


def _softest(stiffness: sp.csc_matrix) -> np.ndarray:
    if stiffness.shape[0] <= SMALL:
        values: np.ndarray = np.linalg.eigvals(stiffness.toarray())
        return values
    try:
        return np.asarray(eigs(stiffness, k=SOFTEST, sigma=0.0, return_eigenvectors=False))
    except ArpackNoConvergence as found:
        return np.asarray(found.eigenvalues)
