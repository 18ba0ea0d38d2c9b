"""The free surface and a sphere under it: linear mode against multipoles, non-linear against linear, bounds."""

import numpy as np
import pytest

from fairlead.hydro.bounds import perturbation, scatter, step_bound
from fairlead.hydro.linear import Setting
from fairlead.studies.submerged_sphere import DEPTH, EXACT, heave, sphere_in_waves
from fairlead.studies.verification.checks.hydro_sloshing import EXACT as SLOSHING
from fairlead.studies.verification.checks.hydro_sloshing import sloshing
from fairlead.studies.verification.checks.hydro_sphere_coefficients import found
from fairlead.studies.verification.checks.hydro_sphere_response import nonlinear_beside_linear
from fairlead.studies.verification.checks.hydro_sphere_steep_wave import full_wave, mismatch

COARSE = Setting(depth=DEPTH, columns=16, outer=0.2)


def test_added_mass_damping_and_force():
    """Of the sphere at resonance, where damping is large."""
    c, exact = found(1.0, around=24, periods=10), EXACT[1.0]
    assert c.added_mass[2, 2] / 184084.24 == pytest.approx(exact.added_mass, rel=0.015)
    assert c.damping[2, 2] == pytest.approx(exact.damping, rel=0.03)
    assert abs(c.excitation[2]) == pytest.approx(exact.force, rel=0.015)
    stiffness, damping, mass = np.zeros((6, 6)), np.zeros((6, 6)), np.zeros((6, 6))
    stiffness[2, 2], damping[2, 2], mass[2, 2] = 302478.6, 5e4, 184084.24
    X = c.response(mass, stiffness, damping, (2,))[0]
    assert abs(X) == pytest.approx(exact.response, rel=0.02)
    assert np.angle(X) == pytest.approx(exact.phase, abs=0.03)


def test_response_in_time():
    """Heave in the eleventh period of a wave, coarse mesh."""
    z = heave(sphere_in_waves(1.0, 1.2, around=24, setting=COARSE), 1.2, 11).harmonic[-1]
    assert abs(z) == pytest.approx(EXACT[1.2].response, rel=0.02)


def test_small_waves_are_linear():
    """Body-exact on the incident surface with a wave of 1 cm equals linear mode on the same mesh."""
    moved, fixed = nonlinear_beside_linear(periods=2)
    assert abs(moved - fixed) < 0.003 * abs(fixed)


def test_second_problem_is_the_rate_of_the_first():
    """φ_t of the second boundary-value problem is dφ/dt of the first: 1 % linear, 6 % in the full wave."""
    linear = sphere_in_waves(1.0, around=16, setting=COARSE, ramp=1.0)
    assert mismatch(linear, 1.5, 60) < 0.01
    assert mismatch(full_wave(setting=COARSE, around=16, ramp=1.0), 1.2) < 0.06


def test_sloshing_and_mass():
    """First natural frequency of a round tank, and what goes up comes down."""
    omega, gained, _ = sloshing(32, 2.0)
    assert omega == pytest.approx(SLOSHING, rel=0.02)
    assert gained < 0.01


def test_step_bound_is_a_bound():
    """Steps of 0.8 of the bound keep a disturbance bounded, of 1.3 of it do not (linear mode)."""
    water = sphere_in_waves(1e-6, around=16, setting=COARSE)
    bound = step_bound(water).step
    growth = []
    for share in (0.8, 1.3):
        y = water.initial_state()
        y[: water.n_surface] = np.cos(1.7 * np.arange(water.n_surface) ** 2)
        for i in range(200):
            y = water.step(i * share * bound, y, share * bound)
        growth.append(np.abs(y[: water.n_surface]).max())
    assert growth[0] < 10.0
    assert not growth[1] < 1e3


def test_bound_of_the_full_wave_has_the_incident_speed_in_it():
    """The wave of 1.25 m carries the perturbation at up to 1.4 m/s; its step is shorter than the linear one."""
    bound, linear = step_bound(full_wave(around=16)), step_bound(sphere_in_waves(1.25, around=16))
    assert 1.2 < bound.speed < 1.6
    assert bound.step < linear.step
    assert "a step must be below" in str(bound)


def test_a_strong_perturbation_is_reported():
    """The measure of the weak-scatterer assumption: outside the absorbing zone, against the incident amplitude."""
    water = full_wave(around=16, setting=COARSE)
    y = water.initial_state()
    quiet = np.argmax(water.surface.damping)
    y[quiet] = 5.0
    assert perturbation(water, y) == 0.0
    y[np.argmin(water.surface.damping)] = -1.5
    seen = scatter(water, perturbation(water, y))
    assert seen.ratio == pytest.approx(1.2, rel=0.02)
    assert seen.violated
    assert "violated" in str(seen)
    assert not scatter(water, 0.3).violated


@pytest.mark.parametrize("matrices", ["iterative", "step"])
def test_cheaper_matrices(matrices):
    """GMRES agrees with LU to 1e-6 m after a quarter period; matrices frozen over a step to a few per cent."""
    heights = []
    for kind in ("stage", matrices):
        water = full_wave(around=16, setting=COARSE, matrices=kind, ramp=0.2)
        y = water.initial_state()
        for i in range(10):
            y = water.step(i * 0.157, y, 0.157)
        heights.append(y[2 * water.n_surface + 2] + 7.0)
    bound = 1e-6 if matrices == "iterative" else 0.05 * abs(heights[0])
    assert abs(heights[1] - heights[0]) < bound
