"""Many members on a GPU: simulated seconds of all of them a second, beside one core, and whether their digits agree."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from fairlead.ensembles.gpu import GpuEnsemble, NoGpu, require_gpu
from fairlead.formulations.kernel_compiled import KernelCompiled
from fairlead.model import System, load_text
from fairlead.studies.benchmarks.cable_cases import compiled
from fairlead.studies.benchmarks.record import SPEED, Record, Skipped
from fairlead.studies.benchmarks.sinking_case import common_case

MEMBERS, STEP, STEPS = 32768, 0.1, 200
"""Members (of lines twice as many), s, steps that are timed."""
SPREAD = 0.1
"""Standard deviation of the members' currents [m/s]."""
TAUT = """
environment:
  current: [{z: 0, velocity: [0.5, 0, 0]}, {z: -300, velocity: [0.1, 0, 0]}]
  seabed: {depth: 300, friction: 0.5}
types: {wire: {diameter: 0.1, mass_per_length: 40, axial_stiffness: 600 MN, drag: {normal: 1.2, axial: 0.1}}}
points: {A: {kind: anchor, position: [0, 0]}, B: {kind: fixed, position: [300, 0, -10]}}
cables: {line: {type: wire, length: 418, elements: 100, start: A, end: B}}
simulation: {formulation: bars, duration: 100, step: 0.1}
"""
"""A taut mooring line, no part of which goes slack or lies on the bed."""
IN_WAVES = """
environment:
  current: [{z: 0, velocity: [0.5, 0, 0]}]
  waves: {kind: jonswap, significant_height: 3, peak_period: 9, components: 100, seed: 1}
  seabed: {depth: 60, friction: 0.5}
types: {chain: {diameter: 0.1, mass_per_length: 180, axial_stiffness: 800 MN, drag: {normal: 1.2, axial: 0.1}}}
points: {A: {kind: anchor, position: [0, 0]}, B: {kind: fixed, position: [200, 0, -2]}}
cables: {line: {type: chain, length: 220, elements: 59, start: A, end: B}}
simulation: {formulation: lumped, duration: 100, step: 0.1}
"""
"""A mooring line of 60 nodes in an irregular sea, all of whose components every node feels."""
IN_DEEP_WATER = (
    IN_WAVES.replace("depth: 60", "depth: 300").replace("[200, 0, -2]", "[700, 0, -10]").replace("220", "850")
)
"""One of as many nodes in 300 m of water, in the same sea, of whose short waves deep nodes feel nothing."""


def measure() -> Iterator[Record | Skipped]:
    """Time by the clock after one step that compiles; why not, where there is no GPU that can be used."""
    try:
        require_gpu()
    except NoGpu as error:
        yield Skipped("members on a GPU", str(error))
        return
    yield from _beside_a_core("the sinking cables", common_case(STEP), "bars", "bar_state", MEMBERS, STEPS)
    yield from _beside_a_core("a taut line of 100 bars", load_text(TAUT), "bars", "bar_state", 2 * MEMBERS, STEPS)
    for depth, text in ((60, IN_WAVES), (300, IN_DEEP_WATER)):
        waves = f"a line of 60 nodes in 100 waves and {depth} m of water, lumped"
        yield from _beside_a_core(waves, load_text(text), "lumped", "node", 2 * MEMBERS, STEPS // 4)


def _beside_a_core(
    name: str, system: System, formulation: str, block: str, members: int, steps: int
) -> Iterator[Record]:
    """Members in currents of their own; `block` of the state is compared."""
    one = compiled(system, formulation)
    assert isinstance(one, KernelCompiled)
    ensemble = GpuEnsemble(one, members)
    velocity = one.schema.table["sea"].width + 1
    generator = np.random.default_rng(1)
    ensemble.constants[:, velocity] += SPREAD * generator.standard_normal(ensemble.constants[:, velocity].shape)
    ensemble.set_constants()
    ensemble.advance(0.0, 1, STEP)
    began = time.perf_counter()
    ensemble.advance(STEP, steps, STEP)
    speed = ensemble.members * steps * STEP / (time.perf_counter() - began)
    if ensemble.status.any():
        raise RuntimeError(f"{np.count_nonzero(ensemble.status)} members failed")

    member = 5
    y, u = one.initial_state(), one.initial_inputs()
    one.reals[: ensemble.constants.shape[1]] = ensemble.constants[member // 32, :, member % 32]
    one.advance(0.0, y, 1, STEP, u, one.scheme)
    began = time.perf_counter()
    one.advance(STEP, y, steps, STEP, u, one.scheme)
    alone = steps * STEP / (time.perf_counter() - began)
    places = one.layout[block]
    apart = float(np.abs(ensemble.state(member)[places] - y[places]).max())
    yield Record(f"{ensemble.members} members of {name} on a GPU", speed, SPEED, "one core", alone)
    yield Record(f"the same member of {name} there and on a core, largest difference", apart, "SI units")
