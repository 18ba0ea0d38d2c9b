"""The dense oracle against rigid-body mechanics that can be done by hand."""

import numpy as np
import pytest

from oracle import joint_gains
from oracle.cables import CableBuilder, Stiffness, moving
from oracle.dense_bars import DenseBars
from oracle.loads import gyroscopic_torque
from oracle.parts import UP, Bar, FreePoint, PositionJoint, PrescribedPoint, RotationJoint, Sea
from oracle.quaternions import exponential, matrix, product, random_frames, shortest_turn

G = 9.81
NO_GRAVITY = Sea(gravity=0.0)


def run(system, state, steps, **options):
    for _ in range(steps):
        state = system.advance(state, system.solve(state), **options)
    return state


def jointed_pair(rng):
    """Two bars at random, in one position joint and one rotation joint with a rest turn."""
    bar = Bar(2.0, 0.1, 3.0)
    gains = joint_gains.rule([50.0, 60.0, 70.0], [1.0, 2.0, 3.0], 0.1)
    system = DenseBars(
        bodies=(bar, bar),
        h=0.1,
        sea=NO_GRAVITY,
        position_joints=(PositionJoint((0, 1.0), (1, -1.0), gains),),
        rotation_joints=(RotationJoint(0, 1, gains, rest=random_frames(rng, 1)[0]),),
    )
    state = moving(
        system.at_rest(rng.normal(size=(2, 3)), random_frames(rng, 2)),
        v=rng.normal(size=(2, 3)),
        w=rng.normal(size=(2, 3)),
    )
    return system, state


@pytest.mark.parametrize("seed", range(4))
def test_constraint_rates_are_the_time_derivatives_of_the_constraints(seed):
    rng = np.random.default_rng(seed)
    system, state = jointed_pair(rng)
    u_dot = rng.normal(size=(2, 6))

    def constraints(t):
        w_mean = state.w + 0.5 * t * u_dot[:, 3:]  # exact through t²: the commutator of w, w + t alpha is O(t³)
        later = moving(
            state,
            p=state.p + t * state.v + 0.5 * t**2 * u_dot[:, :3],
            q=[product(q, exponential(t * w)) for q, w in zip(state.q, w_mean, strict=True)],
        )
        position = system.position_rows(later, system.position_joints[0])
        rotation = system.rotation_rows(later, system.rotation_joints[0])
        return np.concatenate([position.C, rotation.C])

    t = 1e-4
    rows = [
        system.position_rows(state, system.position_joints[0]),
        system.rotation_rows(state, system.rotation_joints[0]),
    ]
    first = np.concatenate([r.J @ system.velocity(state) for r in rows])
    second = np.concatenate([r.J @ u_dot.ravel() + r.bias for r in rows])
    assert (constraints(t) - constraints(-t)) / (2 * t) == pytest.approx(first, abs=1e-6)
    assert (constraints(t) - 2 * constraints(0) + constraints(-t)) / t**2 == pytest.approx(second, abs=1e-5)


@pytest.mark.parametrize("seed", range(4))
def test_joints_exert_no_net_force_and_no_net_moment(seed):
    rng = np.random.default_rng(10 + seed)
    system, state = jointed_pair(rng)
    R = [matrix(q) for q in state.q]
    closed = state.p.copy()
    closed[1] = closed[0] + R[0] @ UP + R[1] @ UP  # no gap, so that the joint's two forces share a line
    state = moving(state, p=closed)
    solution = system.solve(state)
    inertia = system.bodies[0].inertia
    force, moment = np.zeros(3), np.zeros(3)
    for i, w in enumerate(state.w):
        force += system.bodies[i].mass * solution.a[i]
        moment += np.cross(state.p[i], system.bodies[i].mass * solution.a[i])
        moment += R[i] @ (inertia @ solution.alpha[i] - gyroscopic_torque(inertia, w, system.h))
    assert np.abs(solution.position).max() > 1.0
    assert np.abs(solution.rotation).max() > 1.0
    assert force == pytest.approx(np.zeros(3), abs=1e-10)
    assert moment == pytest.approx(np.zeros(3), abs=1e-10)


def test_a_frame_and_its_negative_quaternion_are_the_same_frame():
    system, state = jointed_pair(np.random.default_rng(20))
    flipped = moving(state, q=state.q * [[1.0], [-1.0]])
    assert system.solve(flipped).rotation == pytest.approx(system.solve(state).rotation, rel=1e-12)


def test_gyroscopic_torque_is_that_of_euler_for_short_steps_and_turns_the_rate_for_long_ones():
    """-w × Jw as h vanishes; with any h the step w + h J⁻¹ T keeps the length of w and its axial part."""
    inertia, w = Bar(2.0, 0.3, 7.0).inertia, np.array([0.4, -1.1, 3.0])
    assert gyroscopic_torque(inertia, w, 1e-7) == pytest.approx(-np.cross(w, inertia @ w), rel=1e-6)
    assert gyroscopic_torque(inertia, w, 0.0) == pytest.approx(-np.cross(w, inertia @ w), rel=1e-14)
    after = w + 0.8 * np.linalg.solve(inertia, gyroscopic_torque(inertia, w, 0.8))
    assert np.linalg.norm(after) == pytest.approx(np.linalg.norm(w), rel=1e-14)
    assert after[2] == w[2]


def test_free_bar_spinning_end_over_end_travels_straight():
    system = DenseBars(bodies=(Bar(10.0, 0.05, 20.0),), h=0.0125, sea=NO_GRAVITY)
    state = moving(system.at_rest([[0, 0, 0]]), v=[[1, 0, 0]], w=[[0.0, 0.5, 0.0]])
    state = run(system, state, 1600)
    assert state.p[0] == pytest.approx([20.0, 0.0, 0.0], abs=1e-9)
    assert state.w[0] == pytest.approx([0.0, 0.5, 0.0], abs=1e-12)
    assert matrix(state.q[0])[:, 2] == pytest.approx([np.sin(10.0), 0.0, np.cos(10.0)], abs=1e-9)


def test_free_spinning_bar_keeps_its_angular_momentum_to_first_order():
    bar = Bar(1.0, 0.8, 5.0)
    inertia, drift = bar.inertia, []
    for h in (2e-3, 1e-3):
        system = DenseBars(bodies=(bar,), h=h, sea=NO_GRAVITY)
        state = moving(system.at_rest([[0, 0, 0]]), w=[[0.4, 0.1, 1.0]])
        before = inertia @ state.w[0]
        state = run(system, state, round(1.0 / h))
        drift.append(np.linalg.norm(matrix(state.q[0]) @ inertia @ state.w[0] - before) / np.linalg.norm(before))
    assert drift[1] < 1e-4
    assert drift[0] / drift[1] == pytest.approx(2.0, rel=0.05)


def test_rod_pendulum_has_the_period_of_the_elliptic_integral():
    builder = CableBuilder(h=0.0125)
    hook = builder.body(PrescribedPoint(), [0, 0, 0])
    tip = 10.0 * np.array([np.sin(1.0), 0.0, -np.cos(1.0)])
    (bar,) = builder.cable(Bar(10.0, 1e-3, 5.0), Stiffness(EA=1e7), [[0, 0, 0], tip], start=hook)
    system, state = builder.build()
    crossings, x = [], state.p[bar, 0]
    for step in range(1, 700):
        state = system.advance(state, system.solve(state))
        if x > 0.0 >= state.p[bar, 0]:
            crossings.append((step - 1 + x / (x - state.p[bar, 0])) * system.h)
        x = state.p[bar, 0]
    # 4 sqrt(2L/3g) K(sin²(θ/2)), the value for L = 10 m and 1 rad
    assert crossings[1] - crossings[0] == pytest.approx(5.5232, rel=5e-4)


def test_chain_in_equilibrium_stays_and_its_multipliers_are_the_tensions():
    n, L, weight, EA = 8, 5.0, 60.0, 2e5
    bar = Bar(L, 0.05, weight / G)
    across = np.array([0.6, 0.8, 0.0])
    H, V0 = 200.0, -170.0
    tension = [H * across + (V0 + i * weight) * UP for i in range(n + 1)]  # at joint i, pulling towards the end
    builder = CableBuilder(h=0.02)
    start = builder.body(PrescribedPoint(), [0, 0, 0])
    nodes, x, joints = [], np.zeros(3), []
    for i in range(n):
        x = x + tension[i] / (EA / L * (2.0 if i == 0 else 1.0))  # a joint opens by force over stiffness
        axis = (tension[i] + tension[i + 1]) / np.linalg.norm(tension[i] + tension[i + 1])
        nodes.append((x + 0.5 * L * axis, shortest_turn(UP, axis)))
        x = x + L * axis
    end = builder.body(PrescribedPoint(), x + tension[n] / (2 * EA / L))
    bars = [builder.body(bar, p, q) for p, q in nodes]
    joints = [(start, 0.0), *((b, o) for b in bars for o in (-L / 2, L / 2)), (end, 0.0)]
    for i in range(n + 1):
        builder.ball(joints[2 * i], joints[2 * i + 1], EA / L * (2.0 if i in (0, n) else 1.0))
    system, state = builder.build()
    solution = system.solve(state)
    assert np.abs(solution.a).max() < 1e-9
    assert np.abs(solution.alpha).max() < 1e-9
    assert solution.position == pytest.approx(np.array(tension), abs=1e-9)
    k_g = system.geometric_stiffness(system.advance(state, solution))[bars[3]]
    axis = matrix(state.q[bars[3]])[:, 2]
    assert k_g == pytest.approx(0.5 * L * (tension[3] + tension[4]) @ axis, rel=1e-9)


def test_rule_equals_implicit_euler_of_the_spring_and_damper():
    h, k, c, m, x, v = 0.3, 40.0, 7.0, 2.0, 0.13, -0.4
    for theta in (1.0, 0.55):
        gains = joint_gains.rule([k] * 3, [c] * 3, h, theta)
        system = DenseBars(
            (PrescribedPoint(), FreePoint(mass=m)), h, NO_GRAVITY, (PositionJoint((0, 0), (1, 0), gains),)
        )
        state = moving(system.at_rest([[0, 0, 0], [x, 0, 0]]), v=[[0, 0, 0], [v, 0, 0]])
        after = system.advance(state, system.solve(state), theta=theta)
        # m a = -k x_θ - c v_θ with v_θ = v + θ h a, x_θ = x + θ h v_θ
        a = -(k * (x + theta * h * v) + c * v) / (m + theta * h * c + (theta * h) ** 2 * k)
        assert after.v[1, 0] == pytest.approx(v + h * a, rel=1e-14)
        assert after.p[1, 0] == pytest.approx(x + h * (v + theta * h * a), rel=1e-14)


def test_explicit_rule_gives_the_velocities_of_implicit_euler_one_position_behind():
    h, k, m = 0.3, 40.0, 2.0

    def make(gains):
        return DenseBars((PrescribedPoint(), FreePoint(mass=m)), h, NO_GRAVITY, (PositionJoint((0, 0), (1, 0), gains),))

    implicit = make(joint_gains.rule([k] * 3, 0.0, h))
    explicit = make(joint_gains.rule_explicit_euler([k] * 3, 0.0, h))
    s = moving(implicit.at_rest([[0, 0, 0], [0.1, 0, 0]]), v=[[0, 0, 0], [0.2, 0, 0]])
    # explicit Euler's position lags by one velocity: start it at x - h v
    e = moving(s, p=s.p - h * s.v)
    for _ in range(20):
        s = implicit.advance(s, implicit.solve(s))
        e = explicit.advance(e, explicit.solve(e), explicit=True)
        assert e.v == pytest.approx(s.v, abs=1e-14)


def cantilever(n, load):
    """Static tip position of a horizontal cantilever: the steps are so long that each is a Newton step."""
    length, EI = 20.0, 2e4
    builder = CableBuilder(h=1e3, sea=NO_GRAVITY)
    wall = builder.body(PrescribedPoint(), [0, 0, 0], random_frames(np.random.default_rng(3), 1)[0])
    nodes = np.outer(np.linspace(0, length, n + 1), [1, 0, 0])
    bars = builder.cable(Bar(length / n, 0.02, 1.0), Stiffness(1e8, EI, EI), nodes, start=wall)
    k = joint_gains.half_bar(length / n, EI)
    turn = product(builder.q[wall] * [1, -1, -1, -1], builder.q[bars[0]])
    builder.hinge(wall, bars[0], [k, k, k], rest=turn)
    system, state = builder.build()
    tip = 0.5 * length / n
    for _ in range(6):
        force = np.zeros((len(system.bodies), 3))
        force[bars[-1]] = load
        arm = matrix(state.q[bars[-1]]) @ (tip * UP)
        torque = np.zeros_like(force)
        torque[bars[-1]] = np.cross(arm, load)
        state = system.advance(state, system.solve(state, force=force, torque=torque))
        state = moving(state, v=0 * state.v, w=0 * state.w)
    return state.p[bars[-1]] + matrix(state.q[bars[-1]]) @ (tip * UP)


@pytest.mark.parametrize("direction", [[0, 0, 1], [0, 1, 0]])
def test_cantilever_bends_by_the_beam_formula_of_discrete_hinges(direction):
    n, P, L, EI = 10, 0.5, 20.0, 2e4
    tip = cantilever(n, P * np.array(direction))
    assert tip @ direction == pytest.approx(P * L**3 / (3 * EI) * (1 + 1 / (2 * n**2)), rel=1e-4)


def test_two_clamps_on_a_massless_point_act_as_two_half_bars_in_series():
    """A free point between two clamped half-bar joints must be invisible, whatever its own frame."""

    def tip(through_point):
        builder = CableBuilder(h=1e3, sea=NO_GRAVITY)
        bar, S = Bar(2.0, 0.1, 1.0), 500.0
        wall = builder.body(PrescribedPoint(), [0, 0, 0], shortest_turn(UP, np.array([1.0, 0, 0])))
        one = builder.cable(bar, Stiffness(1e6), [[0, 0, 0], [2, 0, 0]], start=wall)[0]
        two = builder.cable(bar, Stiffness(1e6), [[2, 0, 0], [4, 0, 0]])[0]
        half = joint_gains.half_bar(2.0, S)
        builder.hinge(wall, one, [half] * 3)
        if through_point:
            frame = random_frames(np.random.default_rng(1), 1)[0]
            knot = builder.body(FreePoint(), [2, 0, 0], frame)
            rest = product(frame * [1, -1, -1, -1], builder.q[one])
            for member, offset in ((one, 1.0), (two, -1.0)):
                builder.ball((member, offset), (knot, 0.0), joint_gains.half_bar(2.0, 1e6))
                builder.hinge(knot, member, [half] * 3, rest=rest)
        else:
            builder.ball((one, 1.0), (two, -1.0), joint_gains.in_series(2.0, 1e6, 2.0, 1e6))
            builder.hinge(one, two, [joint_gains.in_series(2.0, S, 2.0, S)] * 3)
        system, state = builder.build()
        force = np.zeros((len(system.bodies), 3))
        force[two] = [0, 0.3, 0.2]
        for _ in range(8):
            state = system.advance(state, system.solve(state, force=force))
            state = moving(state, v=0 * state.v, w=0 * state.w)
        return state.p[two]

    assert tip(True) == pytest.approx(tip(False), abs=1e-6)
    assert abs(tip(True)[1]) > 1e-3


def test_acceleration_of_a_prescribed_point_reaches_the_joint():
    h, k, m = 0.1, 300.0, 4.0
    gains = joint_gains.rule([k] * 3, 0.0, h)
    system = DenseBars((PrescribedPoint(), FreePoint(mass=m)), h, Sea(), (PositionJoint((0, 0), (1, 0), gains),))
    state = system.at_rest([[0, 0, 0], [0, 0, -m * G / k]])
    solution = system.solve(state, acceleration=np.array([[0, 0, 2.0], [0, 0, 0]]))
    a = h**2 * k / (m + h**2 * k) * 2.0
    assert solution.a[1, 2] == pytest.approx(a, rel=1e-12)
    assert solution.position[0, 2] == pytest.approx(-m * (G + a), rel=1e-12)  # on the hook, pulling down


def test_paper_tunings_have_the_stated_ratios():
    K = joint_gains.paper_rotation_stiffness(8.0, 4.0)
    literal = joint_gains.literal(K, alpha=50.0, epsilon=1e-8, rotation=True)
    assert pytest.approx([2.0, 2.0, 1.0]) == literal.K
    assert pytest.approx(np.full(3, 0.25e8)) == literal.G
    assert pytest.approx(100.0 * literal.G) == literal.D
    common = joint_gains.common_beta(joint_gains.paper_position_stiffness(800.0, end=True), 800.0, 50.0, 1e-8)
    assert pytest.approx(np.full(3, 1600.0)) == common.K
    assert pytest.approx(np.full(3, 2e8)) == common.G
