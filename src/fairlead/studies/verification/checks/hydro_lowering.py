"""A payload lowered through the surface from a barge: what the water takes off the rope goes off the barge's trim."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import xarray as xr

from fairlead.model import System
from fairlead.model.bodies import FreeBody
from fairlead.simulate import simulate
from fairlead.statics import solve
from fairlead.studies.verification.record import Record

from .shipped_examples import example

PERIOD, PERIODS = 6.0, 2
VOLUME = np.pi / 6.0 * 1.2407**3
UNDER = 2.0
"""Depth of the payload's middle under the mean surface from which on it is solved for all the time, m."""
RISE = "at rest in still water; waves add a mean pressure of the order of rho (a omega)^2 / 2, 9 mm of water"
BY_MORISON = {"volume": VOLUME, "height": 1.2407, "added_mass": [546.0] * 3, "slamming": {"area": 0.8}}
BALANCE = "weights and buoyancies about the middle of the waterplane, small angles"


def check() -> Iterator[Record]:
    """Means over the last two periods, the payload 3 to 5 m down."""
    system = example("lowering_beside_floater")
    barge, payload, kind = system.bodies["barge"], system.bodies["payload"], system.types["rope"]
    assert isinstance(barge, FreeBody)
    assert isinstance(payload, FreeBody)
    g, density = system.environment.gravity, system.environment.water_density
    result = simulate(system)
    late = result.isel(time=slice(-round(PERIODS * PERIOD / 0.3), None))
    hull = system.hydro.hulls["barge"].box if system.hydro else None
    assert hull is not None
    x, _, height = barge.attachments["tip"]
    hung = float(payload.mass - density * VOLUME) * g
    paid = float(late["rope.winch.length"].mean()) - system.cables["rope"].total_length
    rope = kind.mass_per_metre * paid - density * np.pi / 4 * kind.diameter**2 * 4.0  # 4 m of it are wet in the mean
    lighter = payload.mass * g - hung - rope * g
    waterplane = hull.width * hull.length**3 / 12.0
    stiffness = density * g * (waterplane - hull.length * hull.width * 1.5 * 0.75) - hung * height
    trim = -lighter * (x + barge.position[0]) / stiffness
    yield Record.relative("hydro, barge, trim after the payload went under, rad", BALANCE,
                          float(late["barge.pitch"].mean()), trim, 0.05)  # fmt: skip
    pull = float(np.abs(late["tension_effective"].values[:, 0, -1]).mean())
    yield Record.relative("hydro, barge, mean pull on the payload under water, N", "its weight in water",
                          pull, hung, 0.01)  # fmt: skip
    level = float(late["point_position"].sel(point="barge", axis="z").mean())
    rise = lighter / (density * g * hull.length * hull.width) - trim * barge.position[0]  # of its origin, which is aft
    still = _at_rest(system, paid)
    name = "hydro, barge, rise after the payload went under"
    yield Record.relative(f"{name}, still water, m", BALANCE, still, rise, 0.02)
    yield Record.absolute(f"{name}, mean in waves, m", RISE, level, still, 0.01)
    yield from _beside_morison(system, result)


def _at_rest(system: System, paid: float) -> float:
    """Height of the barge at rest in still water with so much rope paid out, m."""
    data = system.to_dict()
    data["environment"].pop("waves")
    data["cables"]["rope"].pop("winch")
    data["cables"]["rope"]["length"] += paid
    x, y, z = data["bodies"]["payload"]["position"]
    data["bodies"]["payload"]["position"] = [x, y, z - paid]
    return float(np.asarray(solve(System(**data)).outputs["barge.position"])[2])


def _beside_morison(system: System, result: xr.Dataset) -> Iterator[Record]:
    """The pull on the payload under water, beside a run in which Morison's law acts on it all the way."""
    data = system.to_dict()
    data["hydro"]["hulls"].pop("payload")
    data["bodies"]["payload"] |= BY_MORISON
    alone = simulate(System(**data))
    pulls = [np.nanmin(np.abs(run["tension_effective"].values[:, 0]), axis=1) for run in (result, alone)]
    under = result["point_position"].sel(point="payload", axis="z").values < -UNDER
    for what, value in (("mean", np.mean), ("standard deviation of the", np.std)):
        yield Record.relative(f"hydro, barge, {what} pull under water, solved for, N", "by Morison's law alone",
                              float(value(pulls[0][under])), float(value(pulls[1][under])), 0.15)  # fmt: skip
