"""Records of commands: what is moved as the file or an input says."""

from __future__ import annotations

from typing import Any

from fairlead.loads.commands import Command


def control_rows(commands: list[Command], points: list[int], samples: list[float]) -> list[dict[str, Any]]:
    """Motions of the commands, each moving the prescribed point given (−1: none); their rows go to `samples`."""
    found = []
    for command, point in zip(commands, points, strict=True):
        kind, first, rows = command.record(samples)
        found.append({"point": point, "kind": kind, "first": first, "rows": rows})
    return found
