"""Thousands of runs of a reduced model: how sure an answer is when motions or properties are not.

def drawn(random):                       # a system like the trained one, with another motion of its end
    ...
spread = realisations(model, drawn, 2000, seed=1)
spread.quantile(0.95, "tension_max"), spread["middle"]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fairlead.formulations.contract import Compiled
from fairlead.formulations.reduced import ReducedModel
from fairlead.model import System
from fairlead.results.observation import NODE_COLUMNS

from .error import STEP, compiled
from .errors import ReductionError

if TYPE_CHECKING:
    import xarray as xr

Floats = NDArray[np.float64]
QUANTILES = (0.05, 0.5, 0.95)


def realisations(
    model: ReducedModel,
    draw: Callable[[np.random.Generator], System],
    count: int,
    *,
    seed: int,
    step: float = STEP,
    quantiles: Sequence[float] = QUANTILES,
    any_properties: bool = False,
) -> xr.Dataset:
    """Run `count` systems drawn at random on the reduced model; quantiles over time and extremes of each run.

    draw            makes a system from a random generator: the model's cable with another motion of its ends, or, with
                    `any_properties`, also with other properties (the shapes stay those of the training)
    seed            of the generator: the same seed gives the same numbers
    step            s, of the runs; they last as long and are sampled as often as the first system drawn says

    The Dataset holds along `time`: `middle_quantile` (quantile, axis) of the place of the middle of the first cable and
    `tension_quantile` of the largest tension in the cable; along `realisation`: `tension_max`, `lowest` (the least
    height of any node) and `failed`. Runs that break down are left out of the quantiles.
    """
    import xarray as xr

    if count < 1:
        raise ReductionError(f"{count} realisations were asked for; ask for 1 or more")
    random = np.random.default_rng(seed)
    middle_node = int(np.argmax(model.along >= 1.0) + 1) // 2  # of the first cable
    times: Floats = np.empty(0)
    middles, tensions, lowest, failed = [], [], [], []
    for _ in range(count):
        system = draw(random)
        if len(times) == 0:
            settings = system.simulation
            times = np.arange(round(settings.duration / settings.output_every) + 1, dtype=np.float64)
            times *= settings.output_every
        places, pulls = _one(compiled(system, model, any_properties), times, step)
        middles.append(places[:, middle_node])
        tensions.append(pulls.max(axis=1))
        lowest.append(places[..., 2].min())
        failed.append(not np.isfinite(places).all())
    well = ~np.array(failed)
    if not well.any():
        raise ReductionError("every realisation broke down; take a shorter step, or motions nearer to the training")
    middle, tension = np.array(middles)[well], np.array(tensions)[well]
    most = np.where(well, np.array([row.max() for row in tensions]), np.nan)
    return xr.Dataset(
        {
            "middle_quantile": (("quantile", "time", "axis"), np.quantile(middle, quantiles, axis=0), {"units": "m"}),
            "tension_quantile": (("quantile", "time"), np.quantile(tension, quantiles, axis=0), {"units": "N"}),
            "tension_max": (("realisation",), most, {"units": "N"}),
            "lowest": (("realisation",), np.where(well, np.array(lowest), np.nan), {"units": "m"}),
            "failed": (("realisation",), ~well),
        },
        coords={"time": times, "quantile": list(quantiles), "axis": ["x", "y", "z"]},
        attrs={"seed": seed, "step": step, "cables": ", ".join(model.cables)},
    )


def _one(reduced: Compiled, times: Floats, step: float) -> tuple[Floats, Floats]:
    """Places (sample, node, 3) and tensions (sample, node) of one run; NaN from where it breaks down."""
    y, u, row = reduced.initial_state(), reduced.initial_inputs(), reduced.shape.empty_row()
    places = np.full((len(times), reduced.shape.node_count, 3), np.nan)
    pulls = np.full((len(times), reduced.shape.node_count), np.nan)
    for sample, goal in enumerate(times):
        if sample:
            span = float(goal - times[sample - 1])
            parts = max(1, round(span / step))
            if reduced.advance(float(times[sample - 1]), y, parts, span / parts, u, "midpoint") is not None:
                break
        reduced.observe(float(goal), y, u, step, row)
        table = row[reduced.shape.node_block].reshape(-1, NODE_COLUMNS)
        places[sample], pulls[sample] = table[:, :3], table[:, 6]
    return places, pulls
