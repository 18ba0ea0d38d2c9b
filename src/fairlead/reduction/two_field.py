"""Reduced models of a cable: its motion on a few shapes, its tension on a few others.

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

from fairlead.formulations.reduced import Operators, ReducedModel, identity
from fairlead.formulations.reduced.operators import Element
from fairlead.model import System
from fairlead.results.dataset import settings_of

from .errors import ReductionError
from .modes import ROUNDING, Basis, pod
from .snapshots import Snapshots, lifting, snapshots

if TYPE_CHECKING:
    import xarray as xr

Floats = NDArray[np.float64]
ELEMENTS: dict[str, Element] = {"spline": "spline", "lumped": "straight", "chain": "straight"}
"""The element of a reduced model by the formulation of the run it is made from."""


def system_of(run: xr.Dataset) -> System:
    """The system a run was of, as its result remembers it."""
    settings = settings_of(run)
    if not settings:
        raise ReductionError("the result does not say which system it is of; run it again with `fairlead run`")
    return System.model_validate(settings)


def require_reducible(system: System) -> Element:
    """The element to reduce with; refuses systems that have none, or touch the seabed."""
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
    if any(end.joint == "clamp" for cable in system.cables.values() for end in (cable.start, cable.end)):
        raise ReductionError("a cable with a clamped end cannot be reduced; use ball joints, or run the full model")
    if len(system.cables) != 1:
        raise ReductionError(f"a reduced model is of a system of one cable, and this one has {len(system.cables)}")
    return ELEMENTS[formulation]


def require_own(taken: Snapshots, operators: Operators) -> None:
    """Refuse snapshots that are not of this cable."""
    if len(taken.along) != len(operators.along):
        raise ReductionError(
            f"the snapshots have {len(taken.along)} nodes and the cable {len(operators.along)}: they are of another "
            "system; take a run of this one"
        )
    if np.abs(taken.along - operators.along).max() > 1e-6 or abs(taken.length / operators.lengths.sum() - 1.0) > 1e-6:
        raise ReductionError(
            f"the snapshots are of a cable of {taken.length:g} m and this one has {operators.lengths.sum():g} m, or it "
            "is divided otherwise: they are of another system; take a run of this one"
        )


def strains_of(run: xr.Dataset, operators: Operators, places: Floats) -> Floats:
    """√(EA h)·strain (sample, element); of a chain, which has none, that of its tension."""
    if system_of(run).simulation.formulation != "chain":
        return np.asarray(operators.strains(places) * operators.stiffnesses)
    tension = np.asarray(run["tension_effective"].values[:, 0, : places.shape[1]], dtype=np.float64)
    return np.asarray(0.5 * (tension[:, :-1] + tension[:, 1:]) * operators.lengths / operators.stiffnesses)


def strain_modes(strains: Floats) -> tuple[Floats, Floats]:
    """Modes (element, rank) and singular values of √(EA h)·strain (sample, element)."""
    left, values, _ = np.linalg.svd(strains.T, full_matrices=False)
    rank = int((values > ROUNDING * values[0]).sum()) if values[0] > 0.0 else 0
    return np.asarray(left[:, :rank]), np.asarray(values[:rank])


def supremizers(operators: Operators, places: Floats, basis: Basis, tensions: Floats) -> Basis:
    """The basis with one more shape for each tension mode: the leading one of M⁻¹∂s_a/∂R over the snapshots."""
    inverse = np.linalg.inv(operators.mass()[1:-1, 1:-1])
    inner = basis.modes[1:-1].reshape(-1, basis.modes.shape[2])
    shapes = [inner]
    for mode in tensions.T:
        pulls = operators.strain_gradients(mode * operators.stiffnesses, places)[:, 1:-1]
        pulls = np.einsum("nm,tmi->tni", inverse, pulls)
        shapes.append(np.linalg.svd(pulls.reshape(len(places), -1).T, full_matrices=False)[0][:, :1])
    whole, triangle = np.linalg.qr(np.hstack(shapes))
    kept = np.abs(np.diag(triangle)) > 1e-8  # a supremizer may lie among the modes already
    modes = np.zeros((len(basis.along), 3, int(kept.sum())))
    modes[1:-1] = whole[:, kept].reshape(len(basis.along) - 2, 3, -1)
    return Basis(basis.along, basis.mean, modes, basis.singular_values)


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
    """A reduced model of the cable of a run.

    run            result of a run of the cable, whose samples are the snapshots
    modes          number of shapes of its motion
    tension_modes  number of shapes of its tension; None for a standard Galerkin model, which locks
    enriched       whether supremizers are added, so that no pair of numbers locks
    by_axis        whether the shapes are of one axis each, `modes` of every axis (as in the plane cable of the paper)
    system         what to reduce, where it is not the system of the run (a chain may lend its modes to a cable)
    """
    own = system_of(run)
    target = own if system is None else system
    element = require_reducible(target)
    cable = next(iter(target.cables))
    taken = snapshots(run)
    operators = Operators.of(target, cable, element)
    require_own(taken, operators)
    basis = pod(taken, modes, by_axis)
    places = lifting(taken.along, taken.ends) + taken.own
    tensions, values = strain_modes(strains_of(run, operators, places))
    if tension_modes is None:
        tensions = np.eye(len(operators.lengths))
    elif not 1 <= tension_modes <= len(values):
        raise ReductionError(
            f"{tension_modes} tension modes were asked for and the snapshots hold {len(values)}; ask for 1 to "
            f"{len(values)}"
        )
    else:
        tensions = tensions[:, :tension_modes]
        if enriched:
            basis = supremizers(operators, places, basis, tensions)
    made = {
        "modes": modes,
        "tension_modes": 0 if tension_modes is None else tension_modes,
        "kind": "standard" if tension_modes is None else "enriched" if enriched else "two-field",
        "snapshots": len(taken.time),
        "training": str(run.attrs.get("title", "")),
    }
    return ReducedModel(
        cable=cable, source=target.simulation.formulation, element=element, along=taken.along, mean=basis.mean,
        modes=basis.modes, tensions=np.ascontiguousarray(tensions), singular_values=basis.singular_values,
        tension_values=values, identity=json.loads(json.dumps(identity(target, cable, element))),
        notes=made | (notes or {}),
    )  # fmt: skip


def opened(run: xr.Dataset | str | Path) -> xr.Dataset:
    """The result of a run, from its file where a name is given."""
    if isinstance(run, str | Path):
        from fairlead.results.reader import open_result

        return open_result(run)
    return run
