"""Random branched trees of bodies, and the energy and momentum of their motion worked out body by body."""

from __future__ import annotations

import numpy as np

from fairlead.studies.benchmarks.random_trees import random_state, random_tree
from fairlead.studies.benchmarks.tree_model import TreeModel

__all__ = ["energy_and_momentum", "random_state", "random_tree"]


def energy_and_momentum(model: TreeModel, y: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """Kinetic energy, momentum and angular momentum about the global origin, summed over the bodies."""
    turns, places, speeds, spins = model.motions(y)
    joint = model.tables(y).joint
    energy, momentum, angular = 0.0, np.zeros(3), np.zeros(3)
    own = zip(joint.mass, joint.centre, joint.inertia, strict=True)
    for (mass, centre, inertia), R, p, v, w in zip(own, turns, places, speeds, spins, strict=True):
        J = np.zeros((3, 3))
        J[np.triu_indices(3)] = inertia
        J = R @ (J + np.triu(J, 1).T) @ R.T
        c = R @ centre
        u = v + np.cross(w, c)
        energy += 0.5 * mass * u @ u + 0.5 * w @ J @ w
        momentum += mass * u
        angular += np.cross(p + c, mass * u) + J @ w
    return energy, momentum, angular
