"""An elastic cable hung between two points, and one that lies partly on the seabed, against the elastic catenary."""

import numpy as np
import pytest

from fairlead.studies.verification.checks.elastic_catenary import (
    DEPTH,
    LENGTH,
    LINE,
    LINE_STIFFNESS,
    LINE_WEIGHT,
    REACH,
    SPAN,
    WEIGHT,
    hanging,
    moored,
    pull,
)
from verification.closed_forms import elastic_catenary, grounded_catenary

STIFFNESSES = (1.82e8, 1e5)


@pytest.fixture(scope="module", params=STIFFNESSES)
def case(request):
    """The closed form and the equilibria with 20 and 80 bars."""
    exact = elastic_catenary(SPAN, LENGTH, WEIGHT, request.param)
    return exact, {elements: hanging(request.param, elements) for elements in (20, 80)}


def test_horizontal_force(case):
    """7e-4 with 20 bars and 5e-5 with 80; the cable pulls its left support to the right."""
    exact, found = case
    for elements, bound in ((20, 7e-4), (80, 5e-5)):
        assert pull(found[elements])[0] == pytest.approx(exact.H, rel=bound)


def test_horizontal_force_converges_with_the_square_of_the_bars(case):
    exact, found = case
    errors = [abs(pull(found[elements])[0] / exact.H - 1.0) for elements in (20, 80)]
    assert np.log(errors[0] / errors[1]) / np.log(4.0) == pytest.approx(2.0, abs=0.05)


def test_each_support_carries_half_the_weight(case):
    _, found = case
    for rest in found.values():
        assert pull(rest)[1] == pytest.approx(-0.5 * WEIGHT * LENGTH, rel=1e-7)
        assert rest.outputs["wire.force_end"] == pytest.approx(
            np.array([-1.0, 1.0, 1.0]) * rest.outputs["wire.force_start"], rel=1e-6, abs=1e-6
        )


def test_sag_and_shape(case):
    """The bars' nodes lie on the catenary to 2e-4 of its length with 80 bars, the lowest to 1e-4 of the sag."""
    exact, found = case
    nodes = np.array(found[80].outputs["wire.position"])
    assert -nodes[:, 2].min() == pytest.approx(exact.sag, rel=1e-4)
    x, z = exact.position(np.linspace(0.0, LENGTH, 81))
    assert np.abs(nodes[:, [0, 2]] - np.column_stack([x, z])).max() < 2e-4 * LENGTH
    assert np.abs(nodes[:, 1]).max() < 1e-9


def test_tension_along_the_cable(case):
    exact, found = case
    tension = np.array(found[80].outputs["wire.tension_effective"])
    assert tension == pytest.approx(exact.tension(np.linspace(0.0, LENGTH, 81)), rel=1e-3)


def test_mooring_line_on_the_seabed():
    """Force at the anchor and at the fairlead to 2e-3, touchdown to an element, with 100 bars."""
    exact = grounded_catenary(REACH, DEPTH, LINE, LINE_WEIGHT, LINE_STIFFNESS)
    rest = moored(100)
    assert pull(rest, "line")[0] == pytest.approx(exact.H, rel=2e-3)
    assert rest.outputs["line.force_end"][2] == pytest.approx(-exact.V, rel=2e-3)
    lying = rest.summary()["cables"]["line"]["grounded"]
    assert len(lying) == 1
    assert lying[0]["to"] == pytest.approx(exact.grounded, abs=LINE / 100)
    assert lying[0]["touchdowns"][-1]["position"][0] == pytest.approx(exact.touchdown, abs=LINE / 100)
