"""Every file in `examples/` runs as it is."""

from __future__ import annotations

import numpy as np
import pytest

import fairlead as fl

from .files import NAMES, example

SHORT = 3.0
"""s"""


def test_there_are_examples():
    assert "sinking_cables" in NAMES


@pytest.mark.parametrize("name", NAMES)
def test_the_file_teaches(name):
    text = example(name).read_text(encoding="utf-8")
    assert text.startswith("# "), "an example begins with what it is about"
    assert "# What to look at:" in text or name == "sinking_cables"
    assert fl.load(example(name)).title


@pytest.mark.parametrize("name", NAMES)
def test_it_runs(name, tmp_path):
    system = fl.load(example(name))
    step = system.simulation.step
    every = step * round(0.5 / step)
    short = SHORT if system.hydro is None else SHORT / 3  # water is dear
    sim = fl.Simulation(system, duration=every * round(short / every), output_every=every)
    result = sim.run(output=tmp_path / f"{name}.nc")
    assert result.attrs["status"] == "complete"
    assert float(result.time[-1]) == pytest.approx(short, abs=0.5)
    for cable in system.cables:
        nodes = result.sel(cable=cable).isel(node=slice(0, int(result.node_count.sel(cable=cable))))
        paid_out = np.isfinite(nodes["position"].values[..., 2])
        assert paid_out.all() or system.cables[cable].winch is not None
        for quantity in ("position", "velocity", "tension_effective", "shear", "bending_moment", "torsion"):
            assert np.isfinite(nodes[quantity].values[paid_out]).all(), quantity
    moving = "velocity" if "velocity" in result else "point_velocity"
    speed = np.linalg.norm(result[moving].values, axis=-1)
    assert np.nanmax(speed) < 5.0, "nothing in these examples moves fast in its first seconds"


@pytest.mark.parametrize("name", NAMES)
def test_it_survives_a_round_trip_through_python(name):
    system = fl.load(example(name))
    assert fl.load_text(system.to_yaml(), "again.yaml") == system
