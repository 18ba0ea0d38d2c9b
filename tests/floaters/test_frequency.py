"""Natural periods, responses and what a sea makes of them, against closed forms."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from fairlead.floaters import CoefficientError, Coefficients
from fairlead.floaters.frequency import (
    Floater,
    natural_modes,
    paired,
    responses,
    rigid_mass,
    spectrum,
    standard_deviations,
    weight_stiffness,
)

HEAVE = {0.2: 1.0107, 0.5: 1.1069, 1.0: 1.8841, 1.4: 0.6757, 2.0: 0.1715}
"""Ka: heave over wave amplitude of a hemisphere that floats by itself (multipole solution of its own)."""


def floating(data: Coefficients, **changes: object) -> Floater:
    mass = float(data.density * data.volume[0])
    centre = np.array([0.0, 0.0, -2.0])
    weight = weight_stiffness(mass * data.gravity, centre)
    return Floater(data, rigid_mass(mass, centre, np.array([1e6, 1e6, 1e6])), weight, np.zeros((6, 6)))


@pytest.mark.parametrize("Ka", HEAVE)
def test_heave_of_a_hemisphere(Ka: float, ball: Coefficients) -> None:
    omega = math.sqrt(Ka * ball.gravity / 5.0)
    exact = hemisphere_at(omega, ball)
    found = responses(floating(exact), np.array([omega]))
    assert abs(found[0, 2]) == pytest.approx(HEAVE[Ka], rel=1e-3)


def hemisphere_at(omega: float, like: Coefficients) -> Coefficients:
    from fairlead.floaters.hemisphere import hemisphere

    return hemisphere(5.0, np.array([0.999 * omega, omega, 1.001 * omega]), np.zeros(1), like.density, like.gravity)


def test_a_natural_period_has_the_added_mass_of_its_own_frequency(ball: Coefficients) -> None:
    floater = floating(ball)
    heave = next(mode for mode in natural_modes(floater) if mode.motion == "heave")
    w = 2.0 * math.pi / heave.period
    inertia = floater.mass[2, 2] + ball.added_mass_at(w)[2, 2]
    assert w**2 * inertia == pytest.approx(floater.restoring[2, 2], rel=1e-8)
    assert heave.damping_ratio == pytest.approx(ball.damping_at(w)[2, 2] / (2 * w * inertia), rel=1e-8)
    at_infinity = floater.mass[2, 2] + ball.added_mass_infinite[2, 2]
    assert abs(math.sqrt(inertia / at_infinity) - 1.0) > 0.02


def test_pitch_turns_about_the_reference_point_on_the_lever_of_the_weight(ball: Coefficients) -> None:
    """A sphere is righted by its weight alone: ω² (I + m z²) = m g |z|, surge going along without restoring."""
    floater = floating(ball)
    found = {mode.motion: mode for mode in natural_modes(floater)}
    assert set(found) == {"heave", "roll", "pitch"}
    w = 2.0 * math.pi / found["pitch"].period
    A = ball.added_mass_at(w)
    mass = floater.mass + A
    # surge follows freely: the inertia left to pitch is the Schur complement
    inertia = mass[4, 4] - mass[0, 4] ** 2 / mass[0, 0]
    assert w**2 * inertia == pytest.approx(floater.weight[4, 4], rel=1e-6)


def test_modes_of_one_leading_motion_are_numbered_and_those_of_several_bodies_stand_body_by_body(
    ball: Coefficients,
) -> None:
    """Two balls, the second ten times as heavy, with a spring between them in sway that has them swing in two ways."""
    K = np.zeros((12, 12))
    K[np.ix_((1, 7), (1, 7))] = [[6e4, -5e4], [-5e4, 6e4]]
    modes = natural_modes(two(ball, heavier=10.0), K, ("light", "heavy"))
    assert [mode.motion for mode in modes] == [
        "sway of light", "heave of light", "roll of light", "pitch of light",
        "sway of heavy", "heave of heavy", "roll of heavy", "pitch of heavy",
    ]  # fmt: skip
    K[np.ix_((1, 7), (1, 7))] = [[1e9, 1e9], [1e9, 1e9 + 1e4]]
    sways = [mode for mode in natural_modes(two(ball, heavier=1.01), K) if mode.motion.startswith("sway")]
    assert len(sways) == len({mode.motion for mode in sways}) == 2
    assert sways[0].shape @ sways[1].shape == pytest.approx(0.0, abs=0.1)


def test_a_mode_is_named_by_its_motion_about_the_centre_of_inertia(ball: Coefficients) -> None:
    """A pendulum of a weight far below the reference point: about this it would be surge more than pitch."""
    deep = np.array([0.0, 0.0, -60.0])
    mass = float(ball.density * ball.volume[0])
    floater = replace(floating(ball), mass=rigid_mass(100.0 * mass, deep, np.array([1e9, 1e9, 1e9])))
    K = np.diag([1e3, 1e3, 0.0, 5e9, 5e9, 1e6])
    surge, pitch = (next(one for one in natural_modes(floater, K) if one.motion == name) for name in ("surge", "pitch"))
    assert pitch.shape[0] > 50.0 * abs(pitch.shape[4])
    assert pitch.shares[4] > 0.9
    assert surge.shares[0] > 0.9


def test_periods_are_paired_by_the_shapes_of_their_modes_and_not_by_their_names(ball: Coefficients) -> None:
    floater = floating(ball)
    free = natural_modes(floater)
    K = np.diag([2e4, 2e4, 1e3, 0.0, 0.0, 1e6])
    moored = [replace(mode, motion=f"mode {k}") for k, mode in enumerate(reversed(natural_modes(floater, K)))]
    rows = paired(free, moored, floater.mass + ball.added_mass_at(np.inf))
    together = {one.motion: other for one, other in rows if one is not None and other is not None}
    assert set(together) == {"heave", "roll", "pitch"}
    for name, i in (("heave", 2), ("roll", 3), ("pitch", 4)):
        assert together[name].shares.argmax() == i
    assert [other.shares.argmax() for one, other in rows if one is None and other is not None] == [5, 1, 0]
    alone = paired(free, [], floater.mass)
    assert [(one.motion if one else "", other) for one, other in alone] == [(mode.motion, None) for mode in free]


def two(data: Coefficients, heavier: float) -> Floater:
    """Two of the floater far from each other, the second with so much more mass."""
    one = floating(data)
    apart = np.kron(np.eye(2), np.ones((6, 6)))
    names = ("added_mass", "damping", "stiffness", "added_mass_infinite", "added_mass_zero")
    both = {name: np.tile(getattr(data, name), (2, 2)) * apart for name in names}
    pair = replace(data, **both, excitation=np.tile(data.excitation, (1, 1, 2)), volume=np.full(2, np.nan),
                   centre_of_buoyancy=np.full((2, 3), np.nan), reference=np.zeros((2, 3)))  # fmt: skip
    mass, weight = np.kron(np.diag([1.0, heavier]), one.mass), np.kron(np.eye(2), one.weight)
    return Floater(pair, mass, weight, np.zeros((12, 12)))


def test_a_mooring_restores_surge_and_a_dynamic_one_adds_its_mass(ball: Coefficients) -> None:
    floater = floating(ball)
    K = np.diag([2e4, 2e4, 0.0, 0.0, 0.0, 1e6])
    surge = next(mode for mode in natural_modes(floater, K) if mode.motion == "surge")
    inertia = floater.mass[0, 0] + ball.added_mass_at(2.0 * math.pi / surge.period)[0, 0]
    assert surge.period == pytest.approx(2.0 * math.pi * math.sqrt(inertia / 2e4), rel=0.02)
    w = np.array([0.6])
    heavy = replace(floater, mass=floater.mass + np.diag([5e4] * 3 + [0.0] * 3))
    with_lines = responses(floater, w, 0.0, lambda omega: K - omega**2 * np.diag([5e4] * 3 + [0.0] * 3))
    np.testing.assert_allclose(with_lines, responses(heavy, w, 0.0, K), rtol=1e-12)
    assert abs(with_lines[0, 0]) < abs(responses(floater, w, 0.0, K)[0, 0])


def test_headings_turn_surge_into_sway_and_are_not_made_up(ball: Coefficients) -> None:
    floater, w = floating(ball), np.array([0.8])
    along, aside = responses(floater, w)[0], responses(floater, w, math.radians(90.0))[0]
    assert aside[1] == pytest.approx(along[0], rel=1e-9)
    assert abs(aside[0]) < 1e-9 * abs(along[0])
    one = replace(ball, headings=ball.headings[18:19], excitation=ball.excitation[18:19])
    with pytest.raises(CoefficientError, match="coefficients for 0 deg only; compute that heading too"):
        responses(floating(one), w, math.radians(30.0))


def test_a_sea_has_its_significant_height_and_a_floater_that_follows_it_the_same() -> None:
    omega = np.linspace(0.1, 6.0, 4000)
    density = spectrum(omega, 6.0, 12.0)
    assert 4.0 * math.sqrt(np.trapezoid(density, omega)) == pytest.approx(6.0, rel=2e-3)
    follows = np.ones((len(omega), 6), complex)
    np.testing.assert_allclose(standard_deviations(follows, omega, density), 1.5, rtol=2e-3)


def test_mass_about_a_point_is_that_of_the_parts() -> None:
    """Two point masses on a rod: momentum and angular momentum about the origin for any motion."""
    places, masses = np.array([[1.0, 2.0, -3.0], [-2.0, 0.5, 4.0]]), np.array([3.0, 5.0])
    total = masses.sum()
    centre = masses @ places / total
    inertia = np.zeros((3, 3))
    for m, r in zip(masses, places - centre, strict=True):
        inertia += m * (r @ r * np.eye(3) - np.outer(r, r))
    six = [*np.diag(inertia), -inertia[0, 1], -inertia[0, 2], -inertia[1, 2]]
    matrix = rigid_mass(total, centre, np.array(six))
    v, w = np.array([0.3, -0.2, 0.9]), np.array([0.1, 0.7, -0.4])
    velocity = v + np.cross(w, places)
    momentum = masses @ velocity
    turning = sum(m * np.cross(r, u) for m, r, u in zip(masses, places, velocity, strict=True))
    np.testing.assert_allclose(matrix @ [*v, *w], [*momentum, *turning], rtol=1e-12)
