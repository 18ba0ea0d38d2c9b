"""A payload that slams into the sea and lands on the seabed, by every formulation that carries bodies."""

import pytest

from fairlead.simulate import simulate
from fairlead.studies.verification.checks import dropped_payload as payload

WEIGHT = (payload.MASS - payload.DENSITY * payload.VOLUME) * payload.GRAVITY


@pytest.mark.parametrize("formulation", payload.FORMULATIONS)
def test_the_water_takes_the_momentum_of_its_added_mass(formulation):
    found, exact = payload.entry_speed(formulation)
    assert found == pytest.approx(exact, rel=1e-3)


@pytest.mark.parametrize("formulation", payload.FORMULATIONS)
def test_it_lands_when_and_as_fast_as_it_should_and_rests_with_its_weight(formulation):
    found, exact = payload.landing(formulation), payload.exact_landing()
    assert found.time == pytest.approx(exact.time, abs=2 * payload.STEP)
    assert found.speed == pytest.approx(exact.speed, rel=1e-3)
    assert found.reaction == pytest.approx(WEIGHT, rel=1e-5), "its line weighs nothing, and pulls with less than 1 N"
    assert found.still < 1e-3
    assert found.energy < 0.02


@pytest.mark.parametrize("formulation", payload.FORMULATIONS)
@pytest.mark.parametrize("friction", [0.5, 0.1])
def test_on_a_slope_it_stays_where_friction_holds_it_and_slides_where_not(formulation, friction):
    """The bed falls by 0.25 m per metre north. μ = 0.5 holds it; with μ = 0.1 it slides towards the north."""
    system = payload.dropped(formulation, -20.0, 21.2, 6.0, drag_area=[5.0] * 3, drag_moment=[5000.0] * 3)
    bed = system.environment.seabed.model_copy(update={"slope": (-0.25, 0.0), "friction": friction})
    environment = system.environment.model_copy(update={"seabed": bed})
    result = simulate(system.model_copy(update={"environment": environment}))
    x, z = result["point_position"].sel(point="payload").values[:, [0, 2]].T
    speed = result["point_velocity"].sel(point="payload").values[:, 0]
    normal = WEIGHT / (1 + 0.25**2) ** 0.5
    assert float(result["payload.bed_force"][-1]) == pytest.approx(normal, rel=0.03)
    if friction == 0.5:
        assert abs(speed[-100:]).max() < 5e-3
        assert x[-1] == pytest.approx(x[len(x) // 2], abs=5e-3)
    else:
        assert speed[-1] > 0.3
        assert z[-1] < z[len(z) // 2]
