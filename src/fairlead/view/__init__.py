"""Pictures of a result: each figure is a function of the Dataset that returns a matplotlib Figure.

Nothing here touches pyplot or any window, and matplotlib itself loads with the first figure.
"""

from .catalogue import KINDS, figures, save, save_all
from .energy import energy
from .geometry import geometry
from .mode_shapes import mode_shapes
from .tension import tension_along, tension_history

__all__ = [
    "KINDS",
    "energy",
    "figures",
    "geometry",
    "mode_shapes",
    "save",
    "save_all",
    "tension_along",
    "tension_history",
]
