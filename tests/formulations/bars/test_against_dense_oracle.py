"""The fused sweep against full matrices: the same random systems, accelerations, multipliers and motion.

The oracle (`tests/oracle`) writes every joint row at full width and solves one dense system; it is derived on its own
and built from the `System`, not from the compiled arrays. What agrees here covers cables in either direction, hubs with
any number of cables, loops, clamps, one-bar cables, loads, drives and contact.
"""

from dataclasses import replace

import numpy as np
import pytest
from marks import slowly
from oracle.quaternions import matrix
from scipy.optimize import nnls

from formulations.bars.random_systems import Choice, disturbed, random_system
from formulations.bars.translation import Twin

STEPS = 12


def assert_close(found, expected, scale, tolerance, what):
    error = np.abs(found - expected).max() / scale if found.size else 0.0
    assert error < tolerance, f"{what}: relative difference {error:.2e}"


def compare(twin, tolerance=1e-9, later=1e-7, steps=STEPS):
    """One step to `tolerance`, the state after `steps` to `later`, both relative to the largest value of their kind."""
    start = twin.oracle_state()
    first, expected = twin.oracle_steps(start, 1)
    after, _ = twin.oracle_steps(first, steps - 1, done=1)
    assert twin.kernel_steps(1) is None
    found = twin.kernel_solution()
    free = [twin.point_body[name] for name in twin.free]
    moving = [*range(sum(len(place.bars) for place in twin.places)), *free]
    for what in ("a", "alpha", "position", "rotation"):
        a, b = getattr(found, what), getattr(expected, what)
        if what in ("a", "alpha"):
            a, b = a[moving], b[moving]
        if what == "rotation":
            b = twin.twist_aside(b)
        assert_close(a, b, max(1.0, np.abs(b).max(initial=0.0)), tolerance, what)
    assert twin.kernel_steps(steps - 1, done=1) is None
    state = twin.oracle_state()
    for what in ("p", "v", "w"):
        a, b = getattr(state, what), getattr(after, what)
        assert_close(a, b, max(1.0, np.abs(b).max()), later, f"{what} after {steps} steps")
    assert_close(state.pressed, after.pressed, max(1.0, after.pressed.max(initial=0.0)), later, "force on the bed")
    held = after.pressed > 0.0
    assert_close(state.anchor[held], after.anchor[held], 1.0, later, "anchors of friction")
    same = np.abs(np.sum(state.q * after.q, axis=1))
    assert_close(same, np.ones(len(same)), 1.0, later, f"q after {steps} steps")


def twin_of(seed, choice=None, **simulation):
    rng = np.random.default_rng(seed)
    twin = Twin(*random_system(rng, choice, **simulation))
    disturbed(rng, twin.y, twin.tables)
    return twin


@pytest.mark.parametrize("seed", [*range(10), *slowly(*range(10, 40))])
def test_rule_with_everything(seed):
    compare(twin_of(seed, step=0.01))


@pytest.mark.parametrize("attachments", [False, True])
@pytest.mark.parametrize("count", [8, 9, 10, 11, *slowly(16, 17), 18, 19, 26])
def test_cables_of_which_eight_bars_are_taken_side_by_side(count, attachments):
    """Whole eights, what is left of them, and eights that sections, dampers and attachments forbid."""
    choice = Choice(elements=count, fewest=count, attachments=attachments)
    compare(twin_of(1000 + count, choice, step=0.01), steps=6)


@pytest.mark.parametrize("seed", [*range(1100, 1103), *slowly(*range(1103, 1110))])
def test_string_stiffness_of_long_cables_whose_joints_only_pull(seed):
    """Sections with and without bending stiffness: some joints only pull. Thrown about as they are, some cables leave
    the physical range in steps of 0.05 s, those of the full matrices with them."""
    choice, step = Choice(elements=24, fewest=12, attachments=False), 0.05 if seed < 1103 else 0.02
    compare(twin_of(seed, choice, step=step, bars={"geometric_stiffness": "damped"}), later=1e-6)


@pytest.mark.parametrize("seed", [1207, 1208, 1211])
def test_joints_without_a_damper_have_no_damping_force(seed):
    """Sections with and without dampers side by side; what is kept as a damping force is taken off the elastic one."""
    twin = twin_of(seed, Choice(elements=24, fewest=12, attachments=False), step=0.01)
    assert twin.kernel_steps(2) is None
    idle = twin.tables.joint.damping.sum(axis=1) == 0.0
    assert 0 < np.count_nonzero(idle) < len(idle)
    assert not twin.tables.damper.position[idle].any()
    assert twin.tables.damper.position[~idle].any()


@pytest.mark.parametrize("form", ["off", "undamped", "damped"])
@pytest.mark.parametrize("seed", [100, 101, *slowly(102, 103)])
def test_forms_of_the_geometric_stiffness(seed, form):
    compare(twin_of(seed, step=0.01, bars={"geometric_stiffness": form}))


@pytest.mark.parametrize("seed", [*range(200, 203), *slowly(*range(203, 206))])
def test_automatic_form_with_steps_long_enough_for_both(seed):
    compare(twin_of(seed, step=0.1), later=1e-6)


@pytest.mark.parametrize("seed", [*range(300, 303), *slowly(*range(303, 306))])
def test_theta(seed):
    compare(twin_of(seed, step=0.01, bars={"theta": 0.55}))


@pytest.mark.parametrize("seed", [*range(400, 403), *slowly(*range(403, 406))])
def test_explicit_euler_with_its_own_rule(seed):
    compare(twin_of(seed, step=0.002, integrator="explicit_euler"))


@pytest.mark.parametrize("step", [0.01, 0.1])
@pytest.mark.parametrize("seed", [*range(700, 704), *slowly(*range(704, 707))])
def test_joints_that_only_pull(seed, step):
    """A dense solver finds the same with the same joints loose; taut ones pull, and loose ones would push if they were
    not: with the rest as it is, their multiplier along the bar is negative."""
    twin = twin_of(seed, step=step, bars={"compression": "none", "geometric_stiffness": "off"})
    start = twin.oracle_state()
    assert twin.kernel_steps(1) is None
    joints, hosts = twin.loose_joints()
    assert any(loose for _, loose, _ in hosts)
    solver = replace(twin.oracle, position_joints=tuple(joints))
    expected, found = solver.solve(start, **twin.drives(0.0, start)), twin.kernel_solution()
    bars = sum(len(place.bars) for place in twin.places)
    for what in ("a", "alpha", "position"):
        a, b = getattr(found, what), getattr(expected, what)
        if what != "position":
            a, b = a[:bars], b[:bars]
        assert_close(a, b, max(1.0, np.abs(b).max(initial=0.0)), 1e-9, what)
    motion, u_dot = solver.velocity(start), np.hstack([expected.a, expected.alpha]).ravel()
    for joint, (host, loose, one_way) in zip(twin.oracle.position_joints, hosts, strict=True):
        rows, gains = twin.oracle.position_rows(start, joint), joint.gains
        full = gains.G * (rows.J @ u_dot + rows.bias) + gains.D * (rows.J @ motion) + gains.K * rows.C
        pull = full @ matrix(start.q[host])[:, 2]
        assert not one_way or (pull <= 1e-6 if loose else pull >= -1e-6)


def pulls_by_least_squares(twin, joints, state):
    """Pulls T ≥ 0 of the joints that only pull, by a method without passes: with the others solved for, they part with
    w = D T + q, T ≥ 0, w ≥ 0, T·w = 0, which the non-negative least squares of a Cholesky factor of D find."""
    pulling = [k for k, joint in enumerate(joints) if joint.host is not None]
    slack = tuple(replace(joint, loose=joint.host is not None) for joint in joints)
    solver = replace(twin.oracle, position_joints=slack)
    drives = twin.drives(0.0, state)
    free, u = solver.solve(state, **drives), solver.velocity(state)
    rows, push = [], []
    for k in pulling:
        full, gains = solver.position_rows(state, replace(joints[k], loose=False)), joints[k].gains
        axis = matrix(state.q[joints[k].host])[:, 2]
        at_rest = np.hstack([free.a, free.alpha]).ravel()
        rows.append(axis @ full.J)
        beta = gains.G * (full.J @ at_rest + full.bias) + gains.D * (full.J @ u) + gains.K * full.C
        push.append(axis @ beta / gains.G[0])
    J, gain = np.array(rows), np.array([joints[k].gains.G[0] for k in pulling])
    moved = solver.moved_by(state, -J, drives["force"], drives["torque"])  # by a unit pull of each joint
    D = np.diag(1.0 / gain) - J @ moved.T
    low = np.linalg.cholesky(0.5 * (D + D.T))
    return pulling, nnls(low.T, np.linalg.solve(low, push))[0]


@pytest.mark.parametrize("seed", [*range(800, 803), *slowly(*range(803, 806))])
def test_which_joints_pull_in_long_slack_lines(seed):
    """Long wavy lines thrown about, of which many come taut in one step: the one solution there is."""
    choice = Choice(seabed=False, attachments=False, elements=24)
    twin = twin_of(seed, choice, step=0.1, bars={"compression": "none", "geometric_stiffness": "off"})
    rng = np.random.default_rng(seed)
    twin.tables.bar_state.velocity = 10.0 * rng.normal(size=twin.tables.bar_state.velocity.shape)
    start = twin.oracle_state()
    assert twin.kernel_steps(1) is None
    joints, _ = twin.loose_joints()
    pulling, expected = pulls_by_least_squares(twin, joints, start)
    found, axes = twin.kernel_solution().position, [matrix(start.q[joints[k].host])[:, 2] for k in pulling]
    pulls = np.array([axis @ found[k] for axis, k in zip(axes, pulling, strict=True)])
    assert 0 < np.sum(expected > 0.0) < len(expected)
    assert_close(pulls, expected, expected.max(), 1e-7, "pulls")


@pytest.mark.parametrize("seed", [*range(500, 502), *slowly(*range(502, 504))])
def test_in_air_without_a_bed(seed):
    compare(twin_of(seed, Choice(water=False, seabed=False), step=0.01))


@pytest.mark.parametrize("integrator", ["semi_implicit", "explicit_euler"])
@pytest.mark.parametrize("tuning", ["common_beta", "literal"])
@pytest.mark.parametrize("seed", [*range(600, 602), *slowly(*range(602, 604))])
def test_published_tunings(seed, tuning, integrator):
    """Γ up to 1e8 against masses of kilograms: both solutions lose the digits of that ratio."""
    paper = {"tuning": tuning, "alpha": 50.0, "epsilon": 1e-7}
    compare(twin_of(seed, Choice(paper=True), step=0.002, integrator=integrator, bars=paper), 1e-6, 1e-5)
