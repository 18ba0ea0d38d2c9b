"""Winches: their rows, and the rate at which they turn."""

from __future__ import annotations

import math
from typing import NamedTuple

from fairlead.algebra.compiled import kernel
from fairlead.algebra.records import fields_of
from fairlead.loads.signals import table_value
from fairlead.model import System
from fairlead.payout.control import control_row, control_state
from fairlead.payout.rules import MERGE, NOTHING, SPLIT, event
from fairlead.payout.tables import CONTROLLER, CONTROLLER_STATE

from .rows import Collected, Row

WINCH = "cable first rows"
"""Its cable, and the rows of its schedule: rates at times."""
LIMITS = "nominal shortest longest split_at merge_at merge_after_split"
"""Length of an element [m]; least and greatest length at which it stops [m]; marks of `payout.rules`."""
DRUM = "paid_out first_length count latest debt"
"""Unstretched length off the drum [m]; that of the element there [m], or of all as a part of the nominal one where it
rescales; elements; latest event; length owed [m]."""


class WinchRows(NamedTuple):
    """One winch: the name of its cable, and its rows."""

    name: str
    winch: Row
    limits: Row
    controller: Row
    turning: Row


def winch_rows(system: System, name: str, samples: list[float], longest: float | None = None, **own: int) -> WinchRows:
    """The winch of the named cable; its schedule goes to `samples`, `own` to its row beside `WINCH`.

    longest: where it stops, if not where the cable says.
    """
    line = system.cables[name]
    winch = line.winch
    assert winch is not None
    least, most = line.length_limits(system.simulation.duration)
    schedule = winch.table or ([(0.0, winch.rate)] if winch.rate is not None else [])
    first = len(samples)
    samples += [number for row in schedule for number in row]
    return WinchRows(
        name,
        {"cable": list(system.cables).index(name), "first": first, "rows": len(schedule), **own},
        {
            "nominal": line.drum_length, "shortest": least, "longest": most if longest is None else longest,
            "split_at": winch.split, "merge_at": winch.merge, "merge_after_split": winch.merge_after_reversal,
        },
        dict(zip(fields_of(CONTROLLER), control_row(winch), strict=True)),
        dict(zip(fields_of(CONTROLLER_STATE), control_state(winch), strict=True)),
    )  # fmt: skip


def add_winches(
    rows: Collected,
    winches: list[WinchRows],
    inputs: dict[str, slice],
    limits: str = "limits",
    turning: str = "turning",
) -> None:
    """Rows of all winches into their tables, two of them of these names; their live inputs to those there are."""
    for found in winches:
        rows.winch.append(found.winch)
        rows.controller.append(found.controller)
        getattr(rows, limits).append(found.limits)
        getattr(rows, turning).append(found.turning)
    rate_inputs([found.name for found in winches], inputs)


def rate_inputs(names: list[str], inputs: dict[str, slice]) -> None:
    """Add the live inputs of the winches of these cables, behind those there are."""
    top = max((place.stop for place in inputs.values()), default=0)
    inputs |= {f"{name}.winch.rate": slice(top + k, top + k + 1) for k, name in enumerate(names)}


@kernel
def resize(element, nominal, length):
    """Give an element another unstretched length, and all that grows with it, from what it has at its nominal one."""
    f = length / nominal.length
    element.length = f * nominal.length
    element.mass, element.weight, element.buoyancy = f * nominal.mass, f * nominal.weight, f * nominal.buoyancy
    element.added_normal, element.added_axial = f * nominal.added_normal, f * nominal.added_axial
    element.drag_normal, element.drag_axial = f * nominal.drag_normal, f * nominal.drag_axial
    element.bed_stiffness, element.bed_damping = f * nominal.bed_stiffness, f * nominal.bed_damping
    element.bed_shear = f * nominal.bed_shear


@kernel
def scheduled_rate(t, live, winch, samples, reals):
    """Rate of a winch at t [m/s]: the `live` input where it is a number, else the file's schedule."""
    if not math.isnan(live):
        return live
    if winch.rows == 0:
        return 0.0
    return table_value(t, reals, samples + winch.first, winch.rows, 2, 1)


@kernel
def due(length, nominal, rate, latest, limits, count, most):
    """What is to happen at a drum: `payout.rules.event`, as long as there are elements to take from it or to leave.

    length, nominal   unstretched length of the element at the drum, and what it is to be [m]
    rate, latest      of payout [m/s]; the latest event
    count, most       elements that are out, and that can be
    """
    what = event(length, nominal, rate, latest, limits.split_at, limits.merge_at, limits.merge_after_split)
    if (what == SPLIT and count >= most) or (what == MERGE and count <= 1):
        return NOTHING
    return what
