"""What is said after a run of cables that lost their tension with a step too coarse for the peaks that follow.

A cable that comes taut again is a mass caught by a spring: its tension rises as a quarter of a sine to the peak T, at
most by ΔT = Ω T within a step, with Ω = ωh of that sine. So Ω is seen in the run itself, whatever load hangs on the
cable and however fine its mesh. A step that takes the spring at θh multiplies the amplitude by 1 − (θ − ½)Ω² each time,
over the π/2Ω steps of the quarter by exp(−½π(θ − ½)Ω); and a peak between two steps is missed by at most Ω²/8.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

MOST = 3
"""Cables that get a note each; more of them share one."""
ENOUGH = 0.02
"""Part of a peak that a step may take without a word."""


class Slack(NamedTuple):
    """A cable, when it first lost its tension (s, negative when it never did), and of its tensions from then on the
    largest rise within a step and the largest (N)."""

    name: str
    since: float
    rise: float
    peak: float

    def low(self, theta: float) -> float:
        """Part of the peak that the step has taken, estimated."""
        if self.since < 0 or self.peak <= 0:
            return 0.0
        turn = min(1.0, self.rise / self.peak)
        return 1.0 - math.exp(-0.5 * math.pi * (theta - 0.5) * turn) + turn**2 / 8


def slack_notes(cables: Iterable[Slack], h: float, theta: float, cure: str) -> tuple[str, ...]:
    """Notes on those whose snap loads a step of h [s] has lowered by more than `ENOUGH`.

    theta: where in the step springs are taken; cure: what else to do than to take a smaller step, e.g. `use` or
    `use bars: {theta: 0.55} or`.
    """
    found = sorted((c for c in cables if c.low(theta) > ENOUGH), key=lambda c: c.since)
    if not found:
        return ()
    worst = max(c.low(theta) for c in found)
    fine = h * min(_good(theta) * c.peak / c.rise for c in found)
    if len(found) <= MOST:
        return tuple(
            f"cables.{c.name}: lost its tension first at t = {c.since:.4g} s, and came taut again by up to "
            f"{100 * c.rise / c.peak:.2g} % of its peak of {c.peak / 1e3:.4g} kN within a step of {h:g} s: that peak "
            f"may be low by about {100 * c.low(theta):.2g} %; {cure} a step of "
            f"{h * _good(theta) * c.peak / c.rise:.2g} s"
            for c in found
        )
    some = ", ".join(f"{c.name} ({c.since:.4g} s)" for c in found[:MOST])
    return (
        f"cables: {len(found)} of them lost their tension, first {some}, and came taut again by large parts of their "
        f"peaks within a step of {h:g} s: these peaks may be low by up to about {100 * worst:.2g} %; {cure} a step of "
        f"{fine:.2g} s",
    )


def _good(theta: float) -> float:
    """Ω at which a step takes `ENOUGH` of a peak: the root of ½π(θ − ½)Ω + Ω²/8."""
    half = math.pi * (theta - 0.5)
    return -2 * half + math.sqrt(4 * half**2 + 8 * ENOUGH)
