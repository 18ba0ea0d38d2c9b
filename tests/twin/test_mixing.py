"""What of a state may be mixed among members, and what stays each member's own."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from fairlead import formulations
from fairlead.algebra.records import Schema
from fairlead.algebra.records import Y as STATE
from fairlead.formulations.contract import KEPT_APART, Layout
from fairlead.model.anchors import HELD
from fairlead.rigging.states import StateRules
from fairlead.twin.file import EstimateChoice
from fairlead.twin.updating import CONTACTS, OF_SHED, SINCE, Updating

PLACE = Path(formulations.__file__).parent
FORMULATIONS = [".".join(path.relative_to(PLACE).parts[:-1]) for path in PLACE.rglob("schema.py")]
MIXED = """
    acceleration acceleration_before angle bar_felt bar_state body_state contact control_state controls coordinate
    creep end_rate ends grip hub_felt hub_previous hub_state joint_felt latest line link_state multipliers node
    node_state past point_state position power previous pull radiation rate reaction slow speed spring start_state
    tension torque turn_felt twist velocity
"""
"""Places, velocities, forces and memories that are sums of these: a mean of several is one, but for small terms."""


def schema(name: str) -> Schema:
    return import_module(f"fairlead.formulations.{name}.schema").SCHEMA


def test_every_part_of_a_state_is_judged_and_no_name_is_of_a_part_that_is_gone():
    parts = {table.name for name in FORMULATIONS for table in schema(name).table.values() if table.place == STATE}
    assert parts - KEPT_APART == set(MIXED.split()), "a new part: may it be mixed, or does it count or switch?"
    assert KEPT_APART - parts == {"extremes"}, "which every formulation has behind its own"


def members(formulation: str = "lumped", **values: tuple[float, ...]) -> Updating:
    """Two members with one row in every table; values of first fields, by block."""
    counts = dict.fromkeys(schema(formulation).counts, 1)
    layout = Layout.of(*schema(formulation).state_parts(counts))
    compiled = SimpleNamespace(layout=layout, state_rules=StateRules)
    fleet = SimpleNamespace(members=2, Y=np.zeros((2, layout.size)), compiled=compiled)
    for name, numbers in values.items():
        fleet.Y[:, layout[name].start] = numbers
    unknowns = SimpleNamespace(numbers=(), first=lambda members, seed: np.zeros((members, 0)))
    return Updating(fleet, EstimateChoice(), unknowns, {}, mixes=True)


def test_vortices_half_a_turn_apart_do_not_go_over_to_what_is_between_them():
    two = members(shed=(0.1, 0.1 + np.pi), node=(1.0, 3.0), slack=(-1.0, 40.0), standing=(5.0, 7.0))
    two._mix(np.zeros((2, 2)))  # both members in the mean
    layout, Y = two.fleet.compiled.layout, two.fleet.Y
    assert Y[:, layout["node"].start].tolist() == [2.0, 2.0]
    for name, own in (("shed", [0.1, 0.1 + np.pi]), ("slack", [-1.0, 40.0]), ("standing", [5.0, 7.0])):
        assert Y[:, layout[name].start].tolist() == own


def test_how_a_wake_accelerates_is_seen_again_after_a_mix():
    """Its velocity of the step before is that of another state: their difference is no acceleration."""
    fields = schema("lumped").table["shed"].fields
    names = [name for name, field in fields.items() for _ in range(field.count)]
    assert (names.index("since"), len(names)) == (SINCE, OF_SHED)
    two = members()
    first = two.fleet.compiled.layout["shed"].start
    two.fleet.Y[:, first : first + OF_SHED] = np.arange(1.0, 1.0 + OF_SHED)
    two._mix(np.eye(2))
    assert two.fleet.Y[:, first : first + OF_SHED].tolist() == [[1.0, 2.0, 3.0, 4.0, 0.0, 6.0, 7.0]] * 2


def test_members_that_count_their_turns_from_other_axes_are_not_mixed():
    two = members("multibody", coordinate=(1.0, 3.0), frame=(1.0, 1.0))
    coordinate, frame = (two.fleet.compiled.layout[name].start for name in ("coordinate", "frame"))
    two._mix(np.zeros((2, 2)))
    assert two.fleet.Y[:, coordinate].tolist() == [2.0, 2.0]
    two.fleet.Y[:, coordinate] = (1.0, 3.0)
    two.fleet.Y[:, frame : frame + 4] = ((1.0, 0.0, 0.0, 0.0), (0.0, 1.0, 0.0, 0.0))
    two._mix(np.zeros((2, 2)))
    assert two.fleet.Y[:, coordinate].tolist() == [1.0, 3.0], "a mean of these angles is no angle of either"
    assert two.fleet.Y[:, frame].tolist() == [1.0, 0.0]


def test_no_mix_of_members_that_press_on_the_bed_and_others_makes_an_anchor_of_a_point():
    """A remembered force below zero is an end that is held: a point with such a one would sink through the bed."""
    for name in FORMULATIONS:
        for table in schema(name).table.values():
            fields = [(word, field.count) for word, field in table.fields.items()]
            kept = table.place == STATE and ("anchor", 3) in fields
            assert (table.name in CONTACTS) == kept or table.place != STATE
            assert not kept or fields == [("anchor", 3), ("normal_force", 1)]
    two = members()
    force = two.fleet.compiled.layout["grip"].start + 3
    for own, new in (((0.0, 10.0), [0.0, 15.0]), ((4.0, 6.0), [3.0, 7.0]), ((HELD, HELD), [HELD, HELD])):
        two.fleet.Y[:, force] = own
        two._mix(2.0 * np.eye(2))  # each twice as far from the mean
        assert two.fleet.Y[:, force].tolist() == new


def test_forces_are_not_compared_while_a_mix_shakes_members_unless_there_are_no_others():
    """What is measured at the time of an update itself is compared with what was predicted before it."""
    two = members()
    two.sensors = {"pull": SimpleNamespace(unit="N"), "once": SimpleNamespace(unit="N"), "t": SimpleNamespace(unit="m")}
    due = [(k, stamp, np.zeros(1)) for k, stamp in ((0, 10.5), (0, 12.5), (0, 13.0), (0, 20.0), (1, 10.5), (2, 10.5))]
    assert two._settled(due) == due  # nothing was mixed yet
    two.mixed_at.append(10.0)
    assert [one[:2] for one in two._settled(due)] == [(0, 13.0), (0, 20.0), (1, 10.5), (2, 10.5)]
    two.forget()  # others begin, which nothing has shaken
    assert two._settled(due) == due


@pytest.mark.parametrize("mixes", [True, False])
def test_members_shake_after_times_at_which_they_were_mixed_and_not_after_those_at_which_that_was_due(mixes):
    """Asked for every 10 s of a twin in ticks of 3 s an update comes every 9 s, and at 27 s nothing was learnt."""
    two = members()
    two.mixes = mixes
    two.sensors = {"pull": SimpleNamespace(unit="N", last=np.inf, silent_after=60.0, due=lambda t: [(t, np.zeros(1))])}
    for time, learns in ((9.0, True), (18.0, True), (27.0, False), (36.0, True)):
        two._correct = lambda due, key, learns=learns: learns
        assert two.update(time, 0) == learns
    due = [(0, stamp, np.zeros(1)) for stamp in (18.0, 18.5, 20.5, 20.7, 27.5, 30.5, 36.5, 40.5)]
    shaken = {18.5, 20.5, 36.5} if mixes else set()
    assert {stamp for _, stamp, _ in due} - {stamp for _, stamp, _ in two._settled(due)} == shaken
    two.update(99.0, 0)
    assert list(two.mixed_at) == ([99.0] if mixes else [])  # no reading comes any more that is so old as the others
