"""Floaters by coefficients in an FMU: the memory of the water, waves, drift and a power take-off, without Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fmpy.validation import validate_fmu
from formulations.floaters import FORMULATIONS, afloat, body, water

import fairlead as fl
from fairlead.cosim import fmu
from fairlead.cosim.fmu import link
from fairlead.simulate import Simulation

from .host import Host

SAME = 1e-9
SEA = {"kind": "jonswap", "significant_height": 2.0, "peak_period": 8, "components": 12, "seed": 3, "ramp": 4}
HEIGHT = "environment.waves.significant_height"
SHOWN = ("buoy.surge", "buoy.pitch", "spar.heave", "pto.power", "buoy.force_excitation", "c.force_end")


def pair(monkeypatch: pytest.MonkeyPatch, formulation: str) -> fl.System:
    """Two bodies in one water with a power take-off, in an irregular sea, and a live force on one."""
    bodies = {"buoy": body(), "spar": body(position=[3, 0, 0])}
    pto = {"between": ["spar", "buoy"], "axis": [0, 0, 1], "damping": 8e4}
    return afloat(
        monkeypatch, [water("buoy", "spar")], bodies, formulation, step=0.1, environment={"waves": SEA},
        ptos={"pto": pto},
    )  # fmt: skip


def agree(path: Path, system: fl.System, values: dict[str, Any]) -> None:
    """The FMU with some parameters set against a simulation of the file with these values."""
    host, sim = Host(path), Simulation(system.with_values(values))
    for name, value in values.items():
        host[name] = value
    host.start()
    for force in (None, (2e4, 1e4, 0.0)):
        if force is not None:
            host["buoy.force"] = force
        for dt in (0.5, 0.25, 2.0):
            host.step(sim.time, dt)
            seen = sim.step(dt, None if force is None else {"buoy.force": force}, hold=True)
            for name in SHOWN:
                expected = np.ravel(seen[name])
                assert np.abs(expected).max() > 0.0
                assert np.abs(host[name] - expected).max() <= SAME * np.abs(expected).max(), (name, sim.time)
    host.close()


@pytest.mark.parametrize("formulation", FORMULATIONS)
def test_two_floaters_have_the_numbers_of_a_run_in_any_height_of_sea(
    formulation: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    system = pair(monkeypatch, formulation)
    made = fmu.export(system, tmp_path / "pair.fmu", outputs=SHOWN, parameters=[HEIGHT], targets=[link.host()])
    assert validate_fmu(str(made.path)) == []
    agree(made.path, system, {})
    agree(made.path, system, {HEIGHT: 3.0})


def test_what_the_water_is_made_with_is_no_parameter(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    system = pair(monkeypatch, "lumped")
    with pytest.raises(fmu.FmuError, match=r"'environment.water_density' cannot be a parameter"):
        fmu.export(system, tmp_path / "never.fmu", parameters=["environment.water_density"], targets=[link.host()])


def test_unasked_it_shows_the_motions_and_what_the_take_off_does(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = fmu.default_outputs(Simulation(pair(monkeypatch, "lumped")).compiled, "2.0")
    motions = ("surge", "sway", "heave", "roll", "pitch", "yaw")
    assert {f"{name}.{motion}" for name in ("buoy", "spar") for motion in motions} <= set(shown)
    assert {"pto.stroke", "pto.pto_force", "pto.power"} <= set(shown)
