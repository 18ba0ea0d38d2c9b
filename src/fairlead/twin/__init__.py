"""A twin of a system at sea: many members of it, moved by what is measured and corrected by what is measured."""

from .estimate import Alarm, Estimate, Forecast, Health, ParameterEstimate, SensorHealth
from .file import TwinFile, load_twin, read_twin

__all__ = [
    "Alarm",
    "Estimate",
    "Forecast",
    "Health",
    "ParameterEstimate",
    "SensorHealth",
    "TwinFile",
    "load_twin",
    "read_twin",
]
