"""Members on the GPU of this machine, where there is one, have the statistics of runs on a core."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest
from sea.test_single_waves import exactly, sea_of

from fairlead.algebra.records import INTS, REALS, WORK, Y
from fairlead.ensembles.crowd import Crowd
from fairlead.ensembles.gpu import GROUP
from fairlead.ensembles.sampler import sampled
from fairlead.ensembles.together import sampled_together
from fairlead.model import load_text
from fairlead.sea.single_waves import single_rows
from fairlead.sea.water import WAVE_COUNT, WAVE_FIRST
from fairlead.sea.waves import NUMBER, OMEGA, wave_flows, wave_surface

from .gpu_here import gpu_here
from .test_gpu import SCHEMA
from .test_packs import NET, alone, members, wanted

WAVES = "waves: {kind: jonswap, significant_height: 1, peak_period: 4, components: 12, ramp: 0.5}\n  seabed"


@pytest.mark.parametrize(("waves", "crowded"), [(False, False), (True, False), (True, True)])
@pytest.mark.parametrize("formulation", ["bars", "lumped"])
def test_members_have_the_statistics_of_a_core(formulation, waves, crowded, monkeypatch):
    """Chain on the bed, rope that goes slack and snaps, an attachment, free points; each in a current of its own, in
    still water and in waves that all share, also by the code of many members, which has fewer registers. Five leave the
    group of 32 unfilled. When rope that is slack now and again has its least tension, zero, the last digit decides:
    that is not compared. Waves are summed in single precision there."""
    gpu = gpu_here()
    if crowded:
        monkeypatch.setattr("fairlead.ensembles.gpu.AT_WORK", 0)
    text = NET.replace("formulation: bars", f"formulation: {formulation}")
    system = load_text(text.replace("seabed", WAVES) if waves else text)
    made, kept = members(system, 5), wanted(system, mean=True, std=True, largest=True)
    found = sampled_together(made, kept, 0.5, partial(Crowd, gpu=gpu))
    for member, row in zip(made, found, strict=True):
        assert row == pytest.approx(sampled(alone(member), kept, discard=0.5), rel=1e-7, abs=1e-7)
    assert len({np.asarray(row).tobytes() for row in found}) == len(made)


def test_bodies_feel_waves_where_lines_do_not():
    """Lines out of the reach of waves take their steps in phases; rows of waves are read all the same."""
    gpu = gpu_here()
    system = load_text(NET.replace("seabed", WAVES)).with_values({"simulation.bars.wave_reach": 0.0})
    made, kept = members(system, 5), wanted(system, mean=True, std=True, largest=True)
    found = sampled_together(made, kept, 0.5, partial(Crowd, gpu=gpu))
    for member, row in zip(made, found, strict=True):
        assert row == pytest.approx(sampled(alone(member), kept, discard=0.5), rel=1e-7, abs=1e-7)


def test_members_are_the_same_without_a_scratchpad(monkeypatch):
    """As on a GPU whose processors have little of it: the same operations on the same numbers."""
    gpu, plain = gpu_here(), gpu_here()
    if not gpu.has_scratchpad:
        pytest.skip("the processors of this GPU have no scratchpad of 227 kB")
    monkeypatch.setattr(plain, "has_scratchpad", False)
    system = load_text(NET)
    made, kept = members(system, 5), wanted(system, mean=True, std=True, largest=True)
    found, other = (sampled_together(made, kept, 0.5, partial(Crowd, gpu=one)) for one in (gpu, plain))
    for row, same in zip(found, other, strict=True):
        assert row == pytest.approx(same, rel=1e-9, abs=1e-9)


def test_quotients_and_roots_are_right_to_the_last_place_or_the_next():
    """Numbers of all sizes and signs, zeros, infinities and none."""
    gpu_here()
    from numba import cuda

    from fairlead.ensembles.cuda_programs import Program

    random = np.random.default_rng(3)
    sizes = 10.0 ** random.uniform(-140, 140, (2, 20000)) * random.choice([-1.0, 1.0], (2, 20000))
    special = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, -3.0, 1e-300, 1e300]
    a, b = np.concatenate([sizes, np.array(np.meshgrid(special, special)).reshape(2, -1)], axis=1)
    a, b = np.ascontiguousarray(a), np.ascontiguousarray(b)

    def both(a, b, quotients, roots):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < a.shape[0]:
            quotients[i], roots[i] = a[i] / b[i], math.sqrt(a[i])

    there = [cuda.to_device(one) for one in (a, b, np.zeros_like(a), np.zeros_like(a))]
    Program(both)(a.size, *there)
    with np.errstate(all="ignore"):
        for found, exact in zip((one.copy_to_host() for one in there[2:]), (a / b, np.sqrt(a)), strict=True):
            small = np.abs(exact) < 1e-300  # of a quotient beside 1/b, which may be none any more
            assert np.all(
                (found == exact) | small | (np.abs(found - exact) <= np.spacing(np.abs(exact))) | np.isnan(exact)
            )
            assert np.all(np.isnan(found[np.isnan(exact)]))
            assert np.all(np.abs(found[small]) < 1e-300)


@pytest.mark.parametrize("depth", [None, 20.0, 300.0])
def test_waves_are_summed_to_a_millionth(depth):
    """Of Σa, Σaω, Σak and Σaω² (more in shallow water), by the sines and powers of the GPU, up to a day after the sea
    began and over 40 km: 32 threads, each at two places of its own, against sums in 80 bits."""
    gpu = gpu_here()
    from numba import cuda

    from fairlead.ensembles.cuda_records import MemberType
    from fairlead.ensembles.cuda_views import member_view

    columns = sea_of(depth)
    count, tables = columns.shape[1], SCHEMA.allocate({"nodes": 2}, law=1)
    head = tuple(int(number) for number in tables.ints[: SCHEMA.head_size])
    sizes = {INTS: tables.ints.size, REALS: 0, Y: tables.y.size, WORK: tables.work.size}
    known = {WAVE_FIRST: 0.0, WAVE_COUNT: float(count)}
    member_of = member_view(MemberType(SCHEMA, frozenset({"sea"}), 0, head, known, sizes))

    @cuda.jit
    def program(t, ints, shared, own, y, work, out):
        i = cuda.grid(1)
        sys = member_of(ints, shared, own, y, work, i)
        p, q = sys.state[0].position, sys.state[1].position
        surface = wave_surface(t, p[0], p[1], 0, count, sys.reals)
        (flow, push), (more, carried) = wave_flows(t, p, p[2], q, q[2], 0, count, sys.reals)
        for k in range(4):
            out[i, k] = surface[k]
        for k in range(3):
            out[i, 4 + k], out[i, 7 + k], out[i, 10 + k], out[i, 13 + k] = flow[k], push[k], more[k], carried[k]

    random = np.random.default_rng(5)
    places = random.uniform(-2e4, 2e4, (tables.y.size, GROUP))
    places[2], places[8] = -random.uniform(0.0, 15.0, (2, GROUP))
    a, omega, k, echo = columns[0], columns[OMEGA], columns[NUMBER], columns[6]
    deeper = (1 + echo) / (1 - echo)
    speed, faster = (a * omega * deeper).sum(), (a * omega**2 * deeper).sum()
    sizes_of = np.array([a.sum(), (a * omega).sum(), *[(a * k).sum()] * 2, *([speed] * 3 + [faster] * 3) * 2])
    for t in (3.0, 1e4, 86400.0):
        out = gpu.full((GROUP, 16), np.nan)
        program[1, GROUP](
            t, gpu.put(tables.ints), gpu.put(single_rows(columns)), gpu.put(np.zeros(1)), gpu.put(places.reshape(-1)),
            gpu.put(np.zeros(tables.work.size * GROUP)), out,
        )  # fmt: skip
        for i, row in enumerate(gpu.fetch(out)):
            surface, flow, push = exactly(t, places[:2, i], places[2, i], columns)
            _, more, carried = exactly(t, places[6:8, i], places[8, i], columns)
            assert np.abs((row - np.concatenate([surface, flow, push, more, carried])) / sizes_of).max() < 1e-6
