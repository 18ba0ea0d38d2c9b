"""Linear waves: the water obeys its equations, seas have the energy they were asked for."""

import math

import numpy as np
import pytest

from fairlead.algebra.compiled import entry
from fairlead.model import Environment, ModelError, load_text
from fairlead.model.waves import breaking_height, wavenumber
from fairlead.sea import water
from fairlead.sea.fenton import fenton
from fairlead.sea.waves import jonswap, wave_components

LATE = 500.0
"""A time at which every ramp is over, s."""


@entry
def fluid(t, x, y, z, sea):
    return water.fluid(t, x, y, z, sea)


@entry
def elevation(t, x, y, sea):
    return water.elevation(t, x, y, sea)


@entry
def rise(t, p, v, sea):
    return water.surface_rise(t, p, v, sea)


def environment(depth=None, current=None, **waves):
    given = {"waves": waves}
    if depth is not None:
        given["seabed"] = {"depth": depth}
    if current is not None:
        given["current"] = [{"z": 0.0, "velocity": current}]
    return Environment.model_validate(given)


def regular(height=0.02, period=7.0, stretching="wheeler", **more):
    return {"kind": "regular", "height": height, "period": period, "stretching": stretching, **more}


def velocity(t, p, sea):
    return np.array(fluid(t, *map(float, p), sea)[0])


@pytest.mark.parametrize("depth", [None, 4.0, 15.0, 300.0])
def test_the_water_keeps_its_volume_does_not_turn_and_follows_the_surface(depth):
    """div u = 0, curl u = 0, w = ∂η/∂t at the surface, no flow through the bed; to first order in the height."""
    sea = water.pack(environment(depth, **regular(direction_deg=35.0, phase_deg=20.0)))
    p, d, t = np.array([12.0, -7.0, -1.5]), 1e-3, LATE
    gradient = np.array([(velocity(t, p + d * e, sea) - velocity(t, p - d * e, sea)) / (2 * d) for e in np.eye(3)])
    size = np.abs(gradient).max()
    # The stretching below the moving surface is of second order: it changes all by about k·height = 2e-3.
    assert abs(np.trace(gradient)) < 5e-3 * size
    assert np.abs(gradient - gradient.T).max() < 5e-3 * size
    eta = (elevation(t + d, 12.0, -7.0, sea) - elevation(t - d, 12.0, -7.0, sea)) / (2 * d)
    surface = elevation(t, 12.0, -7.0, sea)
    assert velocity(t, (12.0, -7.0, surface), sea)[2] == pytest.approx(eta, rel=1e-6)
    if depth is not None:
        assert abs(velocity(t, (12.0, -7.0, -depth), sea)[2]) < 1e-12


@pytest.mark.parametrize("depth", [None, 6.0])
def test_the_pressure_of_the_surface_is_constant(depth):
    """Bernoulli at the mean surface: g η = −∂φ/∂t, so that ∂u/∂t = −g ∂η/∂x there (to first order)."""
    sea = water.pack(environment(depth, **regular(direction_deg=0.0)))
    d = 1e-3
    for t in LATE + np.linspace(0, 7, 9):
        slope = (elevation(t, d, 0.0, sea) - elevation(t, -d, 0.0, sea)) / (2 * d)
        surface = elevation(t, 0.0, 0.0, sea)
        push = fluid(t, 0.0, 0.0, surface, sea)[1]
        assert push[0] == pytest.approx(-9.81 * slope, abs=1e-6 * 0.01 * 9.81)


def test_acceleration_is_the_rate_of_velocity_also_while_the_waves_grow():
    sea = water.pack(environment(30.0, **regular(height=0.02, ramp=20.0)))
    for t in (3.0, 11.0, 19.0, 40.0):
        d = 1e-4
        rate = (velocity(t + d, (5.0, 2.0, -4.0), sea) - velocity(t - d, (5.0, 2.0, -4.0), sea)) / (2 * d)
        push = np.array(fluid(t, 5.0, 2.0, -4.0, sea)[1])
        assert push == pytest.approx(rate, abs=4e-3 * np.abs(rate).max())


def test_the_surface_rises_as_it_is_seen_by_what_moves():
    sea = water.pack(environment(None, kind="jonswap", significant_height=2.0, peak_period=8.0, ramp=30.0))
    p, v, d = np.array([3.0, 4.0, -1.0]), np.array([2.0, -1.0, 0.5]), 1e-4
    for t in (10.0, 60.0):
        ahead, behind = p + d * v, p - d * v
        seen = (elevation(t + d, ahead[0], ahead[1], sea) - elevation(t - d, behind[0], behind[1], sea)) / (2 * d)
        assert rise(t, tuple(p), tuple(v), sea) == pytest.approx(seen, rel=1e-6)


def test_under_a_crest_the_wave_is_read_below_the_true_surface():
    """Wheeler: at the crest itself the velocity is that of linear theory at z = 0, a ω for deep water."""
    sea = water.pack(environment(None, **regular(height=3.0, period=8.0)))
    omega = 2 * math.pi / 8.0
    crest = 8.0 * 63
    assert elevation(crest, 0.0, 0.0, sea) == pytest.approx(1.5, rel=1e-12)
    assert velocity(crest, (0.0, 0.0, 1.5), sea)[0] == pytest.approx(1.5 * omega, rel=1e-12)
    k = omega**2 / 9.81
    assert velocity(crest, (0.0, 0.0, -4.0), sea)[0] == pytest.approx(1.5 * omega * math.exp(-5.5 * k), rel=1e-12)
    deep = water.pack(environment(10.0, **regular(height=3.0, period=8.0)))
    k = wavenumber(omega, 10.0, 9.81)
    level = (-4.0 - 1.5) * 10.0 / 11.5
    expected = 1.5 * omega * math.cosh(k * (level + 10.0)) / math.sinh(k * 10.0)
    assert velocity(crest, (0.0, 0.0, -4.0), deep)[0] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("depth", [None, 10.0])
@pytest.mark.parametrize("stretching", ["wheeler", "vertical", "none"])
def test_where_the_wave_is_read_above_and_below_mean_water(stretching, depth):
    """Linear theory at the level of each rule, at a crest and at a trough: velocity and acceleration, closed forms."""
    sea = water.pack(environment(depth, **regular(height=3.0, period=8.0, stretching=stretching)))
    omega, h = 2 * math.pi / 8.0, depth or math.inf
    k = wavenumber(omega, h, 9.81)
    for theta in (0.0, math.pi, math.pi / 3, -math.pi / 3):
        t, eta = 8.0 * 63 - theta / omega, 1.5 * math.cos(theta)
        assert elevation(t, 0.0, 0.0, sea) == pytest.approx(eta, rel=1e-9)
        for z in (-h if depth else -60.0, -4.0, -1.0, 0.0, 0.7, 1.4):
            level = {"wheeler": (z - eta) * (h / (h + eta) if depth else 1.0), "vertical": z, "none": z}[stretching]
            there = 0.0 if stretching == "none" and z > 0.0 else 1.5 * omega
            level = max(min(level, 0.0), -h)
            across = math.cosh(k * (level + h)) / math.sinh(k * h) if depth else math.exp(k * level)
            up = math.sinh(k * (level + h)) / math.sinh(k * h) if depth else math.exp(k * level)
            flow, push, _, _ = fluid(t, 0.0, 0.0, z, sea)
            expected = (there * across * math.cos(theta), 0.0, there * up * math.sin(theta))
            assert flow == pytest.approx(expected, rel=1e-9, abs=1e-9)
            rate = (there * omega * across * math.sin(theta), 0.0, -there * omega * up * math.cos(theta))
            assert push == pytest.approx(rate, rel=1e-9, abs=1e-9)


def test_without_a_word_waves_are_read_where_linear_theory_has_them():
    wave = {"kind": "regular", "height": 2.0, "period": 7.0}
    silent, said = (environment(None, **wave, **more) for more in ({}, {"stretching": "vertical"}))
    assert (water.pack(silent) == water.pack(said)).all()


@pytest.mark.parametrize(("height", "period", "depth"), [(10.0, 10.0, 100.0), (2.0, 8.0, 50.0), (5.0, 8.0, 20.0)])
def test_vertical_stretching_is_nearer_to_nonlinear_waves_than_wheelers(height, period, depth):
    """Against Fenton's stream function, below the trough: in deep water the potential has no second order, so linear
    theory holds there as it stands; Wheeler's e^(−kη) is off by as much as the wave is steep."""
    wave, a = fenton(height, period, depth), 0.5 * height
    omega, phases = 2 * math.pi / period, np.linspace(0.0, 2 * math.pi, 48, endpoint=False)
    j = np.arange(1, len(wave.potential) + 1) * wave.wavenumber
    late = 60.0 * period
    seas = {
        name: water.pack(environment(depth, **regular(height=height, period=period, stretching=name)))
        for name in ("vertical", "wheeler")
    }
    for z in (-1.3 * a, -4.0 * a):
        shape = np.cosh(j * (z + depth)) / np.cosh(j * depth)
        exact = np.array([np.sum(j * wave.potential * shape * np.cos(j / wave.wavenumber * p)) for p in phases])
        off = {
            name: np.sqrt(np.mean([(velocity(late - p / omega, (0.0, 0.0, z), sea)[0] - u) ** 2
                                   for p, u in zip(-phases, exact, strict=True)]) / np.mean(exact**2))
            for name, sea in seas.items()
        }  # fmt: skip
        assert off["vertical"] < 0.6 * off["wheeler"]
        assert off["vertical"] < 0.09


def test_waves_stand_on_the_current():
    sea = water.pack(environment(None, current=(0.4, 0.1, 0.0), **regular(height=1.0)))
    calm = water.pack(environment(None, **regular(height=1.0)))
    assert velocity(LATE, (1.0, 2.0, -3.0), sea) - velocity(LATE, (1.0, 2.0, -3.0), calm) == pytest.approx(
        (0.4, 0.1, 0.0)
    )


def test_at_the_start_the_sea_is_still():
    for ramp in (0.0, 10.0):
        sea = water.pack(environment(None, **regular(height=2.0, ramp=ramp)))
        flow, push, surface, _ = fluid(0.0, 1.0, 0.0, -1.0, sea)
        assert (*flow, *push, surface) == (0.0,) * 7


@pytest.mark.parametrize(("depth", "period"), [(math.inf, 9.0), (200.0, 9.0), (10.0, 9.0), (0.5, 20.0)])
def test_the_dispersion_relation(depth, period):
    omega = 2 * math.pi / period
    k = wavenumber(omega, depth, 9.81)
    assert 9.81 * k * math.tanh(k * depth if math.isfinite(depth) else 50.0) == pytest.approx(omega**2, rel=1e-13)


@pytest.mark.parametrize("gamma", [1.0, 3.3, 7.0])
def test_an_irregular_sea_has_its_height_peak_and_mean_period(gamma):
    """Moments of the components against those of the spectrum itself, by integration over the same band."""
    sea = environment(None, kind="jonswap", significant_height=3.0, peak_period=10.0, gamma=gamma, components=1000)
    amplitude, _, _, omega, _ = wave_components(sea).T
    assert 4 * math.sqrt(0.5 * (amplitude**2).sum()) == pytest.approx(3.0, rel=1e-12)
    peak = 2 * math.pi / 10.0
    grid = np.linspace(0.4, 5.0, 20001) * peak
    density = jonswap(grid, peak, gamma)
    for power in (-1, 1, 2):
        expected = np.trapezoid(density * grid**power, grid) / np.trapezoid(density, grid)
        assert (amplitude**2 * omega**power).sum() / (amplitude**2).sum() == pytest.approx(expected, rel=5e-3)
    counts, edges = np.histogram(omega, bins=np.linspace(0.5, 1.5, 41) * peak)
    assert abs(0.5 * (edges[counts.argmax()] + edges[counts.argmax() + 1]) - peak) < 0.06 * peak


def test_the_record_of_an_irregular_sea_has_its_significant_height():
    sea = water.pack(environment(40.0, kind="jonswap", significant_height=2.5, peak_period=8.0, seed=5))
    record = np.array([elevation(t, 3.0, 1.0, sea) for t in np.arange(100.0, 5100.0, 0.5)])
    assert 4 * record.std() == pytest.approx(2.5, rel=0.03)
    assert abs(record.mean()) < 0.02
    kurtosis = (record**4).mean() / (record**2).mean() ** 2
    assert kurtosis == pytest.approx(3.0, abs=0.25)  # Gaussian


def test_a_seed_chooses_the_sea():
    seas = [
        wave_components(environment(kind="jonswap", significant_height=2, peak_period=8, seed=s)) for s in (1, 1, 2)
    ]
    assert (seas[0] == seas[1]).all()
    assert (seas[0] != seas[2]).any()


def test_short_crests_spread_about_the_direction():
    """The mean of cos(angle) over cos^2s(angle/2) is s/(s + 1)."""
    sea = environment(
        kind="jonswap", significant_height=2, peak_period=8, direction_deg=30.0, spreading=6.0, components=1000
    )
    _, kx, ky, _, _ = wave_components(sea).T
    angle = np.arctan2(ky, kx) - math.radians(30.0)
    assert np.cos(angle).mean() == pytest.approx(6.0 / 7.0, abs=0.015)
    assert abs(np.sin(angle).mean()) < 0.05


def test_a_deep_place_does_not_feel_the_waves():
    sea = water.pack(environment(None, kind="jonswap", significant_height=5.0, peak_period=9.0))
    assert np.abs(velocity(LATE, (0.0, 0.0, -4000.0), sea)).max() == 0.0
    assert np.abs(velocity(LATE, (0.0, 0.0, -2.0), sea)).max() > 0.1


def test_waves_that_break_are_refused():
    assert breaking_height(6.0, math.inf, 9.81) == pytest.approx(0.142 * 9.81 * 36 / (2 * math.pi), rel=1e-12)
    text = "environment: {waves: {kind: regular, height: 9, period: 6}}\n"
    with pytest.raises(ModelError, match=r"9 m is too high: waves of 6 s break above 7\.98 m"):
        load_text(text)


@pytest.mark.parametrize(
    ("waves", "complaint"),
    [
        ("{kind: swell}", "'swell' is no kind of waves"),
        ("{height: 2, period: 8}", "'kind' is missing"),
        ("{kind: regular, height: 2}", "'period' is missing"),
        ("{kind: regular, height: 2, period: 8, stretching: wheelr}", "did you mean 'wheeler'"),
        ("{kind: regular, height: -2, period: 8}", "must be above 0 m"),
        ("{kind: jonswap, significant_height: 2, peak_period: 8, gamma: 0.5}", "must be at least 1"),
        ("{kind: jonswap, significant_height: 2, peak_period: 8, components: 1}", "must be at least 2"),
    ],
)
def test_mistakes_are_named(waves, complaint):
    with pytest.raises(ModelError, match=complaint):
        load_text(f"environment: {{waves: {waves}}}\n")


def test_waves_need_water():
    with pytest.raises(ModelError, match="cannot stand beside 'water_density: 0'"):
        load_text("environment: {water_density: 0, waves: {kind: regular, height: 1, period: 8}}\n")


@pytest.mark.parametrize(("depth", "components"), [(40.0, 7), (None, 60)])
def test_all_waves_of_a_spread_sea_are_felt(depth, components):
    """Velocity and acceleration against the sums of linear theory: to what is left of waves too short to be felt."""
    waves = {"kind": "jonswap", "significant_height": 2.0, "peak_period": 8.0, "components": components}
    sea = environment(depth, spreading=5.0, stretching="vertical", **waves)
    a, kx, ky, omega, phase = wave_components(sea).T
    k, h, packed = np.hypot(kx, ky), sea.depth if depth else 1e3, water.pack(sea)
    for x, y, z in np.random.default_rng(5).uniform([-300, -300, -39.0], [300, 300, 0], (20, 3)):
        s, c = np.sin(kx * x + ky * y - omega * LATE + phase), np.cos(kx * x + ky * y - omega * LATE + phase)
        along, up = (
            a * omega * (np.exp(k * z) + sign * np.exp(-k * (z + 2 * h))) / (1 - np.exp(-2 * k * h)) for sign in (1, -1)
        )
        expected = [along * kx / k * c, along * ky / k * c, up * s]
        rates = [omega * along * kx / k * s, omega * along * ky / k * s, -omega * up * c]
        found = fluid(LATE, x, y, z, packed)
        assert np.ravel(found[:2]) == pytest.approx(np.sum([*expected, *rates], axis=1), abs=1e-5)
        assert found[2] == pytest.approx(np.sum(a * c), abs=1e-12)


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("depth", [None, 8.0, 60.0])
@pytest.mark.parametrize("stretching", ["wheeler", "vertical", "none"])
def test_a_sea_is_the_sum_of_its_waves(seed, depth, stretching):
    """A hundred waves of many directions, each by hyperbolic functions in 80 bits, deep down, near and above the
    surface."""
    waves = {"kind": "jonswap", "significant_height": 1.5, "peak_period": 7.0, "spreading": 4, "direction_deg": 70.0}
    given = environment(depth, **waves, components=100, seed=seed, stretching=stretching)
    sea, h = water.pack(given), np.longdouble(depth or 1e4)
    amplitude, kx, ky, omega, phase = wave_components(given).astype(np.longdouble).T
    k, speed = np.hypot(kx, ky), np.abs(amplitude * omega).sum()
    random = np.random.default_rng(seed)
    for x, y, z in random.uniform([-200, -200, -min(float(h), 80.0)], [200, 200, 2.0], (40, 3)):
        t = LATE + random.uniform(0.0, 1e4)
        theta = kx * x + ky * y - omega * t + phase
        eta = (amplitude * np.cos(theta)).sum()
        flow, push, height, _ = fluid(t, x, y, z, sea)
        assert abs(height - eta) < 1e-11 * amplitude.sum()
        level = (z - eta) * (h / (h + eta) if depth else 1) if stretching == "wheeler" else np.longdouble(z)
        there = 0.0 if stretching == "none" and level > 0 else 1.0
        level = max(min(level, 0), -h)
        felt = there * amplitude * omega * (k * level >= -12.0)
        deep = 2 * k * h > 200
        shallow = np.where(deep, 0.0, k)
        across = np.where(deep, np.exp(k * level), np.cosh(shallow * (level + h)) / np.sinh(np.where(deep, 1.0, k * h)))
        up = np.where(deep, np.exp(k * level), np.sinh(shallow * (level + h)) / np.sinh(np.where(deep, 1.0, k * h)))
        along, c, s = felt * across, np.cos(theta), np.sin(theta)
        velocity = [(along * c * kx / k).sum(), (along * c * ky / k).sum(), (felt * up * s).sum()]
        rate = [(omega * along * s * kx / k).sum(), (omega * along * s * ky / k).sum(), -(omega * felt * up * c).sum()]
        # deep down some waves are not felt: e⁻¹² of each is left
        left = speed * (1e-11 if (k * level >= -12.0).all() else 1e-5)
        assert np.abs(np.array(flow) - np.array(velocity, float)).max() < left
        assert np.abs(np.array(push) - np.array(rate, float)).max() < left * float(omega.max())
