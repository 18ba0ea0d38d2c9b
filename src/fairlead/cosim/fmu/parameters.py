"""Parameters of an FMU: what may be set before the run begins, and how constants and first state follow from it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from fairlead.formulations import compile_system
from fairlead.formulations.kernel_compiled import KernelCompiled
from fairlead.model import ModelError, System
from fairlead.model.candidates import Candidate, candidates, changed
from fairlead.model.problems import suggestion
from fairlead.model.values import SMALLEST
from fairlead.shape.layout import Geometry, first_geometry
from fairlead.shape.weight import CableWeight

from .errors import FmuError
from .recipes import SAME, Recipe, learn
from .variables import Variable, fmi_unit

KEPT, HUNG, RELAXED = "START_KEPT", "START_HUNG", "START_RELAXED"
"""What becomes of the first state when a parameter has changed: nothing, cables laid again, let go until at rest."""
FLOWING = "the constants of the formulation do not follow from it in a way an FMU can compute"
STRUCTURE = "it changes what the compiled system is made of"


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
    recipes: tuple[Recipe, ...] = ()
    constants: np.ndarray = field(default_factory=lambda: np.empty(0))
    """Beside the kernel's reals: what the first shape needs (see `shape_constants`)."""
    start: str = KEPT
    lay: bool = False
    """Whether cables are laid again natively."""

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
    system, geometry = compiled.system, first_geometry(compiled.system)
    chosen = _chosen(system, names)
    if not chosen:
        return Parameters()
    refused = _Source(compiled, geometry, chosen).structural()
    shapes = _shapes(compiled, geometry, [c for c in chosen if c.path not in refused])
    if settled and compiled.still() is None:
        shapes = {c.path: False for c in chosen}
    start, lay = _start(compiled, geometry, shapes, refused, settled)
    while True:
        source = _Source(compiled, geometry, [c for c in chosen if c.path not in refused])
        recipes, strange = learn(source.constants, source.base)
        structural = {i for r in recipes for i in r.parameters if r.place < source.n_ints}
        if not strange | structural:
            break
        refused |= {source.places[i][0].path: STRUCTURE if i in structural else FLOWING for i in strange | structural}
    if names is not None and refused:
        path, reason = next(iter(refused.items()))
        raise FmuError(f"'{path}' cannot be a parameter of an FMU: {reason}; or leave it out of fmu.parameters")
    recipes = tuple(replace(r, place=r.place - source.n_ints) for r in recipes)
    used = {source.places[i][0].path for r in recipes for i in r.parameters}
    order = [i for i, (c, _) in enumerate(source.places) if names is not None or c.path in used]
    new_place = {old: new for new, old in enumerate(order)}
    numbers = tuple(
        Number(*source.places[i], source.lowest(i, recipes), source.places[i][0].path in shapes) for i in order
    )
    return Parameters(
        numbers, tuple(_renumbered(r, new_place) for r in recipes), source.shape, start if numbers else KEPT, lay
    )


def _chosen(system: System, names: Iterable[str] | None) -> list[Candidate]:
    known = {c.path: c for c in candidates(system)}
    if names is None:
        return list(known.values())
    for name in names:
        if name not in known:
            raise FmuError(f"there is no value '{name}' that could be a parameter; {suggestion(name, known)}")
    return [known[name] for name in dict.fromkeys(names)]


class _Source:
    """The formulation as a function of its parameters."""

    def __init__(self, compiled: KernelCompiled, geometry: Geometry, chosen: Sequence[Candidate]):
        self._system, self._geometry = compiled.system, geometry
        self._nominal = compiled.ints
        self._chosen = chosen
        self.n_ints = len(compiled.ints)
        self.places = [(c, k) for c in chosen for k in range(len(c.values))]
        self.shape = shape_constants(compiled.system)
        nominal = np.array([c.values[k] for c, k in self.places])
        self.base = np.where(nominal == 0.0, 1.0, nominal)

    def at(self, p: Sequence[float]) -> System:
        values: dict[str, list[float]] = {}
        for (c, _), number in zip(self.places, p, strict=True):
            values.setdefault(c.path, []).append(float(number))
        return changed(self._system, {c.path: values[c.path] if c.shape else values[c.path][0] for c in self._chosen})

    def constants(self, p: np.ndarray) -> np.ndarray:
        system = self.at(list(p))
        compiled = compile_system(system, self._geometry)
        return np.concatenate([compiled.ints.astype(float), compiled.reals, shape_constants(system)])

    def structural(self) -> dict[str, str]:
        """Values that are zero in the file and whose presence changes the compiled system, with the reason."""
        found = {}
        for c in self._chosen:
            if any(x == 0.0 for x in c.values):
                filled = [x or 1.0 for x in c.values]
                system = changed(self._system, {c.path: filled if c.shape else filled[0]})
                if not np.array_equal(compile_system(system, self._geometry).ints, self._nominal):
                    found[c.path] = f"{STRUCTURE}: it is 0 in the file; give it a value above 0 there"
        return found

    def lowest(self, i: int, recipes: Sequence[Recipe]) -> float:
        """Lower bound of a number: above zero where the recipes do not reach zero."""
        candidate, _ = self.places[i]
        if candidate.low != 0.0:
            return candidate.low
        p = self.base.copy()
        p[i] = 0.0
        try:
            wanted = self.constants(p)
        except ModelError:
            return SMALLEST
        with np.errstate(divide="ignore", invalid="ignore"):
            holds = all(
                abs(r.value(p) - wanted[r.place + self.n_ints]) <= SAME * abs(wanted[r.place + self.n_ints])
                for r in recipes
                if i in r.parameters
            )
        same = np.array_equal(wanted[: self.n_ints], self.constants(self.base)[: self.n_ints])
        return 0.0 if holds and same else SMALLEST


def shape_constants(system: System) -> np.ndarray:
    """What the first shape of every cable follows from, as `native/model.h` has it, and last the level of the bed."""
    parts: list[np.ndarray] = []
    for cable in system.cables.values():
        w = CableWeight.of(system, cable)
        parts += [
            w.lengths, w.diameters, w.dry, w.wet, w.stiffness_laid, w.node_dry, w.node_wet,
            np.array([w.contact_radius]),
        ]  # fmt: skip
    bed = system.environment.seabed
    return np.concatenate([*parts, [0.0 if bed is None else -bed.depth]])


def _shapes(compiled: KernelCompiled, geometry: Geometry, wanted: Sequence[Candidate]) -> dict[str, bool]:
    """Parameters on which the first shape or state depends, and whether points move with it too."""
    found: dict[str, bool] = {}
    laid, state = compiled.laid(geometry) is not None, compiled.initial_state()
    for c in wanted:
        for factor in (0.9, 1.2):
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
                found[c.path] = found.get(c.path, False) or moved
    return found


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


def _renumbered(recipe: Recipe, new: dict[int, int]) -> Recipe:
    def terms(old: tuple[tuple[int, float], ...]) -> tuple[tuple[int, float], ...]:
        return tuple((new[i], number) for i, number in old)

    return replace(recipe, powers=terms(recipe.powers), sum=terms(recipe.sum), series=terms(recipe.series))
