"""The bounds that a tether's gains are suggested by: just inside it stays at rest, just outside it does not."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fairlead.formulations.tether import suggested_gains
from fairlead.simulate import Simulation
from fairlead.studies.verification.checks.tether_catenary import tether
from fairlead.studies.verification.record import Record

SOURCE = "semi-implicit Euler on the fastest stretching, closed form"


def survives(step: float, proportional: float, derivative: float, integral: float = 0.0, time: float = 20.0) -> bool:
    """Whether a tether without drag, disturbed a little, is calm in the end."""
    system = tether(
        14, proportional=proportional, derivative=derivative, integral=integral, substeps=1, first_shape="chain",
        drag="nodes", drag_factor=0.0,
    )  # fmt: skip
    simulation = Simulation(system.with_settings(step=step, output_every=None, duration=step))
    y = simulation.state
    velocity = simulation.compiled.tables(y).node_state.velocity
    velocity += 1e-3 * np.random.default_rng(1).standard_normal(velocity.shape)
    simulation.state = y
    failure = simulation.attempt(round(time / step), step, time)
    return not hasattr(failure, "cause") and float(np.abs(simulation.outputs()["tether.velocity"]).max()) < 1.0


def largest_step(proportional: float, derivative: float) -> float:
    """Largest step [s] that a tether survives, to 2 %."""
    low, high = 1e-4, 0.2
    while high > 1.02 * low:
        middle = (low * high) ** 0.5
        low, high = (middle, high) if survives(middle, proportional, derivative) else (low, middle)
    return low


def check() -> Iterator[Record]:
    """Largest steps for three sets of gains beside the bound; a suggested set is at half of it."""
    for proportional, derivative in ((2000.0, 0.875), (2000.0, 8.75), (20000.0, 8.75)):
        system = tether(14, proportional=proportional, derivative=derivative, substeps=1)
        bound = suggested_gains(system).step_bound
        name = f"tether, largest stable step, Kp {proportional:g} N, Kd {derivative:g} N s"
        yield Record.relative(name, SOURCE, largest_step(proportional, derivative), bound, 0.08)
    gains = suggested_gains(tether(14, substeps=1), 0.01)
    yield Record.relative("tether, step over the bound of suggested gains", SOURCE, 0.01 / gains.step_bound, 0.5, 1e-9)
