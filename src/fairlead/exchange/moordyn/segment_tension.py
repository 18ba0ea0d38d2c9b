"""Tension of segments as MoorDyn has it: of the spring and its damper together, and none where the spring is slack."""

from __future__ import annotations

import numpy as np

from fairlead.model import CableType


def segment_tension(kind: CableType, length: float, places: np.ndarray, velocities: np.ndarray) -> np.ndarray:
    """EA (ε + τ ε̇) in N of segments of an unstretched length, from the differences (segments, 3) between their ends."""
    spans = np.linalg.norm(places, axis=1)
    rates = np.einsum("ij,ij->i", velocities, places) / (spans * length)
    strains = spans / length - 1.0
    return np.where(strains > 0.0, kind.ea * (strains + kind.damping_axial(length) * rates), 0.0)
