"""The paper as printed: its first shape, its settling, its energies."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fairlead.formulations.contract import UnsupportedSystem
from fairlead.formulations.tether.start import paper_nodes
from fairlead.simulate import simulate
from fairlead.studies.verification.checks.tether_catenary import tether

GAINS = {"proportional": 200.0, "derivative": 20.0, "integral": 50.0}
START, END = np.zeros(3), np.array([15.0, 4.0, -3.0])


def test_the_papers_start_is_too_long_and_out_of_plane():
    """25.27 m of polyline and 0.45 m out of the plane of the ends, for a tether of 25 m (independent computation)."""
    nodes = paper_nodes(START, END, 25.0, 14, "tether")
    assert np.linalg.norm(np.diff(nodes, axis=0), axis=1).sum() == pytest.approx(25.27, abs=0.005)
    normal = np.cross([0, 0, 1.0], END - START)
    assert np.abs(nodes @ normal / np.linalg.norm(normal)).max() == pytest.approx(0.45, abs=0.02)


def test_the_papers_start_is_its_catenary():
    """Equal arcs of z = c₁ cosh((x + c₂)/c₁) + c₃: slopes are those of the arc length, dz/ds = s/√(a² + s²)."""
    nodes = paper_nodes(START, np.array([15.0, 0.0, -3.0]), 25.0, 2000, "tether")
    assert np.linalg.norm(np.diff(nodes, axis=0), axis=1) == pytest.approx(25.0 / 2000, rel=1e-6)
    x, z = nodes[:, 0], nodes[:, 2]
    slope = np.gradient(z, x)[5:-5]
    curve = np.gradient(np.gradient(z, x), x)[5:-5]
    sharpness = curve / np.sqrt(1.0 + slope**2)
    assert sharpness == pytest.approx(np.full(len(curve), np.median(sharpness)), rel=2e-3)


def test_the_papers_start_needs_room_in_x():
    with pytest.raises(UnsupportedSystem, match="first_shape: chain"):
        paper_nodes(START, np.array([0.0, 4.0, -3.0]), 25.0, 14, "cables.tether")


def test_mean_length_and_band_while_it_settles():
    """An independent implementation gives 0.67 %, 1.19 %, 0.52 %, 0.14 % and 9e-6 after 0.5, 2, 5, 10 and 30 s.

    Its ends are those of the paper's case turned into one plane; mass as tributary, error as strain.
    """
    system = tether(14, span=math.hypot(15.0, 4.0), drag="nodes", substeps=1, **GAINS)
    result = simulate(system, duration=30.0, output_every=0.5)
    error = result["link_length_error"].sel(time=[0.5, 2.0, 5.0, 10.0, 30.0]).values
    assert error == pytest.approx([0.0067, 0.0119, 0.0052, 0.0014, 9e-6], rel=0.04)
    assert float(result["link_length_band"].sel(time=0.5)) == pytest.approx(0.0134, rel=0.02)
    assert float(result["link_length_band"].sel(time=30.0)) == pytest.approx(1e-5, rel=0.2)


def test_explicit_euler_gives_the_same_as_the_semi_implicit_scheme():
    system = tether(14, away=4.0, mode="paper", **GAINS).with_settings(duration=4.0, output_every=0.5)
    one, other = (simulate(system, integrator=name)["position"].values for name in ("explicit_euler", "semi_implicit"))
    assert np.nanmax(np.abs(one - other)) < 2e-3


def test_the_ledger_adds_up_and_the_integral_is_active():
    """Work of P, I, D, weight and drag is the kinetic energy; the integral brings energy in, D and drag take it."""
    system = tether(14, away=4.0, mode="paper", **GAINS)
    result = simulate(system, duration=30.0, output_every=0.5)
    names = ("work_proportional", "work_integral", "work_derivative", "work_weight", "work_drag")
    total = sum(result[name].values for name in names)
    assert total == pytest.approx(result["energy_kinetic"].values, abs=1e-12)
    last = result.isel(time=-1)
    assert float(last["work_integral"]) > 0.3
    assert float(last["work_derivative"]) < 0.0
    assert float(last["work_drag"]) < 0.0
    stored = sum(float(last[name] - result[name][0]) for name in ("energy_gravity", "energy_elastic"))
    given = sum(float(last[name]) for name in ("work_integral", "work_derivative", "work_drag"))
    assert stored == pytest.approx(given, rel=2e-3)
