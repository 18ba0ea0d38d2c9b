"""Snapshots of a run: where the nodes of its cables were, less what the motion of their ends makes of itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fairlead.formulations.reduced import Assembly
from fairlead.formulations.reduced.operators import Element
from fairlead.model import System
from fairlead.results.dataset import settings_of
from fairlead.shape.layout import first_geometry

from .errors import ReductionError

if TYPE_CHECKING:
    import xarray as xr

Floats = NDArray[np.float64]
FEWEST = 3
"""Snapshots without which there is no motion to speak of."""
ELEMENTS: dict[str, Element] = {"spline": "spline", "lumped": "straight", "chain": "straight"}
"""The element of a reduced model by the formulation of the run it is made from."""


@dataclass(frozen=True)
class Snapshots:
    """Places of the nodes of all cables, one cable after the other.

    time      (sample,) s
    assembly  the cables: their nodes, their held ends, and how they follow these
    places    (sample, node, 3) m
    """

    time: Floats
    assembly: Assembly
    places: Floats

    @property
    def ends(self) -> Floats:
        """Places of the held ends, (sample, end, 3) m."""
        return self.assembly.ends_of(self.places)

    @property
    def own(self) -> Floats:
        """Places less the held ends' motion in proportion along the cables (Eq. 7), (sample, node, 3) m."""
        return self.places - lifting(self.assembly.lift, self.ends)

    @property
    def mean(self) -> Floats:
        """Mean of `own` over time, (node, 3) m."""
        return np.asarray(self.own.mean(axis=0))

    @property
    def matrix(self) -> Floats:
        """Nodes that are not held, less their mean, one column a snapshot: (3·node, sample) m."""
        moved = (self.own - self.mean)[:, self.assembly.moving]
        return np.asarray(moved.reshape(len(self.time), -1).T)


def lifting(lift: Floats, ends: Floats) -> Floats:
    """The held ends' motion in proportion along the cables, (sample, node, 3), of ends (sample, end, 3)."""
    return np.asarray(np.einsum("ne,tei->tni", lift, ends))


def system_of(run: xr.Dataset) -> System:
    """The system a run was of, as its result remembers it."""
    settings = settings_of(run)
    if not settings:
        raise ReductionError("the result does not say which system it is of; run it again with `fairlead run`")
    return System.model_validate(settings)


def assembly_of(system: System, element: Element | None = None) -> Assembly:
    """The cables of a system, with the element that suits its formulation."""
    if not system.cables:
        raise ReductionError("the system has no cables; there is nothing to reduce")
    element = element or ELEMENTS.get(system.simulation.formulation, "straight")
    return Assembly.of(system, element, first_geometry(system).nodes)


def snapshots(result: xr.Dataset, assembly: Assembly | None = None) -> Snapshots:
    """Snapshots of all cables from the result of a run."""
    assembly = assembly_of(system_of(result)) if assembly is None else assembly
    names = tuple(str(name) for name in result["cable"].values) if "cable" in result else ()
    if names != assembly.names:
        raise ReductionError(
            f"the run has the cables {', '.join(names) or 'none'}, and the system {', '.join(assembly.names)}: they "
            "are of another system; take a run of this one"
        )
    parts = []
    for name, part in zip(names, assembly.parts, strict=True):
        own = result.sel(cable=name)
        nodes, arc = int(own["node_count"]), np.asarray(own["arc_length"].values, dtype=np.float64)
        _require_own(name, nodes, arc[:nodes], part.along, float(part.lengths.sum()))
        parts.append(np.asarray(own["position"].values[:, :nodes], dtype=np.float64))
    places = np.concatenate(parts, axis=1)
    if len(places) < FEWEST:
        raise ReductionError(
            f"the run holds {len(places)} samples, fewer than {FEWEST}; write more of them: output_every"
        )
    if not np.isfinite(places).all():
        sample = int(np.argwhere(~np.isfinite(places))[0, 0])
        time = float(result["time"].values[sample])
        raise ReductionError(f"a place at t = {time:g} s is no finite number; take the run only up to there")
    if not assembly.moving.any():
        raise ReductionError("no cable has a node between its ends; nothing of them can be reduced")
    return Snapshots(np.asarray(result["time"].values, dtype=np.float64), assembly, places)


def _require_own(name: str, nodes: int, arc: Floats, along: Floats, length: float) -> None:
    """Refuse snapshots that are not of this cable."""
    if nodes != len(along):
        raise ReductionError(
            f"the snapshots of cable '{name}' have {nodes} nodes and the cable {len(along)}: they are of another "
            "system; take a run of this one"
        )
    if np.abs(arc / arc[-1] - along).max() > 1e-6 or abs(arc[-1] / length - 1.0) > 1e-6:
        raise ReductionError(
            f"the snapshots are of a cable '{name}' of {arc[-1]:g} m and this one has {length:g} m, or it is divided "
            "otherwise: they are of another system; take a run of this one"
        )
