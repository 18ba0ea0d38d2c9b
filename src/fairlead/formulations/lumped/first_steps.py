"""States that no step has led to, or that have forgotten the steps that have."""

from __future__ import annotations

from fairlead.algebra.records import Tables


def forget_steps(state: Tables) -> None:
    """Clear in place what the latest steps have left: accelerations, rates of strain, forces between two steps."""
    state.spring.earlier = state.spring.tension
    state.spring.straining = state.spring.sway = 0.0
    state.hold.pull = state.hold.force = 0.0
    for table in ("previous", "hub_previous", "history"):
        state.block(table)[:] = 0.0
