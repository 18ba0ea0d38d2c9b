"""What a hinged chain of bars must satisfy, worked out from its nodes and end force alone."""

import numpy as np


def length_error(nodes, lengths):
    """Largest error of an element's length, relative to it, beyond what rounding of the coordinates explains."""
    found = np.linalg.norm(np.diff(nodes, axis=0), axis=1)
    rounding = 8 * np.finfo(float).eps * np.abs(nodes).max()
    return float((np.maximum(np.abs(found - lengths) - rounding, 0.0) / lengths).max())


def worst_moment(shape, lengths, weights, node_weights=None):
    """Largest moment (N m) that an element would need to be held, over the largest force times its length.

    Forces travel along the chain from the start support: each joint takes its attachment, each bar its weight, half of
    which counts before its middle.
    """
    extra = np.zeros(len(lengths) + 1) if node_weights is None else np.asarray(node_weights)
    weights = np.asarray(weights)
    up = np.array([0.0, 0.0, 1.0])
    carried = np.cumsum(extra[:-1]) + np.cumsum(weights) - 0.5 * weights
    middle = shape.force_start + carried[:, None] * up
    last = shape.force_start + (extra.sum() + weights.sum()) * up
    forces = np.vstack([middle, shape.force_start, shape.force_end])
    largest = max(float(np.linalg.norm(forces, axis=1).max()), 1e-300)
    assert np.allclose(last, -shape.force_end, atol=1e-9 * largest)
    directions = np.diff(shape.nodes, axis=0) / np.asarray(lengths)[:, None]
    return float(np.linalg.norm(np.cross(middle, directions), axis=1).max()) / largest
