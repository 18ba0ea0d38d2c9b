"""A twin of a system at sea: many members of it, moved by what is measured and corrected by what is measured."""

from .estimate import Alarm, Estimate, Forecast, Health, ParameterEstimate, SensorHealth
from .file import TwinFile, load_twin, read_twin
from .forecasts import Fork
from .twin import Twin

__all__ = [
    "Alarm",
    "Estimate",
    "Forecast",
    "Fork",
    "Health",
    "ParameterEstimate",
    "SensorHealth",
    "Twin",
    "TwinFile",
    "load_twin",
    "read_twin",
]
