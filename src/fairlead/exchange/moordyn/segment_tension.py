"""Tension of segments as MoorDyn has it: of spring and damper together, never a push, none where slack."""

from __future__ import annotations

import numpy as np

from fairlead.model import CableType


def segment_tension(kind: CableType, length: float, places: np.ndarray, velocities: np.ndarray) -> np.ndarray:
    """EA (ε + τ ε̇) in N of segments of an unstretched length, from the differences (segments, 3) between their ends."""
    spans = np.linalg.norm(places, axis=1)
    rates = np.einsum("ij,ij->i", velocities, places) / (spans * length)
    strains = spans / length - 1.0
    pulls = kind.ea * (strains + kind.damping_axial(length) * rates)
    return np.where(strains > 0.0, np.maximum(pulls, 0.0), 0.0)


def rope_tension(before: np.ndarray, after: np.ndarray) -> np.ndarray:
    """Of segments of rope, N, from the tensions at their two ends: what a rope carries is not in its strain alone."""
    return np.asarray(np.maximum(0.0, 0.5 * (before + after)))
