"""Random branched trees of bodies, and states of them."""

from __future__ import annotations

import numpy as np

from fairlead.formulations.multibody.schema import CABLE, FIXED, FREE, PRISMATIC, REVOLUTE, SPHERICAL
from fairlead.formulations.multibody.tree import WORLD, Tree
from fairlead.studies.benchmarks.tree_model import TreeModel

KINDS = (REVOLUTE, PRISMATIC, SPHERICAL, FIXED, CABLE)


def rotation(rng: np.random.Generator) -> np.ndarray:
    """A rotation matrix, any way."""
    matrix, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    return np.asarray(matrix * np.sign(np.linalg.det(matrix)))


def inertia(rng: np.random.Generator) -> np.ndarray:
    """Moments of inertia (3, 3) [kg m²] that a body can have, about oblique axes."""
    turn = rotation(rng)
    x, y, z = rng.uniform(0.05, 0.3, 3)
    return np.asarray(turn @ np.diag([y + z, x + z, x + y]) @ turn.T)


def random_tree(seed: int, joints: int, floating: bool = True, kinds: tuple[int, ...] = KINDS) -> TreeModel:
    """A tree with `joints` joints beside its base: bodies branch anywhere, frames and centres are oblique."""
    rng = np.random.default_rng(seed)
    tree = Tree()
    base = tree.add(WORLD, FREE if floating else SPHERICAL, mass=rng.uniform(1, 3), centre=rng.normal(size=3) * 0.2,
                    inertia=inertia(rng))  # fmt: skip
    for _ in range(joints):
        parent = int(rng.integers(base, base + len(tree.bodies)))
        kind = int(rng.choice(kinds))
        tree.add(parent, kind, place=rng.normal(size=3) * 0.5, frame=rotation(rng), axis=rng.normal(size=3),
                 mass=rng.uniform(0.5, 2), centre=rng.normal(size=3) * 0.3, inertia=inertia(rng))  # fmt: skip
    return TreeModel.of(tree)


def random_state(model: TreeModel, seed: int, pace: float = 1.0) -> np.ndarray:
    """Coordinates anywhere (lengths of cable elements near 1 m), speeds of the order of `pace`."""
    rng = np.random.default_rng(seed)
    y = model.state(
        rng.normal(size=model.counts["coordinates"]), pace * rng.normal(size=model.counts["speeds"])
    )  # fmt: skip
    tables = model.tables(y)
    value = tables.coordinate.value
    for kind, q in zip(tables.body.kind, tables.body.coordinate, strict=True):
        if kind in (FREE, SPHERICAL):
            turn = value[q + (3 if kind == FREE else 0) :][:4]
            turn /= np.linalg.norm(turn)
        if kind == CABLE:
            value[q + 1] = 0.5 * np.tanh(value[q + 1])
            value[q + 2] = 1.0 + 0.2 * np.tanh(value[q + 2])
    return y
