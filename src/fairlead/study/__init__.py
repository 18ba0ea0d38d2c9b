"""Studies: many runs of one system, as one file describes them, and what they come to together."""

from .estimates import convergence, weighted_mean, weighted_quantile
from .extremes import Extreme, damage_rate, extreme, extreme_of
from .file import StudyFile, load_study, read_study
from .sensitivity import morris_effects, sobol_indices
from .study import Study

__all__ = [
    "Extreme",
    "Study",
    "StudyFile",
    "convergence",
    "damage_rate",
    "extreme",
    "extreme_of",
    "load_study",
    "morris_effects",
    "read_study",
    "sobol_indices",
    "weighted_mean",
    "weighted_quantile",
]
