from __future__ import annotations

import numpy as np
import pytest
import xarray as xr
from results.sinking import METADATA, sinking_rows, sinking_shape

from fairlead.results import build_dataset


@pytest.fixture(scope="session")
def dataset() -> xr.Dataset:
    """Two joined cables of unequal mesh sinking to a bed at 200 m, a sample every 10 s."""
    shape = sinking_shape()
    times = np.linspace(0.0, 600.0, 61)
    return build_dataset(shape, times, sinking_rows(shape, times), METADATA)
