"""Packs: eight members of an ensemble side by side on one core have the digits of eight runs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fairlead.algebra.lanes import WIDTH
from fairlead.ensembles.channels import channels
from fairlead.ensembles.lone import LoneMember
from fairlead.ensembles.members import Member
from fairlead.ensembles.packs import Pack, PackedMembers, why_not
from fairlead.ensembles.sampler import sampled
from fairlead.ensembles.together import sampled_together
from fairlead.ensembles.wanted import Wanted
from fairlead.formulations.contract import Failure
from fairlead.model import System, load_text
from fairlead.sea.water import CURRENT_FIRST
from fairlead.simulate import Simulation

NET = """
environment:
  current: [{z: 0, velocity: [0.4, 0.2, 0]}, {z: -20, velocity: [0, 0, 0]}]
  seabed: {depth: 10, stiffness: 1e5, damping: 1e3, friction: 0.5}
types:
  rope: {diameter: 0.05, mass_per_length: 9, axial_stiffness: 1 MN, drag: reynolds, damping_time: 0.01}
  chain: {diameter: 0.08, mass_per_length: 30, axial_stiffness: 9 MN, drag: {normal: 1.2, axial: 0.3}}
points:
  A: {kind: anchor, position: [0, 0]}
  B: {kind: controlled, position: [34, 0, 0.1], motion: {harmonic: {amplitude: [1.5, 0.3, 1.4], period: 2}}}
  H: {kind: free, position: [12, 0, -9.8], mass: 50, volume: 0.01}
  K: {kind: free, position: [24, 1, -8], mass: 20, volume: 0.05}
cables:
  lower: {type: chain, length: 12.5, elements: 5, start: A, end: H}
  middle: {type: rope, length: 13.5, elements: 4, start: H, end: K, attachments: [{at: 4, mass: 5, volume: 0.008}]}
  upper: {type: rope, length: 14, elements: 4, start: K, end: B}
simulation: {formulation: bars, start: catenary, duration: 3, step: 0.02, output_every: 0.1}
"""
"""A chain on the bed with friction, rope that goes slack and snaps, elements that pierce the surface, hubs, a cable
between two of them, an attachment."""
CURRENT = CURRENT_FIRST + 5
"""Where the constants have the velocity at the surface."""
AGREE = 1e-9


STATES = {
    "bars": ("bar_state", "hub_state", "controls", "contact", "slack_since"),
    "lumped": ("node", "hub_state", "controls", "grip", "slack"),
}
FORCES = {"bars": "multipliers", "lumped": "spring"}


@pytest.fixture(scope="module", params=["bars", "lumped"])
def system(request) -> System:
    return load_text(NET.replace("formulation: bars", f"formulation: {request.param}"))


def wanted(system: System, **what: object) -> list[Wanted]:
    names = ["upper.tension@end", "upper.tension@K", "lower.tension", "middle.tension_min", "middle.curvature",
             "upper.clearance", "K.x", "K.speed", "B.speed", "H.offset", "K.acceleration"]  # fmt: skip
    what = what or {"mean": True, "std": True, "least": True, "largest": True}
    return [Wanted(channel, **what) for name in names for channel in channels(system, name)]  # type: ignore[arg-type]


def members(system: System, count: int = WIDTH) -> list[Member]:
    """Each in a current of its own."""
    one = Member.of(Simulation(system))
    made = [replace(one, constants=one.constants.copy(), state=one.state.copy()) for _ in range(count)]
    for k, member in enumerate(made):
        member.constants[CURRENT : CURRENT + 2] += (0.05 * k, -0.02 * k)
    return made


def alone(member: Member) -> Simulation:
    """A simulation of one member by itself."""
    simulation = Simulation(member.system)
    simulation.compiled.reals[:] = member.constants  # type: ignore[attr-defined]
    simulation.set_state(0.0, member.state)
    return simulation


def together(made: list[Member], duration: float) -> Pack:
    pack = Pack(made)
    h = made[0].system.simulation.step
    n = round(duration / h)
    pack.run(0.0, n, h, n, np.zeros((0, 6), dtype=np.int64), np.zeros((WIDTH, 0, 2)), np.zeros((WIDTH, 1, 1)))
    return pack


def test_members_have_the_digits_of_runs_of_their_own(system):
    """After 20 s, in which the line has gone slack and snapped ten times."""
    made = members(system)
    pack = together(made, 20.0)
    assert not pack.status.any()
    for k in (0, 7):
        simulation = alone(made[k])
        simulation.step(20.0)
        compiled = simulation.compiled
        for part in STATES[compiled.formulation]:
            places = compiled.layout[part]
            assert pack.y[places, k] == pytest.approx(simulation.state[places], rel=AGREE, abs=AGREE), part
        force = compiled.layout[FORCES[compiled.formulation]]
        size = np.abs(simulation.state[force]).max()
        assert pack.y[force, k] == pytest.approx(simulation.state[force], abs=1e-7 * size)
        tables = compiled.tables(simulation.state)
        if compiled.formulation == "bars":
            assert tables.slack_since.time[2] > 0.0
            assert tables.contact.normal_force.max() > 0.0
        else:
            assert tables.slack.since[2] > 0.0
            assert tables.grip.normal_force.max() > 0.0


@pytest.mark.parametrize("formulation", STATES)
def test_each_member_is_at_its_own_place_on_the_grids_of_seabed_and_current(formulation):
    depth = "[[10, 10, 11], [10, 9, 10], [11, 10, 9], [9, 8, 9]]"
    bed = f"{{bathymetry: {{x: [-5, 8, 20, 40], y: [-9, 0, 9], depth: {depth}}}, "
    flow = "current_field: {t: [0, 2], x: [0, 30], velocity: [[0, 0, 0], [0.3, 0, 0], [0, 0.2, 0], [0.1, 0.4, 0]]}"
    text = NET.replace("formulation: bars", f"formulation: {formulation}")
    system = load_text(text.replace("{depth: 10, ", bed).replace("  seabed:", f"  {flow}\n  seabed:"))
    _, hubs, _, contact, _ = STATES[formulation]
    made = members(system)
    pack = together(made, 4.0)
    assert not pack.status.any()
    ends = []
    for k in (0, 3, 7):
        simulation = alone(made[k])
        simulation.step(4.0)
        for part in STATES[formulation][:4]:
            places = simulation.compiled.layout[part]
            assert pack.y[places, k] == pytest.approx(simulation.state[places], rel=AGREE, abs=AGREE), part
        tables = simulation.compiled.tables(simulation.state)
        ends.append(getattr(tables, hubs).position.copy())
        assert getattr(tables, contact).normal_force.max() > 0.0
    assert np.abs(ends[0] - ends[2]).max() > 0.01  # they are at places of their own


def test_statistics_are_those_of_runs_of_their_own(system):
    made, kept = members(system), wanted(system)
    rows = sampled_together(made, kept, 0.35, PackedMembers)
    names = [column.name for one in kept for column in one.columns(2.65)]
    slack = {"upper.tension@K", "upper.tension@end", "middle.tension_min"}  # many moments share a least of nothing
    told = np.array([name not in {f"{one}.min_time" for one in slack} for name in names])
    for k in (0, 3, 7):
        single = sampled(alone(made[k]), kept, discard=0.35)
        assert isinstance(single, np.ndarray)
        assert rows[k][told] == pytest.approx(single[told], rel=1e-8, abs=1e-8)
    assert len({row.tobytes() for row in rows}) == WIDTH


def test_a_last_sample_may_come_sooner(system):
    shorter = system.with_settings(duration=0.56)
    made = [replace(member, system=shorter) for member in members(system, 3)]
    rows = sampled_together(made, wanted(system, mean=True, largest=True), 0.0, PackedMembers)
    single = sampled(alone(made[2]), wanted(system, mean=True, largest=True), discard=0.0)
    assert len(rows) == 3
    assert rows[2] == pytest.approx(single, rel=1e-8, abs=1e-8)


def test_one_that_fails_is_told_and_leaves_the_others_digits(system):
    made, kept = members(system), wanted(system)
    good = sampled_together(made, kept, 0.0, PackedMembers)
    made[2].constants[CURRENT] = 1e6  # m/s
    mixed = sampled_together(made, kept, 0.0, PackedMembers)
    assert isinstance(mixed[2], Failure)
    assert 0.0 <= mixed[2].time < 1.0
    assert "cable" in mixed[2].place
    single = sampled(alone(made[2]), kept, discard=0.0)
    assert isinstance(single, Failure)
    assert (single.time, single.place) == (mixed[2].time, mixed[2].place)
    for k in (0, 1, 3, 4, 5, 6, 7):
        assert mixed[k] == pytest.approx(good[k], rel=1e-7, abs=1e-7)


def test_digits_do_not_hang_on_neighbours_and_lanes(system):
    made, kept = members(system), wanted(system, mean=True)
    row = sampled_together(made, kept, 0.0, PackedMembers)[5]
    for others in ([made[5]], [made[5], made[0]], [made[7], made[1], made[5]]):
        again = sampled_together(others, kept, 0.0, PackedMembers)
        assert np.array_equal(again[-1] if others[-1] is made[5] else again[0], row)
    compiled = made[5].compiled
    ledger = compiled.layout["ledger"]
    assert np.array_equal(together(made, 4.0).y[ledger, 5], together([made[5]] * WIDTH, 4.0).y[ledger, 5])


@pytest.mark.parametrize(("change", "why"), [
    ({"axial_stiffness: 9 MN": "axial_stiffness: 9 MN, bending_stiffness: 100"}, "bending or torsional stiffness"),
    ({"end: B}": "end: {point: B, release: {time: 1}}}"}, "cables.upper: packs let no ends go"),
    ({"step: 0.02": "step: 0.02, bars: {theta: 0.55}"}, "theta"),
    ({"formulation: bars": "formulation: lumped", "damping_time: 0.01": "vortices: {lift: 1}"}, "carries no ropes"),
    ({"formulation: bars": "formulation: lumped, integrator: rk4"}, "a pack takes no steps of 'rk4'; use integrator"),
    ({"formulation: bars": "formulation: lumped", "end: B}": "end: {point: B, release: {time: 1}}}"},
     "cables.upper: a pack lets no ends go"),
    ({"formulation: bars": "formulation: tether"}, "formulation 'tether' has no packs"),
])  # fmt: skip
def test_what_packs_do_not_carry_is_refused(change, why):
    text = NET
    for old, new in change.items():
        assert old in text
        text = text.replace(old, new)
    system = load_text(text)
    refused = why_not(Simulation(system), wanted(system))
    assert refused is not None
    assert why in refused


def test_what_packs_do_not_tell_is_refused(system):
    for name in ("upper.force@end", "energy_kinetic"):
        kept = [Wanted(channel, mean=True) for channel in channels(system, name)]
        assert "is not among what packs and a GPU tell" in (why_not(Simulation(system), kept) or "")
    assert why_not(Simulation(system), wanted(system)) is None


WAVES = """
environment:
  seabed: {depth: 30}
  current: [{z: 0, velocity: [0.4, 0, 0]}]
  waves: {kind: jonswap, significant_height: 2, peak_period: 6, components: 20, seed: 3, ramp: 2}
types:
  chain: {diameter: 0.08, mass_per_length: 30, axial_stiffness: 9 MN, drag: {normal: 1.2, axial: 0.3}}
  riser: {diameter: 0.1, mass_per_length: 20, axial_stiffness: 9 MN, bending_stiffness: 2000}
points:
  A: {kind: anchor, position: [-50, 0]}
  C: {kind: fixed, position: [20, 5, -15]}
bodies:
  ship:
    kind: prescribed
    position: [0, 0, 0]
    attachments: {bow: [-10, 0, 1]}
    motion: {harmonic: {amplitude: [0.5, 0.4, 1], rotation_deg: [4, 6, 3], period: 5}}
  buoy:
    kind: free
    position: [16, 2, -0.5]
    mass: 3000
    volume: 4
    inertia: [800, 900, 700]
    attachments: {deck: [0, 1, -1]}
cables:
  line: {type: chain, length: 66, elements: 12, start: A, end: ship.bow}
  riser: {type: riser, length: 22, elements: 8, start: {point: C, joint: clamp, direction: [0, 0, 1]}, end: buoy.deck}
simulation: {formulation: lumped, start: catenary, duration: 4, step: 0.02, output_every: 0.1}
"""
"""A chain to a ship that rolls, in waves that its upper half feels; a riser with bending stiffness, clamped below, to a
buoy that turns."""


def in_waves(count: int = WIDTH) -> list[Member]:
    """Each with a drag of its own."""
    one = Member.of(Simulation(load_text(WAVES)))
    made = [replace(one, constants=one.constants.copy(), state=one.state.copy()) for _ in range(count)]
    for k, member in enumerate(made):
        compiled = member.compiled
        tables = compiled.schema.tables(compiled.ints, member.constants, member.state, compiled.work)
        tables.element.drag_normal *= 1 + k
    return made


def test_waves_bending_and_bodies_with_levers_are_those_of_runs_of_their_own():
    made, system = in_waves(), load_text(WAVES)
    pack = together(made, 4.0)
    names = ["line.tension@bow", "line.tension@start", "riser.tension@deck", "riser.curvature", "buoy.x", "ship.speed"]
    kept = [Wanted(channel, mean=True, std=True, largest=True) for name in names for channel in channels(system, name)]
    rows = sampled_together(made, kept, 0.5, PackedMembers)
    for k in (0, 7):
        simulation = alone(made[k])
        simulation.step(4.0)
        for part in STATES["lumped"]:
            places = simulation.compiled.layout[part]
            assert pack.y[places, k] == pytest.approx(simulation.state[places], rel=AGREE, abs=AGREE), part
        single = sampled(alone(made[k]), kept, discard=0.5)
        assert rows[k] == pytest.approx(single, rel=1e-8, abs=1e-8)
    assert np.abs(pack.y[:, 7] - pack.y[:, 0]).max() > 0.01


def test_an_untested_numba_runs_lumped_one_by_one(monkeypatch):
    monkeypatch.setattr("fairlead.formulations.lumped.compiled_lumped.is_tested", lambda: False)
    system = load_text(WAVES)
    simulation = Simulation(system)
    assert why_not(simulation, []) == "packs of 'lumped' are not compiled by this version of numba"
    kept = [Wanted(channel, mean=True, std=True) for channel in channels(system, "line.tension@bow")]
    (row,) = sampled_together([Member.of(simulation)], kept, 0.5, LoneMember)
    assert row == pytest.approx(sampled(Simulation(system), kept, discard=0.5), rel=1e-8, abs=1e-8)
