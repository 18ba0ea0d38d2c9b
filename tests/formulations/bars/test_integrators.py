"""The integrators on the equations of bars: each at its own order, all towards the same motion.

Runge-Kutta acts on plain springs and dampers; that the semi-implicit step converges to it shows that the rule is only a
way to take them implicitly.
"""

from itertools import pairwise

import pytest

from fairlead.studies.verification.checks.integrator_orders import error, final_state, order


@pytest.fixture(scope="module")
def exact():
    return final_state("rk4", step=0.0005)


def test_runge_kutta_4_has_order_4(exact):
    assert order(exact, "rk4", 0.008) == pytest.approx(4.0, abs=0.2)
    assert order(exact, "rk4", 0.004) == pytest.approx(4.0, abs=0.2)
    assert error(exact, "rk4", step=0.002) < 1e-7


@pytest.mark.parametrize(
    ("integrator", "settings"),
    [("semi_implicit", {"scheme": "first_order"}), ("semi_implicit", {"theta": 0.55}), ("explicit_euler", {})],
)
def test_euler_methods_converge_to_it_with_order_1(exact, integrator, settings):
    assert order(exact, integrator, 0.001, **settings) == pytest.approx(1.0, abs=0.05)
    assert error(exact, integrator, step=0.00025, **settings) < 1e-2


def test_theta_of_055_is_several_times_more_accurate_than_1(exact):
    """A theta of one half would be of second order: most of the first-order error is gone at 0.55."""
    whole = error(exact, "semi_implicit", step=0.001, scheme="first_order")
    assert error(exact, "semi_implicit", step=0.001, theta=0.55) < 0.35 * whole


def test_the_default_step_has_order_2(exact):
    """With dampers, bending, torsion, drag and a clamp at a moving end."""
    assert order(exact, "semi_implicit", 0.008) == pytest.approx(2.0, abs=0.2)
    assert order(exact, "semi_implicit", 0.004) == pytest.approx(2.0, abs=0.2)
    assert error(exact, "semi_implicit", step=0.002) < 1e-3


def test_runge_kutta_2_follows_its_tolerance(exact):
    """A method of order 2 with error per step held to the tolerance: the whole error falls about as its power 2/3."""
    errors = [error(exact, "rk2", tolerance=tolerance) for tolerance in (1e-4, 1e-5, 1e-6, 1e-7)]
    assert errors[-1] < 1e-4
    for coarse, fine in pairwise(errors):
        assert fine < 0.35 * coarse


@pytest.mark.parametrize("tuning", ["common_beta", "literal"])
def test_published_tunings_are_an_ode_of_their_own(tuning):
    """Under the paper's law every integrator solves the same differential equation: Euler against Runge-Kutta 4."""
    settings = {"tuning": tuning, "alpha": 20.0, "epsilon": 1e-4}
    reference = final_state("rk4", step=0.0005, **settings)
    assert error(reference, "rk4", step=0.002, **settings) < 1e-6
    assert order(reference, "semi_implicit", 0.001, **settings) == pytest.approx(1.0, abs=0.1)
    assert order(reference, "explicit_euler", 0.001, **settings) == pytest.approx(1.0, abs=0.1)
