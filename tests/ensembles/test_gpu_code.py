"""What the assembler of an H200 makes of the kernels, where it is installed (`make gpu-code`); no GPU is needed."""

from __future__ import annotations

import re
import subprocess
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import pytest

from fairlead.ensembles.gpu import GpuEnsemble, phase_of, stepping
from fairlead.model import load_text
from fairlead.simulate import Simulation
from fairlead.studies.benchmarks.measurements.gpu_ensemble import IN_WAVES
from fairlead.studies.benchmarks.sinking_case import common_case

from .gpu_on_a_core import GpuOnACore

SPILLED = re.compile(r"(\d+) bytes spill stores, (\d+) bytes spill loads")
REGISTERS = re.compile(r"Used (\d+) registers")


def assembler() -> str:
    """Where it is; a test that asks for it is left out, and says why, where it is not."""
    nvidia = find_spec("nvidia")
    for place in nvidia.submodule_search_locations or () if nvidia is not None else ():
        for found in Path(place).rglob("bin/ptxas"):
            return str(found)
    pytest.skip("the assembler of GPUs is not installed; make gpu-code does that, and runs this")


def assembled(program, arguments, folder, monkeypatch):
    """Registers of a thread, and bytes that it writes to and reads from memory for want of more, all over the code."""
    ptxas = assembler()
    from numba import cuda
    from numba.cuda import dispatcher

    from fairlead.ensembles.cuda_arithmetic import quick_arithmetic

    monkeypatch.setattr(dispatcher, "get_current_device", lambda: SimpleNamespace(compute_capability=(9, 0)))
    with quick_arithmetic():
        ptx, _ = cuda.compile(program(), arguments(), device=False, abi="numba", cc=(9, 0), output="ptx")
    source = folder / "kernel.ptx"
    source.write_text(ptx if isinstance(ptx, str) else ptx.decode())
    command = [ptxas, "-arch=sm_90", "-O3", "-v", str(source), "-o", str(folder / "kernel.cubin")]
    said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600).stderr
    stores, loads = (sum(map(int, numbers)) for numbers in zip(*SPILLED.findall(said), strict=True))
    return max(map(int, REGISTERS.findall(said))), stores, loads


def arguments_of_steps(first):
    """Types of the arguments of a kernel that begin so."""
    from numba import types

    numbers, whole = types.float64[::1], types.int64[::1]
    return types.void(*(getattr(types, name) for name in first), whole, *(numbers,) * 5, whole)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "most"), [("forward", 300), ("back", 0), ("end", 500)])
def test_phases_of_bars_keep_to_their_registers(name, most, tmp_path, monkeypatch):
    """The sinking cables. On the way forward a number that is kept in memory for want of registers is waited for by
    every bar; further passes, which few members make at the end of a step, are not counted on."""
    assembler()
    from fairlead.ensembles import cuda_waves  # noqa: F401  tells numba-cuda what rows of waves are

    them = GpuEnsemble(Simulation(common_case(0.1), "bars").compiled, 32, gpu=GpuOnACore())
    assert them.in_phases
    phase = next(one for one in them.compiled.phases.steps if one.kernel.__name__ == name)
    kind = them.kind(padded=phase.fetches)
    registers, stores, loads = assembled(
        lambda: phase_of(them, phase, kind), lambda: arguments_of_steps(("float64", "int64")), tmp_path, monkeypatch
    )
    assert registers <= 255
    assert stores + loads <= most
    if phase.fetches:
        assert 0 < kind.pad.bytes <= 227 * 1024


@pytest.mark.slow
def test_steps_of_lumped_in_waves_keep_to_their_registers(tmp_path, monkeypatch):
    assembler()
    from fairlead.ensembles import cuda_waves  # noqa: F401  tells numba-cuda what rows of waves are

    them = GpuEnsemble(Simulation(load_text(IN_WAVES)).compiled, 32, gpu=GpuOnACore())
    first = ("float64", "int64", "float64", "int64")
    registers, stores, loads = assembled(
        lambda: stepping(them, watched=False), lambda: arguments_of_steps(first), tmp_path, monkeypatch
    )
    assert registers <= 255
    assert stores + loads <= 400
