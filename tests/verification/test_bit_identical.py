"""The same file gives the same numbers, to the last bit: twice in a row, in another process, and after a break."""

import subprocess
import sys
from functools import cache

import pytest
import xarray as xr
from marks import slowly

import fairlead as fl
from fairlead.studies.verification.checks.repeatability import differing_numbers, mooring, run, run_with_breaks


@cache
def uninterrupted(integrator: str) -> xr.Dataset:
    return run(mooring(integrator))


@pytest.mark.parametrize("integrator", ["semi_implicit", *slowly("explicit_euler", "rk2", "rk4")])
def test_same_system_twice(integrator):
    """Friction memory, a moving end, a release, a current: 0 bytes differ."""
    assert uninterrupted(integrator).attrs["status"] == "complete"
    assert differing_numbers(uninterrupted(integrator), run(mooring(integrator))) == 0


@pytest.mark.parametrize("integrator", ["semi_implicit", "explicit_euler", *slowly("rk2", "rk4")])
def test_stopped_and_resumed_equals_uninterrupted(integrator, tmp_path):
    """Broken off before and after the release at 12 s, taken up by fresh simulations from the file: 0 bytes differ."""
    resumed = run_with_breaks(mooring(integrator), tmp_path, 3, 26)
    assert resumed.attrs["status"] == "complete"
    assert resumed.sizes["time"] == 41
    assert differing_numbers(uninterrupted(integrator), resumed) == 0


def test_the_break_is_a_break(tmp_path):
    """The comparison above would mean nothing if the first part had run to the end."""
    output = tmp_path / "part.nc"
    asked = iter(range(3))
    part = fl.Simulation(mooring()).run(output=output, stop=lambda: next(asked, None) is None)
    assert part.attrs["status"].startswith("stopped")
    assert part["time"].values[-1] < 5.0


def test_same_file_in_another_process(tmp_path):
    """Through the file, the command line's loader and fresh machine code from the disk: 0 bytes differ."""
    path = tmp_path / "mooring.yaml"
    path.write_text(mooring().to_yaml(), encoding="utf-8")
    program = (
        "import sys, fairlead as fl; "
        "fl.simulate(sys.argv[1], duration=6.0, output_every=0.5).to_netcdf(sys.argv[2], engine='h5netcdf')"
    )
    subprocess.run([sys.executable, "-c", program, path, tmp_path / "there.nc"], check=True, capture_output=True)
    here = fl.simulate(path, duration=6.0, output_every=0.5)
    assert differing_numbers(here, fl.open_result(tmp_path / "there.nc")) == 0


def test_a_different_step_is_noticed():
    """The comparison does see a difference where there is one."""
    one = fl.simulate(mooring(), duration=1.0, step=0.005)
    other = fl.simulate(mooring(), duration=1.0, step=0.0025)
    assert differing_numbers(one, other) > 0
