"""Random branched trees of bodies, and the energy and momentum of their motion worked out body by body."""

from __future__ import annotations

import numpy as np

from fairlead.formulations.multibody import arrays as a
from fairlead.formulations.multibody.tree import TreeModel
from fairlead.studies.benchmarks.random_trees import random_state, random_tree

__all__ = ["energy_and_momentum", "random_state", "random_tree"]


def energy_and_momentum(model: TreeModel, y: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """Kinetic energy, momentum and angular momentum about the global origin, summed over the bodies."""
    turns, places, speeds, spins = model.motions(y)
    rows = model.reals[model.ints[a.R_BODIES] : model.ints[a.R_BASES]].reshape(-1, a.BODY_REALS)
    energy, momentum, angular = 0.0, np.zeros(3), np.zeros(3)
    for row, R, p, v, w in zip(rows, turns, places, speeds, spins, strict=True):
        J = np.zeros((3, 3))
        J[np.triu_indices(3)] = row[a.INERTIA : a.INERTIA + 6]
        J = R @ (J + np.triu(J, 1).T) @ R.T
        c = R @ row[a.CENTRE : a.CENTRE + 3]
        u = v + np.cross(w, c)
        energy += 0.5 * row[a.MASS] * u @ u + 0.5 * w @ J @ w
        momentum += row[a.MASS] * u
        angular += np.cross(p + c, row[a.MASS] * u) + J @ w
    return energy, momentum, angular
