"""The numbers people ask for first, from a result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .dataset import warnings_of
from .energy import STORED, WORKS, energy_balance
from .seabed import SeabedPlane, seabed_of
from .variables import ENDS

if TYPE_CHECKING:
    import xarray as xr

IDLE = 0.02  # a run that exchanges less than this part of its elastic energy says nothing by its balance
MOST_CABLES_IN_TEXT = 8


def summarise(dataset: xr.Dataset) -> dict[str, Any]:
    """Largest and smallest tensions, end forces, lowest point, clearance, touchdown and energy error of a result.

    Plain numbers, texts, lists and dictionaries, in SI units, ready for JSON. An extreme is a dictionary of ``value``,
    ``time`` (s), ``cable`` and ``arc_length`` (m along the unstretched cable from its start).
    """
    bed = seabed_of(dataset)
    cables = {str(name): _cable(dataset, i, str(name), bed) for i, name in enumerate(dataset["cable"].values)}
    times = dataset["time"].values
    out: dict[str, Any] = {
        "title": str(dataset.attrs.get("title", "")),
        "formulation": str(dataset.attrs.get("formulation", "")),
        "status": str(dataset.attrs.get("status", "")),
        "time_start": float(times[0]),
        "time_end": float(times[-1]),
        "samples": len(times),
        "tension_max": _extreme_of_all(cables, "tension_max", largest=True),
        "tension_min": _extreme_of_all(cables, "tension_min", largest=False),
        "clearance_min": _extreme_of_all(cables, "clearance_min", largest=False),
        "cables": cables,
        "energy_error": None,
        "energy_idle": False,
        "warnings": list(warnings_of(dataset)),
    }
    if all(name in dataset for name in (*STORED, *WORKS)):
        balance = energy_balance(dataset)
        elastic = float(dataset["energy_elastic"].max())
        out["energy_error"] = _number(balance.error)
        out["energy_idle"] = bool(balance.exchanged[-1] < IDLE * elastic)
    return out


def summary_lines(numbers: dict[str, Any]) -> tuple[str, ...]:
    """The summary as a few lines of text to print."""
    lines = []
    if numbers["title"]:
        lines.append(numbers["title"])
    if numbers["tension_max"]:
        lines.append(f"largest tension   {_force(numbers['tension_max']['value'])} {_where(numbers['tension_max'])}")
    if numbers["tension_min"] and numbers["tension_min"]["value"] < 0.0:
        lines.append(f"compression       {_force(numbers['tension_min']['value'])} {_where(numbers['tension_min'])}")
    for name, cable in list(numbers["cables"].items())[:MOST_CABLES_IN_TEXT]:
        ends = ", ".join(
            f"{_force(cable['force_' + end]['final'])} at its {end} (largest {_force(cable['force_' + end]['max'])})"
            for end in ENDS
        )
        lines.append(f"cable {name}: end forces {ends}")
        if cable["touchdown"]["first_time"] is not None:
            touch = cable["touchdown"]
            lines.append(
                f"cable {name}: first on the seabed at {touch['first_time']:.6g} s, "
                f"{touch['length']:.4g} m of it there at the end"
            )
    if len(numbers["cables"]) > MOST_CABLES_IN_TEXT:
        lines.append(f"... and {len(numbers['cables']) - MOST_CABLES_IN_TEXT} more cables (--json gives all)")
    touched = any(cable["touchdown"]["first_time"] is not None for cable in numbers["cables"].values())
    if numbers["clearance_min"] and not touched:
        clearance = numbers["clearance_min"]
        lines.append(f"least clearance   {clearance['value']:.4g} m above the seabed {_where(clearance)}")
    if numbers["energy_error"] is not None:
        share = f"closes to {100.0 * numbers['energy_error']:.2g} % of the energy exchanged"
        lines.append(f"energy balance    {'next to nothing was exchanged' if numbers['energy_idle'] else share}")
    if numbers["status"] not in ("", "complete"):
        lines.append(f"status            {numbers['status']}")
    return tuple(lines)


def _cable(dataset: xr.Dataset, i: int, name: str, bed: SeabedPlane | None) -> dict[str, Any]:
    count = int(dataset["node_count"].values[i])
    arc = dataset["arc_length"].values[i, :count]
    times = dataset["time"].values

    def finite(quantity: str) -> NDArray[np.float64]:
        values = dataset[quantity].values[:, i, :count]
        return np.where(np.isfinite(values), values, np.nan)  # a run that went wrong may end in infinities

    def extreme(values: NDArray[np.float64], largest: bool) -> dict[str, Any] | None:
        if np.isnan(values).all():
            return None
        flat = np.nanargmax(values) if largest else np.nanargmin(values)
        sample, node = np.unravel_index(flat, values.shape)
        return {
            "value": float(values[sample, node]),
            "time": float(times[sample]),
            "cable": name,
            "arc_length": float(arc[node]),
        }

    tension, position = finite("tension_effective"), finite("position")
    forces = np.linalg.norm(dataset["force_end"].values[:, i], axis=-1)
    clearance = None if bed is None else position[..., 2] - bed.height(position[..., 0], position[..., 1])
    return {
        "length": float(arc[-1]),
        "tension_max": extreme(tension, largest=True),
        "tension_min": extreme(tension, largest=False),
        **{f"force_{end}": _force_statistics(forces[:, k]) for k, end in enumerate(ENDS)},
        "lowest": extreme(position[..., 2], largest=False),
        "clearance_min": None if clearance is None else extreme(clearance, largest=False),
        "touchdown": _touchdown(dataset["contact_force"].values[:, i, :count], arc, times),
    }


def _touchdown(
    contact: NDArray[np.float64], arc: NDArray[np.float64], times: NDArray[np.float64]
) -> dict[str, float | None]:
    """When a cable first lies on the bed, and how much of it (and from where to where) at the last sample."""
    touching = np.linalg.norm(contact, axis=-1) > 0.0
    ever = touching.any(axis=1)
    last = np.flatnonzero(touching[-1])
    share = np.gradient(arc) if len(arc) > 1 else np.zeros_like(arc)
    if len(arc) > 1:
        share[[0, -1]] *= 0.5
    return {
        "first_time": float(times[np.argmax(ever)]) if ever.any() else None,
        "length": float(share[last].sum()),
        "arc_length_first": float(arc[last[0]]) if len(last) else None,
        "arc_length_last": float(arc[last[-1]]) if len(last) else None,
    }


def _force_statistics(force: NDArray[np.float64]) -> dict[str, float | None]:
    finite = force[np.isfinite(force)]
    if not finite.size:
        return {"min": None, "mean": None, "max": None, "final": None}
    return {
        "min": float(finite.min()),
        "mean": float(finite.mean()),
        "max": float(finite.max()),
        "final": _number(force[-1]),
    }


def _extreme_of_all(cables: dict[str, Any], key: str, largest: bool) -> dict[str, Any] | None:
    found: list[dict[str, Any]] = [cable[key] for cable in cables.values() if cable[key] is not None]
    if not found:
        return None
    return (max if largest else min)(found, key=lambda extreme: extreme["value"])


def _number(value: float) -> float | None:
    """A number JSON can carry: None for NaN and infinity."""
    return float(value) if np.isfinite(value) else None


def _force(value: float | None) -> str:
    if value is None:
        return "unknown"
    for factor, unit in ((1e6, "MN"), (1e3, "kN")):
        if abs(value) >= factor:
            return f"{value / factor:.4g} {unit}"
    return f"{value:.4g} N"


def _where(extreme: dict[str, Any]) -> str:
    return f"in cable {extreme['cable']}, {extreme['arc_length']:.4g} m from its start, at {extreme['time']:.6g} s"
