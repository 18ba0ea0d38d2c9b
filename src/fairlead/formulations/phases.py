"""A step in phases: how a GPU takes many members through it, all of them through one phase before the next begins.

Each phase is a program of its own there, with as many registers as it is best with. Where sums over waves take most of
the time, all would wait for a phase that few members need, and whole steps are one program.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Phase:
    """A part of a step from the time `now` [s].

    kernel   `kernel(now, u, sys) -> status` of a member that is well; one that takes a sample
             `kernel(now, sample, u, seen, sys) -> status`, with `seen` as `rigging.watching` has it. Its name is that
             of the phase
    samples  whether it takes samples: in steps that begin with one, and where some are asked for
    fetches  whether it asks for rows ahead (`algebra.records.fetch`), for which a thread then has all registers and a
             share of the scratchpad of its processor
    """

    kernel: Callable[..., int]
    samples: bool = False
    fetches: bool = False


@dataclass(frozen=True)
class Phases:
    """The phases of a step in their order, and what comes before the first step.

    prepare  `prepare(kind, h, sys)`, for steps of the size h [s]
    """

    prepare: Callable[..., None]
    steps: tuple[Phase, ...]

    @property
    def up_to_sample(self) -> tuple[Phase, ...]:
        """Those of a sample alone, without a step."""
        return self.steps[: 1 + max(k for k, phase in enumerate(self.steps) if phase.samples)]
