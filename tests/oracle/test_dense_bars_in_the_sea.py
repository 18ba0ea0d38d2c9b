"""The dense oracle's loads: drag, added mass, buoyancy, the bed, and the geometric term, each against a hand sum."""

from dataclasses import replace

import numpy as np
import pytest

from oracle import joint_gains
from oracle.cables import CableBuilder, Stiffness, moving
from oracle.dense_bars import DenseBars
from oracle.parts import UP, Bar, Drag, FreePoint, Friction, PositionJoint, PrescribedPoint, Sea
from oracle.parts import constant_coefficients as constant
from oracle.quaternions import matrix, random_frames, shortest_turn

G = 9.81
NO_GRAVITY = Sea(gravity=0.0)


def test_bar_sinks_broadside_at_the_terminal_speed_even_with_long_steps():
    density, d, L, Cn = 1025.0, 0.044, 10.0, 1.2
    bar = Bar(L, d, 1100.0 * np.pi / 4 * d**2 * L, 1.0, 0.0, Drag(constant(Cn, 0.01), np.pi * d))
    tilted = shortest_turn(UP, np.array([0.0, 1.0, 0.0]))
    system = DenseBars((bar,), 2.0, Sea(water_density=density, current=lambda z: np.array([0.3, 0, 0])))
    state = system.at_rest([[0, 0, -100.0]], [tilted])
    for _ in range(60):
        state = system.advance(state, system.solve(state))
    w = 75.0 * np.pi / 4 * d**2 * G
    assert state.v[0, 0] == pytest.approx(0.3, abs=1e-6)
    assert state.v[0, 2] == pytest.approx(-np.sqrt(w / (0.5 * density * d * Cn)), rel=1e-6)


def test_drag_of_a_turning_bar_brakes_the_rotation_only():
    bar = Bar(6.0, 0.1, 50.0, 1.0, 0.5, Drag(constant(1.0, 0.1), np.pi * 0.1))
    system = DenseBars((bar,), 1e-9, Sea(water_density=1000.0, gravity=0.0))
    state = moving(system.at_rest([[0, 0, -50.0]]), w=[[0.7, 0, 0]])
    solution = system.solve(state)
    at = 6.0 / np.sqrt(12)
    added = 1000 * bar.volume
    Jx = bar.mass * (0.01 / 16 + 3.0) + added * 3.0
    torque = -2 * at * 0.5 * 1000 * 0.1 * 3.0 * (0.7 * at) ** 2
    assert solution.a[0] == pytest.approx(np.zeros(3), abs=1e-9)
    assert solution.alpha[0] == pytest.approx([torque / Jx, 0, 0], rel=1e-6)


def test_a_very_long_step_of_implicit_drag_ends_at_rest_in_the_water():
    """(M + hC) a = -C u: with h without bound u + h a is the water's velocity, if C holds all its couplings."""
    rng = np.random.default_rng(5)
    bar = Bar(6.0, 0.1, 50.0, 1.0, 0.5, Drag(constant(1.0, 0.1), np.pi * 0.1))
    current = np.array([0.4, -0.2, 0.1])
    system = DenseBars((bar,), 1e9, Sea(water_density=1000.0, gravity=0.0, current=lambda z: current))
    state = moving(
        system.at_rest([[0, 0, -50.0]], random_frames(rng, 1)), v=rng.normal(size=(1, 3)), w=[[0.7, -0.4, 0]]
    )
    solution = system.solve(state)
    assert state.v[0] + system.h * solution.a[0] == pytest.approx(current, abs=1e-6)
    assert state.w[0] + system.h * solution.alpha[0] == pytest.approx(np.zeros(3), abs=1e-6)


def test_added_mass_resists_across_more_than_along():
    bar = Bar(6.0, 0.1, 50.0, 1.0, 0.25)
    tilted = shortest_turn(UP, np.array([0.6, 0.0, 0.8]))
    system = DenseBars((bar,), 0.1, Sea(water_density=1000.0, gravity=0.0))
    along, across = np.array([0.6, 0, 0.8]), np.array([0.8, 0, -0.6])
    solution = system.solve(system.at_rest([[0, 0, -50.0]], [tilted]), force=100.0 * (along + across)[None, :])
    displaced = 1000 * bar.volume
    expected = 100 * along / (50 + 0.25 * displaced) + 100 * across / (50 + displaced)
    assert solution.a[0] == pytest.approx(expected, rel=1e-12)
    assert solution.alpha[0] == pytest.approx(np.zeros(3), abs=1e-12)


@pytest.mark.parametrize("lean", [0.3, np.pi - 0.3])
def test_half_sunk_bar_is_lifted_at_the_middle_of_its_wet_part(lean):
    """A thin bar leaning through the surface: the buoyancy's moment about the centre, whichever end is up."""
    L, d = 10.0, 1e-4
    axis = np.array([np.sin(lean), 0.0, np.cos(lean)])
    bar = Bar(L, d, 1.0)
    system = DenseBars((bar,), 0.1, Sea(water_density=1e10))
    z = 0.2 * L * np.cos(0.3)  # wet fraction 0.3
    solution = system.solve(system.at_rest([[0, 0, z]], [shortest_turn(UP, axis)]))
    lift = 1e10 * G * bar.volume * 0.3
    middle = -0.35 * L * axis * np.sign(axis[2])  # from the centre to the middle of the wet part
    moment = matrix(shortest_turn(UP, axis)).T @ np.cross(middle, lift * UP)
    assert solution.a[0, 2] == pytest.approx(lift - G, rel=1e-3)
    assert solution.alpha[0, 1] == pytest.approx(moment[1] / bar.inertia[1, 1], rel=1e-3)


def bar_on_bed(slope=0.0, damping=0.0):
    normal = np.array([-np.sin(slope), 0, np.cos(slope)])
    sea = Sea(bed_point=np.array([0, 0, -5.0]), bed_normal=normal)
    builder = CableBuilder(h=0.05, sea=sea)
    along = np.array([np.cos(slope), 0, np.sin(slope)])
    k = 1e4 * 0.2 * 4.0  # both ends of 4 m on a contact diameter of 0.2 m
    sunk = 20.0 * G * np.cos(slope) / k
    middle = sea.bed_point + (0.1 - sunk) * normal
    bars = builder.cable(Bar(4.0, 0.1, 20.0), Stiffness(1e6), [middle - 2 * along, middle + 2 * along])
    builder.rest_on_bed(bars, 1e4, damping, 0.2)
    return builder.build()


@pytest.mark.parametrize("slope", [0.0, 0.2])
def test_bed_carries_the_normal_weight_and_leaves_the_rest_to_slide(slope):
    system, state = bar_on_bed(slope)
    solution = system.solve(state)
    assert -solution.contact == pytest.approx(np.full(2, 10 * G * np.cos(slope)), rel=1e-10)
    downhill = np.array([-np.cos(slope), 0, -np.sin(slope)])
    assert solution.a[0] == pytest.approx(G * np.sin(slope) * downhill, abs=1e-9)


@pytest.mark.parametrize(
    ("damping", "height", "speed", "touches"),
    [
        (0.0, -0.01, 0.5, False),  # sunk, but out of the bed before the step ends
        (0.0, -0.01, 0.1, True),  # sunk, leaving more slowly than that
        (0.0, 0.01, -0.5, True),  # above, and through the surface before the step ends
        (0.0, 0.03, -0.5, False),  # above, and not down yet
        (1e4, -0.01, 0.05, False),  # sunk, but the damper would pull harder than the spring pushes
        (1e4, 0.03, -0.5, False),  # above: the damper alone must not push
    ],
)
def test_bed_pushes_only_while_it_is_reached_and_never_pulls(damping, height, speed, touches):
    system, state = bar_on_bed(damping=damping)
    state = moving(state, p=[[0, 0, -4.9 + height]], v=[[0, 0, speed]])  # the axis rests 0.1 m above the bed
    contact = system.solve(state).contact
    assert np.all(contact < 0.0) if touches else np.all(contact == 0.0)


def test_sliding_bar_stops_where_coulomb_says_and_then_is_held_by_the_shear_spring():
    """v²/(2µg) of sliding, short by less than the way of the first step; then no more force than µN."""
    mu, v0, k = 0.4, 1.0, 2e4
    system, state = bar_on_bed()
    friction = Friction(mu, joint_gains.rule([k] * 3, 0.0, system.h))
    system = replace(system, contacts=tuple(replace(c, friction=friction) for c in system.contacts))
    state = moving(state, v=[[0, v0, 0]], pressed=[10 * G, 10 * G], anchor=[[-2, 0, -4.9], [2, 0, -4.9]])
    for _ in range(60):
        state = system.advance(state, system.solve(state))
    assert state.p[0, 1] == pytest.approx(v0**2 / (2 * mu * G), abs=v0 * system.h)
    assert np.abs(state.v[0]).max() < 0.01
    held = system.solve(state)
    assert np.abs(held.friction).max() <= mu * 10 * G * (1 + 1e-9)
    assert held.friction[:, 2] == pytest.approx(np.zeros(2), abs=1e-9)


def test_lump_acts_as_a_body_rigidly_on_the_bar():
    """A mass on a light bar far from its middle: the pair falls as one, and turns about the common centre."""
    bar = Bar(4.0, 0.05, 2.0, lumps=((1.5, FreePoint(mass=6.0)),))
    system = DenseBars((bar,), 0.1, Sea())
    solution = system.solve(moving(system.at_rest([[0, 0, 0]]), w=[[0.0, 0.7, 0.0]]))
    centre = 6.0 * 1.5 / 8.0
    total = 2.0 * solution.a[0] + 6.0 * (solution.a[0] + [1.5 * solution.alpha[0, 1], 0, -1.5 * 0.7**2])
    assert total == pytest.approx([0, 0, -8.0 * G], abs=1e-12)
    assert solution.a[0] + [centre * solution.alpha[0, 1], 0, -centre * 0.7**2] == pytest.approx([0, 0, -G], abs=1e-12)


def test_damped_geometric_term_brakes_only_turning_across_the_axis():
    """The step after a pull T at both ends under a torque Q: J + h² T L on x and y, torque Q - h T L w."""
    T, L, h, Q = 1000.0, 4.0, 0.1, 30.0
    bar = Bar(L, 0.5, 20.0)
    gains = joint_gains.spring([0.0] * 3, 0.0)
    joints = (PositionJoint((0, -L / 2), (1, 0), gains), PositionJoint((0, L / 2), (1, 0), gains))
    for form, matrix_share, torque_share in (("damped", 1.0, 1.0), ("undamped", 0.25, 0.0), ("off", 0.0, 0.0)):
        system = DenseBars((bar, PrescribedPoint()), h, NO_GRAVITY, joints, geometric=form)
        state = system.at_rest(np.zeros((2, 3)))
        state = moving(state, previous=[[0, 0, -T], [0, 0, T]], w=[[0.2, 0, 0], [0, 0, 0]])
        J = bar.inertia[0, 0]
        expected = (Q - torque_share * h * T * L * 0.2) / (J + matrix_share * h**2 * T * L)
        turned = system.solve(state, torque=np.array([[Q, 0, 0], [0, 0, 0]]))
        assert turned.alpha[0] == pytest.approx([expected, 0, 0], rel=1e-12)
        pushed = moving(state, previous=[[0, 0, T], [0, 0, -T]])
        assert system.geometric_stiffness(pushed)[0] == 0.0
