"""What is said after a run of cables that lost their tension with a step too coarse for the peaks that follow."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

MOST = 3
"""Cables that get a note each; more of them share one."""


class Slack(NamedTuple):
    """A cable and when it first lost its tension (s, negative when it never did), with its axial period (s)."""

    name: str
    since: float
    period: float


def slack_notes(cables: Iterable[Slack], h: float, parts: int, cure: str) -> tuple[str, ...]:
    """Notes on those for whose snap loads a step of h [s] is too coarse: longer than 1/`parts` of the axial period.

    cure: what else to do than to take a smaller step, e.g. `use` or `use bars: {theta: 0.55} or`.
    """
    found = sorted((c for c in cables if c.since >= 0 and h > c.period / parts), key=lambda c: c.since)
    low = "peaks of snap loads may be low"
    if len(found) <= MOST:
        return tuple(
            f"cables.{c.name}: lost its tension first at t = {c.since:.4g} s, and the step of {h:g} s is coarser than "
            f"1/{parts} of its axial period of {c.period:.3g} s: {low}; {cure} a step of {c.period / parts:.2g} s"
            for c in found
        )
    periods = [c.period for c in found]
    some = ", ".join(f"{c.name} ({c.since:.4g} s)" for c in found[:MOST])
    return (
        f"cables: {len(found)} of them lost their tension, first {some}, and the step of {h:g} s is coarser than "
        f"1/{parts} of their axial periods of {min(periods):.3g} to {max(periods):.3g} s: {low}; {cure} a step of "
        f"{min(periods) / parts:.2g} s",
    )
