"""The slack cables of Escalante et al. on a few of their shapes: the middle over 100 s against the full run."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import xarray as xr

from fairlead.model import System
from fairlead.reduction import compiled, error, galerkin
from fairlead.results import energy_balance
from fairlead.simulate import Simulation
from fairlead.studies.verification.record import Record

from .spline_slack_cable import example
from .spline_slack_cable import run as full_run

SOURCE = "the full run on 32 splines that the shapes are from"
STEP = 0.025  # s
WELL = 0.01
"""Error of the middle that a reduced model may have, of motions it has not seen too: what `reduce` asks for."""
CASES = ((1, 9, 5, False, 0.003), (2, 12, 4, False, 0.01), (1, 8, 6, True, 0.003), (2, 12, 6, True, 0.01))
"""Example, modes of the motion and of the tension, whether enriched, and bound of the error of the middle."""
FACTORS = (1.1, 0.9, 1.4, 0.6)
"""How much faster ends move than in training."""


@cache
def full(number: int, duration: float) -> xr.Dataset:
    """The full run of an example, 100 s or less."""
    return full_run(number, duration=duration)


def short(number: int, **settings: Any) -> System:
    """The same cables on 16 elements with consistent mass over 20 s."""
    given = {"duration": 20.0, "step": 0.0004, "output_every": 0.1, "spline__mass": "consistent"}
    return example(number, 16, **(given | settings))


def faster(system: System, factor: float) -> System:
    """The same cable, its end moved `factor` times as fast."""
    data = system.model_dump(mode="json", exclude_unset=True)
    for wave in data["points"]["B"]["motion"]["harmonics"]:
        wave["period"] /= factor
    return System.model_validate(data)


def check(duration: float = 100.0, factors: tuple[float, ...] = FACTORS) -> Iterator[Record]:
    """Errors of the middle, of motions not trained on, the locking of the standard model, and the energy."""
    for number, modes, tensions, enriched, bound in CASES:
        kind, run = "enriched" if enriched else "two-field", full(number, duration)
        found = error(galerkin(run, modes, tensions, enriched=enriched), run, STEP)
        name = f"reduced slack cable, Example {number}, {modes} + {tensions} modes, {kind}: error of the middle"
        yield Record.absolute(name, SOURCE, found.middle, 0.0, bound)
    run = full(1, duration)
    followed = error(galerkin(run, 9, 5, enriched=False), run, STEP).middle
    locked = error(galerkin(run, 9, None), run, STEP).middle
    name = "reduced slack cable, Example 1, 9 modes: error of two-field over that of standard Galerkin, which locks"
    yield Record.absolute(name, "axial locking: a tenth or less", followed / locked, 0.0, 0.1)
    training = Simulation(short(1)).run()
    model = galerkin(training, 12, 8)
    for factor in factors:
        other = Simulation(faster(short(1), factor)).run()
        name = f"reduced slack cable, Example 1, ends {factor:g} times as fast as in training: error of the middle"
        yield Record.absolute(name, "the full run of that motion", error(model, other, STEP).middle, 0.0, WELL)
    for number in (1, 2):
        model = galerkin(full(number, duration), 9, 4)
        balance = energy_balance(Simulation.of(compiled(example(number, step=0.05, duration=duration), model)).run())
        name = f"reduced slack cable, Example {number}, energy balance over {duration:g} s, step 0.05 s"
        yield Record.absolute(name, "conservation", balance.error, 0.0, 1e-6)
