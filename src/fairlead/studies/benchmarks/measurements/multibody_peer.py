"""Random floating trees beside Pinocchio: mass matrix and accelerations, and what the O(n) sweep costs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fairlead.studies.benchmarks.measurements.multibody_cost import microseconds
from fairlead.studies.benchmarks.random_trees import random_state, random_tree
from fairlead.studies.benchmarks.record import Record
from fairlead.studies.benchmarks.tree_model import tree_articulated

TREES, JOINTS = 20, 40
BOUND = 1e-8
"""Difference allowed, as a part of the largest entry."""


def measure() -> Iterator[Record]:
    """Largest differences over some trees; CPU time of one call, best of a few."""
    from fairlead.studies.benchmarks.peers.pinocchio_tree import PinocchioTree

    model = random_tree(0, JOINTS)
    y, torques = random_state(model, 1), np.zeros(model.counts["speeds"])
    rates = np.zeros_like(torques)
    cost = microseconds(
        lambda: tree_articulated(y, torques, 9.81, model.ints, model.reals, model.work, rates), 200
    )  # fmt: skip
    try:
        peer = PinocchioTree(model)
    except ImportError as missing:
        yield Record(f"tree of {JOINTS} joints, accelerations by the O(n) sweep", cost, "µs", str(missing))
        return
    heaviest, fastest = differences()
    yield Record(f"{TREES} trees of {JOINTS} joints, mass matrix off Pinocchio's", heaviest, "1", "bound", BOUND)
    yield Record(f"{TREES} trees of {JOINTS} joints, accelerations off Pinocchio's", fastest, "1", "bound", BOUND)
    ready = peer.ready(y, torques)
    theirs = microseconds(lambda: peer.pin.aba(*ready), 200)
    yield Record(f"tree of {JOINTS} joints, accelerations by the O(n) sweep", cost, "µs", "Pinocchio", theirs)


def differences(trees: int = TREES, joints: int = JOINTS) -> tuple[float, float]:
    """Largest relative differences of the mass matrix and of the accelerations, over random trees and states."""
    from fairlead.studies.benchmarks.peers.pinocchio_tree import PinocchioTree

    heaviest = fastest = 0.0
    for seed in range(trees):
        model = random_tree(seed, joints)
        y, peer = random_state(model, seed + 100), PinocchioTree(model)
        torques = np.random.default_rng(seed).normal(size=model.counts["speeds"])
        H, other = model.mass_and_bias(y, 9.81)[0], peer.mass_matrix(y)
        heaviest = max(heaviest, float(np.abs(H - other).max() / np.abs(other).max()))
        mine, theirs = model.accelerations(y, torques, 9.81), peer.accelerations(y, torques)
        fastest = max(fastest, float(np.abs(mine - theirs).max() / np.abs(theirs).max()))
    return heaviest, fastest
