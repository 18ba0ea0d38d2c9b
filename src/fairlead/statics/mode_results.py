"""Modes as a Dataset, for pictures and files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .modes import Modes
from .solution import Equilibrium

if TYPE_CHECKING:
    import xarray as xr


def mode_dataset(rest: Equilibrium, modes: Modes) -> xr.Dataset:
    """The equilibrium's Dataset and beside it, along the dimension `mode`: frequency, period, motion, mode_shape."""
    dataset = rest.dataset()
    shape = np.full((len(modes), dataset.sizes["cable"], dataset.sizes["node"], 3), np.nan)
    for i, name in enumerate(dataset["cable"].values):
        nodes = modes.shapes[str(name)]
        shape[:, i, : nodes.shape[1]] = nodes
    dataset = dataset.assign(
        frequency=("mode", modes.frequency, {"units": "Hz", "long_name": "natural frequency"}),
        period=("mode", modes.period, {"units": "s", "long_name": "natural period"}),
        motion=("mode", np.array(modes.motions, dtype=str), {"long_name": "main motion of the mode"}),
        effective_mass=(
            ("mode", "axis"),
            modes.effective_mass,
            {"units": "1", "long_name": "share of the moving mass that follows a shake along the axis"},
        ),
        mode_shape=(
            ("mode", "cable", "node", "axis"),
            shape,
            {"units": "1", "long_name": "displacement of the nodes, the largest of each mode being 1"},
        ),
    )
    return dataset.assign_coords(mode=("mode", np.arange(1, len(modes) + 1), {"long_name": "number of the mode"}))
