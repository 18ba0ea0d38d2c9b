"""How often a run is sampled when its file does not say, and until when it is starting."""

from __future__ import annotations

import pytest

from fairlead.model import load_text, warnings
from fairlead.model.sampling import shortest_period, start_up

LINE = """
environment: {{seabed: {{depth: 50}}{waves}}}
types: {{rope: {{diameter: 0.05, mass_per_length: 6, axial_stiffness: 1e6}}}}
points:
  A: {{kind: anchor, position: [0, 0]}}
  B: {{kind: controlled, position: [60, 0, -5]{motion}}}
cables: {{line: {{type: rope, length: 85, elements: 5, start: A, end: B}}}}
simulation: {{step: 0.05, duration: {duration}{more}}}
"""


def mooring(motion: str = "", waves: str = "", duration: float = 600.0, more: str = ""):
    motion, waves = (f", {key}: {text}" if text else "" for key, text in (("motion", motion), ("waves", waves)))
    return load_text(LINE.format(motion=motion, waves=waves, duration=duration, more=more))


HEAVE = "{{harmonic: {{amplitude: [0, 0, 1], period: {period}{more}}}}}".format
REGULAR = "{kind: regular, height: 1, period: 6}"


@pytest.mark.parametrize(
    ("system", "every"),
    [
        (mooring(), 3.0),  # a two-hundredth of 600 s
        (mooring(HEAVE(period=10, more="")), 0.5),  # a twentieth of the period
        (mooring(HEAVE(period=10, more=""), REGULAR), 0.3),  # of the shortest one
        (mooring(HEAVE(period=200, more="")), 3.0),  # as if there were none
        (mooring(HEAVE(period=1, more=""), duration=10_800.0), 0.55),  # 20,000 samples at most, on whole steps
        (mooring(HEAVE(period=10, more=""), more=", output_every: 2"), 2.0),  # as the file says
    ],
)
def test_samples_show_the_shortest_period_in_the_file(system, every):
    assert system.simulation.output_every == pytest.approx(every, rel=1e-12)


@pytest.mark.parametrize(("every", "told"), [(2.5, 0), (2.55, 1), (8.0, 1)])
def test_samples_too_far_apart_for_a_period_are_told(every, told):
    """Fewer than four of a period of 10 s; the default of a file never is too few."""
    assert not [p for p in warnings(mooring(HEAVE(period=10, more=""))) if "output_every" in str(p)]
    found = [str(p) for p in warnings(mooring(HEAVE(period=10, more=""), more=f", output_every: {every}"))]
    found = [text for text in found if "simulation.output_every" in text]
    assert len(found) == told
    if told:
        assert f"its period of 10 s has {10 / every:.2g} samples < 4" in found[0]
        assert found[0].endswith("use an output_every of 0.5 s, or leave it out")


def test_the_shortest_period_is_named_by_its_place():
    assert shortest_period(mooring()) is None
    assert shortest_period(mooring(HEAVE(period=10, more=""), REGULAR)) == ("environment.waves", 6.0)
    assert shortest_period(mooring(HEAVE(period=4, more=""), REGULAR)) == ("points.B.motion", 4.0)


@pytest.mark.parametrize(
    ("motion", "waves", "until"),
    [
        ("", "", 0.0),
        (HEAVE(period=10, more=""), "", 10.0),  # a ramp of one period
        (HEAVE(period=10, more=", start: 7"), "", 17.0),
        (HEAVE(period=10, more=", ramp: 25"), "", 25.0),
        (HEAVE(period=10, more=", ramp: 0"), "", 10.0),  # a first period that begins with a jerk
        ("", REGULAR, 6.0),
        ("", REGULAR.replace("6}", "6, ramp: 15}"), 15.0),
        (HEAVE(period=10, more=""), REGULAR.replace("6}", "6, ramp: 15}"), 15.0),
    ],
)
def test_a_run_is_starting_until_all_that_moves_has_grown(motion, waves, until):
    assert start_up(mooring(motion, waves)) == until
