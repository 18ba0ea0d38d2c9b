"""What the links feel at rest, as compiled functions for statics and modes."""

from __future__ import annotations

import math

from fairlead.algebra.compiled import entry
from fairlead.algebra.small import scale, subtract
from fairlead.rigging.stillness import put_signals

from .link import link_loads, lump_loads
from .point_loads import ZERO3
from .schema import SCHEMA

system = SCHEMA.view


@entry
def signals_at(t, u, y, ints, reals, work, commands, loads):
    """All commands (controlled, 3) and the forces and torques of all loads (loads, 6) at time t."""
    put_signals(t, u, system(ints, reals, y, work), commands, loads)


@entry
def rest_loads(t, ends, places, y, ints, reals, work, on_links, on_nodes):
    """Loads of links and node bodies at rest.

    ends (links, 6): places of both ends of each link; places (nodes, 3). on_links (links, 12): forces on the upper and
    the lower end, then n00, n01, n11, t00, t01, t11; on_nodes (nodes, 4): force, inertia.
    """
    sys = system(ints, reals, y, work)
    for j in range(sys.links):
        p = (ends[j, 0], ends[j, 1], ends[j, 2])
        q = subtract((ends[j, 3], ends[j, 4], ends[j, 5]), p)
        q = scale(1.0 / math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]), q)
        n00, n01, n11, t00, t01, t11, f0, f1, _ = link_loads(
            t, j, p, q, ZERO3, ZERO3, ZERO3, ZERO3, ZERO3, 0.0, sys
        )  # fmt: skip
        for k in range(3):
            on_links[j, k] = f0[k]
            on_links[j, 3 + k] = f1[k]
        on_links[j, 6], on_links[j, 7], on_links[j, 8] = n00, n01, n11
        on_links[j, 9], on_links[j, 10], on_links[j, 11] = t00, t01, t11
    for node in range(sys.nodes):
        on_nodes[node, 0] = on_nodes[node, 1] = on_nodes[node, 2] = on_nodes[node, 3] = 0.0
        body = sys.sitting[node].body
        if body >= 0:
            place = (places[node, 0], places[node, 1], places[node, 2])
            inertia, force, _ = lump_loads(t, sys.lump[body], place, ZERO3, ZERO3, ZERO3, 0.0, sys.reals)
            on_nodes[node, 0], on_nodes[node, 1], on_nodes[node, 2] = force
            on_nodes[node, 3] = inertia
