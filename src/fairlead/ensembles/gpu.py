"""An ensemble on a GPU: a thread a member, in double precision, by the very kernels that one run uses on a core."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from fairlead.algebra.records import REALS, WORK, Y
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

if TYPE_CHECKING:
    from fairlead.formulations.kernel_compiled import KernelCompiled

THREADS = 128
"""Threads a block."""
STRUCTURE = (
    BED_PRESENT, CURRENT_COUNT, WAVE_FIRST, WAVE_COUNT, WAVE_STRETCHING, STIRRED, SURVEY_COLUMNS, FIELD_TIMES,
)  # fmt: skip
"""Numbers of the sea that no member has otherwise than the others: what they leave out is not compiled."""


class NoGpu(RuntimeError):
    """There is no GPU, or what drives it is not installed; the text says which."""


def require_gpu() -> Any:
    """`numba.cuda`, where there is a GPU that it can use."""
    try:
        from numba import cuda

        from . import cuda_records  # noqa: F401  tells numba-cuda what records are
    except ImportError as missing:
        raise NoGpu(f"an ensemble on a GPU needs numba-cuda ({missing}); pip install 'fairlead[gpu]'") from None
    if not cuda.is_available():
        raise NoGpu("numba-cuda finds no GPU here; is its driver installed (nvidia-smi)?")
    return cuda


class GpuEnsemble:
    """Members of one compiled system, all in one state at first.

    compiled  the system; of its formulation, `steps(t, n, h, u, kind, sys) -> status` is the kernel that is run
    members   how many; rounded up to whole groups of 32
    own       leading tables of `reals` that each member has for itself, such as `sea` and `sea_row`
    """

    def __init__(self, compiled: KernelCompiled, members: int, own: tuple[str, ...] = ("sea", "sea_row")) -> None:
        self._cuda = require_gpu()
        from .cuda_records import GROUP

        if getattr(compiled, "steps", None) is None:
            raise NoGpu(f"formulation '{compiled.formulation}' has no steps for a GPU yet; use bars")
        self.compiled, self.own, self._group = compiled, own, GROUP
        self.members = -(-members // GROUP) * GROUP
        self._tables = compiled.tables(compiled.initial_state())
        self.constants = self._spread(compiled.reals[: self._split])
        """The members' own constants (group, number, member of the group); `set_constants` takes changes over."""
        device = self._cuda.to_device
        self._ints, self._shared = device(compiled.ints), device(compiled.reals)
        self._own = device(self.constants.reshape(-1))
        self._y = device(self._spread(compiled.initial_state()).reshape(-1))
        self._work = device(self._spread(compiled.work).reshape(-1))
        inputs = compiled.initial_inputs()
        self._u = device(self._spread(inputs if inputs.size else np.full(1, np.nan)).reshape(-1))
        self._status = device(np.zeros(self.members, dtype=np.int64))

    @property
    def _split(self) -> int:
        """Where the members' own constants end."""
        schema, counts = self.compiled.schema, self._tables.counts
        leading = [t for t in schema.table.values() if t.place == REALS][: len(self.own)]
        if {table.name for table in leading} != set(self.own):
            raise ValueError(
                f"own: {', '.join(self.own)} are not the first tables of constants, which are "
                f"{', '.join(table.name for table in leading)}"
            )
        return sum(table.width * table.rows(counts) for table in leading)

    def _spread(self, row: np.ndarray) -> np.ndarray:
        """A row of numbers for every member: (group, number, member of the group)."""
        return np.repeat(np.tile(row, (self.members // self._group, 1))[:, :, None], self._group, axis=2)

    def set_constants(self) -> None:
        """Take over what was changed in `constants`."""
        self._own.copy_to_device(np.ascontiguousarray(self.constants).reshape(-1))

    @cached_property
    def _compiled_program(self) -> Any:
        return self._cuda.jit(self.program())

    def program(self) -> Any:
        """What a thread does, uncompiled."""
        from numba import cuda

        from .cuda_records import MemberType, lane_view, member_view

        compiled = self.compiled
        sizes = {"ints": compiled.ints.size, Y: compiled.layout.size, WORK: compiled.work.size}
        head = tuple(int(number) for number in compiled.ints[: compiled.schema.head_size])
        known = {index: float(compiled.reals[index]) for index in STRUCTURE}
        kind = MemberType(compiled.schema, frozenset(self.own), self._split, head, known, sizes)
        member_of, inputs_of = member_view(kind), lane_view(max(1, compiled.initial_inputs().size))
        steps: Any = compiled.steps
        scheme = compiled.kind

        def program(t, n, h, members, ints, shared, own, y, work, u, status):  # type: ignore[no-untyped-def]
            i = cuda.grid(1)
            if i < members and status[i] == 0:
                system = member_of(ints, shared, own, y, work, i)
                status[i] = steps(t, n, h, inputs_of(u, i), scheme, system)

        return program

    def advance(self, t: float, n: int, h: float) -> None:
        """n steps of h [s] from t [s] of every member; one that fails stays where it was, with its `status`."""
        blocks = -(-self.members // THREADS)
        self._compiled_program[blocks, THREADS](
            float(t), int(n), float(h), self.members, self._ints, self._shared, self._own, self._y, self._work, self._u,
            self._status,
        )  # fmt: skip
        self._cuda.synchronize()

    @property
    def status(self) -> np.ndarray:
        """0 of a member that is well, else why it stopped (member,)."""
        return np.asarray(self._status.copy_to_host())

    def state(self, member: int) -> np.ndarray:
        """The state vector of one member."""
        states = self._y.copy_to_host().reshape(-1, self.compiled.layout.size, self._group)
        return np.ascontiguousarray(states[member // self._group, :, member % self._group])
