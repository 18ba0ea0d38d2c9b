"""Reduced models of cables: their motion on a few shapes, their tension on a few others.

Snapshots of a slack cable hardly stretch but their truncation does, and the axial stiffness multiplies that: a standard
Galerkin model locks. So the strains too are projected on the first modes Ψ of their snapshots:
U = ½Σs_a², s_a = Σ_e Ψ_ea √(EA h)_e e_e, which is exact, still a gradient, and costs nothing with the mesh. Too many
tension modes lock again; `supremizers` adds for each of them the shape in which it pulls hardest, which holds off the
locking whatever the numbers are.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from fairlead.formulations.reduced import Assembly, ReducedModel, identity
from fairlead.formulations.reduced.operators import Element
from fairlead.model import System

from .errors import ReductionError
from .modes import ROUNDING, Basis, pod
from .snapshots import ELEMENTS, assembly_of, snapshots, system_of

if TYPE_CHECKING:
    import xarray as xr

Floats = NDArray[np.float64]


def require_reducible(system: System) -> Element:
    """The element to reduce with; refuses systems that have none, or may touch the seabed."""
    formulation = system.simulation.formulation
    if formulation not in ELEMENTS or (formulation == "lumped" and system.simulation.lumped.strain != "green"):
        strain = " and engineering strain" if formulation == "lumped" else ""
        raise ReductionError(
            f"a run with formulation: {formulation}{strain} cannot be reduced, since its strain is not quadratic in "
            "places; use spline, lumped with strain: green, or chain"
        )
    if system.environment.seabed is not None:
        raise ReductionError(
            "environment.seabed: a cable that may touch the seabed cannot be reduced, since contact is no matter of a "
            "few shapes; leave the seabed out, or run the full model"
        )
    return ELEMENTS[formulation]


def strains_of(run: xr.Dataset, assembly: Assembly, places: Floats) -> Floats:
    """√(EA h)·strain (sample, element); of a chain, which has none, that of its tension."""
    if system_of(run).simulation.formulation != "chain":
        return np.asarray(assembly.strains(places) * assembly.stiffnesses)
    parts = []
    for c, part in enumerate(assembly.parts):
        tension = np.asarray(run["tension_effective"].values[:, c, : len(part.lengths) + 1], dtype=np.float64)
        parts.append(0.5 * (tension[:, :-1] + tension[:, 1:]))
    return np.asarray(np.concatenate(parts, axis=1) * assembly.lengths / assembly.stiffnesses)


def strain_modes(strains: Floats) -> tuple[Floats, Floats]:
    """Modes (element, rank) and singular values of √(EA h)·strain (sample, element)."""
    left, values, _ = np.linalg.svd(strains.T, full_matrices=False)
    rank = int((values > ROUNDING * values[0]).sum()) if values[0] > 0.0 else 0
    return np.asarray(left[:, :rank]), np.asarray(values[:rank])


def supremizers(assembly: Assembly, places: Floats, basis: Basis, tensions: Floats) -> Basis:
    """The basis with one more shape for each tension mode: the leading one of M⁻¹∂s_a/∂R over the snapshots."""
    spread = assembly.spread
    inverse = spread @ np.linalg.inv(spread.T @ assembly.mass() @ spread) @ spread.T
    shapes = [basis.modes.reshape(-1, basis.modes.shape[2])]
    for mode in tensions.T:
        pulls = assembly.strain_gradients(mode * assembly.stiffnesses, places)
        pulls = np.einsum("nm,tmi->tni", inverse, pulls)
        shapes.append(np.linalg.svd(pulls.reshape(len(places), -1).T, full_matrices=False)[0][:, :1])
    whole, triangle = np.linalg.qr(np.hstack(shapes))
    kept = np.abs(np.diag(triangle)) > 1e-8  # a supremizer may lie among the modes already
    modes = whole[:, kept].reshape(*basis.modes.shape[:2], -1)
    return Basis(basis.along, basis.lift, basis.mean, modes, basis.singular_values)


def galerkin(
    run: xr.Dataset,
    modes: int,
    tension_modes: int | None,
    *,
    enriched: bool = True,
    by_axis: bool = False,
    system: System | None = None,
    notes: dict[str, Any] | None = None,
) -> ReducedModel:
    """A reduced model of the cables of a run.

    run            result of a run of the cables, whose samples are the snapshots
    modes          number of shapes of their motion
    tension_modes  number of shapes of their tension; None for a standard Galerkin model, which locks
    enriched       whether supremizers are added, so that no pair of numbers locks
    by_axis        whether the shapes are of one axis each, `modes` of every axis (as in the plane cable of the paper)
    system         what to reduce, where it is not the system of the run (a chain may lend its modes to a cable)
    """
    target = system_of(run) if system is None else system
    element = require_reducible(target)
    assembly = assembly_of(target, element)
    taken = snapshots(run, assembly)
    basis, places = pod(taken, modes, by_axis), taken.places
    tensions, values = strain_modes(strains_of(run, assembly, places))
    if tension_modes is None:
        tensions = np.eye(len(assembly.lengths))
    elif not 1 <= tension_modes <= len(values):
        raise ReductionError(
            f"{tension_modes} tension modes were asked for and the snapshots hold {len(values)}; ask for 1 to "
            f"{len(values)}"
        )
    else:
        tensions = tensions[:, :tension_modes]
        if enriched:
            basis = supremizers(assembly, places, basis, tensions)
    made = {
        "modes": modes,
        "tension_modes": 0 if tension_modes is None else tension_modes,
        "kind": "standard" if tension_modes is None else "enriched" if enriched else "two-field",
        "snapshots": len(taken.time),
        "training": str(run.attrs.get("title", "")),
    }
    return ReducedModel(
        cables=assembly.names, source=target.simulation.formulation, element=element, along=basis.along,
        mean=basis.mean, modes=basis.modes, tensions=np.ascontiguousarray(tensions),
        singular_values=basis.singular_values, tension_values=values,
        identity=json.loads(json.dumps(identity(target, element))), notes=made | (notes or {}),
    )  # fmt: skip


def opened(run: xr.Dataset | str | Path) -> xr.Dataset:
    """The result of a run, from its file where a name is given."""
    if isinstance(run, str | Path):
        from fairlead.results.reader import open_result

        return open_result(run)
    return run
