"""Members on a GPU, all but its threads: the digits of packs, whoever fails, and what it does not carry."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fairlead.ensembles import crowd
from fairlead.ensembles.channels import channels
from fairlead.ensembles.crowd import Crowd, GpuCompanies, open_gpu, why_not_there
from fairlead.ensembles.engine import EngineError
from fairlead.ensembles.gpu import GROUP, NoGpu, own_tables
from fairlead.ensembles.packs import Companies, sampled_together
from fairlead.ensembles.wanted import Wanted
from fairlead.formulations.contract import Failure
from fairlead.model import load_text
from fairlead.simulate import Simulation

from .gpu_on_a_core import GpuOnACore
from .test_packs import CURRENT, NET, members, wanted

ALL = {"mean": True, "std": True, "least": True, "largest": True, "percentiles": (5.0, 90.0), "exponents": (3.0,),
       "exceeds": (1.0,), "upcrossings": (1.0,), "block": 0.5}  # fmt: skip


@pytest.fixture(scope="module")
def system():
    return load_text(NET).with_settings(duration=1.06)


def by_gpu(made, kept, gpu=None):
    device = gpu or GpuOnACore()
    return sampled_together(made, kept, 0.15, company=lambda *what: Crowd(*what, gpu=device))


def test_members_have_the_statistics_of_packs(system):
    """Five, which leave the last group unfilled; each with a current and, some, with a stiffness of its own, so that
    more tables than those of the sea are a member's own; one that begins elsewhere. The last sample comes sooner."""
    made, kept = members(system, 5), wanted(system, **ALL)
    first = made[0].compiled.schema.tables(
        made[0].compiled.ints, made[3].constants, made[3].state, made[0].compiled.work
    )
    first.bar.drag_normal[:] *= 1.3
    made[4] = replace(made[4], state=made[4].state.copy())
    found, known = by_gpu(made, kept), sampled_together(made, kept, 0.15)
    for one, other in zip(found, known, strict=True):
        assert np.array_equal(one, other, equal_nan=True)
    assert len({row.tobytes() for row in found}) == 5
    assert own_tables(made[0].compiled, [member.constants for member in made])[-1] == "bar"
    assert own_tables(made[0].compiled, [member.constants for member in made[:3]]) == ("sea", "sea_row")


def test_one_that_fails_is_frozen_and_told(system):
    made, kept = members(system, 4), wanted(system, largest=True)
    good = by_gpu(made, kept)
    made[2].constants[CURRENT] = 1e6  # m/s
    mixed, alone = by_gpu(made, kept), sampled_together(made, kept, 0.15)
    assert isinstance(mixed[2], Failure)
    assert mixed[2] == alone[2]
    for k in (0, 1, 3):
        assert np.array_equal(good[k], mixed[k])


def test_turning_points_find_room(system, monkeypatch):
    """As many as a history may have before its first cycle closes; they are kept when the room for them grows."""
    monkeypatch.setattr(crowd, "MORE_TURNS", 64)
    made, kept = members(system, 2), wanted(system, exponents=(3.0,))
    for one, other in zip(by_gpu(made, kept), sampled_together(made, kept, 0.15), strict=True):
        assert np.array_equal(one, other)


def test_few_of_a_kind_run_in_packs(system, monkeypatch):
    made, kept, gpu = members(system, 3), wanted(system, mean=True), GpuOnACore()
    companies = GpuCompanies(gpu, GROUP)
    rows = companies.sampled(made, kept, 0.15, lambda: False)
    assert gpu.launches == 0
    monkeypatch.setattr(crowd, "LEAST", 3)
    there = companies.sampled(made, kept, 0.15, lambda: False)
    assert gpu.launches > 0
    assert np.array_equal(rows, there)
    assert np.array_equal(rows, Companies().sampled(made, kept, 0.15, lambda: False))


def test_what_a_gpu_does_not_carry_is_refused_by_a_sentence(system):
    kept = wanted(system, mean=True)
    engine = open_gpu(Simulation(system), kept, GpuOnACore)
    assert engine.together % GROUP == 0
    assert engine.described() == f"gpu: a core, {engine.together:,} scenarios at a time"
    lumped = load_text(NET.replace("formulation: bars", "formulation: lumped"))
    with pytest.raises(EngineError, match="engine: gpu: formulation 'lumped' has no steps for a GPU"):
        open_gpu(Simulation(lumped), kept, GpuOnACore)
    force = [Wanted(channel, mean=True) for channel in channels(system, "upper.force@end")]
    assert why_not_there(Simulation(system), force) == (
        "a GPU carries what packs do; 'upper.force@end' is not among what packs tell; keep tensions and motions"
    )

    def missing():
        raise NoGpu("numba-cuda finds no GPU here")

    with pytest.raises(EngineError, match="numba-cuda finds no GPU here; use engine: here"):
        open_gpu(Simulation(system), kept, missing)
