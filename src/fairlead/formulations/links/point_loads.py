"""Forces and torques on points and bodies: those of the file, and those that are set live."""

from __future__ import annotations

from fairlead.algebra.compiled import kernel
from fairlead.algebra.small import add
from fairlead.rigging.point_loads import load_of

ZERO3 = (0.0, 0.0, 0.0)


@kernel
def torques_on(t, link, sys):
    """Torque of all point loads that turn a link."""
    total = ZERO3
    for i in range(sys.loads):
        if sys.load[i].link == link:
            _, torque = load_of(t, i, sys)
            total = add(total, torque)
    return total
