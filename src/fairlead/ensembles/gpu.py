"""An ensemble on a GPU: a thread a member, by the very kernels that one run uses on a core, in double precision but for
sums over waves (`sea.single_waves`)."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cached_property, partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.algebra.records import INTS, REALS, WORK, Y
from fairlead.sea.single_waves import NUMBERS, TURNS, single_rows
from fairlead.sea.water import (
    BED_PRESENT,
    CURRENT_COUNT,
    FIELD_TIMES,
    STIRRED,
    SURVEY_COLUMNS,
    WAVE_COUNT,
    WAVE_FIRST,
    WAVE_STRETCHING,
)  # fmt: skip
from fairlead.sea.waves import OMEGA

from .in_waves import lines_feel_waves
from .scratchpads import BYTES as SCRATCHPAD

if TYPE_CHECKING:
    from fairlead.formulations.kernel_compiled import KernelCompiled
    from fairlead.formulations.phases import Phase

    from .cuda_programs import Program
    from .scratchpads import Scratchpad

AT_WORK = 32768
"""Members that the largest GPUs have at work at once, each of which takes all registers that a thread may have."""
REGISTERS = 128
"""Of a thread where twice as many are at work: see `GpuEnsemble.gains_by_threads`."""
GROUP = 32
"""Members side by side: the threads of a GPU that run in step."""
STRUCTURE = (
    BED_PRESENT, CURRENT_COUNT, WAVE_FIRST, WAVE_COUNT, WAVE_STRETCHING, STIRRED, SURVEY_COLUMNS, FIELD_TIMES,
)  # fmt: skip
"""Numbers of the sea that no member has otherwise than the others: what they leave out is not compiled."""
OWN = ("sea", "sea_row")
"""Tables of constants that members have for themselves unless more is said."""


class NoGpu(RuntimeError):
    """There is no GPU, or what drives it is not installed; the text says which."""


def require_gpu() -> Any:
    """`numba.cuda`, where there is a GPU that it can use."""
    try:
        from numba import cuda

        from . import cuda_waves  # noqa: F401  tells numba-cuda what records and rows of waves are
    except ImportError as error:
        why = "is not installed" if find_spec("numba_cuda") is None else f"does not load ({error})"
        raise NoGpu(f"an ensemble on a GPU needs numba-cuda, which {why}; pip install 'fairlead[gpu]'") from None
    except AttributeError as missing:
        raise NoGpu(f"numba-cuda does not go with numpy {np.__version__} ({missing}); install an older one") from None
    if not cuda.is_available():
        raise NoGpu("numba-cuda finds no GPU here; is its driver installed (nvidia-smi)?")
    return cuda


def of_the_driver(error: BaseException) -> bool:
    """Whether an error is one of those by which numba-cuda and the driver below it say that a GPU cannot go on. They
    have no base of their own, and their modules change with its versions."""
    return any(kind.__name__.lower().startswith("cuda") for kind in type(error).__mro__)


class Gpu:
    """The GPU of this machine: arrays in its memory, and what its threads do with them.

    Machine code is kept for all ensembles of one structure.
    """

    def __init__(self) -> None:
        self._cuda = require_gpu()
        self._code: dict[tuple[Any, ...], Program] = {}
        # said of few threads, whose number is no choice; for good, since to put it back would disturb other threads
        warnings.filterwarnings("ignore", "Grid size .* under-utilization")

    @property
    def name(self) -> str:
        """Which one it is."""
        found = self._cuda.get_current_device().name
        return found.decode() if isinstance(found, bytes) else str(found)

    @cached_property
    def has_scratchpad(self) -> bool:
        """Whether its processors have one for members in phases."""
        return int(self._cuda.get_current_device().MAX_SHARED_MEMORY_PER_BLOCK_OPTIN) >= SCRATCHPAD

    @property
    def free(self) -> int:
        """Bytes of its memory that nobody has."""
        return int(self._cuda.current_context().get_memory_info().free)

    def put(self, array: np.ndarray) -> Any:
        """An array there, the same as one here."""
        return self._cuda.to_device(np.ascontiguousarray(array))

    def spread(self, row: np.ndarray, members: int) -> Any:
        """A row of numbers for every member: (group, number, member of the group)."""
        found = self._cuda.device_array(members * len(row), dtype=row.dtype)
        self._code_of(("fill",), filling)(found.size, self.put(row), found)
        return found

    def full(self, shape: tuple[int, ...], value: Any) -> Any:
        """An array of one number."""
        return self.spread(np.array([value]), int(np.prod(shape))).reshape(shape)

    def fetch(self, array: Any) -> np.ndarray:
        """An array here, the same as one there."""
        return np.asarray(array.copy_to_host())

    def advance(self, them: GpuEnsemble, t: float, n: int, h: float) -> None:
        """n steps of h [s] from t [s] of every member that is well."""
        if them.in_phases:
            self._go(them, t, n, h)
            return
        if them.compiled.steps is None:
            raise NoGpu("this system is stepped on a GPU with samples on the way alone: run it as a study")
        code = self._steps(them, watched=False)
        code(them.members, t, n, h, them.members, *them.arrays)
        self._cuda.synchronize()

    def watch(self, them: GpuEnsemble, t: float, n: int, h: float, every: int, *seen: Any) -> None:
        """The same, with samples on the way: what is asked for, where ways are measured from, and where they go."""
        if them.in_phases:
            self._go(them, t, n, h, every, *seen)
            return
        code = self._steps(them, watched=True)
        code(them.members, t, n, h, them.members, *them.arrays, every, *seen)
        self._cuda.synchronize()

    def _go(self, them: GpuEnsemble, t: float, n: int, h: float, every: int = 0, *seen: Any) -> None:
        """Steps in phases, with samples on the way where some are asked for; with n = 0 there is one, and no step."""
        phases: Any = them.compiled.phases
        there = them.members, *them.arrays
        self._program(them, None)(them.members, h, *there)
        steps = phases.steps if n > 0 else phases.up_to_sample
        codes = [self._program(them, phase) for phase in steps]
        for step in range(max(n, 1) if seen else n):
            now = t + step * h
            for phase, code in zip(steps, codes, strict=True):
                if not phase.samples:
                    code(them.members, now, *there)
                elif seen and step % every == 0:
                    code(them.members, now, *there, step // every, *seen)
        self._cuda.synchronize()

    def fold(self, status: Any, rows: Any, *rest: Any) -> None:
        """`streaming.fold`, a thread a member."""
        self._code_of(("fold",), folding)(rows.shape[0], status, rows, *rest)
        self._cuda.synchronize()

    def _program(self, them: GpuEnsemble, phase: Phase | None) -> Any:
        """Code for a phase of a step of members; None: for what comes before the first."""
        name, padded = ("prepare", False) if phase is None else (phase.kernel.__name__, phase.fetches)
        # rows of waves stand behind the constants that all share, and are read in memory
        padded = padded and self.has_scratchpad and them.known[WAVE_COUNT] == 0.0
        kind = them.kind(padded=padded)
        return self._code_of((name, *them.structure), partial(phase_of, them, phase, kind), kind.pad)

    def _steps(self, them: GpuEnsemble, watched: bool) -> Any:
        """Code for the steps of members."""
        key = ("watched" if watched else "steps", *them.structure)
        crowded = ("crowded", *key)  # the rest of a study takes the code of its large batches
        if crowded in self._code or (them.members > AT_WORK and them.gains_by_threads):
            program = partial(stepping, them, watched, lean=True)
            return self._code_of(crowded, program, max_registers=REGISTERS)
        return self._code_of(key, partial(stepping, them, watched))

    def _code_of(
        self, key: tuple[Any, ...], function: Callable[[], Any], pad: Scratchpad | None = None, **options: Any
    ) -> Any:
        """Code for threads whose block has what `pad` says in its scratchpad."""
        if key not in self._code:
            self._code[key] = self._compiled(function(), pad, **options)
        return self._code[key]

    def _compiled(self, function: Callable[..., Any], pad: Scratchpad | None, **options: Any) -> Program:
        from .cuda_programs import Program

        return Program(function, pad, **options)


def stepping(them: GpuEnsemble, watched: bool, lean: bool = False) -> Any:
    """What a thread does to advance a member, uncompiled; `lean` where it has few registers."""
    from numba import cuda

    from .cuda_views import lane_view, member_view

    compiled = them.compiled
    member_of, inputs_of = member_view(them.kind(lean)), lane_view(max(1, compiled.initial_inputs().size))
    steps: Any = compiled.steps
    watched_steps: Any = compiled.watched
    scheme = compiled.kind

    def advance(t, n, h, members, ints, shared, own, y, work, u, status):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < members and status[i] == 0:
            status[i] = steps(t, n, h, inputs_of(u, i), scheme, member_of(ints, shared, own, y, work, i))

    def watch(  # type: ignore[no-untyped-def]
        t, n, h, members, ints, shared, own, y, work, u, status, every, asked, home, out
    ):
        i = cuda.grid(1)
        if i < members and status[i] == 0:
            seen = (every, asked, home[i : i + 1], out[i : i + 1])
            status[i] = watched_steps(t, n, h, inputs_of(u, i), scheme, seen, member_of(ints, shared, own, y, work, i))

    return watch if watched else advance


def phase_of(them: GpuEnsemble, phase: Phase | None, kind: Any) -> Any:
    """What a thread does in a phase of a step of a member of this kind, uncompiled; None: before the first."""
    from numba import cuda

    from .cuda_views import lane_view, member_view, sharing

    compiled = them.compiled
    phases: Any = compiled.phases
    inputs_of, scheme = lane_view(max(1, compiled.initial_inputs().size)), compiled.kind
    member_of, share = member_view(kind), sharing(kind)
    if phase is None:
        before = phases.prepare

        def prepare(h, members, ints, shared, own, y, work, u, status):  # type: ignore[no-untyped-def]
            i = cuda.grid(1)
            share(ints, shared)
            if i < members and status[i] == 0:
                before(scheme, h, member_of(ints, shared, own, y, work, i))

        return prepare
    kernel: Any = phase.kernel

    def advance(now, members, ints, shared, own, y, work, u, status):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        share(ints, shared)
        if i < members and status[i] == 0:
            status[i] = kernel(now, inputs_of(u, i), member_of(ints, shared, own, y, work, i))

    def watch(  # type: ignore[no-untyped-def]
        now, members, ints, shared, own, y, work, u, status, sample, asked, home, out
    ):
        i = cuda.grid(1)
        share(ints, shared)
        if i < members and status[i] == 0:
            seen = (1, asked, home[i : i + 1], out[i : i + 1])
            sys = member_of(ints, shared, own, y, work, i)
            status[i] = kernel(now, sample, inputs_of(u, i), seen, sys)

    return watch if phase.samples else advance


def filling() -> Any:
    """What a thread does to fill an array with a row a group, uncompiled."""
    from numba import cuda

    group = GROUP

    def fill(row, all_rows):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < all_rows.shape[0]:
            all_rows[i] = row[(i // group) % row.shape[0]]

    return fill


def folding() -> Any:
    """What a thread does to fold the samples of a member, uncompiled."""
    from numba import cuda

    from .streaming import fold_member

    def fold(  # type: ignore[no-untyped-def]
        status, rows, times, first, last, rules, home, asked, levels, exponents, lengths, start,
        sums, above, crossed, bins, grid, stack, depth, damage, blocks,
    ):  # fmt: skip
        m = cuda.grid(1)
        if m < rows.shape[0] and status[m] == 0:
            fold_member(
                rows[m], times, first, last, rules, home[m], asked, levels, exponents, lengths, start, sums[m],
                above[m], crossed[m], bins[m], grid[m], stack[m], depth[m], damage[m], blocks[m],
            )  # fmt: skip

    return fold


class GpuEnsemble:
    """Members of one compiled system, all in one state at first unless they are given states of their own.

    compiled  the system; of its formulation, `phases` are run or, in waves and where there are none, the kernel `steps`
              or `watched`
    members   how many; rounded up to whole groups of 32
    own       leading tables of `reals` that each member has for itself, such as `sea` and `sea_row`
    gpu       by default that of this machine
    """

    def __init__(
        self, compiled: KernelCompiled, members: int, own: tuple[str, ...] = OWN, gpu: Gpu | None = None
    ) -> None:
        self.gpu = gpu or Gpu()
        if compiled.phases is None and compiled.steps is None and compiled.watched is None:
            raise NoGpu(f"formulation '{compiled.formulation}' has no steps for a GPU; bars and lumped have")
        self.compiled, self.own = compiled, own
        self.members = -(-members // GROUP) * GROUP
        self._width = own_size(compiled, own)
        with compiled.turn:  # another thread may set its numbers
            self._take(compiled)

    def _take(self, compiled: KernelCompiled) -> None:
        """Arrays of the compiled system, to the GPU."""
        row = compiled.reals[: self._width]
        self.known = dict(zip(STRUCTURE, map(float, row[list(STRUCTURE)]), strict=True))
        """Numbers of the sea that all members have alike, by their place among the constants: part of the code."""
        self.constants = np.empty((self.members // GROUP, self._width, GROUP))
        """The members' own constants (group, number, member of the group); `set_constants` takes changes over."""
        self.constants[:] = row[:, None]
        gpu, inputs = self.gpu, compiled.initial_inputs()
        self._ints, self._all = gpu.put(compiled.ints), compiled.reals.copy()
        self._put_constants()
        self._y = gpu.spread(compiled.initial_state(), self.members)
        self._work = gpu.spread(compiled.work, self.members)
        self._u = gpu.spread(inputs if inputs.size else np.full(1, np.nan), self.members)
        self._status = gpu.put(np.zeros(self.members, dtype=np.int64))

    @property
    def arrays(self) -> tuple[Any, ...]:
        """All that a step reads and writes, there."""
        return self._ints, self._shared, self._own, self._y, self._work, self._u, self._status

    @property
    def structure(self) -> tuple[Any, ...]:
        """The same of all ensembles that share machine code."""
        compiled, head = self.compiled, self.compiled.schema.head_size
        known = tuple(self.known.values())
        arrays = compiled.ints, compiled.reals, compiled.work, compiled.initial_inputs()
        sizes = compiled.layout.size, *(array.size for array in arrays)
        code = compiled.formulation, compiled.entry.py_func.__name__, compiled.kind  # type: ignore[attr-defined]
        return *code, self.own, self.split, compiled.ints[:head].tobytes(), known, sizes

    @cached_property
    def in_phases(self) -> bool:
        """Whether a step is taken in phases."""
        return self.compiled.phases is not None and not lines_feel_waves(self.compiled)

    def kind(self, lean: bool = False, padded: bool = False) -> Any:
        """The type of a member; of a `lean` one, rows are read where they are used; a `padded` one has a scratchpad."""
        from .cuda_records import MemberType

        compiled = self.compiled
        sizes = {
            INTS: compiled.ints.size,
            REALS: compiled.reals.size,
            Y: compiled.layout.size,
            WORK: compiled.work.size,
        }
        head = tuple(int(number) for number in compiled.ints[: compiled.schema.head_size])
        return MemberType(compiled.schema, frozenset(self.own), self.split, head, self.known, sizes, lean, padded)

    @property
    def gains_by_threads(self) -> bool:
        """Whether sums over waves, which wait for arithmetic and not for memory, gain more from other threads than from
        registers: by `bars`, and where each member has a sea of its own. In a sea that all share `lumped` is as quick
        in threads that keep more to themselves, and quicker where not all waves are felt; so is all else."""
        gains = not self.shares_waves or self.compiled.formulation == "bars"
        return gains and lines_feel_waves(self.compiled)

    def set_constants(self) -> None:
        """Take over what was changed in `constants`; `ValueError` where members differ in what is part of the code."""
        known = self.constants[:, list(STRUCTURE)]
        first = known[0, :, 0]
        if (known != first[:, None]).any():
            raise ValueError(
                "members of one ensemble on a GPU have the same kind of bed and current, and as many waves with the "
                "same stretching; run those that differ in them as ensembles of their own"
            )
        self.known = dict(zip(STRUCTURE, map(float, first), strict=True))
        self._put_constants()

    def _put_constants(self) -> None:
        """The members' own constants to the GPU. Waves and what follows them are read once for all where they are the
        same, as in currents of their own, and not by every member from its own memory."""
        self._all[: self._width] = self.constants[0, :, 0]
        waves = self.constants[:, int(self._all[WAVE_FIRST]) :]
        one = np.broadcast_to(waves[:1, :, :1], waves.shape)
        shared = self.own == OWN and np.array_equal(waves, one, equal_nan=True)
        self.split = self._width - (waves.shape[1] if shared else 0)
        """How many of the constants a member has for itself, before its rows of waves."""
        own, everybody = self.constants[:, : self.split], [self._all]
        if self.known[WAVE_COUNT] > 0.0 and self.shares_waves:
            everybody += [np.zeros(self._all.size % 2), single_rows(self._waves(self._all))]
        elif self.known[WAVE_COUNT] > 0.0:
            own = np.empty((len(own), with_rows(self.split, self.known), GROUP))
            own[:, : self.split] = self.constants
            for group in own:
                group[self.split :] = single_rows(self._waves(group))
        self._shared = self.gpu.put(np.concatenate(everybody))
        self._own = self.gpu.put(own.reshape(-1))

    @property
    def shares_waves(self) -> bool:
        """Whether waves are read once for all."""
        return self.split <= self.known[WAVE_FIRST]

    def too_long(self, t: float) -> str | None:
        """`too_long` of these members."""
        constants = self._all if self.shares_waves else self.constants.swapaxes(0, 1)
        return too_long(t, self._waves(constants)[OMEGA])

    def _waves(self, constants: np.ndarray) -> np.ndarray:
        """Columns of the regular waves among constants (number, ...)."""
        first, count = int(self.known[WAVE_FIRST]), int(self.known[WAVE_COUNT])
        return constants[first : first + NUMBERS * count].reshape(NUMBERS, count, *constants.shape[1:])

    def set_rows(self, constants: list[np.ndarray], states: list[np.ndarray], inputs: np.ndarray) -> None:
        """Constants, of which the members' own are taken, and first states, a row each; inputs of all. The last one
        stands in for those that fill up the last group."""
        self._all[:] = constants[0]
        _put_in_groups([row[: self._width] for row in constants], self.constants)
        self.set_constants()
        if all(row is states[0] for row in states):
            self._y = self.gpu.spread(states[0], self.members)
        else:
            grouped = np.empty((self.members // GROUP, states[0].size, GROUP))
            _put_in_groups(states, grouped)
            self._y = self.gpu.put(grouped.reshape(-1))
        if inputs.size:
            self._u = self.gpu.spread(inputs, self.members)

    def advance(self, t: float, n: int, h: float) -> None:
        """n steps of h [s] from t [s] of every member that is well; one that fails has its `status`, and stops."""
        if (why := self.too_long(t + n * h)) is not None:
            raise NoGpu(f"{why}; shorten it, or run it on a core")
        self.gpu.advance(self, float(t), int(n), float(h))

    @property
    def status(self) -> np.ndarray:
        """0 of a member that is well, else why it stopped (member,)."""
        return self.gpu.fetch(self._status)

    def state(self, member: int) -> np.ndarray:
        """The state vector of one member."""
        return self._of(self._y, self.compiled.layout.size, member)

    def scratch(self, member: int) -> np.ndarray:
        """What kernels have left in `work` of one member."""
        return self._of(self._work, self.compiled.work.size, member)

    def _of(self, array: Any, size: int, member: int) -> np.ndarray:
        group = member // GROUP
        rows = self.gpu.fetch(array[group * size * GROUP : (group + 1) * size * GROUP])
        return np.ascontiguousarray(rows.reshape(size, GROUP)[:, member % GROUP])


def _put_in_groups(rows: list[np.ndarray], groups: np.ndarray) -> None:
    """Rows of members into `groups` (group, number, member of it), the last one standing in for those missing."""
    for group, first in enumerate(range(0, len(rows), GROUP)):
        here = rows[first : first + GROUP]
        groups[group] = np.stack([*here, *[here[-1]] * (GROUP - len(here))], axis=1)


def too_long(t: float, omega: np.ndarray) -> str | None:
    """Why waves of these ω [rad/s] cannot be followed to a time [s], where they cannot: they have turned too often by
    then to be counted (a tenth of the turns is left to distances)."""
    fastest, most = float(omega.max(initial=0.0)), 0.9 * TURNS * 2.0 * np.pi
    return (
        None if t * fastest < most else f"waves of {fastest:.3g} rad/s are followed for {most / fastest:.3g} s on a GPU"
    )


def with_rows(numbers: int, known: dict[int, float]) -> int:
    """So many numbers and the rows of the waves behind them (`sea.single_waves`)."""
    return numbers + NUMBERS * int(known.get(WAVE_COUNT, 0.0))


def own_size(compiled: KernelCompiled, own: tuple[str, ...]) -> int:
    """How many leading constants are those of tables `own`."""
    leading = _tables(compiled)[: len(own)]
    if {name for name, _ in leading} != set(own):
        names = ", ".join(name for name, _ in leading)
        raise ValueError(f"own: {', '.join(own)} are not the first tables of constants, which are {names}")
    return sum(size for _, size in leading)


def own_tables(compiled: KernelCompiled, constants: list[np.ndarray]) -> tuple[str, ...]:
    """The leading tables of constants up to the last in which members differ; those of the sea at least."""
    first = constants[0]
    differing = [np.flatnonzero((row != first) & ~(np.isnan(row) & np.isnan(first))) for row in constants[1:]]
    needed = 1 + max((int(places[-1]) for places in differing if len(places)), default=-1)
    names: list[str] = []
    size = 0
    for name, count in _tables(compiled):
        if size >= needed and len(names) >= len(OWN):
            break
        names.append(name)
        size += count
    return tuple(names)


def _tables(compiled: KernelCompiled) -> list[tuple[str, int]]:
    """Names and sizes of the tables of constants, in order."""
    counts = compiled.tables(compiled.initial_state()).counts
    found = [table for table in compiled.schema.table.values() if table.place == REALS]
    return [(table.name, table.width * table.rows(counts)) for table in found]
