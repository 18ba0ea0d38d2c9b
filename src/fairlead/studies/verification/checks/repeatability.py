"""The same run twice, and a run stopped and resumed: every number the same to the last bit."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import xarray as xr

from fairlead.model import System
from fairlead.simulate import Simulation
from fairlead.studies.verification.record import Record

SOURCE = "an uninterrupted run of the same system"


def differing_numbers(one: xr.Dataset, other: xr.Dataset) -> int:
    """How many numbers of two results are not the same, bit for bit."""
    if set(one.data_vars) != set(other.data_vars):
        return -1
    total = 0
    for name in one.data_vars:
        a, b = np.asarray(one[name].values), np.asarray(other[name].values)
        if a.shape != b.shape:
            return -1
        total += int(np.sum(np.frombuffer(a.tobytes(), np.uint8) != np.frombuffer(b.tobytes(), np.uint8)))
    return total


def run(system: System) -> xr.Dataset:
    """The whole run."""
    return Simulation(system).run()


def _is_spent(left: Iterator[int]) -> bool:
    """Whether nothing is left of what is counted down by one each time."""
    return next(left, None) is None


def run_with_breaks(system: System, folder: Path, *after: int) -> xr.Dataset:
    """The run stopped after some samples, each time so many more, and taken up again by fresh simulations."""
    output = folder / "broken_off.nc"
    for k, samples in enumerate(after):
        asked = iter(range(samples))
        Simulation(system).run(output=output, resume=k > 0, stop=partial(_is_spent, asked))
    return Simulation(system).run(output=output, resume=True)


def mooring(integrator: str = "semi_implicit") -> System:
    """A line on the seabed with friction, a branch, a weak link and a moving top: everything that keeps a memory."""
    wave = {"amplitude": [1.0, 0.5, 1.0], "period": 7.0, "ramp": 5.0}
    return System.model_validate(
        {
            "environment": {
                "current": [{"z": 0, "velocity": [0.4, 0.2, 0]}, {"z": -30, "velocity": [0, 0, 0]}],
                "seabed": {"depth": 30.0, "friction": 0.4, "stiffness": 2e4},
            },
            "types": {
                "chain": {"diameter": 0.1, "mass_per_length": 40.0, "axial_stiffness": 2e5, "contact_diameter": 0.2},
                "tail": {"diameter": 0.08, "mass_per_length": 4.0, "axial_stiffness": 1e5, "damping_time": 0.01},
            },
            "points": {
                "anchor": {"kind": "fixed", "position": [0, 0, -29.9]},
                "top": {"kind": "controlled", "position": [45, 0, -1], "motion": {"harmonic": wave}},
                "buoy": {"kind": "free", "position": [25, 6, -15], "mass": 50.0, "volume": 0.08, "drag_area": 0.3},
                "knot": {"kind": "free", "position": [25, 0, -25], "mass": 20.0},
            },
            "cables": {
                "lower": {"type": "chain", "length": 30.0, "elements": 10, "start": "anchor", "end": "knot"},
                "upper": {"type": "chain", "length": 34.0, "elements": 10, "start": "knot", "end": "top"},
                "branch": {
                    "type": "tail",
                    "length": 14.0,
                    "elements": 5,
                    "start": {"point": "knot", "release": {"time": 12.0}},
                    "end": "buoy",
                },
            },
            "simulation": {
                "start": "catenary",
                "duration": 20.0,
                "step": 0.005,
                "output_every": 0.5,
                "integrator": integrator,
            },
        }
    )


def check() -> Iterator[Record]:
    """Bytes that differ between two runs, and between a whole and a resumed one, for two integrators."""
    for integrator in ("semi_implicit", "rk2"):
        system = mooring(integrator)
        whole = run(system)
        name = f"{integrator}: bytes that differ"
        yield Record.absolute(f"{name} when run twice", SOURCE, differing_numbers(whole, run(system)), 0.0, 0.0)
        with TemporaryDirectory() as folder:
            resumed = differing_numbers(whole, run_with_breaks(system, Path(folder), 17))
        yield Record.absolute(f"{name} after a break", SOURCE, resumed, 0.0, 0.0)
