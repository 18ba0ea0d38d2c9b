from __future__ import annotations

import numpy as np
import pytest
import xarray as xr

from fairlead.results import ObservationShape, build_dataset

from .sinking import METADATA, sinking_rows, sinking_shape


@pytest.fixture(scope="session")
def shape() -> ObservationShape:
    return sinking_shape()


@pytest.fixture(scope="session")
def times() -> np.ndarray:
    return np.linspace(0.0, 600.0, 121)


@pytest.fixture(scope="session")
def rows(shape: ObservationShape, times: np.ndarray) -> np.ndarray:
    return sinking_rows(shape, times)


@pytest.fixture(scope="session")
def dataset(shape: ObservationShape, times: np.ndarray, rows: np.ndarray) -> xr.Dataset:
    return build_dataset(shape, times, rows, METADATA)
