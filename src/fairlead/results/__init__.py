"""Results: one observation row, the Dataset made of many, its file on disk, and the numbers drawn from it.

Importing this package loads numpy only; xarray and the NetCDF libraries load when a file is written or read.
"""

from .cable_loads import cable_loads
from .dataset import build_dataset, rows_of, settings_of, shape_of, variable_of, warnings_of
from .energy import EnergyBalance, energy_balance
from .errors import ResultError
from .observation import NODE_COLUMNS, TOTALS, Extra, Field, ObservationShape
from .reader import is_sealed, open_result, read_restart
from .recorder import Recorder
from .restart import Restart, fingerprint
from .seabed import Ground, seabed_of
from .summary import summarise, summary_lines

__all__ = [
    "NODE_COLUMNS",
    "TOTALS",
    "EnergyBalance",
    "Extra",
    "Field",
    "Ground",
    "ObservationShape",
    "Recorder",
    "Restart",
    "ResultError",
    "build_dataset",
    "cable_loads",
    "energy_balance",
    "fingerprint",
    "is_sealed",
    "open_result",
    "read_restart",
    "rows_of",
    "seabed_of",
    "settings_of",
    "shape_of",
    "summarise",
    "summary_lines",
    "variable_of",
    "warnings_of",
]
