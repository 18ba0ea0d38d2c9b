"""The closed forms against published numbers, limits and direct integration of their differential equations."""

import numpy as np
import pytest
from scipy.integrate import quad, solve_bvp, solve_ivp

from verification import sinking_cables_reference as sinking
from verification.closed_forms import (
    beam_frequencies,
    beam_roots,
    cantilever_tip_deflection,
    cantilever_tip_deflection_bars,
    cantilever_tip_deflection_uniform,
    critical_angle,
    elastic_catenary,
    elastic_coulomb_force,
    elastica_tip,
    free_fall,
    grounded_catenary,
    hanging_bars_frequencies,
    hanging_chain_frequencies,
    hanging_chain_frequencies_with_mass,
    pulled_block_position,
    rod_frequencies,
    rod_frequencies_bars,
    rod_pendulum_angle,
    rod_pendulum_period,
    sinking_from_rest,
    slope_distance,
    spinning_bar_rates,
    spring_block_position,
    spring_block_stops,
    stopping,
    stretch_bars,
    submerged_gravity,
    taut_bars_frequencies,
    taut_beam_frequencies_clamped,
    taut_string_frequencies,
    terminal_sinking_speed,
    twist,
    twist_bars,
    twist_bars_quaternion,
)


# ---- catenary ----
@pytest.mark.parametrize(("EA", "horizontal", "sag"), [(1.82e8, 554.916, 26.5441), (1e5, 542.587, 27.0827)])
def test_elastic_catenary_has_the_known_forces_and_sag(EA, horizontal, sag):
    w = 1100.0 * np.pi / 4 * 0.044**2 * 9.81  # 16.40804: the five figures 16.408 would spoil the sixth of the force
    line = elastic_catenary(80.0, 100.0, w, EA)
    assert (line.H, line.vertical_end) == pytest.approx((horizontal, 820.402), abs=5e-4)
    assert line.sag == pytest.approx(sag, abs=1e-4)
    assert line.position(100.0) == pytest.approx((80.0, 0.0), abs=1e-11)


@pytest.mark.parametrize(
    ("span", "rise", "length", "EA"),
    [
        (80, 30, 100, np.inf),
        (80, -55, 100, 1e6),
        (5, 40, 100, 1e7),
        (99.9, 0, 100, 1e7),
        (103, 0, 100, 1e5),
        (60, 80, 99, 1e4),
    ],
)
def test_elastic_catenary_closes_and_balances_for_any_chord(span, rise, length, EA):
    w = 12.0
    line = elastic_catenary(span, length, w, EA, rise)
    assert line.position(length) == pytest.approx((span, rise), abs=1e-10)
    stretched = quad(lambda s: 1.0 + line.tension(s) / EA, 0, length)[0]
    assert stretched >= np.hypot(span, rise) - 1e-9
    x = quad(lambda s: line.H / line.tension(s) + line.H / EA, 0, length, limit=200)[0]
    assert x == pytest.approx(span, rel=1e-8)


def test_inextensible_level_catenary_obeys_the_hyperbolic_sine():
    line = elastic_catenary(80.0, 100.0, 16.408)
    a = line.H / 16.408
    assert 2 * a * np.sinh(80.0 / (2 * a)) == pytest.approx(100.0, rel=1e-12)
    assert line.sag == pytest.approx(a * (np.cosh(40.0 / a) - 1.0), rel=1e-12)


@pytest.mark.parametrize("EA", [np.inf, 1e6])
def test_grounded_catenary_leaves_the_bed_level_and_meets_the_upper_end(EA):
    line = grounded_catenary(430.0, 100.0, 500.0, 300.0, EA)
    assert 0.0 < line.grounded < 500.0
    assert line.V + 300.0 * line.grounded == pytest.approx(300.0 * 500.0)
    # the hanging part alone, over its own span, must have the same forces and no vertical force at the bed
    hanging = elastic_catenary(430.0 - line.touchdown, 500.0 - line.grounded, 300.0, EA, rise=100.0)
    assert (hanging.H, hanging.vertical_start) == pytest.approx((line.H, 0.0), rel=1e-8, abs=1e-6 * line.V)


# ---- members ----
def test_cantilever_of_bars_is_softer_by_one_part_in_2n2():
    n, L, EI, P = 10, 20.0, 2e4, 0.5
    l, k = L / n, EI / (L / n)
    by_hinges = sum(P * (L - j * l) ** 2 / (2 * k if j == 0 else k) for j in range(n))
    assert cantilever_tip_deflection_bars(P, L, EI, n) == pytest.approx(by_hinges, rel=1e-12)
    assert by_hinges / cantilever_tip_deflection(P, L, EI) == pytest.approx(1.005, rel=1e-12)


def test_uniform_load_is_the_sum_of_point_loads():
    by_parts = quad(lambda x: x**2 * (3 * 5.0 - x) / 6.0, 0, 5.0)[0]
    assert cantilever_tip_deflection_uniform(1.0, 5.0, 1.0) == pytest.approx(by_parts)


@pytest.mark.parametrize("alpha", [0.01, 1.0, 5.0])
def test_elastica_agrees_with_its_boundary_value_problem(alpha):
    s = np.linspace(0, 1, 50)
    solution = solve_bvp(
        lambda s, y: np.array([y[1], -alpha * np.cos(y[0]), np.cos(y[0]), np.sin(y[0])]),
        lambda a, b: np.array([a[0], b[1], a[2], a[3]]),
        s,
        np.zeros((4, 50)),
        tol=1e-9,
        max_nodes=20000,
    )
    along, across, angle = elastica_tip(alpha, 1.0, 1.0)
    assert (along, across, angle) == pytest.approx((solution.y[2, -1], solution.y[3, -1], solution.y[0, -1]), rel=1e-6)


def test_elastica_has_the_numbers_of_bisshopp_and_drucker_and_the_linear_limit():
    along, across, _ = elastica_tip(1.0, 1.0, 1.0)
    assert across == pytest.approx(0.3017, abs=1e-4)
    assert along == pytest.approx(0.9436, abs=1e-4)
    assert elastica_tip(1e-4, 1.0, 1.0)[1] == pytest.approx(cantilever_tip_deflection(1e-4, 1.0, 1.0), rel=1e-5)


def test_twist_of_bars_with_and_without_the_sine_of_the_joint():
    for n, linear, sine in [(5, 0.9, 0.9056), (10, 0.95, 0.9515), (20, 0.975, 0.9754), (40, 0.9875, 0.9876)]:
        assert twist_bars(1000.0, 20.0, 2e4, n) == pytest.approx(linear, rel=1e-12)
        assert twist_bars_quaternion(1000.0, 20.0, 2e4, n) == pytest.approx(sine, abs=5e-5)
    assert twist(1000.0, 20.0, 2e4) == 1.0
    assert stretch_bars(1e4, 100.0, 1e6, 20) == pytest.approx(0.975)


def test_beam_roots_are_the_tabulated_ones():
    assert beam_roots(3, "free") == pytest.approx([1.875104069, 4.694091133, 7.854757438], rel=1e-9)
    assert beam_roots(3, "clamped") == pytest.approx([4.730040745, 7.853204624, 10.995607838], rel=1e-9)
    assert beam_frequencies(2.0, 16.0, 1.0, 1)[0] == pytest.approx(1.875104069**2, rel=1e-9)


def test_rod_of_bars_has_the_frequencies_of_its_matrix_and_tends_to_the_rod():
    n, L, EA, m = 6, 3.0, 50.0, 2.0
    l = L / n
    K = EA / l * (2 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1))
    K[0, 0] += EA / l  # 2k to the wall, k to the next
    K[-1, -1] -= EA / l
    exact = np.sqrt(np.linalg.eigvalsh(K / (m * l)))
    assert rod_frequencies_bars(L, EA, m, n, n) == pytest.approx(exact, rel=1e-10)
    assert rod_frequencies_bars(L, EA, m, 3, 1000) == pytest.approx(rod_frequencies(L, EA, m, 3), rel=1e-5)
    assert rod_frequencies(L, EA, m, 1, tip="fixed")[0] == pytest.approx(np.pi / L * 5.0)


# ---- strings ----
def test_hanging_chain_has_the_bessel_frequencies():
    expected = 0.5 * np.array([2.404825558, 5.520078110, 8.653727913]) * np.sqrt(9.81 / 20.0)
    assert hanging_chain_frequencies(20.0, 3) == pytest.approx(expected, rel=1e-9)


def test_hanging_bars_tend_to_the_chain_with_the_errors_of_twenty_bars():
    chain = hanging_chain_frequencies(20.0, 3)
    error = hanging_bars_frequencies(20.0, 20, 3) / chain - 1.0
    assert np.all(np.abs(error) < [2e-4, 3e-3, 1.1e-2])
    finer = hanging_bars_frequencies(20.0, 40, 3) / chain - 1.0
    assert error[1:] / finer[1:] == pytest.approx([4.0, 4.0], rel=0.1)


def test_one_hanging_bar_is_the_rod_pendulum_of_small_swings():
    period = rod_pendulum_period(10.0, 1e-4, diameter=2.0)
    assert 2 * np.pi / hanging_bars_frequencies(10.0, 1, 1, diameter=2.0)[0] == pytest.approx(period, rel=1e-8)


@pytest.mark.parametrize("ratio", [0.01, 0.5, 20.0])
def test_chain_with_a_mass_agrees_with_many_bars(ratio):
    omega = hanging_chain_frequencies_with_mass(20.0, 3.0, ratio * 60.0, 3)
    assert omega == pytest.approx(hanging_bars_frequencies(20.0, 100, 3, end_mass_ratio=ratio), rel=6e-4)


def test_chain_with_a_mass_lies_between_the_chain_and_the_pendulum():
    light = hanging_chain_frequencies_with_mass(20.0, 3.0, 1e-7, 3)
    heavy = hanging_chain_frequencies_with_mass(20.0, 3.0, 1e6, 1)
    assert light == pytest.approx(hanging_chain_frequencies(20.0, 3), rel=1e-5)
    assert heavy[0] == pytest.approx(np.sqrt(9.81 / 20.0), rel=1e-4)


def test_taut_string_with_bending_lies_above_the_plain_one_and_below_the_clamped_one():
    plain = taut_string_frequencies(10.0, 500.0, 2.0, 3)
    assert plain == pytest.approx(np.pi / 10.0 * np.sqrt(250.0) * np.array([1, 2, 3]))
    hinged = taut_string_frequencies(10.0, 500.0, 2.0, 3, EI=100.0)
    clamped = taut_beam_frequencies_clamped(10.0, 500.0, 2.0, 100.0, 3)
    assert np.all(plain < hinged)
    assert np.all(hinged < clamped)


def test_clamped_taut_beam_tends_to_the_beam_and_to_the_string():
    assert taut_beam_frequencies_clamped(10.0, 1e-6, 2.0, 100.0, 3) == pytest.approx(
        beam_frequencies(10.0, 100.0, 2.0, 3, tip="clamped"), rel=1e-7
    )
    stiff = taut_beam_frequencies_clamped(10.0, 500.0, 2.0, 1e-4, 2)
    # a stiff end shortens the string by √(EI/T) on each side
    assert stiff == pytest.approx(taut_string_frequencies(10.0 - 2 * np.sqrt(2e-7), 500.0, 2.0, 2), rel=1e-6)


def test_taut_bars_tend_to_the_string_with_order_two():
    string = taut_string_frequencies(10.0, 500.0, 2.0, 2)
    error = [taut_bars_frequencies(10.0, 500.0, 2.0, n, 2) / string - 1.0 for n in (20, 40)]
    assert error[0] / error[1] == pytest.approx([4.0, 4.0], rel=0.02)
    assert error[0][0] == pytest.approx(np.pi**2 / (24 * 400), rel=0.01)


# ---- rigid bodies ----
def test_rod_pendulum_period_and_path_agree_with_integration():
    assert rod_pendulum_period(10.0, 1.0) == pytest.approx(5.5232, abs=5e-5)
    rate = 9.81 * 1.5 / 10.0
    path = solve_ivp(lambda t, y: [y[1], -rate * np.sin(y[0])], (0, 7.0), [1.0, 0.0], rtol=1e-11, atol=1e-12)
    assert rod_pendulum_angle(7.0, 10.0, 1.0) == pytest.approx(path.y[0, -1], abs=1e-8)
    assert rod_pendulum_angle(0.0, 10.0, 1.0) == pytest.approx(1.0)
    assert rod_pendulum_angle(rod_pendulum_period(10.0, 1.0), 10.0, 1.0) == pytest.approx(1.0, abs=1e-7)


def test_spinning_bar_obeys_eulers_equations():
    J, w0 = np.diag([3.0, 3.0, 0.2]), np.array([0.4, -0.3, 1.5])
    path = solve_ivp(lambda t, w: np.linalg.solve(J, -np.cross(w, J @ w)), (0, 4), w0, rtol=1e-11, atol=1e-12)
    assert spinning_bar_rates(4.0, w0, 3.0, 0.2) == pytest.approx(path.y[:, -1], abs=1e-8)


def test_falling():
    assert free_fall(2.0, 5.0, 1.0) == pytest.approx(7.0 - 19.62)
    assert submerged_gravity(1100.0, 1025.0) == pytest.approx(9.81 * 75 / 2125)


# ---- sea ----
def test_sinking_speed_is_approached_from_rest():
    depth, speed = sinking_from_rest(3.0, 2.0, 5.0, 0.044, 1025.0, 1.2)

    def fall(t, y):
        return [y[1], (2.0 - 0.5 * 1025 * 0.044 * 1.2 * y[1] ** 2) / 5.0]

    path = solve_ivp(fall, (0, 3), [0, 0], rtol=1e-11, atol=1e-12)
    assert (depth, speed) == pytest.approx(tuple(path.y[:, -1]), rel=1e-8)
    terminal = terminal_sinking_speed(2.0, 0.044, 1025.0, 1.2)
    assert sinking_from_rest(60.0, 2.0, 5.0, 0.044, 1025.0, 1.2)[1] == pytest.approx(terminal, rel=1e-10)
    assert terminal_sinking_speed(2.0, 0.044, 1025.0, lambda v: 1.2) == pytest.approx(terminal, rel=1e-10)


def test_critical_angle_is_the_root_of_its_quadratic_and_carries_the_free_end():
    weight, d, U, Cn, Ct = 8.0, 0.03, 1.5, 1.2, 0.02
    tow = critical_angle(weight, d, 1025.0, U, Cn, Ct)
    kappa = 0.5 * 1025 * d * Cn * U**2 / weight
    assert np.cos(tow.angle) == pytest.approx((-1 + np.sqrt(1 + 4 * kappa**2)) / (2 * kappa), rel=1e-12)
    assert critical_angle(weight, d, 1025.0, U, Cn).angle == tow.angle
    # forces on one metre, as vectors: flow along +x, the cable runs from the free end up and upstream
    up = np.array([-np.cos(tow.angle), np.sin(tow.angle)])
    across = np.array([np.sin(tow.angle), np.cos(tow.angle)])
    flow = np.array([U, 0.0])
    drag = (
        0.5
        * 1025
        * d
        * (Cn * abs(flow @ across) * (flow @ across) * across + np.pi * Ct * abs(flow @ up) * (flow @ up) * up)
    )
    assert drag + [0, -weight] + tow.tension_per_length * up == pytest.approx(np.zeros(2), abs=1e-9)


def test_slow_tow_hangs_and_fast_tow_streams():
    assert critical_angle(8.0, 0.03, 1025.0, 1e-3, 1.2).angle == pytest.approx(np.pi / 2, abs=1e-4)
    assert critical_angle(8.0, 0.03, 1025.0, 100.0, 1.2).angle < 0.01
    reynolds = critical_angle(8.0, 0.03, 1025.0, 1.0, lambda u: 1.1 + 4 * (u * 0.03 / 1.35e-6) ** -0.5)
    assert reynolds.angle < critical_angle(8.0, 0.03, 1025.0, 1.0, 1.1).angle


# ---- friction ----
def test_block_stops_and_slides():
    assert stopping(2.0, 0.4, 10.0) == pytest.approx((0.5, 0.5))
    assert slope_distance(3.0, 0.2, 0.3) == 0.0
    assert slope_distance(3.0, np.arctan(0.2), 0.1) == pytest.approx(0.5 * 9.81 * 9 * 0.1 / np.sqrt(1.04))


def test_spring_block_loses_two_friction_lengths_a_half_swing_and_sticks():
    points = spring_block_stops(1.0, 100.0, 12.0)
    assert points == pytest.approx([1.0, -0.76, 0.52, -0.28, 0.04])
    half = np.pi * np.sqrt(2.0 / 100.0)
    at = [spring_block_position(i * half + 1e-9, 1.0, 2.0, 100.0, 12.0) for i in range(6)]
    assert at == pytest.approx([*points, points[-1]], abs=1e-7)
    # energy lost over the first half swing is the friction times the way
    lost = 0.5 * 100.0 * (points[0] ** 2 - points[1] ** 2)
    assert lost == pytest.approx(12.0 * (points[0] - points[1]))


def test_pulled_block_sticks_then_follows_newton_without_turning_back():
    m, k, F, V = 2.0, 50.0, 10.0, 0.1
    assert pulled_block_position(1.9, m, k, F, V) == 0.0
    t = np.linspace(2.0, 6.0, 4001)
    x = pulled_block_position(t, m, k, F, V)
    assert np.all(np.diff(x) >= -1e-12)
    dt = t[1] - t[0]
    newton = m * (x[2:] - 2 * x[1:-1] + x[:-2]) / dt**2
    assert newton == pytest.approx(k * (V * t - x)[1:-1] - F, abs=1e-3)


def test_elastic_friction_holds_slips_and_unloads():
    path = np.array([0.0, 0.5, 1.0, 2.0, 1.5, 0.0, -1.0])
    assert elastic_coulomb_force(path, 10.0, 8.0) == pytest.approx([0, 5, 8, 8, 3, -8, -8])


# ---- table ----
def test_sinking_table_agrees_with_itself():
    assert sinking.POSITIONS.shape == (len(sinking.TIMES), len(sinking.NODES), 3)
    assert np.linalg.norm(sinking.FORCE_AT_A, axis=1) == pytest.approx(sinking.FORCE_AT_A_NORM, abs=0.1)
    assert np.all(sinking.POSITIONS[:, :, 2] >= -200.0)
    gaps = np.linalg.norm(np.diff(sinking.POSITIONS, axis=1), axis=2)
    assert np.all(gaps < 10.0 * np.diff(sinking.NODES))
