"""Every row of what is refused of floaters by coefficients, where a system is checked and where it is about to run."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml
from click.testing import CliRunner

import fairlead as fl
from fairlead.cli.main import main
from fairlead.floaters import Coefficients

from .buoys import MASS, changed
from .wamit_files import write


def said(file: Path, command: str = "check") -> tuple[int, str]:
    arguments = [command, str(file), *(["-o", str(file.with_suffix(".nc")), "-q"] if command == "run" else [])]
    run = CliRunner().invoke(main, arguments)
    return run.exit_code, " ".join(f"{run.output}{run.exception or ''}".split())


def spoilt(ball: Coefficients, slip: str) -> Coefficients:
    """Coefficients with one of the slips that each row of the table names."""
    low = ball.omega < 1.5
    short = replace(ball, omega=ball.omega[low], added_mass=ball.added_mass[low], damping=ball.damping[low],
                    excitation=ball.excitation[:, low], added_mass_infinite=None)  # fmt: skip
    negative, skew = ball.damping.copy(), ball.added_mass.copy()
    negative[20:23, 2, 2] = -0.05 * ball.damping[:, 2, 2].max()
    skew[7, 0, 2] = 0.2 * np.sqrt(ball.added_mass[:, 0, 0].max() * ball.added_mass[:, 2, 2].max())
    return {
        "no infinite frequency": short, "negative damping": replace(ball, damping=negative),
        "not symmetric": replace(ball, added_mass=skew), "Haskind": replace(ball, damping=1.5 * ball.damping),
        "phases": replace(ball, excitation=ball.excitation.conj()),
        "waterplane": replace(ball, stiffness=0.8 * ball.stiffness),
        "one heading": replace(ball, headings=ball.headings[:1], excitation=ball.excitation[:1]),
    }[slip]  # fmt: skip


SLIPS = {
    "no infinite frequency": r"run T = 0 \(WAMIT\) or omega = inf",
    "negative damping": "B33 is negative at .* remove it",
    "not symmetric": "A13 and A31 differ",
    "Haskind": "excitation and damping do not belong together",
    "phases": "phases are those of",
    "waterplane": "water_density",
    "one heading": "compute that heading too",
}


@pytest.mark.parametrize("slip", SLIPS)
def test_check_refuses_coefficients_with_a_slip(file: Path, ball: Coefficients, slip: str) -> None:
    data = spoilt(ball, slip)
    write(file.parent / "ball", data, limits=data.added_mass_infinite is not None)
    code, words = said(file)
    assert code == 2, words
    assert re.search(SLIPS[slip], words), words


UNFIT = {
    "sinks": ({"bodies.buoy.mass": 1.05 * MASS}, "would sink by"),
    "trims": ({"bodies.buoy.centre_of_mass": [0.3, 0, -2], "bodies.buoy.centre_of_buoyancy": [0, 0, -1.9]}, "trim by"),
    "capsizes": ({"bodies.buoy.centre_of_mass": [0, 0, 2]}, "capsizes"),
    "step": ({"simulation.step": 0.5}, "simulation.step: a step of 0.5 s is more than a twentieth"),
    "depth": (
        {"environment.seabed": {"depth": 12}, "bodies.buoy.coefficients": {"file": "ball", "depth": "infinite"}},
        "infinite depth",
    ),
    "a file that is missing": ({"bodies.buoy.coefficients": "hull"}, "hull is not there"),
    "a hull that is missing": ({"bodies.buoy.mesh": "none.stl"}, "bodies.buoy.mesh: "),
    "no excitation": ({}, "ball.3 is not there: without it no wave moves"),
    "drift of two kinds": ({"bodies.buoy.drift": {"method": "qtf", "file": "ball.8"}}, "no whole matrix"),
    "drift without its diagonal": ({"bodies.buoy.drift": {"method": "qtf", "file": "ball.12d"}}, "diagonal"),
    "displaced and moved to rest": (
        {"bodies.buoy.displaced": [0, 0, 1, 0, 0, 0], "simulation.start": "statics"}, "start: catenary",
    ),
    "turned from its axes": (
        {"bodies.buoy.displaced": [0, 0, 0, 0, 0, 30], "simulation.start": "catenary"}, "follow_yaw",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", UNFIT)
def test_check_and_run_refuse_a_floater_that_does_not_fit(file: Path, name: str) -> None:
    values, words = UNFIT[name]
    if name == "no excitation":
        (file.parent / "ball.3").unlink()
    (file.parent / "ball.12d").write_text(" 10.0 8.0 0.0 0.0 1 0 0 0.3 0.1\n")
    data = yaml.safe_load(file.read_text())
    for path, value in values.items():
        *above, last = path.split(".")
        part = data
        for key in above:
            part = part[key]
        part[last] = value
    file.write_text(yaml.safe_dump(data))
    for command in ("check", "run"):
        code, found = said(file, command)
        assert code == 2, (command, found)
        assert words in found, (command, found)
    assert not file.with_suffix(".nc").exists()


def test_a_floater_that_fits_is_checked_without_a_word(file: Path) -> None:
    code, words = said(file)
    assert code == 0
    assert "no mistakes" in words
    assert "bodies.buoy" not in words


def test_what_linear_theory_does_not_know_is_told_after_a_run(file: Path) -> None:
    """Roll of 25 degrees, and a yaw that the axes of the coefficients do not follow."""
    system = changed(
        file, bodies__buoy__displaced=[0, 0, 0, 25, 0, 0], bodies__buoy__mooring__preload=[0, 0, 0, 0, 0, 4e5],
        simulation__start="catenary", simulation__duration=3, environment__waves=None,
    )  # fmt: skip
    notes = str(fl.simulate(system).attrs["warnings"])
    assert "bodies.buoy: rolled or pitched by 25 deg" in notes
    assert "bodies.buoy.follow_yaw: turned by" in notes
    followed = fl.simulate(system.with_values({"bodies.buoy.follow_yaw": True}))
    assert "follow_yaw" not in str(followed.attrs["warnings"])
