"""Cables as MoorDyn's lines: of one type and even segments each, joined where either changes or something hangs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby, pairwise

from fairlead.model import System
from fairlead.model.cables import Attachment, Cable

from .rows import Vector

SAME_PLACE = 1e-9
"""Of the length of a cable: how near an attachment is to the node it hangs at."""


@dataclass(frozen=True)
class Joint:
    """Where two lines of a cable meet, or one of them carries something.

    would_bend: both lines have bending stiffness, which goes on through a rod without length; else it is a free point.
    """

    name: str
    cable: str
    node: int
    part: float
    """Of the length of the cable, from its start."""
    would_bend: bool
    hung: Attachment | None = None

    @property
    def bends(self) -> bool:
        """Whether bending goes on there: not through a point that carries something."""
        return self.would_bend and self.hung is None


@dataclass(frozen=True)
class WrittenLine:
    """A row of LINES. The ends are names of joints; "" at the ends of the cable."""

    cable: str
    type: str
    length: float
    segments: int
    ends: tuple[str, str]


def lines_of(system: System) -> tuple[list[WrittenLine], list[Joint]]:
    """The lines of all cables in their order, and the joints between them."""
    lines: list[WrittenLine] = []
    joints: list[Joint] = []
    for name, cable in system.cables.items():
        pieces = list(_pieces(cable))
        met = list(_joints(system, name, cable, pieces))
        names = ["", *(joint.name for joint in met), ""]
        joints += met
        for k, (kind, length, segments) in enumerate(pieces):
            lines.append(WrittenLine(name, kind, length, segments, (names[k], names[k + 1])))
    return lines, joints


def _pieces(cable: Cable) -> Iterator[tuple[str, float, int]]:
    """Type, length and number of segments of each line of a cable."""
    if not cable.attachments and cable.element_lengths is None and len(cable.stretches) == 1:
        yield cable.type_names[0], cable.total_length, cable.element_count
        return
    hung = {_node_of(cable, item) for item in cable.attachments}
    first, stretch, parts = 0, 0, []
    for number, segment in enumerate(cable.segments()):
        while number >= first + cable.stretches[stretch].element_count:
            first, stretch = first + cable.stretches[stretch].element_count, stretch + 1
        group = (stretch, f"{segment.length:.9g}", sum(node <= number for node in hung))
        parts.append((group, segment))
    for _, found in groupby(parts, key=lambda part: part[0]):
        segments = [segment for _, segment in found]
        yield segments[0].type_name, float(f"{math.fsum(s.length for s in segments):.12g}"), len(segments)


def _node_of(cable: Cable, item: Attachment) -> int:
    """The node that something hangs at, of those that the elements put there."""
    reached, nodes = 0.0, [0.0]
    for segment in cable.segments():
        reached += segment.length
        nodes.append(reached)
    return min(range(len(nodes)), key=lambda node: abs(nodes[node] - item.at))


def _joints(system: System, name: str, cable: Cable, pieces: list[tuple[str, float, int]]) -> Iterator[Joint]:
    hung = {_node_of(cable, item): item for item in cable.attachments}
    node, length, total = 0, 0.0, cable.total_length
    for number, ((kind, before, segments), (other, _, _)) in enumerate(pairwise(pieces), 1):
        node, length = node + segments, length + before
        bends = system.types[kind].ei > 0.0 and system.types[other].ei > 0.0
        yield Joint(f"{name}@{number}", name, node, length / total, bends, hung.get(node))


def line_refusals(system: System) -> Iterator[str]:
    """What hangs on cables where MoorDyn has no place for it."""
    for name, cable in system.cables.items():
        if cable.winch is not None:
            yield f"cables.{name}: 'winch' cannot be said in a row of MoorDyn"
        nodes = [_node_of(cable, item) for item in cable.attachments]
        for index, (node, item) in enumerate(zip(nodes, cable.attachments, strict=True)):
            where = f"cables.{name}.attachments[{index}]"
            if node in (0, cable.element_count):
                yield f"{where}: hangs at an end of the cable; give the mass to a free point there"
            elif nodes.count(node) > 1:
                yield f"{where}: hangs at the same place as another one; make one of both"
            elif abs(_reached(cable, node) - item.at) > SAME_PLACE * cable.total_length:
                yield f"{where}: hangs between two nodes; let an element end there"


def _reached(cable: Cable, node: int) -> float:
    return math.fsum(segment.length for segment in cable.segments()[:node])


def joint_position(joint: Joint, ends: tuple[Vector, Vector], positions: Mapping[str, Vector]) -> Vector:
    """Where a joint begins: as given, else on the straight line between the ends of its cable."""
    if joint.name in positions:
        return positions[joint.name]
    x, y, z = (a + joint.part * (b - a) for a, b in zip(*ends, strict=True))
    return x, y, z
