"""A winch that runs while its twin hears how long its line is."""

from __future__ import annotations

import re

import pytest

from fairlead.model import System, load_text
from fairlead.twin import Twin, read_twin

from .tows import SYSTEM, TWIN

SPEED, PAID_OUT = 2.2, 0.5


def system() -> System:
    text = SYSTEM.replace("end: tail}", "end: tail, winch: {end: start, length_max: 300}}")
    assert text != SYSTEM
    return load_text(text, "tow.yaml")


def paying_out(rate: str, seconds: int, off: float = 0.0) -> Twin:
    """A tow whose line is paid out from the start on, heard once a second; `off`: what the file has it
    too short by, m."""
    text = TWIN.replace("rate: 1 Hz", f"rate: {rate}").replace(
        "drive: {", "drive: {tow.winch.length: {from: winch.length}, "
    )
    text = re.sub(r"  t\d00: .*\n", "", text)  # places along a line that runs off a winch cannot be measured
    twin = Twin(read_twin(text, "twin.yaml"), system())
    for k in range(seconds + 1):
        twin.put("stern.position", (SPEED * k, 0.0, -2.0), float(k))
        twin.put("tow.winch.length", 200.0 + off + PAID_OUT * k, float(k))
        twin.advance(float(k))
    return twin


@pytest.mark.parametrize("rate", ["1 Hz", "5 Hz"])
def test_the_line_of_a_twin_is_as_long_as_was_measured_while_its_winch_runs(rate):
    """It was ahead by what runs out in a tick; with several ticks between two looks, by what runs out between these."""
    twin = paying_out(rate, 30)
    assert twin.fleet.observe("tow.winch.length") == pytest.approx(200.0 + 30.0 * PAID_OUT, abs=0.02)


def test_a_forecast_lets_a_winch_run_on_as_it_does():
    """What its line was too short by when the forecast began is no part of its speed for all of it."""
    fork = paying_out("1 Hz", 5, off=5.0).fork()
    begun = fork._ahead.fleet.observe("tow.winch.length").mean()
    assert begun < 206.5  # 207.5 m are measured, and not reached yet
    fork.run(20.0)
    assert fork._ahead.fleet.observe("tow.winch.length") == pytest.approx(begun + 20.0 * PAID_OUT, abs=0.5)
