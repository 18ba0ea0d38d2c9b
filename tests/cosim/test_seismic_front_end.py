"""The paper's Figure 9: each side of the seismic front end an FMU, a third one tells the positions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import xarray as xr
from click.testing import CliRunner

from fairlead.cli.main import main
from fairlead.simulate import Simulation
from fairlead.studies.seismic import Spread, co_simulation

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SPREAD = Spread(lead_ins=4, sway_start=20.0, duration=60.0)
"""Half as many lead-ins as the shipped one, swaying sooner."""


def test_the_shipped_files_are_what_the_generator_makes():
    folder = EXAMPLES / "seismic_co_simulation"
    assert {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()} == co_simulation(Spread())


@pytest.mark.slow
def test_three_fmus_give_what_one_simulation_gives(tmp_path):
    for name, text in co_simulation(SPREAD).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    ran = CliRunner().invoke(main, ["cosim", str(tmp_path / "together.yaml"), "-o", str(tmp_path / "out.nc"), "-q"])
    assert ran.exit_code == 0, ran.output
    whole = Simulation(SPREAD.system()).run()
    with xr.open_dataset(tmp_path / "out.nc", engine="h5netcdf") as split:
        for side in ("port", "starboard"):
            for i in (1, 3, 4):
                cable = f"{side}_lead_in_{i}"
                expected = whole["force_end"].sel(cable=cable, end="start").values
                found = np.asarray(split[f"{side}.{cable}.force_start"])
                error = np.abs(found - expected).max(axis=1) / np.abs(expected).max()
                assert error.max() < 0.01
                place = np.abs(split["position"].sel(cable=cable) - whole["position"].sel(cable=cable)).max()
                assert place < 1.0, "m, of 550 m"
