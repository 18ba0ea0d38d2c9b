"""Coefficients whose numbers are known: a hemisphere in deep water, by the closed solution."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fairlead.floaters import Coefficients
from fairlead.floaters.hemisphere import hemisphere

from .buoys import BUOY
from .wamit_files import write

RADIUS = 5.0


@pytest.fixture(scope="session")
def ball() -> Coefficients:
    """A hemisphere of 5 m radius, 40 frequencies, all headings round."""
    return hemisphere(RADIUS, np.linspace(0.15, 6.0, 40), np.radians(np.arange(-180.0, 181.0, 10.0)))


@pytest.fixture
def file(tmp_path: Path, ball: Coefficients) -> Path:
    write(tmp_path / "ball", ball)
    path = tmp_path / "buoy.yaml"
    path.write_text(BUOY)
    return path
