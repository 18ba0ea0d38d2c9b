"""Constants of bars, joints and attachments, from what the file says of them."""

from __future__ import annotations

import numpy as np

from fairlead.algebra.recorded import quotient
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.model import Cable, CableType, System
from fairlead.rigging.elements import attached, bed_row, compact_row, line_row
from fairlead.rigging.rope_rows import NO_ROPE
from fairlead.rigging.rows import Row

from .schema import BAR


def bar_row(kind: CableType, length: float, system: System) -> Row:
    """Constants of one bar of the given type and unstretched length; drag and bed are those of half of it, where one
    Gauss point or one end stands."""
    env, half, d = system.environment, 0.5 * length, kind.diameter
    row = dict.fromkeys(BAR.split(), 0.0) | line_row(kind, length, env, half) | bed_row(kind, half, env)
    row |= {"length": length, "whole": length, "inertia": row["mass"] * (d**2 / 16 + length**2 / 12)}
    row |= {"inertia_added": row["added_normal"] * length**2 / 12, "spin_inertia": row["mass"] * d**2 / 8}
    return row


def lump_rows(cable: Cable, lengths: np.ndarray, system: System) -> dict[int, list[Row]]:
    """Clump weights and floats by the element that carries them, each by the names of its numbers."""
    starts = np.concatenate(([0.0], np.cumsum(lengths)))
    held: dict[int, list[Row]] = {}
    for i, _, item in attached(cable, lengths):
        row = compact_row(system.environment, item.mass, item.volume, item.drag_area, item.added_mass)
        held.setdefault(i, []).append({**row, "offset": item.at - 0.5 * (starts[i] + starts[i + 1])})
    return held


def half_stiffness(kind: CableType, length: float) -> list[float]:
    """Stiffness of half an element and its damping time: axial, bending, torsion."""
    return [
        kind.ea * 2 / length, kind.damping_axial(length), kind.ei * 2 / length, kind.damping_bending,
        kind.gj * 2 / length, kind.damping_torsion,
    ]  # fmt: skip


def only_pulls(kind: CableType, system: System) -> bool:
    """Whether the joints of an element do not push: as the file says, else those without bending stiffness.

    The published tunings and the methods that are not the default step make rods of them, unless the file says so.
    """
    simulation = system.simulation
    if simulation.bars.tuning != "rule":
        return False
    if simulation.bars.compression is not None:
        return simulation.bars.compression == "none"
    return kind.ei == 0 and simulation.integrator in ("auto", "semi_implicit")


def rope_row(kinds: list[CableType], lengths: list[float], system: System, numbers: dict[str, int]) -> Row:
    """What of a joint between these elements is rope: its number, half the lengths, and 1/k of what is beside it."""
    found = dict.fromkeys(name for kind in kinds for name in numbers if system.types[name] is kind)
    row: Row = {"rope": NO_ROPE, "rope_length": 0.0, "beside": 0.0}
    if len(found) > 1:
        raise UnsupportedSystem(
            f"types.{', types.'.join(found)}: two ropes follow one another in a cable, and a joint of 'bars' can be of "
            "one only; put a point between them, or use formulation: lumped"
        )
    for name in found:
        row["rope"] = numbers[name]
        for kind, length in zip(kinds, lengths, strict=True):
            is_rope = kind is system.types[name]
            row["rope_length"] += 0.5 * length if is_rope else 0.0
            row["beside"] += 0.0 if is_rope else 0.5 * length / kind.ea
    return row


def joint_rows(kinds: list[CableType], lengths: np.ndarray, system: System, numbers: dict[str, int]) -> list[Row]:
    """Stiffness and damping of the joints of a cable: half an element on either side, in series.

    numbers: those of the types that are ropes
    """
    halves = [half_stiffness(kind, length) for kind, length in zip(kinds, lengths, strict=True)]
    rows: list[Row] = []
    for left, right in zip([None, *halves], [*halves, None], strict=True):
        row: list[float] = []
        for k in range(0, 6, 2):
            sides = [s for s in (left, right) if s is not None]
            stiff = [s[k] for s in sides]
            total = 1.0 / sum(quotient(1.0, s) for s in stiff)
            time = sum(s[k + 1] for s in sides) / len(sides)
            row += [total, time * total]
        one_way = float(only_pulls(kinds[max(len(rows) - 1, 0)], system))
        beside = slice(max(len(rows) - 1, 0), len(rows) + 1)
        rope = rope_row(kinds[beside], list(lengths[beside]), system, numbers)
        rows.append({"stiffness": row[::2], "damping": row[1::2], "one_way": one_way, **rope})
    return rows
