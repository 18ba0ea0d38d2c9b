"""Sinking cables, each member in a current of its own, on a GPU: simulated seconds of all members a second."""

from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np

from fairlead.ensembles.gpu import GpuEnsemble, NoGpu, require_gpu
from fairlead.formulations.kernel_compiled import KernelCompiled
from fairlead.studies.benchmarks.measurements.bar_cost import compiled
from fairlead.studies.benchmarks.record import SPEED, Record
from fairlead.studies.benchmarks.sinking_case import common_case

MEMBERS, STEP, STEPS = 32768, 0.1, 200
"""Members, s, steps that are timed."""
SPREAD = 0.1
"""Standard deviation of the members' currents [m/s]."""


def measure() -> Iterator[Record]:
    """Time by the clock after one step that compiles; beside it one core on the same system, and their digits. Nothing
    where there is no GPU."""
    try:
        require_gpu()
    except NoGpu:
        return
    system = compiled(common_case(STEP))
    assert isinstance(system, KernelCompiled)
    ensemble = GpuEnsemble(system, MEMBERS)
    velocity = system.schema.table["sea"].width + 1
    generator = np.random.default_rng(1)
    ensemble.constants[:, velocity] += SPREAD * generator.standard_normal(ensemble.constants[:, velocity].shape)
    ensemble.set_constants()
    ensemble.advance(0.0, 1, STEP)
    began = time.perf_counter()
    ensemble.advance(STEP, STEPS, STEP)
    speed = ensemble.members * STEPS * STEP / (time.perf_counter() - began)
    if ensemble.status.any():
        raise RuntimeError(f"{np.count_nonzero(ensemble.status)} members failed")

    member = 5
    y, u = system.initial_state(), system.initial_inputs()
    system.reals[: ensemble.constants.shape[1]] = ensemble.constants[member // 32, :, member % 32]
    system.advance(0.0, y, 1, STEP, u, system.scheme)
    began = time.perf_counter()
    system.advance(STEP, y, STEPS, STEP, u, system.scheme)
    alone = STEPS * STEP / (time.perf_counter() - began)
    places = system.layout["bar_state"]
    apart = float(np.abs(ensemble.state(member)[places] - y[places]).max())
    yield Record(f"{ensemble.members} members of the sinking cables on a GPU", speed, SPEED, "one core", alone)
    yield Record("the same member there and on a core, largest difference of the bars", apart, "m, m/s, rad/s")
