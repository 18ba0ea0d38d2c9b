"""Many runs of a reduced model: the same seed, the same numbers; wide motions, wide answers; other properties."""

from __future__ import annotations

import numpy as np
import pytest

from fairlead.model import System
from fairlead.reduction import ReductionError, galerkin, realisations
from fairlead.studies.verification.checks.reduced_slack_cable import short

BASE = short(1, duration=5.0, output_every=0.5).model_dump(mode="json", exclude_unset=True)


def moved(width: float):
    """The end's first wave with an amplitude drawn from a normal distribution."""

    def draw(random: np.random.Generator) -> System:
        point = BASE["points"]["B"]
        first, second = point["motion"]["harmonics"]
        size = 1.0 + width * random.normal()
        first = first | {"amplitude": [size * part for part in first["amplitude"]]}
        new = point | {"motion": {"harmonics": [first, second]}}
        return System.model_validate(BASE | {"points": BASE["points"] | {"B": new}})

    return draw


@pytest.fixture(scope="module")
def model(plane):
    return galerkin(plane, 8, 5)


def test_the_same_seed_gives_the_same_numbers(model):
    one, same, other = (realisations(model, moved(0.1), 5, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(one["tension_max"].values, same["tension_max"].values)
    assert not np.array_equal(one["tension_max"].values, other["tension_max"].values)


def test_quantiles_widen_with_the_motion(model):
    def width(share: float) -> float:
        spread = realisations(model, moved(share), 12, seed=3)["middle_quantile"]
        return float(np.abs(spread.sel(quantile=0.95) - spread.sel(quantile=0.05)).max())

    assert width(0.0) == pytest.approx(0.0, abs=1e-9)
    assert width(0.1) > 2.0 * width(0.02) > 0.0


def test_properties_may_be_drawn_too(model):
    """A cable a fifth heavier pulls a fifth harder in the same shape."""
    densities = iter((7850.0, 1.2 * 7850.0))

    def heavier(random: np.random.Generator) -> System:
        types = {"steel": BASE["types"]["steel"] | {"density": next(densities)}}
        return System.model_validate(BASE | {"types": types})

    light, heavy = realisations(model, heavier, 2, seed=4, any_properties=True)["tension_max"].values
    assert heavy / light == pytest.approx(1.2, rel=0.03)


def test_none_are_refused(model):
    with pytest.raises(ReductionError, match="0 realisations were asked for"):
        realisations(model, moved(0.1), 0, seed=1)
