"""The shortcuts through numba's compiler change no result, are left out for a numba they do not know, and leave nothing
behind."""

import importlib
import math
import re
import subprocess
import sys

import numba
import numba.np.arrayobj
import numpy as np
import pytest
from numba.core.runtime import _nrt_python as runtime_counts

from fairlead.algebra import shortcuts as module
from fairlead.algebra.compiled import kernel, quick_compilation
from fairlead.algebra.shortcuts import shortcuts

REPLACED = (
    ("numba.core", "byteflow", "_logger"),
    ("numba.core", "ssa", "_logger"),
    ("numba.core.byteflow", "Flow", "_run_handle_exception"),
    ("numba.core", "interpreter", "peep_hole_delete_with_exit"),
    ("numba.core.ir", "Inst", "_rec_list_vars"),
    ("numba.core.postproc", "PostProcessor", "run"),
    ("numba.core.untyped_passes", "InlineClosureLikes", "run_pass"),
    ("numba.core.untyped_passes", "DeadBranchPrune", "run_pass"),
    ("numba.core", "event", "install_timer"),
    ("numba.core", "typeinfer", "new_error_context"),
    ("numba.core", "lowering", "new_error_context"),
    ("numba.core.lowering", "Lower", "_find_singly_assigned_variable"),
    ("numba.core.lowering", "Lower", "storevar"),
    ("numba.core.lowering", "BaseLower", "lower_normal_function"),
    ("numba.core.callconv", "CPUCallConv", "_return_errcode_raw"),
    ("numba.core", "base", "user_function"),
    ("llvmlite.ir", "IRBuilder", "extract_value"),
    ("numba.core", "base", "_has_loc"),
    ("numba.core.base", "BaseContext", "get_abi_sizeof"),
    ("numba.core.typing.context", "BaseContext", "resolve_value_type"),
    ("numba.core.types.functions", "BaseFunction", "get_call_type"),
    ("numba.core.types.functions", "Dispatcher", "get_call_type"),
    ("numba.core.codegen", "CPUCodeLibrary", "finalize"),
    ("numba.core.codegen", "CPUCodeLibrary", "_optimize_functions"),
    ("numba.core.codegen", "JITCPUCodegen", "set_env"),
    ("numba.np", "arrayobj", "fix_integer_index"),
)
KNOWN = module.is_tested()


def methods() -> list[object]:
    """What the shortcuts replace, where this numba has it."""
    owners = [getattr(importlib.import_module(place), owner, None) for place, owner, _ in REPLACED]
    return [getattr(owner, name, None) for owner, (_, _, name) in zip(owners, REPLACED, strict=True)]


def pair():
    """A kernel, which has one of its own, and one that calls it with constants: with options but not functions in
    common with any other pair."""

    @kernel
    def term(x):
        return math.sin(x) * x + (1 if x > 0 else -2)

    @kernel
    def inner(values, first, step):
        total = 0.0
        for i in range(first, values.shape[0], step):
            total += term(values[i])
        return total

    @numba.njit(error_model="numpy", fastmath={"contract", "nsz"}, _nrt=False)
    def outer(values):
        return inner(values, 0, 2) - inner(values, 1, 2) / inner(values, 0, 3)

    return inner, outer


@pytest.fixture(params=["this numba", "a numba of the future"])
def taken(request, monkeypatch) -> bool:
    """Whether there are shortcuts: for the numba in use if it is a known one, never for one that is not."""
    if request.param == "a numba of the future":
        monkeypatch.setattr(module, "is_tested", lambda: False)
        return False
    return KNOWN


def test_they_are_taken_only_with_a_numba_they_are_tested_with(taken) -> None:
    before = methods()
    with shortcuts() as said:
        assert said == taken
        changed = [now is not then for now, then in zip(methods(), before, strict=True)]
    assert changed == [taken] * len(REPLACED)
    assert methods() == before


def test_they_change_no_result_and_compile_a_kernel_once(taken) -> None:
    values = np.random.default_rng(1).normal(size=40)
    inner, outer = pair()
    with quick_compilation():
        quick = outer(values)
    assert len(inner.dispatcher.overloads) == (1 if taken else 3)
    plain_inner, plain_outer = pair()
    assert quick == plain_outer(values)
    assert len(plain_inner.dispatcher.overloads) == 3


def test_an_index_counts_from_the_start_and_bounds_checks_tell_a_negative_one(taken) -> None:
    values = np.arange(3.0)

    @numba.njit(error_model="numpy", boundscheck=True)
    def at(i):
        return values[i]

    with quick_compilation():
        assert at(2) == 2.0
    if taken:
        with pytest.raises(IndexError):
            at(-1)
    else:
        assert at(-1) == 2.0


def test_an_inner_kernel_serves_callers_compiled_later_too(taken) -> None:
    values = np.random.default_rng(2).normal(size=40)
    inner, outer = pair()
    with quick_compilation():
        outer(values)

    @numba.njit(error_model="numpy", fastmath={"contract", "nsz"}, _nrt=False)
    def later(values):
        return inner(values, 0, 2) - inner(values, 1, 2) / inner(values, 0, 3)

    assert later(values) == outer(values)


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


def test_variables_of_instructions_are_those_that_numba_finds() -> None:
    """In the same order and as often, of every statement of a function with calls, tuples, slices and branches."""

    def some(a, b):
        found = (a, b[1:3], (a, a))
        for k in range(len(b)):
            if b[k] > a:
                found = (max(a, b[k], k), b[:], (a, 2.0))
        return found

    blocks = numba.core.compiler.run_frontend(some).blocks.values()
    statements = [statement for block in blocks for statement in block.body]
    known = [statement.list_vars() for statement in statements]
    with shortcuts():
        assert [statement.list_vars() for statement in statements] == known
    assert sum(map(len, known)) > 30


def test_a_kernel_with_a_function_of_its_own_compiles(taken) -> None:
    @numba.njit(error_model="numpy")
    def outer(x):
        def twice(y):
            return 2.0 * y

        return twice(x) + 1.0

    with quick_compilation():
        assert outer(3.0) == 7.0


def test_a_kernel_that_yields_keeps_what_lives_between(taken) -> None:
    @numba.njit
    def squares(n):
        for k in range(n):
            square = k * k
            yield square
            yield square + k

    @numba.njit
    def weighed(n):
        total = 0
        for place, square in enumerate(squares(n)):
            total += place * square
        return total

    with quick_compilation():
        assert weighed(3) == 0 * 0 + 1 * 0 + 2 * 1 + 3 * 2 + 4 * 4 + 5 * 6


def test_an_error_goes_through_all_that_call(taken) -> None:
    """A kernel that cannot fail is called without being asked; one that can, or that calls one, is asked."""

    @kernel
    def root(x):
        if x < 0:
            raise ValueError("no root")
        return math.sqrt(x)

    @kernel
    def twice(x):
        return 2.0 * x

    @kernel
    def inner(x):
        return twice(root(x))

    @numba.njit(error_model="numpy", _nrt=False)
    def outer(x):
        return twice(inner(x)) + twice(x)

    @numba.njit(error_model="numpy", _nrt=False)
    def caught(x):
        try:
            return outer(x)
        except Exception:
            return twice(-1.0)

    with quick_compilation():
        assert outer(4.0) == 16.0
        assert (caught(4.0), caught(-1.0)) == (16.0, -2.0)
    with pytest.raises(ValueError, match="no root"):
        outer(-1.0)


def test_variables_keep_their_values_through_loops_and_branches(taken) -> None:
    """Those assigned once before, inside and behind a loop, those assigned in one branch, in both, or at every turn."""

    def walk(values, skipped):
        first, count = values[0], values.shape[0]
        total, last, seen = 0.0, first, 0
        for k in range(count):
            value = values[k]
            pair = (value, value - last)
            if k == skipped:
                continue
            if pair[1] > 0:
                rise = pair[1] * pair[1]
                total += rise
            else:
                rise = -1.0
                while last > value:
                    last -= 1.0
                    total += first
            seen += 1
            last, fall = value, rise * (last - value)
            total -= fall
            if total > 1e9:
                return (total, -1, last)
        end = (total + first, seen, last)
        return end

    values = np.random.default_rng(3).normal(scale=3.0, size=50)
    compiled = numba.njit(walk, error_model="numpy", _nrt=False)
    with quick_compilation():
        assert [compiled(values, k) for k in (0, 7, 60)] == [walk(values, k) for k in (0, 7, 60)]


def test_what_counts_references_lets_go_of_what_it_held(taken) -> None:
    @numba.njit
    def total(n):
        found = 0.0
        for k in range(n):
            row = np.full(k + 1, 2.0)
            found += row.sum()
        return found

    runtime = numba.core.runtime.rtsys
    with quick_compilation():
        total(1)  # sets up the runtime
    runtime_counts.memsys_enable_stats()
    try:
        before = runtime.get_allocation_stats()
        assert total(4) == 20.0
        after = runtime.get_allocation_stats()
    finally:
        runtime_counts.memsys_disable_stats()
    assert after.alloc - before.alloc == after.free - before.free >= 4


def test_a_mistake_in_a_kernel_is_told_as_numba_tells_it(taken) -> None:
    """With the line and what was being done there, also where the mistake is in a kernel that it calls."""

    def told() -> str:
        @numba.njit
        def inner(x):
            return x.length

        @numba.njit
        def outer(x):
            return 1.0 + inner(x)

        with pytest.raises(numba.TypingError) as error:
            outer(2.0)
        return re.sub(r"0x[0-9a-f]+", "an address", str(error.value))

    with quick_compilation():
        quick = told()
    assert quick == told()
    assert "return x.length" in quick


def test_a_kernel_may_catch_its_own_error(taken) -> None:
    @kernel
    def bounded(x):
        try:
            if x > 1.0:
                raise ValueError("beyond")
            return x
        except Exception:
            return 1.0

    @numba.njit(error_model="numpy", _nrt=False)
    def outer(x):
        return 2.0 * bounded(x)

    with quick_compilation():
        assert (outer(0.5), outer(4.0)) == (1.0, 2.0)
