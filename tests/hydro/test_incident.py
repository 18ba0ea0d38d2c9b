"""Incident waves: what they must satisfy, and where theories of different order must agree."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fairlead.hydro.incident import IncidentWave, airy, components, regular, steady, still
from fairlead.sea.fenton import fenton
from fairlead.sea.steady_wave import SteadyWave, WaveTooSteep
from fairlead.sea.stokes import stokes

PERIOD = 2.0 * math.pi
T, X, Y, Z = 3.7, np.array([1.0, -20.0, 7.5]), np.array([0.3, -1.0, 12.0]), np.array([-1.0, 0.5, -9.0])


def surface_residuals(wave: SteadyWave, points: int = 181) -> tuple[float, float]:
    """Largest misfit of the kinematic [m/s] and dynamic [m²/s²] condition over half a wave, on its surface."""
    flow = steady(wave)
    x = np.linspace(0.0, math.pi / wave.wavenumber, points)
    y = np.zeros_like(x)
    eta, eta_t, eta_x, _ = flow.surface(0.0, x, y)
    at = flow.flow(0.0, x, y, eta)
    u, w = at["grad"][:, 0], at["grad"][:, 2]
    kinematic = eta_t + u * eta_x - w
    dynamic = at["phi_t"] + 0.5 * (u**2 + w**2) + wave.gravity * eta
    return float(np.abs(kinematic).max()), float(np.abs(dynamic).max())


WAVES = [
    airy(1.25, 1.0, 20.0, direction_deg=30.0, phase=0.4, ramp=9.0),
    regular("fenton", 2.5, PERIOD, 20.0, direction_deg=-50.0, ramp=11.0),
    components([0.5, 0.3], [1.0, 1.7], math.inf, direction_deg=[0.0, 40.0], phase=[0.1, 2.0]),
]


@pytest.mark.parametrize("wave", WAVES, ids=["airy", "fenton", "irregular"])
def test_derivatives_are_those_of_the_potential_and_laplace_holds(wave: IncidentWave) -> None:
    e = 1e-5
    flow = wave.flow(T, X, Y, Z)
    head = wave.ramped(T)[0] ** 2 * wave.bernoulli

    def slope(f: object) -> np.ndarray:
        return (f(e) - f(-e)) / (2 * e)  # type: ignore[operator]

    np.testing.assert_allclose(flow["phi_t"] + head, slope(lambda s: wave.flow(T + s, X, Y, Z)["phi"]), atol=1e-8)
    np.testing.assert_allclose(flow["grad_t"], slope(lambda s: wave.flow(T + s, X, Y, Z)["grad"]), atol=1e-8)
    for j, (a, b, c) in enumerate(np.eye(3)):
        near = lambda s, a=a, b=b, c=c: wave.flow(T, X + a * s, Y + b * s, Z + c * s)  # noqa: E731
        np.testing.assert_allclose(flow["grad"][:, j], slope(lambda s, near=near: near(s)["phi"]), atol=1e-8)
        np.testing.assert_allclose(flow["hessian"][:, j], slope(lambda s, near=near: near(s)["grad"]), atol=1e-8)
    np.testing.assert_allclose(np.trace(flow["hessian"], axis1=1, axis2=2), 0.0, atol=1e-13)
    _, eta_t, eta_x, eta_y = wave.surface(T, X, Y)
    np.testing.assert_allclose(eta_t, slope(lambda s: wave.surface(T + s, X, Y)[0]), atol=1e-8)
    np.testing.assert_allclose(eta_x, slope(lambda s: wave.surface(T, X + s, Y)[0]), atol=1e-8)
    np.testing.assert_allclose(eta_y, slope(lambda s: wave.surface(T, X, Y + s)[0]), atol=1e-8)


def test_no_water_flows_through_the_bed() -> None:
    for wave in (airy(1.0, 1.0, 20.0), regular("stokes5", 2.0, PERIOD, 20.0), regular("fenton", 2.0, PERIOD, 20.0)):
        bed = wave.flow(1.3, X, Y, np.full(3, -20.0))
        np.testing.assert_allclose(bed["grad"][:, 2], 0.0, atol=1e-15)


def test_linear_wave_meets_the_linear_conditions_at_the_mean_surface() -> None:
    wave = airy(1.25, 1.0, 20.0)
    eta, eta_t, _, _ = wave.surface(T, X, Y)
    flow = wave.flow(T, X, Y, np.zeros(3))
    np.testing.assert_allclose(flow["phi_t"], -9.81 * eta, rtol=1e-12)
    np.testing.assert_allclose(flow["grad"][:, 2], eta_t, rtol=1e-12)


@pytest.mark.parametrize("depth", [8.0, 20.0, math.inf])
@pytest.mark.parametrize(("order", "power"), [(2, 3.0), (5, 6.0)])
def test_stokes_waves_miss_the_surface_conditions_by_their_order(order: int, power: float, depth: float) -> None:
    low, high = (np.array(surface_residuals(stokes(order, height, PERIOD, depth))) for height in (0.3, 0.6))
    np.testing.assert_allclose(np.log2(high / low), power, atol=0.1)


@pytest.mark.parametrize("depth", [8.0, 20.0, math.inf])
def test_stream_function_wave_meets_the_surface_conditions(depth: float) -> None:
    assert max(surface_residuals(fenton(1.2, PERIOD, depth))) < 1e-11


def test_height_period_and_mean_level_are_those_asked_for() -> None:
    for wave in (stokes(5, 2.5, PERIOD, 20.0), fenton(2.5, PERIOD, 20.0)):
        assert wave.height == pytest.approx(2.5, rel=1e-12)
        assert wave.frequency == pytest.approx(1.0, rel=1e-14)
        theta = np.linspace(0.0, 2 * math.pi, 400, endpoint=False)
        assert float(wave.surface(theta).mean()) == pytest.approx(0.0, abs=1e-14)


def test_fifth_order_agrees_with_the_stream_function_at_moderate_steepness() -> None:
    high, exact = stokes(5, 1.2, PERIOD, 20.0), fenton(1.2, PERIOD, 20.0)
    assert high.speed == pytest.approx(exact.speed, rel=1e-6)
    np.testing.assert_allclose(high.elevation, exact.elevation[:5], atol=2e-6)
    np.testing.assert_allclose(high.potential, exact.potential[:5], atol=2e-5)


def test_speed_of_a_wave_in_deep_water_follows_the_series_of_stokes() -> None:
    """c²k/g = 1 + ε² + ½ε⁴ + O(ε⁶) with ε = kH/2 (Fenton 1985, C₂ and C₄ for S = 0)."""
    for height, within in ((2.0, 2e-6), (4.0, 1e-4)):
        wave = fenton(height, PERIOD, math.inf)
        e = 0.5 * wave.wavenumber * height
        assert wave.speed**2 * wave.wavenumber / 9.81 == pytest.approx(1.0 + e**2 + 0.5 * e**4, abs=within)


def test_a_wave_that_breaks_is_refused_with_the_limit() -> None:
    for theory in ("airy", "stokes2", "stokes5", "fenton"):
        with pytest.raises(WaveTooSteep, match=r"breaks in 20 m of water.*8\.2.*lower or a longer wave"):
            regular(theory, 9.0, PERIOD, 20.0)


def test_shallow_water_is_beyond_stokes() -> None:
    with pytest.raises(WaveTooSteep, match="use theory: fenton"):
        stokes(5, 0.9, 12.0, 2.0)
    assert fenton(0.9, 12.0, 2.0, order=24).height == pytest.approx(0.9)


def test_still_water_is_still() -> None:
    wave = still(20.0)
    assert not np.any(wave.surface(1.0, X, Y))
    assert not any(np.any(part) for part in wave.flow(1.0, X, Y, Z).values())
    assert math.isinf(wave.wavelength)


def test_amplitude_of_regular_and_irregular_waves() -> None:
    assert airy(1.25, 1.0, 20.0).amplitude == pytest.approx(1.25)
    assert regular("fenton", 2.5, PERIOD, 20.0).amplitude == pytest.approx(1.25)
    assert components([0.3, 0.4], [1.0, 1.3], 20.0).amplitude == pytest.approx(0.5)


def test_unknown_theory_is_named() -> None:
    with pytest.raises(ValueError, match="there are: airy, stokes2, stokes5, fenton"):
        regular("cnoidal", 1.0, 8.0, 20.0)
