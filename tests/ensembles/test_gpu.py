"""Ensembles on a GPU: a sentence where there is none, and code for one wherever numba-cuda is installed."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from types import SimpleNamespace

import numba
import pytest

from fairlead.algebra.records import (
    INTS,
    REALS,
    SHARED,
    WORK,
    Schema,
    Table,
    Y,
    arrived,
    expected,
    fetch,
    fetched,
    taken,
)  # fmt: skip
from fairlead.algebra.small import add_scaled
from fairlead.ensembles.gpu import Gpu, NoGpu, folding, require_gpu
from fairlead.formulations.bars.phases import PHASES
from fairlead.sea.water import WAVE_COUNT, WAVE_FIRST
from fairlead.sea.waves import wave_flows, wave_surface
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


def is_installed():
    """Whether numba-cuda is; else it is said what to install."""
    if find_spec("numba_cuda") is not None:
        return True
    with pytest.raises(NoGpu, match="numba-cuda"):
        require_gpu()
    return False


def kind_of_two_nodes(monkeypatch, split=2, known=(), lean=False, padded=False):
    """Type of a member of `SCHEMA` in kernels for an H200, which owns `split` constants."""
    from numba.cuda import dispatcher

    from fairlead.ensembles import cuda_waves  # noqa: F401  tells numba-cuda what rows of waves are
    from fairlead.ensembles.cuda_records import MemberType

    monkeypatch.setattr(dispatcher, "get_current_device", lambda: SimpleNamespace(compute_capability=(9, 0)))
    tables = SCHEMA.allocate({"nodes": 2}, law=1)
    head = tuple(int(number) for number in tables.ints[: SCHEMA.head_size])
    sizes = {INTS: tables.ints.size, REALS: tables.reals.size, Y: tables.y.size, WORK: tables.work.size}
    return MemberType(SCHEMA, frozenset({"sea"}), split, head, dict(known), sizes, lean, padded)


def member_of_two_nodes(monkeypatch, *options, **more):
    """Function of a kernel that gives one."""
    from fairlead.ensembles.cuda_views import member_view

    return member_view(kind_of_two_nodes(monkeypatch, *options, **more))


def test_without_numba_cuda_it_says_what_to_install(monkeypatch):
    monkeypatch.delattr(numba, "cuda", raising=False)
    monkeypatch.setitem(sys.modules, "numba.cuda", None)
    for name in ("addresses", "arithmetic", "fetching", "lanes", "programs", "records", "views", "waves"):
        monkeypatch.delitem(sys.modules, f"fairlead.ensembles.cuda_{name}", raising=False)
    with pytest.raises(NoGpu, match=r"needs numba-cuda, which .*; pip install 'fairlead\[gpu\]'"):
        require_gpu()
    (skipped,) = gpu_ensemble.measure()
    assert "pip install 'fairlead[gpu]'" in skipped.why


def test_records_become_code_for_a_gpu_where_numba_cuda_is_installed(monkeypatch):
    """No GPU is needed for it. All memory is the GPU's global one, a member's numbers 32 apart, and none is local."""
    if not is_installed():
        return
    from numba import cuda, types

    member_of = member_of_two_nodes(monkeypatch, known={1: 0.0})

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


@pytest.mark.parametrize(("lean", "reads"), [(False, 3), (True, 6)])
def test_a_row_that_is_taken_is_read_once_whatever_is_written_since(lean, reads, monkeypatch):
    """The compiler cannot know that a write to another row does not change it. A lean member, whose threads have few
    registers, reads it again."""
    if not is_installed():
        return
    from numba import cuda, types

    member_of = member_of_two_nodes(monkeypatch, lean=lean)

    def program(i, ints, shared, own, y, work):  # type: ignore[no-untyped-def]
        sys = member_of(ints, shared, own, y, work, cuda.grid(1))
        one, other = taken(sys.state[i]), sys.state[1]
        other.position = one.velocity
        other.velocity = one.velocity

    numbers, whole = types.float64[::1], types.int64[::1]
    arguments = types.void(types.int64, whole, numbers, numbers, numbers, numbers)
    ptx, _ = cuda.compile(program, arguments, device=False, abi="numba", cc=(9, 0), output="ptx")
    text = ptx if isinstance(ptx, str) else ptx.decode()
    assert text.count("ld.global") == reads
    assert text.count("st.global") == 6


@pytest.mark.parametrize("padded", [False, True])
def test_rows_that_are_fetched_wait_in_the_scratchpad(padded, monkeypatch):
    """A copy of a row is under way while another is computed; it is read there, and so are constants that all share,
    the scheme and rows of the sea. What of these is written goes to memory as well. Without a scratchpad rows are asked
    for ahead, and read where they are used."""
    if not is_installed():
        return
    from numba import cuda, types

    from fairlead.ensembles.cuda_views import member_view, sharing

    monkeypatch.setitem(SCHEMA.table, "step", Table("step", WORK, "size", owner=SHARED))
    kind = kind_of_two_nodes(monkeypatch, padded=padded)
    member_of, share = member_view(kind), sharing(kind)

    def program(h, ints, shared, own, y, work):  # type: ignore[no-untyped-def]
        share(ints, shared)
        sys = member_of(ints, shared, own, y, work, cuda.grid(1))
        sys.step.size = 2.0 * sys.step.size
        fetch(sys.state.velocity, 0, 3, 2)
        arrived(sys)
        for i in range(sys.nodes):
            fetch(sys.state.velocity, i + 1, 3, 2)
            arrived(sys)
            moved = fetched(sys.state.velocity, i, 3, 2).velocity
            sys.state[i].position = add_scaled(moved, sys.step.size * sys.node[i].mass, moved)

    numbers, whole = types.float64[::1], types.int64[::1]
    arguments = types.void(types.float64, whole, numbers, numbers, numbers, numbers)
    ptx, _ = cuda.compile(program, arguments, device=False, abi="numba", cc=(9, 0), output="ptx")
    text = ptx if isinstance(ptx, str) else ptx.decode()
    assert ".local" not in text
    copies, waits = text.count("cp.async.ca.shared.global"), text.count("cp.async.wait_group 1")
    assert (copies, waits) == ((9, 3) if padded else (0, 0))
    assert text.count("prefetch.global.L1") == (0 if padded else 9)
    assert text.count("st.global") == 1 + 2 * 3
    if padded:
        pad = kind.pad
        assert (pad.whole, pad.shared, pad.used) == (kind.arrays[INTS].size, 4, 7)
        assert pad.bytes == 8 * (pad.whole + pad.shared + 256 * 7)
        assert text.count("ld.shared") >= 2 * 3  # and masses, and the step
        assert text.count("bar.sync") == 1


def test_constants_of_two_structures_are_of_two_types(monkeypatch):
    """Code that reads them has the places of its structure's scratchpad in it."""
    if not is_installed():
        return
    from fairlead.ensembles.cuda_records import ConstantsType
    from fairlead.ensembles.scratchpads import Scratchpad

    pads = [None, Scratchpad("one", 3, 4), Scratchpad("other", 5, 4)]
    kinds = [ConstantsType(2, {}, 4, pad) for pad in pads]
    assert len(set(kinds)) == 3
    assert ConstantsType(2, {}, 4, pads[1]) == kinds[1]


def test_quotients_and_roots_have_no_branches(monkeypatch):
    """Of double precision; those of others in the process are as they were. What they come to, a GPU has to tell."""
    if not is_installed():
        return
    import math

    from numba import cuda, types
    from numba.cuda.cudadrv import nvvm

    from fairlead.ensembles.cuda_arithmetic import quick_arithmetic

    def program(a, b, out):  # type: ignore[no-untyped-def]
        out[0] = a / b + 3.0 / a + math.sqrt(a) / math.sqrt(b)

    arguments = types.void(types.float64, types.float64, types.float64[::1])
    options = {"device": False, "abi": "numba", "cc": (9, 0), "output": "ptx"}
    usual, (own, _) = nvvm.compile_ir, cuda.compile(program, arguments, **options)
    with quick_arithmetic():
        quick, _ = cuda.compile(program, arguments, **options)
    assert nvvm.compile_ir is usual
    texts = [one if isinstance(one, str) else one.decode() for one in (own, quick)]
    assert [text.count("div.rn.f64") for text in texts] == [3, 0]
    assert [text.count("sqrt.rn.f64") for text in texts] == [2, 0]
    assert [text.count("rcp.approx.ftz.f64") for text in texts] == [0, 3]
    assert texts[1].count("bra") == texts[0].count("bra")


@pytest.mark.parametrize("own_seas", [False, True])
def test_waves_are_taken_one_after_the_other_on_a_gpu(own_seas, monkeypatch):
    """Eight side by side, as on a core, would not fit into the registers of a thread. A wave takes three operations of
    double precision for the surface, and five for the flow at both places of an element; its row is read once for both.
    Those that all members share are read by 16 bytes."""
    if not is_installed():
        return
    from numba import cuda, types

    known = {WAVE_FIRST: 40.0, WAVE_COUNT: 104.0}
    member_of = member_of_two_nodes(monkeypatch, 2000 if own_seas else 40, known)

    def program(t, count, ints, shared, own, y, work):  # type: ignore[no-untyped-def]
        sys = member_of(ints, shared, own, y, work, cuda.grid(1))
        one, two = sys.state[0], sys.state[1]
        x, z = one.position, two.position
        height, rate, slope_x, slope_y = wave_surface(t, x[0], x[1], 40, count, sys.reals)
        first, last = wave_flows(t, x, x[2] - height - slope_x, z, z[2] - rate - slope_y, 40, count, sys.reals)
        one.position, one.velocity = first
        two.position, two.velocity = last

    numbers, whole = types.float64[::1], types.int64[::1]
    arguments = types.void(types.float64, types.int64, whole, numbers, numbers, numbers, numbers)
    ptx, _ = cuda.compile(program, arguments, device=False, abi="numba", cc=(9, 0), output="ptx")
    text = ptx if isinstance(ptx, str) else ptx.decode()
    assert ".local" not in text
    taken, felt = text.count("cos.approx.ftz.f32"), text.count("ex2.approx.ftz.f32")
    assert text.count("sin.approx.ftz.f32") == taken
    flows = felt // 4  # waves of which the flow is taken at two places, in the code as it is repeated
    surfaces = taken - 2 * flows
    assert text.count("fma.rn.f64") == 3 * surfaces + 5 * flows
    assert text.count("cvt.rn.f32.f64") == 2  # levels alone
    read = 2 * surfaces + 2 * flows
    assert text.count("ld.global.nc.v2.f64") == (0 if own_seas else read)
    asked = text.count("ld.global.nc.v4.f32") - (0 if own_seas else surfaces + 2 * flows)
    assert asked == 0 if own_seas else 0 < asked <= 2  # whether the next waves are felt


def test_statistics_become_code_for_a_gpu_where_numba_cuda_is_installed(monkeypatch):
    """A thread folds the samples of one member, in registers alone."""
    if not is_installed():
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


class Launches(Gpu):
    """A GPU that only notes what it is told to do: phase, time and, of one that takes samples, which."""

    def __init__(self):
        self.told = []
        self._cuda = SimpleNamespace(synchronize=lambda: None)

    def _program(self, them, phase):
        name = "prepare" if phase is None else phase.kernel.__name__

        def code(threads, first, members, *rest):
            self.told.append((name, first, *rest[len(them.arrays) : len(them.arrays) + 1]))

        return code


def test_phases_are_launched_in_their_order_with_samples_where_they_are_due():
    them = SimpleNamespace(in_phases=True, compiled=SimpleNamespace(phases=PHASES), members=3, arrays=("",) * 7)
    gpu, seen = Launches(), ("asked", "home", "out")
    gpu.advance(them, 1.0, 2, 0.5)
    one = [[(name, now) for name in ("forward", "back", "end")] for now in (1.0, 1.5)]
    assert gpu.told == [("prepare", 0.5), *one[0], *one[1]]

    gpu.told = []
    gpu.watch(them, 0.0, 4, 0.5, 3, *seen)
    assert [one for one in gpu.told if one[0] == "sampled"] == [("sampled", 0.0, 0), ("sampled", 1.5, 1)]
    assert [name for name, now, *_ in gpu.told if now == 1.5] == ["forward", "back", "sampled", "end"]

    gpu.told = []
    gpu.watch(them, 2.0, 0, 0.5, 3, *seen)
    assert gpu.told[1:] == [("forward", 2.0), ("back", 2.0), ("sampled", 2.0, 0)]
