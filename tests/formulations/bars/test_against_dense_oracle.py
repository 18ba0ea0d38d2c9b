"""The fused sweep against full matrices: the same random systems, accelerations, multipliers and motion.

The oracle (`tests/oracle`) writes every joint row at full width and solves one dense system; it is derived on its own
and built from the `System`, not from the compiled arrays. What agrees here covers cables in either direction, hubs with
any number of cables, loops, clamps, one-bar cables, loads, drives and contact.
"""

from dataclasses import replace

import numpy as np
import pytest
from oracle.quaternions import matrix

from formulations.bars.random_systems import Choice, disturbed, random_system
from formulations.bars.translation import Twin

STEPS = 20


def assert_close(found, expected, scale, tolerance, what):
    error = np.abs(found - expected).max() / scale if found.size else 0.0
    assert error < tolerance, f"{what}: relative difference {error:.2e}"


def compare(twin, tolerance=1e-9, later=1e-7):
    """One step to `tolerance`, the state after STEPS to `later`, both relative to the largest value of their kind."""
    start = twin.oracle_state()
    _, expected = twin.oracle_steps(start, 1)
    after, _ = twin.oracle_steps(start, STEPS)
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
    assert twin.kernel_steps(STEPS - 1, done=1) is None
    state = twin.oracle_state()
    for what in ("p", "v", "w"):
        a, b = getattr(state, what), getattr(after, what)
        assert_close(a, b, max(1.0, np.abs(b).max()), later, f"{what} after {STEPS} steps")
    assert_close(state.pressed, after.pressed, max(1.0, after.pressed.max(initial=0.0)), later, "force on the bed")
    held = after.pressed > 0.0
    assert_close(state.anchor[held], after.anchor[held], 1.0, later, "anchors of friction")
    same = np.abs(np.sum(state.q * after.q, axis=1))
    assert_close(same, np.ones(len(same)), 1.0, later, f"q after {STEPS} steps")


def twin_of(seed, choice=None, **simulation):
    rng = np.random.default_rng(seed)
    twin = Twin(*random_system(rng, choice, **simulation))
    disturbed(rng, twin.y, twin.tables)
    return twin


@pytest.mark.parametrize("seed", range(40))
def test_rule_with_everything(seed):
    compare(twin_of(seed, step=0.01))


@pytest.mark.parametrize("form", ["off", "undamped", "damped"])
@pytest.mark.parametrize("seed", range(100, 104))
def test_forms_of_the_geometric_stiffness(seed, form):
    compare(twin_of(seed, step=0.01, bars={"geometric_stiffness": form}))


@pytest.mark.parametrize("seed", range(200, 206))
def test_automatic_form_with_steps_long_enough_for_both(seed):
    compare(twin_of(seed, step=0.1), later=1e-6)


@pytest.mark.parametrize("seed", range(300, 306))
def test_theta(seed):
    compare(twin_of(seed, step=0.01, bars={"theta": 0.55}))


@pytest.mark.parametrize("seed", range(400, 406))
def test_explicit_euler_with_its_own_rule(seed):
    compare(twin_of(seed, step=0.002, integrator="explicit_euler"))


@pytest.mark.parametrize("step", [0.01, 0.1])
@pytest.mark.parametrize("seed", range(700, 707))
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


@pytest.mark.parametrize("seed", range(500, 504))
def test_in_air_without_a_bed(seed):
    compare(twin_of(seed, Choice(water=False, seabed=False), step=0.01))


@pytest.mark.parametrize("integrator", ["semi_implicit", "explicit_euler"])
@pytest.mark.parametrize("tuning", ["common_beta", "literal"])
@pytest.mark.parametrize("seed", range(600, 604))
def test_published_tunings(seed, tuning, integrator):
    """Γ up to 1e8 against masses of kilograms: both solutions lose the digits of that ratio."""
    paper = {"tuning": tuning, "alpha": 50.0, "epsilon": 1e-7}
    compare(twin_of(seed, Choice(paper=True), step=0.002, integrator=integrator, bars=paper), 1e-6, 1e-5)
