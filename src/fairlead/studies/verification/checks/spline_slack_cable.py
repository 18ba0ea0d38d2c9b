"""The slack cables of Escalante et al., Examples 1 and 2: their middle, their energy and their plane over 100 s."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import xarray as xr

from fairlead.model import System
from fairlead.results import energy_balance
from fairlead.simulate import Simulation
from fairlead.studies.verification.record import Record

SOURCE = "independent solution with 64 elements of the paper's element, corrected"
TIMES = (2.0, 5.0, 10.0, 30.0, 50.0, 100.0)  # s
MIDDLE = {
    1: (
        (16.0183, 16.0183, 1.2309),
        (15.0529, 15.0529, -2.6632),
        (15.9163, 15.9163, 1.1954),
        (15.1129, 15.1129, -2.7113),
        (15.9910, 15.9910, 4.3616),
        (16.0103, 16.0103, 4.1064),
    ),
    2: (
        (16.0515, 15.8409, 2.5178),
        (16.0305, 14.5310, 0.6539),
        (15.7036, 16.1638, 2.5576),
        (15.6207, 15.1056, 0.5439),
        (15.3703, 16.5792, 4.4313),
        (14.9431, 16.8914, 4.4257),
    ),
}
"""Place of the middle, m, at TIMES, by the number of the example."""


def example(number: int, elements: int = 32, **settings: Any) -> System:
    """Example 1 (moved in its plane) or 2 (moved across it and turned) of the paper, as shipped."""
    slow, fast = 2.0 * math.pi / 0.5, 2.0 * math.pi / 0.75
    first = [2.12, 2.12, 0.0] if number == 1 else [2.12, 0.0, 0.0]
    second = [0.0, 0.0, 2.0] if number == 1 else [0.0, 2.12, 0.0]
    turn = {"mean_deg": 180.0, "amplitude_deg": 180.0, "period": 2.0 * math.pi / 0.15, "phase_deg": -90.0}
    spline: dict[str, Any] = {"mass": "lumped"}
    if number == 2:
        spline["twists"] = {"cable": {"harmonic": turn}}
    system = System.model_validate(
        {
            "title": "Slack cable moved slowly at one end"
            if number == 1
            else "Slack cable moved and turned at one end",
            "environment": {"water_density": 0.0},
            "types": {
                "steel": {
                    "diameter": 0.0285,
                    "density": 7850.0,
                    "youngs_modulus": 210e9,
                    "bending_stiffness": 6800.9,
                    "torsional_stiffness": 0.0 if number == 1 else 5231.5,
                    "drag": "none",
                }
            },
            "points": {
                "A": {"kind": "fixed", "position": [0, 0, 0]},
                "B": {
                    "kind": "controlled",
                    "position": [26.16, 26.16, 18.0 if number == 1 else 20.0],
                    "motion": {
                        "harmonics": [
                            {"amplitude": first, "period": slow, "phase_deg": 90.0, "ramp": 0.0},
                            {"amplitude": second, "period": fast, "phase_deg": 90.0, "ramp": 0.0},
                        ]
                    },
                },
            },
            "cables": {"cable": {"type": "steel", "length": 47.0, "elements": elements, "start": "A", "end": "B"}},
            "simulation": {
                "start": "catenary",
                "formulation": "spline",
                "duration": 100.0,
                "step": 0.00025,
                "output_every": 0.1,
                "spline": spline,
            },
        }
    )
    return system.with_settings(**settings) if settings else system


def run(number: int, elements: int = 32, **settings: Any) -> xr.Dataset:
    """A run of an example."""
    return Simulation(example(number, elements, **settings)).run()


def middle(result: xr.Dataset, times: tuple[float, ...] = TIMES) -> np.ndarray:
    """Place of the middle node at the tabled times, (time, 3) m."""
    places = result["position"].values[:, 0]
    rows = [int(np.argmin(np.abs(result["time"].values - t))) for t in times]
    return np.asarray(places[rows, places.shape[1] // 2])


def worst_middle(result: xr.Dataset, number: int, count: int = len(TIMES)) -> float:
    """Largest distance of a coordinate of the middle from its tabled value over the first `count` times, m."""
    return float(np.abs(middle(result, TIMES[:count]) - np.array(MIDDLE[number][:count])).max())


def check(duration: float = TIMES[-1]) -> Iterator[Record]:
    """The middle at every tabled time, energies over the whole run, the plane of Example 1: over 100 s, or less."""
    count = sum(time <= duration for time in TIMES)
    first = run(1, duration=duration)
    name = f"slack cable, Example {{}}, middle over {duration:g} s, 32 splines [m]"
    yield Record.absolute(name.format(1), SOURCE, worst_middle(first, 1, count), 0.0, 4e-3)
    lost = float(np.abs(energy_balance(first).residual).max())
    yield Record.absolute("slack cable, Example 1, energy balance, Verlet [J]", "conservation", lost, 0.0, 1e-4)
    places = first["position"].values[:, 0]
    aside = float(np.abs(places[..., 0] - places[..., 1]).max())
    yield Record.absolute("slack cable, Example 1 stays in its plane [m]", "symmetry", aside, 0.0, 1e-9)
    second = run(2, duration=duration)
    yield Record.absolute(name.format(2), SOURCE, worst_middle(second, 2, count), 0.0, 20e-3)
    lost = float(np.abs(energy_balance(second).residual).max())
    yield Record.absolute("slack cable, Example 2, energy balance, Verlet [J]", "conservation", lost, 0.0, 1e-4)
    consistent = run(1, 16, duration=10.0, step=0.0004, output_every=0.1, spline__mass="consistent")
    name = "slack cable, Example 1, middle over 10 s, 16 splines with consistent mass [m]"
    yield Record.absolute(name, SOURCE, worst_middle(consistent, 1, 3), 0.0, 2e-3)
    for number in (1, 2):
        settings = {"step": 0.02, "integrator": "midpoint", "spline__mass": "consistent"}
        large = run(number, 16, duration=duration, **settings)
        name = f"slack cable, Example {number}, energy balance, midpoint rule"
        yield Record.absolute(name, "conservation", energy_balance(large).error, 0.0, 1e-6)
