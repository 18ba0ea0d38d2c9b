"""A tether worked by its moving end over a rough seabed: its ledger of works closes, whatever the gains do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import xarray as xr

from fairlead.model import System
from fairlead.results import energy_balance
from fairlead.simulate import simulate
from fairlead.studies.verification.record import Record

SOURCE = "conservation of energy"


def worked(step: float = 0.01, **tether: Any) -> xr.Dataset:
    """30 m of tether on and above a rough bed, in a current, with bending stiffness; its top moves 1.5 m in 5 s."""
    return simulate(
        System.model_validate(
            {
                "environment": {
                    "current": [{"z": 0, "velocity": [0.2, 0.3, 0]}],
                    "seabed": {"depth": 20, "stiffness": 2e4, "damping": 500, "friction": 0.4},
                },
                "types": {
                    "tether": {
                        "diameter": 0.02,
                        "density": 1800,
                        "axial_stiffness": 2e4,
                        "bending_stiffness": 2.0,
                        "damping_time": {"bending": 0.05},
                        "drag": {"normal": 1.2, "axial": 0.02},
                    }
                },
                "points": {
                    "anchor": {"kind": "fixed", "position": [0, 0, -19.9]},
                    "top": {
                        "kind": "controlled",
                        "position": [16, 0, -5],
                        "motion": {"harmonic": {"amplitude": [0.5, 0.3, 1.5], "period": 5.0, "ramp": 2.0}},
                    },
                },
                "cables": {"tether": {"type": "tether", "length": 30, "elements": 24, "start": "anchor", "end": "top"}},
                "simulation": {
                    "start": "catenary",
                    "formulation": "tether",
                    "duration": 30.0,
                    "step": step,
                    "output_every": 0.1,
                    "tether": tether,
                },
            }
        )
    )


def check() -> Iterator[Record]:
    """The balance with suggested gains, with links that go slack, and what the paper takes for an energy."""
    for label, settings in (("suggested gains", {}), ("tension-only links", {"tension_only": True})):
        error = energy_balance(worked(**settings)).error
        name = f"tether on the seabed, {label}, energy left over (absolute, part of what was exchanged)"
        yield Record.absolute(name, SOURCE, error, 0.0, 5e-4)
    free = fall()
    twice = float(np.abs(free["energy_mechanical_paper"] - 2.0 * free["energy_kinetic"]).max())
    name = "tether, the paper's mechanical energy less twice the kinetic energy (absolute, part of its largest)"
    yield Record.absolute(name, "work-energy theorem", twice / float(free["energy_kinetic"].max()), 0.0, 1e-9)


def fall() -> xr.Dataset:
    """The paper's case: fixed ends, its own definitions."""
    from fairlead.studies.verification.checks.tether_catenary import tether

    system = tether(14, away=4.0, mode="paper", aim="length", proportional=200.0, derivative=20.0, integral=50.0)
    return simulate(system, duration=10.0, output_every=0.1)
