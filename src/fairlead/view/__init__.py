"""Pictures of a result: each figure is a function of the Dataset that returns a matplotlib Figure.

Nothing here touches pyplot or any window, and matplotlib itself loads with the first figure.
"""

from .catalogue import KINDS, figures, save, save_all
from .compare import comparison
from .energy import energy
from .envelopes import envelope, envelopes
from .geometry import geometry
from .lift import lift
from .lifts import Lift, lifts
from .mode_shapes import mode_shapes
from .rainflow import rainflow
from .spectra import spectra, spectral_density
from .statistics import statistics, tension_statistics
from .style import house_style
from .tension import tension_along, tension_history
from .tether import tether_links

__all__ = [
    "KINDS",
    "Lift",
    "comparison",
    "energy",
    "envelope",
    "envelopes",
    "figures",
    "geometry",
    "house_style",
    "lift",
    "lifts",
    "mode_shapes",
    "rainflow",
    "save",
    "save_all",
    "spectra",
    "spectral_density",
    "statistics",
    "tension_along",
    "tension_history",
    "tension_statistics",
    "tether_links",
]
