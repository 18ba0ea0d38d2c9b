"""Messages that newcomers met: true, with a consequence, and without false alarms."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from fairlead.formulations.contract import Failure
from fairlead.model import ModelError, load, load_text, warnings
from fairlead.model.motion import faded
from fairlead.model.sampling import start_up
from fairlead.rigging.slack import HARMLESS, Peak, Slack, slack_notes
from fairlead.rigging.string_note import string_note
from fairlead.simulate.health import explained
from fairlead.words import NOTE, apart

EXAMPLES = Path(__file__).parents[2] / "examples"
LINE = """
environment: {{seabed: {{depth: 80}}{environment}}}
types: {{chain: {{diameter: 0.143, mass_per_length: {mass}, axial_stiffness: {stiffness}}}}}
points:
  anchor: {{kind: anchor, position: [0, 0]}}
  top: {{kind: controlled, position: [100, 0, -10], motion: {motion}}}
bodies: {{{bodies}}}
cables:
  line: {{type: chain, length: 140, elements: 10, start: anchor, end: top}}
{cables}
simulation: {{duration: 2, step: 0.02}}
"""
DEFAULTS = {
    "environment": "", "mass": "126", "stiffness": "490 MN", "bodies": "", "cables": "",
    "motion": "{harmonic: {amplitude: [1, 0, 0], period: 10}}",
}  # fmt: skip


def line(**changes: str):
    return load_text(LINE.format(**{**DEFAULTS, **changes}))


def told(system) -> str:
    return "\n".join(map(str, warnings(system)))


def test_wind_that_meets_a_floater_is_not_said_to_push_nothing():
    """By its coefficients, or by a thrust that follows the wind; a thrust that is given does not."""
    wind = {"environment.wind": {"speed": 11, "direction_deg": 0}}
    semi = load(EXAMPLES / "floating_semi" / "semi.yaml").with_values(wind)
    assert "pushes nothing" in told(semi)
    rotor = {"at": [0, 0, 90], "table": [[0, 0], [11, 6e5], [25, 3e5]]}
    assert "pushes nothing" not in told(semi.with_values({"bodies.platform.thrust": rotor}))


def test_two_densities_that_differ_are_printed_so_that_one_sees_it():
    assert apart(1024.96, 1025.0) == ("1,024.96", "1,025")
    neutral = line(mass=str(1024.9 * np.pi / 4 * 0.143**2))
    assert "is lighter than water and rises: 1,024.9 kg/m^3 < 1,025 kg/m^3" in told(neutral)


def test_a_cable_from_a_point_to_itself_is_warned_of():
    loop = "  loop: {type: chain, length: 20, elements: 4, start: anchor, end: anchor}"
    assert "starts and ends at the same place, 'anchor'" in told(line(cables=loop))


def test_an_anchor_takes_two_numbers_where_the_file_does():
    moved = line().with_values({"points.anchor.position": [5, 6]})
    assert moved.points["anchor"].position == pytest.approx((5.0, 6.0, -80.0))
    with pytest.raises(ModelError, match="must hold 3 numbers"):
        line().with_values({"points.top.position": [5, 6]})


def test_a_failure_of_a_very_soft_cable_blames_its_stiffness_and_not_the_step():
    failure = Failure(0.0, "cable 'line'", "a number is no longer finite", "the step is too large", "halve the step")
    soft = explained(failure, line(stiffness="490"))
    assert soft.cause.startswith("cable 'line' is too soft: EA = 490 N, and its own weight in water is 150.")
    assert "step" not in soft.cure
    assert explained(failure, line()) is failure


def test_a_damped_element_step_is_a_note_with_its_consequence():
    (note,) = string_note(0.02, 10, 1000)
    assert note.startswith(f"{NOTE}simulation.step: with 0.02 s")
    assert "1.3 % of critical at 0.2 Hz, 6.3 % at 1 Hz" in note, "pi f h"
    (warning,) = string_note(0.1, 100, 1000)
    assert not warning.startswith(NOTE)


def test_a_snap_far_below_the_breaking_load_asks_for_no_smaller_step():
    cable = Slack("line", 4.0, 2e4, 1e5)
    (warning,) = slack_notes([cable], 0.01, 1.0, "use")
    assert "a step of" in warning
    (note,) = slack_notes([cable], 0.01, 1.0, "use", {"line": Peak(1e5, 1.4e5)}, {"line": 2e6})
    assert note.startswith(f"{NOTE}cables.line: came taut in a blow")
    assert "below 7 % of the breaking load" in note
    (strong,) = slack_notes([cable], 0.01, 1.0, "use", {"line": Peak(1e5, 1.4e5)}, {"line": 1.4e5 / HARMLESS})
    assert not strong.startswith(NOTE)


RECORD = "{{table: [{rows}]{ramp}}}"
ROWS = ", ".join(f"[{t}, {1.5 * np.sin(0.6 * t + 1.0):.4f}, 0, 0]" for t in range(60))


def test_a_table_that_moves_at_once_is_told_of_and_grows_with_a_ramp():
    at_once = line(motion=RECORD.format(rows=ROWS, ramp=""))
    assert "moves at" in told(at_once)
    assert "add 'ramp: 21' beside it" in told(at_once), "twice the period, 2 pi/0.6 s"
    assert start_up(at_once) == pytest.approx(2 * np.pi / 0.6, rel=0.05)
    slowly = line(motion=RECORD.format(rows=ROWS, ramp=", ramp: 20"))
    assert "jerk" not in told(slowly)
    assert start_up(slowly) == 20.0
    rows = np.array(slowly.points["top"].motion.rows)
    table = np.array(slowly.points["top"].motion.table)
    assert rows[0] == pytest.approx(table[0])
    assert rows[rows[:, 0] >= 20.0] == pytest.approx(table[table[:, 0] >= 20.0])
    half = np.interp(10.0, rows[:, 0], rows[:, 1])
    whole = np.interp(10.0, table[:, 0], table[:, 1])
    assert half - table[0, 1] == pytest.approx(0.5 * (whole - table[0, 1]), abs=1e-9), "r(1/2) = 1/2"


def test_a_table_without_a_ramp_is_as_it_was():
    table = ((0.0, 0.0, 0.0, 0.0), (1.0, 2.0, 0.0, 0.0), (3.0, 2.0, 1.0, 0.0))
    assert faded(table, 0.0, False) == table
    with pytest.raises(ModelError, match="belongs to 'table'"):
        line(motion="{harmonic: {amplitude: [1, 0, 0], period: 10}, ramp: 5}")
