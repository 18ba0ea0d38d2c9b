"""A payload lowered through the surface from a barge: what the water takes off the rope goes off the barge's trim."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fairlead.model.bodies import FreeBody
from fairlead.simulate import simulate
from fairlead.studies.verification.record import Record

from .shipped_examples import example

PERIOD, PERIODS = 6.0, 2
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
    hung = float(payload.mass - density * payload.volume) * g
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
    rise = lighter / (density * g * hull.length * hull.width) + trim * barge.position[0]
    yield Record.absolute("hydro, barge, rise after the payload went under, m", BALANCE, level, rise, 0.01)
