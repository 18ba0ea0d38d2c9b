"""Parameters of an FMU: what may be set before the run begins, and how constants and first state follow from it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from fairlead.algebra.recorded import Tape
from fairlead.formulations import compile_system
from fairlead.formulations.contract import UnsupportedSystem
from fairlead.formulations.kernel_compiled import KernelCompiled
from fairlead.formulations.property_tape import NotRecorded, PropertyTape, agree, is_recorded
from fairlead.model import ModelError, System
from fairlead.model.candidates import Candidate, candidates, changed
from fairlead.model.problems import suggestion
from fairlead.model.values import SMALLEST
from fairlead.shape.layout import Geometry, first_geometry
from fairlead.shape.weight import CableWeight

from .errors import FmuError
from .variables import Variable, fmi_unit

KEPT, HUNG, RELAXED = "START_KEPT", "START_HUNG", "START_RELAXED"
"""What becomes of the first state when a parameter has changed: nothing, cables laid again, let go until at rest."""
FLOWING = "the constants of the formulation do not follow from it in a way an FMU can compute"
STRUCTURE = "it changes what the compiled system is made of"
TRIAL = 1.07
"""What a value is multiplied by to see whether the constants follow."""


@dataclass(frozen=True)
class Number:
    """One number among the parameters of an FMU."""

    candidate: Candidate
    component: int
    low: float
    shapes: bool
    """Whether the first shape depends on it."""

    @property
    def start(self) -> float:
        return self.candidate.values[self.component]


@dataclass(frozen=True)
class Parameters:
    """All parameters of an FMU and what hangs on them."""

    numbers: tuple[Number, ...] = ()
    tape: Tape | None = None
    """From the numbers to the constants: the kernel's reals, then `constants`."""
    constants: np.ndarray = field(default_factory=lambda: np.empty(0))
    """What the first shape needs (see `shape_constants`)."""
    start: str = KEPT
    lay: bool = False
    """Whether cables are laid again natively."""
    left_out: tuple[str, ...] = ()
    """Paths of values that could not be traced to the constants."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What a user should know."""
        return tuple(f"'{path}' is no parameter of the FMU: {FLOWING}" for path in self.left_out)

    @property
    def variables(self) -> tuple[Variable, ...]:
        """As an FMU shows them."""
        found = []
        for k, number in enumerate(self.numbers):
            c = number.candidate
            if number.component == 0:
                found.append(
                    Variable(
                        name=c.path, causality="parameter", unit=fmi_unit(c.unit), description=c.description,
                        shape=c.shape, columns=tuple(range(k, k + len(c.values))), start=c.values,
                        low=number.low, high=c.high,
                    )
                )  # fmt: skip
        return tuple(found)


def parameters_of(compiled: KernelCompiled, names: Iterable[str] | None, settled: bool) -> Parameters:
    """The parameters by path, or all that have an effect and can be followed when `names` is None.

    settled: whether the run starts from static equilibrium.
    """
    geometry = first_geometry(compiled.system)
    chosen = _chosen(compiled.system, names)
    if not chosen:
        return Parameters()
    every, left_out = _recorded(compiled, chosen)
    refused = {c.path: FLOWING for c in chosen if not is_recorded(c)} | dict.fromkeys(left_out, FLOWING)
    refused |= _unfollowed(compiled, every)
    shapes = _shapes(compiled, geometry, every)
    if settled and compiled.still() is None:
        moving = ("environment.waves.", ".vortices.")  # rest has neither
        shapes = {c.path: False for c in chosen if not any(part in c.path for part in moving)}
    start, lay = _start(compiled, geometry, shapes, refused, settled)
    if names is not None and refused:
        path, reason = next(iter(refused.items()))
        raise FmuError(f"'{path}' cannot be a parameter of an FMU: {reason}; or leave it out of fmu.parameters")
    useful = {c.path for c in chosen} if names is not None else every.entering(0)
    followed = [c for c in chosen if c.path in useful and c.path not in refused]
    if not followed:
        return Parameters(left_out=left_out)
    found = PropertyTape.of(compiled, followed, shape_constants)
    places = [(c, k) for c in followed for k in range(len(c.values))]
    numbers = (Number(c, k, _lowest(compiled, found, i), c.path in shapes) for i, (c, k) in enumerate(places))
    return Parameters(tuple(numbers), found.tape, found.constants[len(compiled.reals) :], start, lay, left_out)


def _recorded(compiled: KernelCompiled, chosen: list[Candidate]) -> tuple[PropertyTape, tuple[str, ...]]:
    """How constants follow from the candidates, and the paths of those whose way to the constants leaves no record."""
    try:
        return PropertyTape.of(compiled, chosen, shape_constants), ()
    except NotRecorded:
        pass
    kept: list[Candidate] = []
    found = PropertyTape.of(compiled, kept, shape_constants)
    for candidate in chosen:
        try:
            found = PropertyTape.of(compiled, [*kept, candidate], shape_constants)
            kept.append(candidate)
        except NotRecorded:
            continue
    known = {c.path for c in kept}
    return found, tuple(c.path for c in chosen if c.path not in known)


def _chosen(system: System, names: Iterable[str] | None) -> list[Candidate]:
    known = {c.path: c for c in candidates(system)}
    if names is None:
        return list(known.values())
    for name in names:
        if name not in known:
            raise FmuError(f"there is no value '{name}' that could be a parameter; {suggestion(name, known)}")
    return [known[name] for name in dict.fromkeys(names)]


def _unfollowed(compiled: KernelCompiled, found: PropertyTape) -> dict[str, str]:
    """Values from which the constants do not follow by the record of the formulation's build, with the reason.

    Each is held against the formulation at another value: one that left the record on its way would show.
    """
    refused: dict[str, str] = {}
    at = 0
    for c in found.candidates:
        p = found.numbers
        row = [TRIAL * x or 1.0 for x in c.values]
        p[at : at + len(row)] = row
        at += len(row)
        try:
            other = compiled.rebuilt(changed(compiled.system, {c.path: row if c.shape else row[0]}))
        except (ModelError, UnsupportedSystem) as error:
            refused[c.path] = f"with {row} {error}"
            continue
        constants = found.at(p)
        if constants is None or not np.array_equal(other.ints, compiled.ints):
            zero = ": it is 0 in the file; give it a value above 0 there" if 0.0 in c.values else ""
            refused[c.path] = f"{STRUCTURE}{zero}"
        elif not agree(constants, np.array([*other.reals, *shape_constants(other.system)])):
            refused[c.path] = FLOWING
    return refused


def _lowest(compiled: KernelCompiled, found: PropertyTape, i: int) -> float:
    """Lower bound of a number: above zero where the system would be another one at zero."""
    places = [(c, k) for c in found.candidates for k in range(len(c.values))]
    candidate, component = places[i]
    if candidate.low != 0.0:
        return candidate.low
    p, row = found.numbers, list(candidate.values)
    p[i] = row[component] = 0.0
    try:
        other = compiled.rebuilt(changed(compiled.system, {candidate.path: row if candidate.shape else row[0]}))
    except (ModelError, UnsupportedSystem):
        return SMALLEST
    constants = found.at(p)
    if constants is None or not np.array_equal(other.ints, compiled.ints):
        return SMALLEST
    return 0.0 if agree(constants, np.array([*other.reals, *shape_constants(other.system)])) else SMALLEST


def shape_constants(system: System) -> list[float]:
    """What the first shape of every cable follows from, as `native/model.h` has it, and last the level of the bed."""
    found: list[float] = []
    for cable in system.cables.values():
        w = CableWeight.of(system, cable)
        for row in (w.lengths, w.diameters, w.dry, w.wet, w.stiffness_laid, w.node_dry, w.node_wet):
            found += list(row)
        found.append(w.contact_radius)
    bed = system.environment.seabed
    return [*found, 0.0 if bed is None else -bed.depth]


def _shapes(compiled: KernelCompiled, geometry: Geometry, found: PropertyTape) -> dict[str, bool]:
    """Parameters on which the first shape or state depends, and whether points move with it too.

    Where cables are laid by a rule, only what enters `shape_constants` can matter.
    """
    laid, state = compiled.laid(geometry) is not None, compiled.initial_state()
    entering = found.entering(len(compiled.reals))
    shapes: dict[str, bool] = {}
    for c in found.candidates:
        for factor in (0.9, 1.2) if not laid or c.path in entering else ():
            scaled = [factor * x for x in c.values]
            system = changed(compiled.system, {c.path: scaled if c.shape else scaled[0]})
            other = first_geometry(system)
            moved = any(not np.array_equal(other.points[name], place) for name, place in geometry.points.items())
            bent = any(
                not np.array_equal(other.nodes[name], geometry.nodes[name])
                or not np.array_equal(other.tensions[name], geometry.tensions[name])
                for name in geometry.cables
            )
            if not laid and not (moved or bent):
                bent = not np.array_equal(compile_system(system, other).initial_state(), state)
            if moved or bent:
                shapes[c.path] = shapes.get(c.path, False) or moved
    return shapes


def _start(
    compiled: KernelCompiled, geometry: Geometry, shapes: dict[str, bool], refused: dict[str, str], statics: bool
) -> tuple[str, bool]:
    """What is done about the first state; adds to `refused` what cannot be followed."""
    places = compiled.laid(geometry)
    clamped = any(place.shaped_clamps for place in places or ())
    relaxed = statics and compiled.still() is not None
    if not shapes or (relaxed and not clamped):
        return (RELAXED if relaxed else KEPT), False
    reason = "the first state depends on it, and its cables are not laid one by one by an FMU"
    if places is not None:
        reason = _not_laid(compiled, geometry)
    for path, moves in shapes.items():
        if moves and (clamped or not statics):
            refused[path] = "free points without a position are placed by it; give them one, or use start: statics"
        elif reason:
            refused[path] = reason
    lay = not reason
    return (RELAXED if relaxed else (HUNG if lay else KEPT)), lay


def _not_laid(compiled: KernelCompiled, geometry: Geometry) -> str:
    """Why the cables cannot be laid natively; empty when they can."""
    bed = compiled.system.environment.seabed
    if bed is not None and bed.bathymetry is not None:
        return "the first shape depends on it, and an FMU lays cables on a plane seabed alone; use start: statics"
    for name, cable in compiled.system.cables.items():
        shape = geometry.cables[name]
        if CableWeight.of(compiled.system, cable).floats:
            how = "floats"
        elif shape.state == "hanging" and not (shape.balanced and shape.horizontal > 0.0):
            how = "hangs folded"
        elif shape.state == "resting" and not (shape.horizontal > 0.0 and _upright(shape.nodes)):
            how = "lies slack on the seabed"
        elif shape.state == "squeezed":
            how = "does not fit between its ends"
        else:
            continue
        return f"the first shape depends on it, and cable '{name}' {how}, which an FMU cannot lay; use start: statics"
    return ""


def _upright(nodes: np.ndarray) -> bool:
    """Whether all nodes (n+1, 3) lie in the vertical plane of the chord."""
    across = nodes - nodes[0]
    chord = across[-1]
    aside = across[:, 0] * chord[1] - across[:, 1] * chord[0]
    return bool(np.abs(aside).max() <= 1e-9 * np.abs(across).max() ** 2)
