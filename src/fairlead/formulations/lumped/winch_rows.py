"""Records of the winches."""

from __future__ import annotations

import math
from typing import NamedTuple

from fairlead.algebra.records import fields_of
from fairlead.model import System
from fairlead.payout.control import control_row, control_state
from fairlead.payout.tables import CONTROLLER, CONTROLLER_STATE


class WinchRows(NamedTuple):
    """One winch: the name of its cable, and its rows in the tables of these names."""

    name: str
    winch: dict[str, int]
    limits: dict[str, float]
    controller: dict[str, float]
    drum: dict[str, float]
    turning: dict[str, float]


def allotted(system: System, name: str) -> int:
    """Elements to be kept ready for a cable: for its greatest length on a drum."""
    cable = system.cables[name]
    if cable.winch is None or cable.winch.mode == "rescale":
        return cable.element_count
    _, most = cable.length_limits(system.simulation.duration)
    return cable.element_count + max(0, math.ceil((most - cable.total_length) / cable.drum_length - 1e-9)) + 1


def winch_rows(system: System, name: str, cable: int, count: int, samples: list[float]) -> WinchRows:
    """The winch of the named cable, which is number `cable`; its table of rates goes to `samples`."""
    line = system.cables[name]
    winch = line.winch
    assert winch is not None
    least, most = line.length_limits(system.simulation.duration)
    rescale = winch.mode == "rescale"
    rows = winch.table or ()
    turning = [0.0, 0.0] if winch.control is None else control_state(winch)
    found = WinchRows(
        name,
        {"cable": cable, "rescales": int(rescale), "first": len(samples), "rows": len(rows)},
        {
            "shortest": least, "longest": most, "split_at": winch.split, "merge_at": winch.merge,
            "merge_after_split": winch.merge_after_reversal, "rate": winch.rate or 0.0,
        },
        dict(zip(fields_of(CONTROLLER), control_row(winch), strict=True)),
        {"paid_out": line.total_length, "first_length": 1.0 if rescale else line.drum_length, "count": count},
        dict(zip(fields_of(CONTROLLER_STATE), turning, strict=True)),
    )  # fmt: skip
    samples += [number for row in rows for number in row]
    return found
