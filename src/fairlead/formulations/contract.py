"""What a formulation is.

A formulation compiles a `System` into flat arrays once and keeps its whole state in one float64 vector `y` whose
length never changes during a run. Everything the next step reads is in `y`, so checkpoints, snapshots and error
norms need no code per formulation and a resumed run is bit-identical.
"""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from fairlead.model import System
from fairlead.results.observation import ObservationShape


@dataclass(frozen=True)
class Block:
    """A named part of the state vector."""

    name: str
    start: int
    stop: int
    unit: str
    weight: float
    """Weight in the error norm of adaptive integrators; 0 for memory that is not integrated."""

    @property
    def slice(self) -> slice:
        return slice(self.start, self.stop)


@dataclass(frozen=True)
class Layout:
    """The state vector's table of contents."""

    blocks: tuple[Block, ...]

    @classmethod
    def of(cls, *parts: tuple[str, int, str, float]) -> Layout:
        """From `(name, size, unit, weight)` in order."""
        blocks, start = [], 0
        for name, size, unit, weight in parts:
            blocks.append(Block(name, start, start + size, unit, weight))
            start += size
        return cls(tuple(blocks))

    @property
    def size(self) -> int:
        return self.blocks[-1].stop

    def __getitem__(self, name: str) -> slice:
        return next(block.slice for block in self.blocks if block.name == name)

    @property
    def weights(self) -> np.ndarray:
        """Error weight of each state, shape (size,)."""
        return np.concatenate([np.full(b.stop - b.start, b.weight) for b in self.blocks])

    @property
    def fingerprint(self) -> str:
        """Short hash: two states fit each other only when their layouts agree."""
        text = ";".join(f"{b.name}:{b.start}:{b.stop}:{b.unit}" for b in self.blocks)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Failure:
    """Where and why a run could not go on."""

    time: float
    place: str
    """Cable and element, e.g. `cable 'left', element 12 of 50`."""
    what: str
    cause: str
    cure: str

    def __str__(self) -> str:
        return f"t = {self.time:.6g} s, {self.place}: {self.what}. Likely cause: {self.cause}. What to do: {self.cure}."


class UnsupportedSystem(ValueError):
    """The formulation cannot carry something the system needs; the text says what, and what can."""


class Compiled(ABC):
    """A system compiled by a formulation, ready to be advanced. `y` and `u` belong to the caller."""

    formulation: ClassVar[str]
    schemes: ClassVar[frozenset[str]]
    """Integrators the formulation carries out itself in `advance` (others act on `rhs`)."""

    system: System
    layout: Layout
    shape: ObservationShape
    inputs: dict[str, slice]
    """Input names to slices of the input vector `u`; NaN in `u` means: follow the file."""

    ints: np.ndarray
    reals: np.ndarray
    work: np.ndarray
    """The compiled system as flat arrays (int64, float64) and scratch memory, as handed to the kernels."""

    rhs: Callable[..., int] | None = None
    """Kernel `rhs(t, y, u, ints, reals, work, dy) -> status` for ODE integrators."""
    settle: Callable[..., int] | None = None
    """Kernel `settle(t, y, u, h, ints, reals, work) -> status` after an accepted step: renormalise, update memory."""

    @abstractmethod
    def initial_state(self) -> np.ndarray:
        """A fresh copy of the state at t = 0."""

    def initial_inputs(self) -> np.ndarray:
        """Input vector in which every input follows the file."""
        size = max((s.stop for s in self.inputs.values()), default=0)
        return np.full(size, np.nan)

    @abstractmethod
    def advance(self, t: float, y: np.ndarray, n: int, h: float, u: np.ndarray, scheme: str) -> Failure | None:
        """n steps of size h from time t, in place, in one compiled call."""

    @abstractmethod
    def observe(self, t: float, y: np.ndarray, u: np.ndarray, h: float, out: np.ndarray) -> None:
        """Fill one observation row (see `ObservationShape`) for the state at t; `y` is left as it is."""

    @abstractmethod
    def failure(self, status: int, t: float, y: np.ndarray) -> Failure:
        """Explain a non-zero status of a kernel."""

    def start_notes(self, h: float) -> tuple[str, ...]:
        """What a user should know before the run: bounds, choices made automatically."""
        return ()

    def end_notes(self, y: np.ndarray, h: float) -> tuple[str, ...]:
        """What a user should know after it: slack with too coarse a step, damped forms used, releases."""
        return ()
