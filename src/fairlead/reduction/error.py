"""How near a reduced model comes to the run it was made from, and how many modes that takes."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fairlead.formulations.contract import Compiled, UnsupportedSystem
from fairlead.formulations.reduced import CompiledReduced, ReducedModel
from fairlead.model import System
from fairlead.results.observation import NODE_COLUMNS
from fairlead.shape.layout import first_geometry

from .errors import ReductionError
from .snapshots import assembly_of, system_of
from .two_field import galerkin, opened, require_reducible

if TYPE_CHECKING:
    import xarray as xr

Floats = NDArray[np.float64]
STEP = 0.025
"""s: step of the runs by which a reduced model is judged, where samples are not nearer."""
LADDER = (3, 4, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32)
"""Numbers of modes that are tried."""
WELL = 0.01
"""Error that is well enough."""


@dataclass(frozen=True)
class Error:
    """Of a reduced run against a full one.

    middle    ‖mid − mid_full‖ / ‖mid_full − mean‖ over the whole run, mid the places of the middles of all cables
    largest   largest distance of a middle, m
    anywhere  the same over all nodes, m
    """

    middle: float
    largest: float
    anywhere: float


def compiled(system: System, model: ReducedModel, any_properties: bool = False) -> CompiledReduced:
    """The system on its reduced model, ready for `Simulation.of`."""
    system = system.with_settings(formulation="reduced", integrator="auto")
    return CompiledReduced(system, first_geometry(system), model, any_properties)


def places_at(reduced: Compiled, times: Floats, step: float = STEP) -> Floats:
    """Places (sample, node, 3) m at the times, by steps of about `step` s."""
    y, u = reduced.initial_state(), reduced.initial_inputs()
    row, t = reduced.shape.empty_row(), 0.0
    found = np.zeros((len(times), reduced.shape.node_count, 3))
    for sample, goal in enumerate(times):
        parts = max(0, round((goal - t) / step)) or int(goal - t > 1e-9)
        if parts:
            failure = reduced.advance(t, y, parts, (goal - t) / parts, u, "midpoint")
            if failure is not None:
                raise ReductionError(f"the reduced model breaks down: {failure}")
        t = float(goal)
        reduced.observe(t, y, u, step, row)
        found[sample] = row[reduced.shape.node_block].reshape(-1, NODE_COLUMNS)[:, :3]
    return found


def error(model: ReducedModel, run: xr.Dataset | str | Path, step: float = STEP, system: System | None = None) -> Error:
    """Of the reduced model against a full run, whose motion of the ends it follows (`system`: where it is another)."""
    run = opened(run)
    found = places_at(compiled(system or system_of(run), model), np.asarray(run["time"].values, dtype=float), step)
    return difference(found, middles(run))


def middles(run: xr.Dataset) -> tuple[Floats, list[int]]:
    """Places (sample, node, 3) of all cables of a run, one after the other, and the middle node of each."""
    counts = [int(count) for count in run["node_count"].values]
    values = np.asarray(run["position"].values, dtype=float)
    firsts = np.cumsum([0, *counts])
    whole = np.concatenate([values[:, c, :count] for c, count in enumerate(counts)], axis=1)
    return whole, [int(first) + count // 2 for first, count in zip(firsts, counts, strict=False)]


def difference(found: Floats, known: tuple[Floats, list[int]]) -> Error:
    """Of places (sample, node, 3) from those of the full run, with the middles of its cables."""
    full, middles = known
    off = np.linalg.norm(found - full, axis=2)
    moved = full[:, middles] - full[:, middles].mean(axis=0)
    return Error(
        float(np.linalg.norm(off[:, middles]) / np.linalg.norm(moved)), float(off[:, middles].max()), float(off.max())
    )


def tension_modes_for(modes: int, enriched: bool, elements: int) -> int:
    """A number of tension modes that suits: half the modes of the motion, a third without supremizers; not all."""
    return min(max(6, modes // 2) if enriched else max(2, modes // 3), elements - 1)


def reduce(
    run: xr.Dataset | str | Path,
    modes: int | None = None,
    tension_modes: int | None = None,
    *,
    standard: bool = False,
    enriched: bool = True,
    tolerance: float = WELL,
    step: float = STEP,
    system: System | None = None,
) -> ReducedModel:
    """A reduced model of a run's cables, held against the run.

    Without `modes`, the fewest are taken with which the model follows the run it was made from within `tolerance` of
    the motion of its middle. Without `tension_modes` a number that suits. `standard` is the plain Galerkin model of
    Escalante et al., which locks; `enriched=False` leaves the supremizers out, which is faster and may lock.

        model = reduce("run.nc", 9, 5)
        model.save("cable.rom.nc")
        model.notes["error"]
    """
    run = opened(run)
    target = system_of(run) if system is None else system
    require_reducible(target)
    elements = len(assembly_of(target).lengths)
    tried: list[tuple[ReducedModel, float]] = []
    for count in (modes,) if modes is not None else LADDER:
        pull = None if standard else tension_modes or tension_modes_for(count, enriched, elements)
        try:
            model = galerkin(run, count, pull, enriched=enriched, system=system)
        except ReductionError:
            if tried:
                break
            raise
        try:
            reduced = compiled(target, model)
            found = difference(places_at(reduced, np.asarray(run["time"].values, dtype=float), step), middles(run))
        except (ReductionError, UnsupportedSystem):
            if modes is not None:
                raise
            continue
        notes = dict(model.notes) | {
            "error": found.middle, "largest_error": found.largest, "error_anywhere": found.anywhere, "step": step,
            "unlearnt": reduced.unlearnt,
        }  # fmt: skip
        tried.append((_noted(model, notes), found.middle))
        if found.middle <= tolerance:
            break
    if not tried:
        raise ReductionError(
            "no number of modes gives a reduced model that runs; take more snapshots or a shorter step"
        )
    return min(tried, key=lambda pair: pair[1])[0]


def _noted(model: ReducedModel, notes: dict[str, object]) -> ReducedModel:
    from dataclasses import replace

    return replace(model, notes=notes)
