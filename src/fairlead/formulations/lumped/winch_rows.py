"""Records of the winches."""

from __future__ import annotations

import math
from typing import NamedTuple

from fairlead.model import System
from fairlead.payout.control import control_row, control_state


class WinchRows(NamedTuple):
    """One winch: its cable, its records in `ints` and `reals` and its first state (see `winch`)."""

    cable: str
    ints: list[int]
    reals: list[float]
    state: list[float]


def allotted(system: System, name: str) -> int:
    """Elements to be kept ready for a cable: for its greatest length on a drum."""
    cable = system.cables[name]
    if cable.winch is None or cable.winch.mode == "rescale":
        return cable.element_count
    _, most = cable.length_limits(system.simulation.duration)
    return cable.element_count + max(0, math.ceil((most - cable.total_length) / cable.drum_length - 1e-9)) + 1


def winch_rows(system: System, name: str, cable: int, count: int, table: list[float]) -> WinchRows:
    """The winch of the named cable, which is number `cable`; its table of rates goes to `table`."""
    line = system.cables[name]
    winch = line.winch
    assert winch is not None
    least, most = line.length_limits(system.simulation.duration)
    rescale = winch.mode == "rescale"
    rows = winch.table or ()
    ints = [cable, int(rescale), len(table), len(rows), 0]
    table += [number for row in rows for number in row]
    reals = [least, most, winch.split, winch.merge, winch.merge_after_reversal, winch.rate or 0.0, *control_row(winch)]
    turning = [0.0, 0.0] if winch.control is None else control_state(winch)
    state = [line.total_length, 1.0 if rescale else line.drum_length, float(count), 0.0, 0.0, *turning]
    return WinchRows(name, ints, reals, state)
