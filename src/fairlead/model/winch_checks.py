"""Mistakes with winches: schedules that ask for more cable than there is, and what cannot pass a winch."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from fairlead.model.cables import Cable
from fairlead.model.problems import Mistake
from fairlead.model.ring_checks import known_length, rings_of
from fairlead.model.winches import Winch

if TYPE_CHECKING:
    from fairlead.model.system import System

SAME_LENGTH = 1e-6
"""Part of the limit by which a schedule may overrun it, for rounding."""


def winch_checks(system: System) -> Iterator[Mistake]:
    """Winches at rings, on cables with attachments, with limits that do not hold at the start or in the schedule."""
    rings = rings_of(system)
    duration = system.simulation.duration if system.simulation is not None else None
    for name, cable in (system.cables or {}).items():
        winch = cable.winch
        if winch is None:
            continue
        where = ("cables", name, "winch")
        end = None if winch.end is None else cable.start if winch.end == "start" else cable.end
        if end is not None and end.point in rings:
            message = f"the winch cannot stand on the ring '{end.point}'"
            yield Mistake((*where, "end"), message, "put it at the other end, or on a point that does not slide")
        if cable.attachments:
            message = "clump weights and floats cannot pass a winch"
            hint = "join two cables in a free point that carries the weight, and wind the one at the winch"
            yield Mistake(("cables", name, "attachments"), message, hint, True)
        if (length := known_length(cable)) is not None:
            yield from (mistake.below(*where) for mistake in _limits(cable, winch, length, duration))


def _limits(cable: Cable, winch: Winch, length: float, duration: float | None) -> Iterator[Mistake]:
    if winch.length_max is not None and length > winch.length_max * (1 + SAME_LENGTH):
        message = f"{winch.length_max:.6g} m is less than the cable has at the start, {length:.6g} m"
        yield Mistake(("length_max",), message, f"use {length:.6g} m or more")
        return
    if winch.length_min is not None and length < winch.length_min * (1 - SAME_LENGTH):
        message = f"{winch.length_min:.6g} m is more than the cable has at the start, {length:.6g} m"
        yield Mistake(("length_min",), message, f"use {length:.6g} m or less")
        return
    if duration is None or not winch.understood:
        return
    least, most = cable.length_limits(duration)
    lowest, highest = cable.schedule_range(duration)
    if lowest < least * (1 - SAME_LENGTH):
        yield _overrun(winch, "hauls in", length, least, lowest, duration)
    if highest > most * (1 + SAME_LENGTH):
        yield _overrun(winch, "pays out", length, most, highest, duration)


def _overrun(winch: Winch, does: str, length: float, limit: float, reached: float, duration: float) -> Mistake:
    """A schedule that leaves a limit: when, at which length, how far it would go, and what helps."""
    time = winch.time_of(limit - length, duration)
    kind = "length_min" if does == "hauls in" else "length_max"
    when = "" if time is None else f" at t = {time:.6g} s"
    message = f"{does} past {kind}, {limit:.6g} m,{when}, and would reach {reached:.6g} m"
    stop = "" if time is None else f"stop it by {time:.6g} s, "
    if winch.rate is not None:
        slowest = (limit - length) / duration
        stop += f"use a rate of {slowest:.4g} m/s, "
    cure = "make the cable longer" if kind == "length_min" else f"set length_max to {math.ceil(reached)} m"
    return Mistake(("rate" if winch.rate is not None else "table",), message, f"{stop}or {cure}")
