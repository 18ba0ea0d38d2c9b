"""Rigid links against the case of Pereira et al., closed forms of hanging, streaming and clamped cables."""

import numpy as np
import pytest
from scipy.special import jn_zeros

from fairlead.studies.verification.checks import (
    links_cantilever,
    links_energy,
    links_hanging_chain,
    links_paper_tables,
    links_steady_tether,
    links_twist,
)
from verification.closed_forms import hanging_bars_frequencies


@pytest.mark.parametrize("variant", links_paper_tables.ELEVATIONS)
def test_angles_of_the_published_cable(variant):
    """Elevations after 1, 2 and 5 s to 2e-4 rad with a step of 2e-4 s, through elevation zero."""
    density, settings, known = links_paper_tables.ELEVATIONS[variant]
    found = links_paper_tables.elevations(density, **settings)
    assert np.abs(found - np.reshape(known, (3, 3))).max() < 2e-4


def test_end_mass_of_the_published_cable_with_physical_bending():
    found = links_paper_tables.end_places(0.0)
    assert np.abs(found - np.reshape(links_paper_tables.END_MASS, (3, 3))).max() < 2e-4


@pytest.mark.parametrize("reading", links_twist.FREQUENCIES)
def test_twist_frequencies(reading):
    assert links_twist.twist_frequencies(reading) == pytest.approx(links_twist.FREQUENCIES[reading], rel=1e-3)


def test_twist_of_the_physical_mode_rings_as_the_consistent_one():
    assert links_twist.physical_frequencies() == pytest.approx(links_twist.FREQUENCIES["consistent"], rel=1e-3)
    assert links_twist.ringing_frequency() == pytest.approx(86.40, rel=1e-3)


@pytest.mark.parametrize(("elements", "bound"), [(10, 4e-4), (20, 1e-4)])
def test_hanging_chain(elements, bound):
    """First frequency against the first zero of J₀, from above; the error falls fourfold with twice the links.

    The same mechanism solved exactly, to rounding: swinging is eleven orders softer than the stretch of a rigid link.
    """
    exact = 0.5 * jn_zeros(0, 1)[0] * np.sqrt(links_hanging_chain.GRAVITY / links_hanging_chain.LENGTH)
    found = links_hanging_chain.frequencies(elements)[0]
    bars = hanging_bars_frequencies(links_hanging_chain.LENGTH, elements, 1)[0]
    assert found == pytest.approx(bars, rel=1e-9)
    error = found / exact - 1.0
    assert 0.0 < error < bound
    assert error == pytest.approx(0.0303 / elements**2, rel=0.02)


@pytest.mark.parametrize(
    ("water", "added", "known"), [(0.0, 0.0, 2.05037), (1025.0, 0.0, 1.93197), (1025.0, 1.0, 1.83641)]
)
def test_chain_with_an_end_mass(water, added, known):
    """Against Bessel functions to 0.1 % with 20 links, in air, in water, with added mass."""
    exact = links_hanging_chain.exact_first(water, 0.5, added)
    assert exact == pytest.approx(known, rel=1e-5)
    assert links_hanging_chain.frequencies(20, water, 0.5, added)[0] == pytest.approx(exact, rel=1e-3)


def test_tether_in_a_current():
    """Within 0.03 m of the differential equation with 20 links, from statics and from a run alike."""
    assert links_steady_tether.exact_end() == pytest.approx((19.451702, 14.641270, 10.5779), rel=1e-5)
    records = list(links_steady_tether.check())
    assert all(record.passed for record in records), records
    assert records[0].value == pytest.approx(records[1].value, abs=1e-5)


def test_cantilever_from_ei():
    """0.5 % with 10 links: the clamp is half a link long, 2 EI/l."""
    assert links_cantilever.first_frequency(10) == pytest.approx(links_cantilever.exact_frequency(), rel=5e-3)
    assert links_cantilever.first_frequency(10) / links_cantilever.exact_frequency() == pytest.approx(0.9954, abs=2e-4)
    assert links_cantilever.deflection(10) * 3 * 2e4 / (0.5 * 20.0**3) == pytest.approx(1.005, abs=2e-4)


def test_energy_is_kept():
    assert links_energy.drift("rk4", links_energy.TIGHT) < 1e-10
    assert links_energy.drift("auto", links_energy.STEP) < 1e-4


def test_no_direction_is_better_than_another():
    still = links_energy.turned_place(0.0)
    for angle in (0.7, 2.5):
        assert np.abs(links_energy.turned_place(angle) - still).max() < 1e-10
