"""Ensembles on a GPU: a sentence where there is none, and code for one wherever numba-cuda is installed."""

from __future__ import annotations

import re
import sys
from importlib.util import find_spec

import numba
import pytest

from fairlead.algebra.records import INTS, REALS, WORK, Schema, Table, Y, expected
from fairlead.algebra.small import add_scaled
from fairlead.ensembles.gpu import NoGpu, folding, require_gpu
from fairlead.sea.waves import wave_flow
from fairlead.studies.benchmarks.measurements import gpu_ensemble

SCHEMA = Schema(
    "toy",
    "nodes",
    "law",
    Table("sea", REALS, "current waves"),
    Table("node", REALS, "mass", per="nodes"),
    Table("state", Y, "position:3 velocity:3", per="nodes"),
    Table("step", WORK, "size"),
)


def test_without_numba_cuda_it_says_what_to_install(monkeypatch):
    monkeypatch.delattr(numba, "cuda", raising=False)
    monkeypatch.setitem(sys.modules, "numba.cuda", None)
    monkeypatch.delitem(sys.modules, "fairlead.ensembles.cuda_records", raising=False)
    with pytest.raises(NoGpu, match=r"needs numba-cuda, which .*; pip install 'fairlead\[gpu\]'"):
        require_gpu()
    assert list(gpu_ensemble.measure()) == []


def test_records_become_code_for_a_gpu_where_numba_cuda_is_installed(monkeypatch):
    """No GPU is needed for it. All memory is the GPU's global one, a member's numbers 32 apart, and none is local."""
    if find_spec("numba_cuda") is None:
        with pytest.raises(NoGpu, match="numba-cuda"):
            require_gpu()
        return
    from numba import cuda, types
    from numba.cuda import dispatcher

    from fairlead.ensembles.cuda_records import MemberType, member_view

    class Hopper:
        compute_capability = (9, 0)

    monkeypatch.setattr(dispatcher, "get_current_device", lambda: Hopper)
    tables = SCHEMA.allocate({"nodes": 2}, law=1)
    head = tuple(int(number) for number in tables.ints[: SCHEMA.head_size])
    sizes = {INTS: tables.ints.size, Y: tables.y.size, WORK: tables.work.size}
    member_of = member_view(MemberType(SCHEMA, frozenset({"sea"}), 2, head, {1: 0.0}, sizes))

    def program(h, ints, shared, own, y, work):  # type: ignore[no-untyped-def]
        sys = member_of(ints, shared, own, y, work, cuda.grid(1))
        sys.step.size = h * sys.sea.current
        if sys.reals[1] > 0.0:  # known to be 0: not compiled
            sys.step.size = 3.0
        for i in range(sys.nodes):
            expected(sys.state.velocity, i + 1, 3)
            body = sys.state[i]
            body.position = add_scaled(body.position, h * sys.node[i].mass, body.velocity)

    numbers, whole = types.float64[::1], types.int64[::1]
    arguments = types.void(types.float64, whole, numbers, numbers, numbers, numbers)
    # as a function that a kernel calls, of whose pointers the compiler knows nothing by itself
    ptx, _ = cuda.compile(program, arguments, device=True, abi="numba", cc=(9, 0), output="ptx")
    text = ptx if isinstance(ptx, str) else ptx.decode()
    assert text.count("st.global") == 1 + 2 * 3
    assert text.count("prefetch.global.L1") == 2 * 3
    assert ".local" not in text
    assert "+256]" in text
    assert "+128]" not in text


def test_waves_are_taken_one_after_the_other_on_a_gpu(monkeypatch):
    """Eight side by side, as on a core, would not fit into the registers of a thread. Those that all members share are
    read where there is one copy of them."""
    if find_spec("numba_cuda") is None:
        with pytest.raises(NoGpu, match="numba-cuda"):
            require_gpu()
        return
    from numba import cuda, types
    from numba.cuda import dispatcher

    from fairlead.ensembles.cuda_records import MemberType, member_view

    monkeypatch.setattr(dispatcher, "get_current_device", lambda: type("Hopper", (), {"compute_capability": (9, 0)}))
    tables = SCHEMA.allocate({"nodes": 2}, law=1)
    head = tuple(int(number) for number in tables.ints[: SCHEMA.head_size])
    sizes = {INTS: tables.ints.size, Y: tables.y.size, WORK: tables.work.size}
    member_of = member_view(MemberType(SCHEMA, frozenset({"sea"}), 2, head, {}, sizes))

    def program(t, count, ints, shared, own, y, work):  # type: ignore[no-untyped-def]
        sys = member_of(ints, shared, own, y, work, cuda.grid(1))
        body = sys.state[0]
        x = body.position
        flow, _ = wave_flow(t, x[0], x[1], x[2], 2, count, sys.reals)
        body.velocity = flow

    numbers, whole = types.float64[::1], types.int64[::1]
    arguments = types.void(types.float64, types.int64, whole, numbers, numbers, numbers, numbers)
    ptx, _ = cuda.compile(program, arguments, device=False, abi="numba", cc=(9, 0), output="ptx")
    text = ptx if isinstance(ptx, str) else ptx.decode()
    assert ".local" not in text
    assert text.count("rint") == 0
    assert text.count("div.rn.f64") == 0
    assert len(re.findall(r"shl\.b64\s+\S+ \S+ 52;", text)) == 2  # powers of two in e^kz and e^-kz of one wave


def test_statistics_become_code_for_a_gpu_where_numba_cuda_is_installed(monkeypatch):
    """A thread folds the samples of one member, in registers alone."""
    if find_spec("numba_cuda") is None:
        with pytest.raises(NoGpu, match="numba-cuda"):
            require_gpu()
        return
    from numba import cuda, types
    from numba.cuda import dispatcher

    from fairlead.ensembles import cuda_records  # noqa: F401  tells numba-cuda what kernels are

    monkeypatch.setattr(dispatcher, "get_current_device", lambda: type("Hopper", (), {"compute_capability": (9, 0)}))
    real, whole = types.float64, types.int64
    kinds = zip((whole, real, real, whole, real, whole, real, real, real), (1, 3, 1, 2, 3, 2, 2, 2, 1), strict=True)
    tables = [types.Array(kind, n, "C") for kind, n in kinds]
    sums = [types.Array(whole if k == 6 else real, 2 if k == 6 else 3, "C") for k in range(9)]
    arguments = types.void(*tables[:3], whole, whole, *tables[3:], real, *sums)
    ptx, _ = cuda.compile(folding(), arguments, device=False, abi="numba", cc=(9, 0), output="ptx")
    text = ptx if isinstance(ptx, str) else ptx.decode()
    assert ".entry" in text
    assert ".local" not in text
