"""The spar by its coefficients: what `fairlead floater` says of it, and that its files are those of its script."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

import fairlead as fl

from .files import FOLDER

SPAR = FOLDER / "floating_spar"


def test_periods_are_those_of_the_spar_of_oc3() -> None:
    """Published of the hull and lines that these are: 125, 31 and 30 s (J. Jonkman, NREL/TP-500-47535)."""
    (report,) = fl.floater(SPAR / "spar.yaml")
    periods = {mode.motion: mode.period for mode in report.moored_modes}
    assert periods["surge"] == pytest.approx(125.0, rel=0.03)
    assert periods["heave"] == pytest.approx(31.0, rel=0.03)
    assert periods["pitch"] == pytest.approx(30.0, rel=0.03)
    assert [one for one in report.findings if one.level == "error"] == []
    # the stiffness of the lines, published: 41.18 kN/m, 11.94 kN/m, -2816 kN
    (line,) = report.lines
    assert line.stiffness[0, 0] == pytest.approx(41_180, rel=0.02)
    assert line.stiffness[2, 2] == pytest.approx(11_940, rel=0.02)
    assert line.stiffness[0, 4] == pytest.approx(-2.816e6, rel=0.02)


def test_the_files_are_those_of_the_script(tmp_path: Path) -> None:
    runpy.run_path(str(SPAR / "make_coefficients.py"))["main"](tmp_path)
    for name in ("spar.1", "spar.hst"):
        assert (tmp_path / name).read_text().split()[:200] == (SPAR / name).read_text().split()[:200]
