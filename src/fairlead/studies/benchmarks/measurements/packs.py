"""Eight scenarios side by side on one core against one after the other, whose elements are taken eight at a time or one
by one, what their statistics cost, and what all cores take of the sinking cables."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np

from fairlead.algebra.lanes import WIDTH
from fairlead.ensembles.channels import channels
from fairlead.ensembles.engine import cores
from fairlead.ensembles.members import Member
from fairlead.ensembles.packs import Pack, PackedMembers
from fairlead.ensembles.together import sampled_together
from fairlead.ensembles.wanted import Wanted
from fairlead.rigging.watching import ASKED
from fairlead.simulate.simulation import Simulation
from fairlead.studies.benchmarks.measurements.warm_statics import mooring
from fairlead.studies.benchmarks.record import SPEED, Record
from fairlead.studies.benchmarks.sinking_case import common_case
from fairlead.studies.benchmarks.without_lanes import run_bars, run_masses

from .study import MOTION

STEP, STEPS, SAMPLED, ROUNDS = 0.1, 2000, 5, 5
"""s; of a run; steps between samples; and how often each is run."""
KEPT = "*.tension@platform"
SINKING = 200
"""Steps of the sinking cables."""


def measure() -> Iterator[Record]:
    """CPU time of a step of one scenario of a three-line mooring. What stands beside each other is run in turn, and the
    best of each counts; statistics are those of three tensions, a sample every five steps."""
    for formulation, scalar in (("bars", run_bars), ("lumped", run_masses)):
        members = _members(formulation)
        whole = [Wanted(one, mean=True, std=True, least=True, largest=True, percentiles=(90.0,), exponents=(3.0,))
                 for one in channels(members[0].system, KEPT)]  # fmt: skip
        together, alone, bare, kept = _best(
            lambda: _side_by_side(members),  # noqa: B023  called before the next round
            lambda: _one_after_the_other(members),  # noqa: B023
            lambda: _without_lanes(members, scalar),  # noqa: B023
            lambda: sampled_together(members, whole, 0.0, PackedMembers),  # noqa: B023
        )
        steps, name = WIDTH * STEPS, f"a step of {len(members[0].system.cables)} lines by {formulation}"
        yield Record(f"{name} in a pack", 1e6 * together / steps, "us", "one by one", 1e6 * alone / steps)
        yield Record(f"{name} in a pack", 1e6 * together / steps, "us", "without lanes", 1e6 * bare / steps)
        with_them = f"{name} in a pack, with statistics"
        yield Record(with_them, 1e6 * kept / steps, "us", "without", 1e6 * together / steps)
    yield _on_all_cores()


def _members(formulation: str) -> list[Member]:
    """Each with a drag of its own."""
    system = mooring(formulation).with_values({"bodies.platform.motion": MOTION})
    settings = {"duration": STEP * STEPS, "step": STEP, "output_every": STEP * SAMPLED}
    drags = np.linspace(0.8, 1.6, WIDTH)
    made = [
        system.with_settings(**settings).with_values({"types.chain.drag": {"normal": float(drag), "axial": 0.1}})
        for drag in drags
    ]
    first = Member.of(Simulation(made[0]))
    found = [first]
    for one in made[1:]:
        own = Member.of(Simulation(one))
        found.append(replace(first, constants=own.constants, state=own.state))
    return found


def _on_all_cores() -> Record:
    """Simulated seconds of all members a second of the clock, packs on every core, beside one member after the other on
    one: 100 bars, each member in a current of its own, from the start on, when joints go slack."""
    first = Member.of(Simulation(common_case(STEP)))
    velocity = first.compiled.schema.table["sea"].width + 1
    draw = np.random.default_rng(1)

    def pack() -> list[Member]:
        made = []
        for _ in range(WIDTH):
            constants = first.constants.copy()
            constants[velocity] += 0.1 * draw.standard_normal()
            made.append(replace(first, constants=constants))
        return made

    packs = [pack() for _ in range(cores())]
    with ThreadPoolExecutor(len(packs)) as pool:
        list(pool.map(_side_by_side, packs))
        began = time.perf_counter()
        list(pool.map(_side_by_side, packs, [SINKING] * len(packs)))
        speed = len(packs) * WIDTH * SINKING * STEP / (time.perf_counter() - began)
    _one_after_the_other(packs[0][:1], 1)  # compiles the step of one member, which is not to be timed
    began = time.perf_counter()
    _one_after_the_other(packs[0][:1], SINKING)
    alone = SINKING * STEP / (time.perf_counter() - began)
    return Record(f"the sinking cables in packs on {cores()} cores", speed, SPEED, "one run on one core", alone)


def _side_by_side(members: list[Member], n: int = STEPS) -> None:
    """n steps without samples."""
    nothing = np.zeros((0, ASKED), dtype=np.int64), np.zeros((WIDTH, 0, 2)), np.zeros((WIDTH, 1, 1))
    pack = Pack(members)
    pack.run(0.0, n, STEP, n, *nothing)
    if pack.status.any():
        raise RuntimeError(str(pack.failure(int(np.flatnonzero(pack.status)[0]), 0.0)))


def _one_after_the_other(members: list[Member], n: int = STEPS) -> None:
    for member in members:
        compiled = member.compiled
        compiled.reals[:] = member.constants
        failure = compiled.advance(0.0, member.state.copy(), n, STEP, member.inputs, compiled.scheme)
        if failure is not None:
            raise RuntimeError(str(failure))


def _without_lanes(members: list[Member], run: Callable[..., int]) -> None:
    """The same where a run takes its elements one by one."""
    for member in members:
        one, y = member.compiled, member.state.copy()
        one.reals[:] = member.constants
        one.prepare(STEP)
        copy, nothing = np.empty_like(y), np.empty(0)
        if run(0.0, y, STEPS, STEP, member.inputs, one.ints, one.reals, one.work, one.kind, copy, nothing):
            raise RuntimeError(f"{run.__name__} failed")


def _best(*calls: Callable[[], object]) -> list[float]:
    """CPU seconds of each, which are called in turn; the first time does not count."""
    found = [float("inf")] * len(calls)
    for k in range(ROUNDS + 1):
        for i, call in enumerate(calls):
            began = time.process_time()
            call()
            found[i] = min(found[i], time.process_time() - began) if k > 0 else found[i]
    return found
