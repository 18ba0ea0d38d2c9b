"""What commands say of runs that keep to the clock."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click


def require_speed(real_time: bool, speed: float | None) -> None:
    """`--speed` belongs to `--real-time` and is positive."""
    if speed is None:
        return
    if not real_time:
        raise click.UsageError("--speed has no meaning without --real-time")
    if not 0.0 < speed < float("inf"):
        raise click.UsageError(f"--speed must be a positive number, times real time, not {speed:g}")


def kept_time(attrs: Mapping[Any, Any]) -> dict[str, Any] | None:
    """How a run kept to the clock, from the attributes of its result; None where it did not have to."""
    if "real_time_speed" not in attrs:
        return None
    return {
        "speed": float(attrs["real_time_speed"]),
        "steps": int(attrs["real_time_steps"]),
        "late_steps": int(attrs["late_steps"]),
        "worst_lateness": float(attrs["worst_lateness"]),
    }


def kept_time_line(kept: Mapping[str, Any]) -> str:
    """The same in a line of a summary."""
    late = f"{kept['late_steps']} of {kept['steps']} steps late, by {1e3 * kept['worst_lateness']:.3g} ms at worst"
    if kept["late_steps"] == 0:
        late = f"none of {kept['steps']} steps late"
    return f"real time         at {kept['speed']:g} x the clock, {late}"
