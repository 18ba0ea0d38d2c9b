"""Sobol indices of the Ishigami function, whose shares of the variance are known in closed form, and elementary effects
of functions of which they are plain."""

from __future__ import annotations

import json

import numpy as np
import pytest
import xarray as xr

from fairlead.results import ResultError
from fairlead.study.design import Scenarios
from fairlead.study.factors import Distribution, Factor
from fairlead.study.sensitivity import morris_effects, sobol_indices

A, B = 7.0, 0.1


def test_the_indices_of_the_ishigami_function():
    """f = sin x₁ + a sin² x₂ + b x₃⁴ sin x₁, xᵢ uniform in ±π (Ishigami and Homma 1990; Saltelli et al. 2008):
    V₁ = (1 + b π⁴/5)²/2, V₂ = a²/8, V₁₃ = 8 b² π⁸/225, and no others."""
    ends = np.array([-np.pi]), np.array([np.pi])
    factors = [Factor(f"x{k}", (f"x{k}",), "uniform", distribution=Distribution(*ends)) for k in (1, 2, 3)]
    scenarios = Scenarios(factors, "saltelli", 1024, 1)
    x1, x2, x3 = np.array([list(scenarios.values(i).values()) for i in range(len(scenarios))]).T
    f = np.sin(x1) + A * np.sin(x2) ** 2 + B * x3**4 * np.sin(x1)
    attrs = {"design": "saltelli", "combined": json.dumps(["x1", "x2", "x3"])}
    found = sobol_indices(xr.Dataset({"f": ("scenario", f)}, attrs=attrs), "f")
    v1, v2, v13 = 0.5 * (1 + B * np.pi**4 / 5) ** 2, A**2 / 8, 8 * B**2 * np.pi**8 / 225
    whole = v1 + v2 + v13
    assert found["first"].values == pytest.approx([v1 / whole, v2 / whole, 0.0], abs=0.02)
    assert found["total"].values == pytest.approx([(v1 + v13) / whole, v2 / whole, v13 / whole], abs=0.02)
    assert (found["first_half_width"].values < 0.1).all()


def morris(f, count: int) -> tuple[xr.Dataset, np.ndarray]:
    """Elementary effects of a function of the shares of three factors, and these shares."""
    ends = np.array([0.0]), np.array([1.0])
    factors = [Factor(f"x{k}", (f"x{k}",), "uniform", distribution=Distribution(*ends)) for k in (1, 2, 3)]
    scenarios = Scenarios(factors, "morris", count, 5)
    assert len(scenarios) == 4 * count
    x = np.array([list(scenarios.values(i).values()) for i in range(len(scenarios))])
    longer = Scenarios(factors, "morris", count + 1, 5)
    assert [longer.values(i) for i in range(8)] == [scenarios.values(i) for i in range(8)]
    attrs = {"design": "morris", "combined": json.dumps(["x1", "x2", "x3"]), "seed": 5}
    return morris_effects(xr.Dataset({"f": ("scenario", f(*x.T))}, attrs=attrs), "f"), x


def test_elementary_effects_of_a_straight_line_are_its_slopes():
    found, x = morris(lambda x1, x2, x3: 3 * x1 - 5 * x2, 6)
    assert found["mean"].values == pytest.approx([3.0, -5.0, 0.0], abs=1e-12)
    assert found["mean_size"].values == pytest.approx([3.0, 5.0, 0.0], abs=1e-12)
    assert found["std"].values == pytest.approx([0.0, 0.0, 0.0], abs=1e-12)
    moves = np.diff(x.reshape(6, 4, 3), axis=1)
    assert np.array_equal(np.abs(moves), np.tile(0.5 * np.eye(3), (6, 1, 1))), "one at a time, by half"


def test_elementary_effects_show_what_acts_together():
    """Of x₁ x₂ the effect of x₁ is x₂, which lies at 1/8, 3/8, 5/8 and 7/8: mean 1/2, variance 5/64."""
    found, _ = morris(lambda x1, x2, x3: x1 * x2, 400)
    assert found["mean"].values == pytest.approx([0.5, 0.5, 0.0], abs=0.04)
    assert found["std"].values == pytest.approx([np.sqrt(5 / 64)] * 2 + [0.0], abs=0.02)
    assert found["mean_size_half_width"].values[0] == pytest.approx(1.96 * np.sqrt(5 / 64 / 400), rel=0.15)


def test_trajectories_in_which_a_scenario_failed_are_left_out():
    found, _ = morris(lambda x1, x2, x3: np.where(np.arange(len(x1)) == 5, np.nan, 2 * x3), 6)
    assert found.attrs["trajectories"] == 5
    assert found["mean"].values == pytest.approx([0.0, 0.0, 2.0], abs=1e-12)


def test_other_designs_have_none():
    with pytest.raises(ResultError, match="saltelli"):
        sobol_indices(xr.Dataset(attrs={"design": "sample"}), "f")
    with pytest.raises(ResultError, match=r"elementary effects need a study with design: \{morris: n\}"):
        morris_effects(xr.Dataset(attrs={"design": "sample"}), "f")
