"""Every figure can be drawn of a result of every formulation: they all report the same names."""

from __future__ import annotations

import matplotlib
import numpy as np
import pytest
import xarray as xr

import fairlead as fl
from fairlead import view
from fairlead.formulations import NAMES
from fairlead.reduction import compiled, reduce

WIRE = {"diameter": "20 mm", "density": 7850, "youngs_modulus": "20 GPa", "drag": {"normal": 1.2, "axial": 0.05}}


def system(formulation: str) -> fl.System:
    """A slack wire in water, one end moved to and fro; `multibody` runs trees, so that its other end is a load."""
    other = {"kind": "fixed", "position": [0, 0, -5]}
    if formulation == "multibody":
        other = {"kind": "free", "position": [8, 0, -15], "mass": 20.0, "volume": 0.002}
    motion = {"harmonic": {"amplitude": [0.5, 0, 0.3], "period": 2.0, "ramp": 1.0}}
    return fl.System.model_validate(
        {
            "title": f"A wire by {formulation}",
            "types": {"wire": WIRE | ({"bending_stiffness": 20.0} if formulation == "spline" else {})},
            "points": {
                "A": other,
                "B": {"kind": "controlled", "position": [8, 0, -5], "motion": motion},
            },
            "cables": {"wire": {"type": "wire", "length": 10, "elements": 8, "start": "A", "end": "B"}},
            "simulation": {
                "start": "catenary",
                "formulation": formulation,
                "duration": 4.0,
                "step": 0.002,
                "output_every": 0.05,
            },
        }
    )


def result(formulation: str) -> xr.Dataset:
    if formulation != "reduced":
        return fl.simulate(system(formulation))
    whole = system("spline")
    model = reduce(fl.simulate(whole), modes=6, tension_modes=3)
    return fl.Simulation.of(compiled(whole.with_settings(step=0.005), model)).run()


@pytest.mark.parametrize("formulation", NAMES)
def test_every_figure_of_every_formulation(formulation):
    found = result(formulation)
    assert found.attrs["formulation"] == formulation
    figures = view.figures(found)
    assert set(view.KINDS) <= set(figures)
    for kind, figure in figures.items():
        assert not [t for t in figure.findobj(matplotlib.text.Text) if "nan" in t.get_text().split()], kind
        labels = [label for axes in figure.axes for label in (axes.get_xlabel(), axes.get_ylabel()) if label]
        assert all(label.endswith(")") for label in labels), "every axis has a unit"
    numbers = view.tension_statistics(found, after=1.0)
    for name in ("mean", "std", "min", "max", "significant", "equivalent"):
        assert np.isfinite(numbers[name].values).all(), name
    assert (numbers["cycles"].values >= 1.0).all(), "the end moves to and fro"
    assert (numbers["min"] <= numbers["mean"]).all()
    assert (numbers["mean"] <= numbers["max"]).all()
