"""Which bars, joints, hubs and points belong together. Cable c has the ends 2c (its start) and 2c + 1."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.lanes import common


@kernel
def bar_of_joint(i, count):
    """Bar of a cable that joint i is reckoned to: the one behind it, at the cable's end the last."""
    return i if i < count else count - 1


@kernel
def hub_of_end(end, sys):
    """Hub of a cable end, −1 when it is a prescribed point."""
    cable = sys.cable[end // 2]
    return cable.start_hub if end % 2 == 0 else cable.end_hub


@kernel
def point_of_end_index(end, sys):
    """Prescribed point of a cable end, −1 when it is a hub."""
    cable = sys.cable[end // 2]
    return cable.start_point if end % 2 == 0 else cable.end_point


@kernel
def joint_of_end(end, sys):
    """Joint of a cable end."""
    cable = sys.cable[end // 2]
    return cable.first + end // 2 + (end % 2) * cable.count


@kernel
def is_attached(end, sys):
    """Whether a cable end is still joined to its point."""
    return common(sys.attached[end].joined) > 0.5


@kernel
def is_clamped(end, sys):
    """Whether rotation rows act at a cable end."""
    cable = sys.cable[end // 2]
    return (cable.start_clamp if end % 2 == 0 else cable.end_clamp) == 1 and is_attached(end, sys)
