"""Sobol indices of the Ishigami function, whose shares of the variance are known in closed form."""

from __future__ import annotations

import json

import numpy as np
import pytest
import xarray as xr

from fairlead.results import ResultError
from fairlead.study.design import Scenarios
from fairlead.study.factors import Distribution, Factor
from fairlead.study.sensitivity import sobol_indices

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


def test_other_designs_have_none():
    with pytest.raises(ResultError, match="saltelli"):
        sobol_indices(xr.Dataset(attrs={"design": "sample"}), "f")
