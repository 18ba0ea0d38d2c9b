"""A mooring line worked by its moving end: what goes in is stored, or lost to drag, bed and friction."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import xarray as xr

from fairlead.model import System
from fairlead.results import energy_balance
from fairlead.simulate import simulate
from fairlead.studies.verification.record import Record

SOURCE = "conservation of energy"


def work_the_line(step: float, **bars: Any) -> xr.Dataset:
    """150 m of line in 50 m of water, current and seabed friction; the top moves 2 m to and fro in 8 s.

    Its elements are rods unless `bars` says otherwise: what a slack one loses when it is caught goes into waves that no
    step resolves.
    """
    settings = {"compression": "carried", **bars}
    wave = {"amplitude": [2.0, 0.0, 2.0], "period": 8.0, "ramp": 8.0}
    system = System.model_validate(
        {
            "environment": {
                "current": [{"z": 0, "velocity": [0.5, 0, 0]}, {"z": -50, "velocity": [0, 0, 0]}],
                "seabed": {"depth": 50.0, "friction": 0.5, "damping": 1e3},
            },
            "types": {
                "line": {
                    "diameter": 0.1,
                    "mass_per_length": 30.0,
                    "axial_stiffness": 5e7,
                    "drag": {"normal": 1.2, "axial": 0.05},
                }
            },
            "points": {
                "anchor": {"kind": "fixed", "position": [0, 0, -49.95]},
                "top": {"kind": "controlled", "position": [120, 0, -2], "motion": {"harmonic": wave}},
            },
            "cables": {"line": {"type": "line", "length": 150.0, "elements": 30, "start": "anchor", "end": "top"}},
            "simulation": {"start": "catenary", "duration": 60.0, "step": step, "output_every": 0.25, "bars": settings},
        }
    )
    return simulate(system)


def check() -> Iterator[Record]:
    """The largest residual of the balance over the run, as a part of the energy exchanged."""
    for step in (0.01, 0.0025):
        name = f"energy balance of a worked line, step {step:g} s"
        yield Record.absolute(name, SOURCE, energy_balance(work_the_line(step)).error, 0.0, 0.01)
