"""Eight moored floaters side by side on one core, each in a sea of its own, move as each would by itself."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pytest
from ensembles.gpu_here import gpu_here

from fairlead.algebra.lanes import WIDTH
from fairlead.ensembles.channels import channels
from fairlead.ensembles.crowd import Crowd, why_not_there
from fairlead.ensembles.members import Member
from fairlead.ensembles.packs import Pack, PackedMembers, why_not
from fairlead.ensembles.sampler import sampled
from fairlead.ensembles.together import sampled_together
from fairlead.ensembles.wanted import Wanted
from fairlead.floaters.drift import Drift
from fairlead.formulations.contract import Failure
from fairlead.simulate import Simulation

from .floaters import afloat, body, water
from .test_floaters_by_their_past import recalled

CURRENT = {"area": [20.0, 30.0], "length": 8.0, "coefficients": [[0.0, 0.8, 0.0, 0.0], [90.0, 0.0, 1.1, 0.05]]}
THRUST = {"at": [0, 0, 20], "force": 2e3, "damping": 4e3}
PTO = {"heave": {"between": ["p", "q"], "axis": [0, 0, 1], "damping": 2e4, "stiffness": 1e4}}
KINDS = {
    "a floater that drifts": {},
    "one that turns in current and thrust": {"follow_yaw": True, "current": CURRENT, "thrust": THRUST},
    "the past of its water": {"past": True},
    "two of them with a take-off": {"two": True},
}


def members(
    monkeypatch: pytest.MonkeyPatch, seeds: range, past: bool = False, two: bool = False, **more: Any
) -> list[Member]:
    """Each in waves of its own: those of Newman push it slowly as well, and the first turns it."""
    names = ("p", "q") if two else ("p",)
    sea = water(*names)
    omega = np.linspace(0.2, 3.4, 33)
    if not past:
        sea.drift["p"] = Drift(omega, np.zeros(1), np.outer(omega - 1.0, [1e4, 3e3, 0, 0, 0, 2e4])[None], None)
        more |= {"drift": {"method": "newman", "file": "known"}}
    bodies = {name: body(**more) if name == "p" else body() for name in names}
    flow = {"current": [{"z": 0.0, "velocity": [0.4, 0.3, 0.0]}]} if "current" in more else {}
    made = []
    for seed in seeds:
        waves = {"kind": "jonswap", "significant_height": 1.0, "peak_period": 5.0, "components": 11, "seed": seed}
        system = afloat(
            monkeypatch, [recalled(sea, 4.0) if past else sea], bodies, "bars", 0.1, 8.0,
            {"waves": {**waves, "ramp": 1.0, "direction_deg": 0}, **flow}, **({"ptos": PTO} if two else {}),
        )  # fmt: skip
        made.append(Member.of(Simulation(system)))
    return made


def wanted(member: Member) -> list[Wanted]:
    names = ("p.x", "p.y", "p.z", "p.speed", "p.offset", "p.acceleration")
    found = [channel for name in names for channel in channels(member.system, name)]
    return [Wanted(channel, mean=True, std=True, least=True, largest=True) for channel in found]


def test_packs_are_chosen_where_waves_leave_the_lines_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """With waves on a line eight of them are quicker one by one; a GPU carries them all."""
    member = members(monkeypatch, range(1))[0]
    kept = wanted(member)

    def told(reach: float | None, **environment: Any) -> str | None:
        values = {"simulation.bars.wave_reach": reach, **environment}
        return why_not(Simulation(member.system.with_values(values)), kept)

    slower = "floaters whose lines feel waves are quicker so; bars: {wave_reach: 0} leaves waves to floaters alone"
    assert told(None) == told(1000.0) == slower
    assert told(0.0) is None
    assert told(None, **{"environment.waves": None}) is None
    assert why_not_there(Simulation(member.system), kept) is None


@pytest.mark.parametrize("kind", KINDS)
def test_members_on_a_gpu_have_the_statistics_of_a_core(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the GPU of this machine, where there is one."""
    gpu = gpu_here()
    made = members(monkeypatch, range(3), **KINDS[kind])
    kept = wanted(made[0])
    found = sampled_together(made, kept, 2.0, partial(Crowd, gpu=gpu))
    for member, row in zip(made, found, strict=True):
        assert row == pytest.approx(sampled(Simulation(member.system), kept, discard=2.0), rel=1e-8, abs=1e-9)
    assert len({np.asarray(row).tobytes() for row in found}) == len(made)


@pytest.mark.slow  # it compiles floaters in packs for itself
@pytest.mark.parametrize("kind", KINDS)
def test_members_move_as_each_would_by_itself(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = members(monkeypatch, range(3), **KINDS[kind])
    assert len({member.kind for member in made}) == 1
    kept = wanted(made[0])
    assert made[0].compiled.no_pack() is None
    together, pack = sampled_together(made, kept, 2.0, PackedMembers), Pack(made)
    pack.run(0.0, 60, 0.1, 60, np.zeros((0, 6), dtype=np.int64), np.zeros((WIDTH, 0, 2)), np.zeros((WIDTH, 1, 1)))
    for k, member in enumerate(made):
        alone = Simulation(member.system)
        assert together[k] == pytest.approx(sampled(alone, kept, discard=2.0), rel=1e-8, abs=1e-9)
        alone = Simulation(member.system)
        alone.step(6.0)
        for part in ("bar_state", "hub_state", "radiation", "past", "slow", "water_work", "pto_work"):
            place = alone.compiled.layout[part]
            assert pack.y[place, k] == pytest.approx(alone.state[place], rel=1e-8, abs=1e-9), part
    assert len({row.tobytes() for row in together if isinstance(row, np.ndarray)}) == len(made)


@pytest.mark.slow  # so does this
def test_one_that_fails_is_told_and_leaves_the_others_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A floater thrown at 2 km/s has no place in its tables any more: nothing is read for it."""
    made = members(monkeypatch, range(3), follow_yaw=True)
    kept = wanted(made[0])
    good = sampled_together(made, kept, 0.0, PackedMembers)
    tables = made[1].compiled.tables(made[1].state)
    tables.hub_state.velocity[0] = (2e3, np.nan, 0.0)
    mixed = sampled_together(made, kept, 0.0, PackedMembers)
    assert isinstance(mixed[1], Failure)
    assert mixed[1].time < 0.5
    assert "p" in mixed[1].place
    for k in (0, 2):
        assert np.array_equal(good[k], mixed[k])  # type: ignore[arg-type]


def test_floaters_that_are_told_apart_by_what_is_computed_are_not_packed(monkeypatch: pytest.MonkeyPatch) -> None:
    moving = members(monkeypatch, range(1))
    resting = members(monkeypatch, range(1), excitation={"phase_at": "rest"})
    assert moving[0].kind != resting[0].kind
