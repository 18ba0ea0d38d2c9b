"""What if it turned: a tow under way does, and what sways about its place stays there."""

from __future__ import annotations

from contextlib import nullcontext

import numpy as np
import pytest

from fairlead.live.asking import answer, checked, turned

from .test_rough import tow
from .tows import SPEED


def asked(twin, turn: float) -> dict:
    return answer(twin, nullcontext(), {"turn": turn, "rate": 1.0, "horizon": 60.0})


def test_what_sways_about_its_place_does_not_set_out_with_the_speed_of_the_moment():
    """At the end the point passes its middle at 1.4 m/s: along that course it would be 84 m off after a minute."""
    twin, _ = tow(lambda t: (2.0 * np.sin(0.7 * (t - 36.0)), 0.0, -2.0), 36)
    pulls = [max(asked(twin, turn)["values"]["tow.tension"]["mean"]) for turn in (40.0, 0.0)]
    assert pulls[0] == pytest.approx(pulls[1], rel=0.05)


def test_a_tow_under_way_turns_to_starboard():
    twin, _ = tow(lambda t: (SPEED * t, 0.0, -2.0), 20)
    fork, times = twin.fork(), np.arange(20.0, 90.0, 5.0)
    place, speed = twin.course("stern.position")
    assert speed == pytest.approx([SPEED, 0.0, 0.0], abs=1e-6)
    course = turned(place, speed, checked({"turn": 90.0, "rate": 1.0}), times - 20.0)
    assert course[-1, 1] < -50.0, "y is to port"
    assert fork.plan("stern.position", (times, course)).run(60.0).mean("tow.depth")[-1] > 0.0
