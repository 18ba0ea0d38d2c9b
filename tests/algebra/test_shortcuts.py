"""The shortcuts through numba's compiler are there for the numba in use, change no result and leave nothing behind."""

import math
import subprocess
import sys

import numba
import numpy as np
from numba.core.codegen import CPUCodeLibrary, JITCPUCodegen
from numba.core.types.functions import BaseFunction, Dispatcher

from fairlead.algebra.compiled import kernel, quick_compilation
from fairlead.algebra.shortcuts import shortcuts

REPLACED = (
    (BaseFunction, "get_call_type"), (Dispatcher, "get_call_type"), (CPUCodeLibrary, "finalize"),
    (CPUCodeLibrary, "_optimize_functions"), (JITCPUCodegen, "set_env"),
)  # fmt: skip


def methods() -> list[object]:
    return [getattr(owner, name) for owner, name in REPLACED]


def pair():
    """A kernel and one that calls it with constants: with options but not functions in common with any other pair."""

    @kernel
    def inner(values, first, step):
        total = 0.0
        for i in range(first, values.shape[0], step):
            total += math.sin(values[i]) * values[i] + (1 if values[i] > 0 else -2)
        return total

    @numba.njit(error_model="numpy", fastmath={"contract", "nsz"}, _nrt=False)
    def outer(values):
        return inner(values, 0, 2) - inner(values, 1, 2) / inner(values, 0, 3)

    return inner, outer


def test_this_numba_is_one_they_are_tested_with() -> None:
    with shortcuts() as taken:
        assert taken


def test_they_change_no_result_and_compile_a_kernel_once() -> None:
    values = np.random.default_rng(1).normal(size=40)
    inner, outer = pair()
    with quick_compilation():
        quick = outer(values)
    assert len(inner.overloads) == 1
    plain_inner, plain_outer = pair()
    assert quick == plain_outer(values)
    assert len(plain_inner.overloads) == 3


def test_an_inner_kernel_serves_callers_compiled_later_too() -> None:
    values = np.random.default_rng(2).normal(size=40)
    inner, outer = pair()
    with quick_compilation():
        outer(values)

    @numba.njit(error_model="numpy", fastmath={"contract", "nsz"}, _nrt=False)
    def later(values):
        return inner(values, 0, 2) - inner(values, 1, 2) / inner(values, 0, 3)

    assert later(values) == outer(values)


def test_numba_is_as_before_afterwards() -> None:
    before = methods()
    with quick_compilation():
        assert all(now is not then for now, then in zip(methods(), before, strict=True))
    assert methods() == before


def test_numba_allocates_as_ever_where_the_first_compilation_was_quick() -> None:
    """numba's runtime is set up by the first compilation of a process, here one with the shortcuts."""
    code = """
import numba, numpy as np
from fairlead.algebra.compiled import kernel, quick_compilation
double = kernel(lambda x: 2.0 * x)
with quick_compilation():
    assert numba.njit(lambda x: double(x), _nrt=False)(2.0) == 4.0
assert numba.njit(lambda n: np.ones(n).sum())(3) == 3.0
"""
    subprocess.run([sys.executable, "-c", code], check=True)
