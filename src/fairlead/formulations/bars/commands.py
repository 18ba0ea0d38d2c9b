"""Records of commands: what is moved as the file or an input says."""

from __future__ import annotations

import numpy as np

from fairlead.loads.commands import Command

from . import arrays as a


def control_rows(commands: list[Command], points: list[int], table: list[float]) -> tuple[np.ndarray, np.ndarray]:
    """Records of the commands, each moving the prescribed point given (−1: none); their tables go to `table`."""
    ints = np.zeros((len(commands), a.CONTROL_INTS), dtype=np.int64)
    reals = np.zeros((len(commands), a.CONTROL_REALS))
    for k, (command, point) in enumerate(zip(commands, points, strict=True)):
        ints[k, 0] = point
        ints[k, 1:] = command.record(table)
        reals[k] = *command.base, command.cutoff
    return ints, reals
