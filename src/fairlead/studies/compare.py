"""The same system by several formulations: one run each, one Dataset of all, and the numbers that tell them apart.

    from fairlead.studies import compare

    both = compare("tow.yaml", ["bars", "lumped"])
    both["shape_difference"].sel(formulation="lumped").max()

What is compared is what all formulations report in the same names. Where one divides a cable otherwise than the first,
its values are interpolated along the unstretched cable at the nodes of the first.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import xarray as xr

    from fairlead.model import System
    from fairlead.simulate.progress import Progress

SAME_PLACE = 1e-9
"""Difference of arc length, beside the length of the cable, that counts as none."""


def compare(
    system: System | str | Path,
    with_: Sequence[str] | None = None,
    *,
    settings: Mapping[str, Mapping[str, Any]] | None = None,
    progress: bool | Callable[[str], Progress | None] | None = None,
    **common: Any,
) -> xr.Dataset:
    """Run a system (or the file that describes it) by several formulations; one Dataset of all their results.

    with_      names of the formulations; the first is what the others are held against. By default all there are, the
               system's own first
    settings   settings of `simulation` for one formulation: `{"lumped": {"step": 0.01}}`
    progress   True for a bar on a terminal or in a notebook, or a function that gives an object for each formulation
    common     settings of `simulation` for all of them: `duration=60`

    The Dataset has the dimension `formulation` beside those of a result, and for each formulation `shape_difference`
    (formulation, time), the largest distance of a node from its place by the first one [m], `force_end_max` (N),
    `energy_error`, `cpu_time` (s), `steps` and `status`. Formulations that cannot run the system are left out; the
    attribute `refused` says why (JSON, name to sentence). `table` gives the numbers as plain rows.
    """
    from fairlead.exchange.opening import open_model
    from fairlead.formulations.contract import UnsupportedSystem
    from fairlead.simulate import Simulation, SimulationError

    if isinstance(system, str | Path):
        system = open_model(system)[0]
    if common:
        system = system.with_settings(**common)
    if not system.cables:
        raise UnsupportedSystem("there is no cable, whose forces and shapes would be compared")
    names = _chosen(system, with_, settings)
    results: dict[str, xr.Dataset] = {}
    refused: dict[str, str] = {}
    for name in names:
        try:
            simulation = Simulation(_for(system, name, (settings or {}).get(name, {})))
            shown = progress(name) if callable(progress) else progress
            results[name] = simulation.run(progress=shown)
        except (UnsupportedSystem, SimulationError) as reason:
            refused[name] = str(reason)
            continue
        if results[name].attrs["status"].startswith(("stopped: interrupted", "stopped: terminated")):
            break
    if not results:
        reasons = "; ".join(f"{name}: {reason}" for name, reason in refused.items())
        raise UnsupportedSystem(f"none of the formulations can run this system. {reasons}")
    return merged(results, refused)


def table(comparison: xr.Dataset) -> list[dict[str, Any]]:
    """The numbers of a comparison, one row a formulation, ready for JSON.

    Forces in N: the largest of all end forces and the last one of the same end; `shape_difference_max` and
    `shape_difference_final` in m and `length`, of all cables together, in m; `energy_error` as a part of the energy
    exchanged (`energy_idle`: next to none was); `cpu_time` in s; `speed` in simulated seconds per second of CPU.
    """
    import numpy as np

    length = float(np.nansum(np.nanmax(comparison["arc_length"].values, axis=1)))
    rows = []
    for name in comparison["formulation"].values:
        one = comparison.sel(formulation=name)
        apart = one["shape_difference"].values
        known = apart[np.isfinite(apart)]
        cpu, time = float(one["cpu_time"]), float(one["simulated_time"])
        rows.append(
            {
                "formulation": str(name),
                "step": float(one["step"]),
                "force_end_max": float(one["force_end_max"]),
                "force_end_final": float(one["force_end_final"]),
                "shape_difference_max": float(known.max()),
                "shape_difference_final": float(known[-1]),
                "length": length,
                "energy_error": float(one["energy_error"]),
                "energy_idle": bool(one["energy_idle"]),
                "cpu_time": cpu,
                "speed": time / cpu if cpu > 0.0 else float("inf"),
                "steps": int(one["steps"]),
                "status": str(one["status"].item()),
            }
        )
    return rows


def refusals(comparison: xr.Dataset) -> dict[str, str]:
    """Formulations that could not run the system, and why."""
    reasons: dict[str, str] = json.loads(comparison.attrs.get("refused") or "{}")
    return reasons


def merged(results: Mapping[str, xr.Dataset], refused: Mapping[str, str]) -> xr.Dataset:
    """One Dataset of several results of the same system, on the nodes of the first and the times of the longest."""
    import numpy as np
    import xarray as xr

    first = next(iter(results.values()))
    longest = max(results.values(), key=lambda result: int(result.sizes["time"]))
    samples = int(longest.sizes["time"])
    names = [str(n) for n in first.data_vars if all(n in r and r[n].dims == first[n].dims for r in results.values())]
    variables: dict[str, Any] = {}
    for name in names:
        dims = ("formulation", *first[name].dims)
        values = np.stack([_aligned(result, first, name, samples) for result in results.values()])
        variables[name] = (dims, values, first[name].attrs)
    variables |= _numbers(results)
    coords = {name: first[name] for name in first.coords if "time" not in first[name].dims}
    combined = xr.Dataset(variables, {**coords, "time": longest["time"], "formulation": list(results)})
    places = combined["position"].values
    apart = np.linalg.norm(places - places[:1], axis=-1).reshape(*places.shape[:2], -1)
    apart = np.where(np.isnan(apart).all(axis=-1), np.nan, np.nanmax(np.nan_to_num(apart, nan=-1.0), axis=-1))
    meaning = {"units": "m", "long_name": f"largest distance of a node from its place by {next(iter(results))}"}
    combined["shape_difference"] = (("formulation", "time"), apart, meaning)
    combined.attrs = {
        "title": first.attrs.get("title", ""),
        "fairlead_version": first.attrs.get("fairlead_version", ""),
        "settings": first.attrs.get("settings", ""),
        "refused": json.dumps(dict(refused), ensure_ascii=False),
    }
    return combined


def _chosen(
    system: System, with_: Sequence[str] | None, settings: Mapping[str, Mapping[str, Any]] | None
) -> tuple[str, ...]:
    """The formulations to run, each once; unknown names are refused with the nearest one there is."""
    from fairlead.formulations import NAMES
    from fairlead.model.problems import suggestion

    from .discovery import UnknownStudy

    own = system.simulation.formulation
    names = tuple(dict.fromkeys(with_ or (own, *NAMES)))
    for name in (*names, *(settings or {})):
        if name not in NAMES:
            raise UnknownStudy(f"there is no formulation '{name}'; {suggestion(name, NAMES)}")
    for name in settings or {}:
        if name not in names:
            raise UnknownStudy(f"settings are given for '{name}', which is not among {', '.join(names)}")
    return names


def _for(system: System, name: str, settings: Mapping[str, Any]) -> System:
    """The system by one formulation; samples stay where they are, whatever its step."""
    changes: dict[str, Any] = {"formulation": name, "output_every": system.simulation.output_every}
    if name != system.simulation.formulation:
        changes["integrator"] = None  # what suits the system's own formulation need not suit another
    return system.with_settings(**(changes | dict(settings)))


def _aligned(result: xr.Dataset, first: xr.Dataset, name: str, samples: int) -> np.ndarray:
    """Values of a variable at the nodes of the first result, with NaN after the end of a run that stopped early."""
    import numpy as np

    values = np.asarray(result[name].values)
    dims = result[name].dims
    if "node" in dims:
        shape = [first.sizes[dim] if dim == "node" else size for dim, size in zip(dims, values.shape, strict=True)]
        moved = np.full(shape, np.nan)
        for i in range(values.shape[1]):
            here, there = result["arc_length"].values[i], first["arc_length"].values[i]
            if _winch_at_start(first, str(first["cable"].values[i])):  # formulations keep different lengths on a drum
                here = here + np.nanmax(there) - np.nanmax(here)
            moved[:, i] = _along(values[:, i], here, there)
        values = moved
    if "time" in dims and len(values) < samples:
        values = np.concatenate((values, np.full((samples - len(values), *values.shape[1:]), np.nan)))
    return values


def _winch_at_start(result: xr.Dataset, cable: str) -> bool:
    """Whether a cable is paid out at its start, so that its nodes are counted from its end."""
    from fairlead.results import settings_of

    winch = settings_of(result).get("cables", {}).get(cable, {}).get("winch")
    return isinstance(winch, dict) and winch.get("end") == "start"


def _along(values: np.ndarray, arc: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """Values (time, node, …) at other places of a cable: linear along its unstretched length."""
    import numpy as np

    here, there = arc[np.isfinite(arc)], np.isfinite(wanted)
    out = np.full((len(values), len(wanted), *values.shape[2:]), np.nan)
    places = wanted[there]
    if len(here) == len(places) and np.abs(here - places).max() <= SAME_PLACE * here[-1]:
        out[:, there] = values[:, : len(here)]
        return out
    right = np.clip(np.searchsorted(here, places), 1, len(here) - 1)
    part = np.clip((places - here[right - 1]) / (here[right] - here[right - 1]), 0.0, 1.0)
    part = part.reshape(-1, *(1,) * (values.ndim - 2))
    out[:, there] = (1.0 - part) * values[:, right - 1] + part * values[:, right]
    return out


def _numbers(results: Mapping[str, xr.Dataset]) -> dict[str, Any]:
    """What each run is told by: its forces, balance, cost and status, (formulation,)."""
    import numpy as np

    from fairlead.results import summarise

    def forces(result: xr.Dataset) -> np.ndarray:
        return np.asarray(np.linalg.norm(result["force_end"].values, axis=-1)).reshape(int(result.sizes["time"]), -1)

    first = forces(next(iter(results.values())))
    end = int(np.nanargmax(np.nanmax(first, axis=0)))  # the end that is pulled hardest by the first formulation
    numbers: dict[str, list[Any]] = {}

    def note(name: str, value: Any) -> None:
        numbers.setdefault(name, []).append(value)

    for result in results.values():
        pull = forces(result)[:, end]
        summary = summarise(result)
        left_over = summary["energy_error"]
        note("force_end_max", float(np.nanmax(pull)))
        note("force_end_final", float(pull[-1]))
        note("energy_error", float("nan") if left_over is None else left_over)
        note("energy_idle", bool(summary["energy_idle"]))
        note("cpu_time", float(result.attrs["cpu_time"]))
        note("simulated_time", float(result.attrs["simulated_time"]))
        note("steps", int(result.attrs["steps"]))
        note("step", float(json.loads(result.attrs["settings"])["simulation"]["step"]))
        note("status", str(result.attrs["status"]))
    meaning = {
        "force_end_max": ("N", "largest force at the end of a cable that is pulled hardest"),
        "force_end_final": ("N", "last force at that end"),
        "energy_error": ("1", "what the energy balance leaves over, as a part of the energy exchanged"),
        "energy_idle": ("1", "whether next to nothing was exchanged, so that the balance says nothing"),
        "cpu_time": ("s", "CPU time of the run"),
        "simulated_time": ("s", "simulated time"),
        "steps": ("1", "number of steps"),
        "step": ("s", "time step"),
        "status": ("", "how the run ended"),
    }
    return {
        name: (("formulation",), np.array(values), {"units": meaning[name][0], "long_name": meaning[name][1]})
        for name, values in numbers.items()
    }
